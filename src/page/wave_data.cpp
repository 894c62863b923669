#include "page/wave_data.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ranges>
#include <span>

#include "observe/accesses.hpp"
#include "page/findings.hpp"
#include "page/json_parts.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

namespace salu::page {
namespace {

// Limits of a page, which keep it to a few megabytes for any run.
constexpr std::size_t most_lines = 3000;
constexpr std::size_t most_instructions_per_column = 16;
constexpr std::size_t most_register_points = 45'000;
constexpr std::size_t most_warnings = 500;

void add_branches(Json& json, const Executed& executed) {
  // Splits and pops are not counted as branches.
  const u64 both = executed.stacked;
  switch (executed.flow) {
    case isa::Flow::branch_if:
      json["kind"] = "conditional";
      json["taken"] = executed.jumped;
      json["not_taken"] = executed.fell_through;
      break;
    case isa::Flow::fork:
      json["kind"] = "fork";
      json["split"] = both;
      json["taken"] = executed.jumped - executed.stacked_jumps;
      json["not_taken"] = executed.fell_through - (both - executed.stacked_jumps);
      break;
    case isa::Flow::join:
      json["kind"] = "join";
      json["popped"] = both;
      json["went_on"] = executed.jumped + executed.fell_through - both;
      break;
    default:
      break;
  }
  if (executed.targets.empty()) return;
  Json targets = Json::array();
  u64 listed = 0;
  for (const auto& [pc, count] : executed.targets) {
    targets.push_back({support::hex(pc), count});
    listed += count;
  }
  json["targets"] = std::move(targets);
  if (listed != executed.jumped) json["other_targets"] = executed.jumped - listed;
}

}  // namespace

WaveData::WaveData(const Recording& recording, const Outcome& outcome)
    : recording_(recording),
      scenario_(recording.scenario()),
      generation_(scenario_.program.generation()),
      outcome_(outcome),
      counts_(recording.counts(outcome.stop)),
      lines_(list_program(scenario_.program, counts_, most_lines)),
      line_of_(counts_.all().size(), -1) {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (lines_[i].executed) line_of_[*lines_[i].executed] = static_cast<i64>(i);
  }
}

void WaveData::add_end(Json& json) const {
  json["steps"] = outcome_.steps;
  json["skipped_vector"] = outcome_.skipped_vector;
  json["stop"] = stop_json(scenario_.program, outcome_.stop);
}

void WaveData::add_run(Json& json) {
  json["program"] = program_json();
  json["timeline"] = timeline_json();
  json["registers"] = registers_json();
  json["forks"] = forks_json();
  json["final"] = final_json(recording_, outcome_, summarised_);
  json["warnings"] = warnings_json();
}

i64 WaveData::line_at(u64 pc) const {
  const auto found = std::ranges::lower_bound(lines_, pc, {}, &ListingLine::pc);
  return found != lines_.end() && found->pc == pc && found->hidden == 0 ? found - lines_.begin() : -1;
}

Json WaveData::program_json() {
  Json list = Json::array();
  u64 hidden = 0;
  u64 hidden_executed = 0;
  for (const ListingLine& line : lines_) {
    Json json = {{"pc", support::hex(line.pc)}};
    if (line.hidden != 0) {
      json["hidden"] = line.hidden;
      json["hidden_count"] = line.hidden_count;
      hidden += line.hidden;
      hidden_executed += line.hidden_count;
      list.push_back(std::move(json));
      continue;
    }
    json["text"] = line.text;
    if (!line.labels.empty()) json["labels"] = line.labels;
    if (!line.source.empty()) json["source"] = line.source;
    if (line.executed) {
      const Executed& executed = counts_[*line.executed];
      json["count"] = executed.count;
      json["first"] = executed.first_step;
      json["last"] = executed.last_step;
      add_branches(json, executed);
      if (recording_.whole_waves().contains(line.pc)) json["whole_wave"] = true;
    }
    list.push_back(std::move(json));
  }
  if (hidden != 0) {
    summarise(fmt::format(
        "The program has more than {} instructions: {} with {} in all are omitted from the listing at marked places.",
        most_lines, support::counted(hidden, "instruction"), support::counted(hidden_executed, "execution")));
  }
  return list;
}

Json WaveData::timeline_json() {
  const Timeline& timeline = recording_.timeline();
  const u64 first = recording_.options().first_step;
  const u64 per_column = timeline.steps_per_column();
  Json json = {{"first", first}, {"steps", timeline.steps()}, {"per_column", per_column}};
  if (timeline.steps() != outcome_.steps) {
    summarise(fmt::format(
        "The timelines show steps {} to {} of {}; counts, fork tree and final state are those of the whole run.", first,
        first + timeline.steps() - 1, outcome_.steps));
  }
  if (per_column != 1) {
    summarise(
        fmt::format("Each column of the timelines represents {} steps: a lane is drawn half if it was active in only "
                    "some of them, and a register has its last value. `--steps FIRST..LAST` shows "
                    "{} steps or fewer one by one.",
                    per_column, Timeline::most_columns));
  }
  const auto columns = timeline.columns();
  json["columns"] = columns.size();
  add_lanes(json, columns);
  json["end"] = {{"exec", mask_text(recording_.end().exec())}, {"csp", recording_.end().csp()}};
  if (is_lost_at_end(state_index::exec) || is_lost_at_end(state_index::exec + 1)) json["lost"] = true;
  add_instructions(json, columns);
  add_step_texts(json, timeline.texts());
  return json;
}

void WaveData::add_instructions(Json& json, std::span<const Column> columns) {
  Json list = Json::array();
  Json ranges = Json::array();
  for (std::size_t at = 0; at < columns.size(); ++at) {
    std::vector<InstructionCount> counts = columns[at].instructions;
    std::ranges::stable_sort(counts, std::ranges::greater(), &InstructionCount::count);
    if (recording_.timeline().steps_per_column() == 1) {
      list.push_back(line_of_[counts.front().instruction]);
      continue;
    }
    Json entry = Json::array();
    for (const InstructionCount& shown :
         std::span(counts).first(std::min(counts.size(), most_instructions_per_column))) {
      entry.push_back(line_of_[shown.instruction]);
      entry.push_back(shown.count);
    }
    list.push_back(std::move(entry));
    if (counts.size() <= most_instructions_per_column) continue;
    const auto line = [this](const InstructionCount& counted) { return line_of_[counted.instruction]; };
    const auto [least, most] = std::ranges::minmax(counts | std::views::transform(line));
    ranges.push_back({at, least, most});
  }
  json["instructions"] = std::move(list);
  if (!ranges.empty()) {
    json["ranges"] = std::move(ranges);
    summarise(
        fmt::format("A column names the {} instructions that ran most in it; the others are within the band "
                    "drawn for it under the lanes.",
                    most_instructions_per_column));
  }
}

bool WaveData::is_lost_at_end(u32 index) const { return is_lost(outcome_, {index}); }

Json WaveData::registers_json() {
  const auto columns = recording_.timeline().columns();
  std::size_t factor = 1;
  std::vector<Column> merged(columns.begin(), columns.end());
  const auto points = [&] {
    std::size_t total = 0;
    for (const Column& column : merged) total += column.registers.size();
    return total;
  };
  while (points() > most_register_points && merged.size() > 1) {
    merged = merge_columns(merged, 2);
    factor *= 2;
  }
  if (factor != 1) {
    summarise(fmt::format("Values of registers are given for every {} steps.",
                          factor * recording_.timeline().steps_per_column()));
  }
  std::vector<Json> points_of(state_index::scalar_count, Json::array());
  for (std::size_t i = 0; i < merged.size(); ++i) {
    for (const RegisterPoint& point : merged[i].registers) {
      Json entry = {i, point.value};
      if (point.writes != 1) entry.push_back(point.writes);
      points_of[point.index].push_back(std::move(entry));
    }
  }
  Json list = Json::array();
  std::vector<std::size_t> places(state_index::scalar_count, state_index::scalar_count);
  for (u32 index = 0; index < state_index::scalar_count; ++index) {
    if (points_of[index].empty()) continue;
    places[index] = listed_.size();
    listed_.push_back(index);
    Json entry = {{"name", tracked_name(generation_, index)}, {"start", recording_.start().value(index)}};
    // Values written before the part that is shown are not inputs.
    const bool is_whole = recording_.options().first_step == 1;
    if (is_whole && !is_defined_at_start(scenario_.initial, index)) entry["undefined"] = true;
    if (is_lost_at_end(index)) entry["lost"] = true;
    entry["points"] = std::move(points_of[index]);
    list.push_back(std::move(entry));
  }
  Json pairs = Json::array();
  for (u32 index = 0; index + 1 < state_index::tba; index += 2) {
    if (places[index] >= listed_.size() || places[index + 1] >= listed_.size()) continue;
    // EXEC and VCC are shown as whole registers, even if halves are written.
    const bool is_one = index == state_index::exec || index == state_index::vcc;
    if (!is_one && !recording_.is_pair(index)) continue;
    pairs.push_back({places[index], observe::location_name(generation_, {index, 2})});
  }
  for (Json& pair : pairs) pair[1] = support::lower_case(pair[1].get<std::string>());
  return {{"columns_per_point", factor}, {"list", std::move(list)}, {"pairs", std::move(pairs)}};
}

Json WaveData::fork_json(const Fork& fork) const {
  Json sides = Json::array();
  for (const ForkSide& side : fork.sides) {
    sides.push_back({{"passes", side.passes},
                     {"mask", mask_text(side.mask)},
                     {"pc", support::hex(side.pc)},
                     {"line", line_at(side.pc)},
                     {"first", side.first_step},
                     {"last", side.last_step},
                     {"steps", side.steps}});
  }
  return {{"parent", fork.parent ? Json(*fork.parent) : Json()},
          {"parent_side", fork.parent_side},
          {"pc", support::hex(fork.pc)},
          {"line", line_at(fork.pc)},
          {"step", fork.step},
          {"count", fork.count},
          {"entry", fork.entry},
          {"join", fork.join_pc ? Json(support::hex(*fork.join_pc)) : Json()},
          {"join_line", fork.join_pc ? line_at(*fork.join_pc) : -1},
          {"sides", std::move(sides)}};
}

Json WaveData::forks_list(const ForkTree& tree) const {
  Json list = Json::array();
  for (const Fork& fork : tree.forks()) list.push_back(fork_json(fork));
  return list;
}

Json WaveData::forks_json() {
  const ForkTree& tree = recording_.forks();
  Json remarks = Json::array();
  for (const ForkRemark& remark : tree.remarks()) {
    remarks.push_back(
        {{"step", remark.step}, {"pc", support::hex(remark.pc)}, {"line", line_at(remark.pc)}, {"text", remark.text}});
  }
  if (tree.merged()) {
    summarise(
        fmt::format("The run forked {} times: the fork tree shows forks at the same place as one, with their number "
                    "and the masks of the last.",
                    recording_.splits()));
    if (tree.left_out() != 0) summarise(support::counted(tree.left_out(), "fork") + " are omitted from it.");
  }
  Json json = {{"splits", recording_.splits()},
               {"merged", tree.merged()},
               {"list", forks_list(tree)},
               {"remarks", std::move(remarks)}};
  if (tree.merged()) json["first"] = forks_list(recording_.first_forks());
  return json;
}

Json WaveData::warnings_json() {
  Json list = Json::array();
  for (const Warning& warning : outcome_.warnings) {
    if (list.size() == most_warnings) {
      summarise(fmt::format("{} more warnings are not shown.", outcome_.warnings.size() - most_warnings));
      break;
    }
    list.push_back({{"kind", warning_kind_name(warning.kind)},
                    {"pc", support::hex(warning.pc)},
                    {"place", scenario_.program.describe_place(warning.pc)},
                    {"line", line_at(warning.pc)},
                    {"step", recording_.step_of(warning)},
                    {"instruction", warning.instruction},
                    {"detail", warning.detail}});
    if (warning.hazard)
      list.back()["kind"] = fmt::format("{} {}", warning.is_info() ? "info:" : "hazard", warning.hazard->id);
  }
  return list;
}

void WaveData::add_findings(Json& json, std::vector<Finding> findings,
                            const std::function<i64(const FindingLink&)>& line_of) {
  findings_ = std::move(findings);
  json["opens_at"] = opening_step(findings_, recording_.wave());
  Json list = Json::array();
  for (const Finding& finding : std::span(findings_).first(std::min(findings_.size(), most_warnings))) {
    Json links = Json::array();
    for (const FindingLink& link : finding.links) {
      links.push_back({{"name", link.name},
                       {"pc", support::hex(link.pc)},
                       {"place", scenario_.program.describe_place(link.pc)},
                       {"line", line_of(link)},
                       {"step", link.step}});
      if (link.wave) links.back()["wave"] = *link.wave;
    }
    Json facts = Json::object();
    for (const auto& [name, value] : finding.facts) facts[name] = value;
    list.push_back({{"severity", finding.is_bad ? "bad" : "info"},
                    {"kind", finding.kind},
                    {"text", finding.text},
                    {"detail", finding.detail},
                    {"facts", std::move(facts)},
                    {"links", std::move(links)}});
    if (finding.wave) list.back()["wave"] = *finding.wave;
  }
  json["findings"] = std::move(list);
}

std::vector<StepRange> WaveData::choose_windows() const {
  if (recording_.timeline().steps_per_column() == 1) return {};
  return page::choose_windows(recording_, {line_of_, listed_, findings_});
}

void WaveData::add_windows(Json& json, std::span<const Window> windows) {
  if (windows.empty()) return;
  Json list = windows_json(recording_, windows, {line_of_, listed_, findings_});
  u64 steps = 0;
  for (const Json& window : list) steps += window["steps"].get<u64>();
  summarise(
      fmt::format("Of these, {} are shown one by one: the start and the end, around each finding and its "
                  "links, around the first hundred forks, and the last write of each register. The marks below "
                  "the ruler show where.",
                  support::counted(steps, "step")));
  json["windows"] = std::move(list);
}

void WaveData::add_sources(Json& json) const {
  if (recording_.options().read_source) json["sources"] = sources_json(recording_, lines_);
}

}  // namespace salu::page
