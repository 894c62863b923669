#include "page/page_data.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <ranges>
#include <span>

#include "output/state_list.hpp"
#include "support/numbers.hpp"

namespace salu::page {
namespace {

using Json = nlohmann::ordered_json;

// What bounds a page: some megabytes whatever the run was.
constexpr std::size_t most_lines = 3000;
constexpr std::size_t most_instructions_per_column = 16;
constexpr std::size_t most_register_points = 60'000;
constexpr std::size_t most_warnings = 500;
constexpr std::size_t most_memory_words = 1024;

constexpr u32 mask_digits = 16;
constexpr u32 dword_digits = 8;

std::string mask_text(u64 mask) { return support::hex(mask, mask_digits).substr(2); }

class PageData {
 public:
  PageData(const Recording& recording, const Outcome& outcome)
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

  Json write(const std::vector<Mismatch>* mismatches) {
    Json json = {{"schema", "salu-page-v1"}, {"name", scenario_.name},
                 {"file", scenario_.file},   {"target", scenario_.program.target->name},
                 {"steps", outcome_.steps},  {"skipped_vector", outcome_.skipped_vector},
                 {"stop", stop_json()}};
    json["program"] = program_json();
    json["timeline"] = timeline_json();
    json["registers"] = registers_json();
    json["forks"] = forks_json();
    json["final"] = {{"registers", final_registers_json()}, {"memory", memory_json()}};
    json["warnings"] = warnings_json();
    json["expectations"] = mismatches == nullptr ? Json() : mismatches_json(*mismatches);
    json["summarised"] = summarised_;
    return json;
  }

 private:
  void summarise(std::string sentence) { summarised_.push_back(std::move(sentence)); }

  Json stop_json() const {
    const Stop& stop = outcome_.stop;
    const bool is_inside = stop.reason != StopReason::returned;
    return {{"reason", stop.reason_name()},
            {"kind", is_regular_end(stop.reason) ? "end"
                     : is_fault(stop.reason)     ? "fault"
                                                 : "stop"},
            {"pc", support::hex(stop.pc)},
            {"place", is_inside ? scenario_.program.describe_place(stop.pc) : support::hex(stop.pc)},
            {"instruction", is_inside ? stop.instruction : std::string()},
            {"detail", stop.detail}};
  }

  [[nodiscard]] i64 line_at(u64 pc) const {
    const auto found = std::ranges::lower_bound(lines_, pc, {}, &ListingLine::pc);
    return found != lines_.end() && found->pc == pc && found->hidden == 0 ? found - lines_.begin() : -1;
  }

  static void add_branches(Json& json, const Executed& executed) {
    // A fork that splits goes both ways, and a join that pops is not a branch that was taken.
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

  Json program_json() {
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
      }
      list.push_back(std::move(json));
    }
    if (hidden != 0) {
      summarise(fmt::format(
          "The program has more than {} instructions: {} with {} in all are left out of the listing, which says where.",
          most_lines, support::counted(hidden, "instruction"), support::counted(hidden_executed, "execution")));
    }
    return list;
  }

  Json timeline_json() {
    const Timeline& timeline = recording_.timeline();
    const u64 first = recording_.options().first_step;
    const u64 per_column = timeline.steps_per_column();
    Json json = {{"first", first}, {"steps", timeline.steps()}, {"per_column", per_column}};
    if (timeline.steps() != outcome_.steps) {
      summarise(fmt::format(
          "The timelines show steps {} to {} of {}; counts, fork tree and final state are those of the whole run.",
          first, first + timeline.steps() - 1, outcome_.steps));
    }
    if (per_column != 1) {
      summarise(
          fmt::format("Each column of the timelines stands for {} steps: a lane is drawn half when it was on in some "
                      "of them only, and a register has the value that it was left with. `--steps FIRST..LAST` shows "
                      "{} steps or fewer one by one.",
                      per_column, Timeline::most_columns));
    }
    Json exec = Json::array();
    Json csp = Json::array();
    const Column* before = nullptr;
    const auto columns = timeline.columns();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const Column& column = columns[i];
      if (before == nullptr || before->exec_any != column.exec_any || before->exec_all != column.exec_all) {
        exec.push_back({i, mask_text(column.exec_any)});
        if (column.exec_any != column.exec_all) exec.back().push_back(mask_text(column.exec_all));
      }
      if (before == nullptr || before->csp_least != column.csp_least || before->csp_most != column.csp_most) {
        csp.push_back({i, column.csp_least});
        if (column.csp_least != column.csp_most) csp.back().push_back(column.csp_most);
      }
      before = &column;
    }
    json["columns"] = columns.size();
    json["exec"] = std::move(exec);
    json["csp"] = std::move(csp);
    json["end"] = {{"exec", mask_text(recording_.end().exec())}, {"csp", recording_.end().csp()}};
    if (is_lost_at_end(code::exec) || is_lost_at_end(code::exec + 1)) json["lost"] = true;
    add_instructions(json, columns);
    add_texts(json, timeline.texts());
    return json;
  }

  /// By column: the line of the one instruction or, where there are several, lines with their counts.
  void add_instructions(Json& json, std::span<const Column> columns) {
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
          fmt::format("A column names the {} instructions that ran most in it; the others are within the band that is "
                      "drawn for it under the lanes.",
                      most_instructions_per_column));
    }
  }

  static void add_texts(Json& json, std::span<const StepText> texts) {
    if (texts.empty()) return;
    Json reads = Json::array();
    Json writes = Json::array();
    Json notes = Json::object();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      reads.push_back(texts[i].reads);
      writes.push_back(texts[i].writes);
      if (!texts[i].note.empty()) notes[std::to_string(i)] = texts[i].note;
    }
    json["reads"] = std::move(reads);
    json["writes"] = std::move(writes);
    json["notes"] = std::move(notes);
  }

  /// Whether the value at the end is a guess: a vector instruction that was skipped would have made it.
  [[nodiscard]] bool is_lost_at_end(u32 index) const { return is_lost(outcome_, {index}); }

  Json registers_json() {
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
    for (u32 index = 0; index < state_index::scalar_count; ++index) {
      if (points_of[index].empty()) continue;
      Json entry = {{"name", tracked_name(generation_, index)}, {"start", recording_.start().value(index)}};
      // What the run wrote before the part that is shown is no input.
      const bool is_whole = recording_.options().first_step == 1;
      if (is_whole && !is_defined_at_start(scenario_.initial, index)) entry["undefined"] = true;
      if (is_lost_at_end(index)) entry["lost"] = true;
      entry["points"] = std::move(points_of[index]);
      list.push_back(std::move(entry));
    }
    return {{"columns_per_point", factor}, {"list", std::move(list)}};
  }

  Json forks_json() {
    const ForkTree& tree = recording_.forks();
    Json list = Json::array();
    for (const Fork& fork : tree.forks()) {
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
      list.push_back({{"parent", fork.parent ? Json(*fork.parent) : Json()},
                      {"parent_side", fork.parent_side},
                      {"pc", support::hex(fork.pc)},
                      {"line", line_at(fork.pc)},
                      {"step", fork.step},
                      {"count", fork.count},
                      {"entry", fork.entry},
                      {"join", fork.join_pc ? Json(support::hex(*fork.join_pc)) : Json()},
                      {"join_line", fork.join_pc ? line_at(*fork.join_pc) : -1},
                      {"sides", std::move(sides)}});
    }
    Json remarks = Json::array();
    for (const ForkRemark& remark : tree.remarks()) {
      remarks.push_back({{"step", remark.step},
                         {"pc", support::hex(remark.pc)},
                         {"line", line_at(remark.pc)},
                         {"text", remark.text}});
    }
    if (tree.merged()) {
      summarise(
          fmt::format("The run forked {} times: the fork tree shows forks at the same place as one, with their number "
                      "and the masks of the last.",
                      recording_.splits()));
      if (tree.left_out() != 0) summarise(support::counted(tree.left_out(), "fork") + " are left out of it.");
    }
    return {{"splits", recording_.splits()},
            {"merged", tree.merged()},
            {"list", std::move(list)},
            {"remarks", std::move(remarks)}};
  }

  void add_final(Json& list, const std::vector<output::ListedRegister>& registers,
                 const std::vector<output::ListedRegister>& at_start) const {
    for (const output::ListedRegister& listed : registers) {
      // The live bits of STATUS say nothing that SCC, EXEC and VCC do not say themselves.
      if (listed.name == "status" && outcome_.state.status == 0 && scenario_.initial.status == 0) continue;
      if (!listed.is_touched() && listed.name != "exec" && listed.name != "scc") continue;
      Json entry = {{"name", listed.name}, {"value", output::value_text(listed)}};
      if (listed.changed && listed.name != "pc") {
        entry["changed"] = true;
        const auto before = std::ranges::find(at_start, listed.name, &output::ListedRegister::name);
        const bool was_defined =
            before != at_start.end() && (before->definition != output::Definition::none || before->value != 0);
        if (was_defined) entry["before"] = output::value_text(*before);
      }
      if (listed.definition == output::Definition::none) entry["undefined"] = true;
      list.push_back(std::move(entry));
    }
  }

  /// The first lanes of each in the row, and all of them behind it.
  void add_final_vectors(Json& list) const {
    constexpr u32 lanes_shown = 4;
    for (const output::ListedVector& vector : output::list_vectors(scenario_, outcome_.state)) {
      Json lanes = Json::array();
      for (u32 lane = 0; lane < state_index::lanes; ++lane) {
        const bool is_defined = (vector.defined >> lane & 1) != 0;
        lanes.push_back(is_defined ? support::hex(vector.lanes[lane], dword_digits) : "–");
      }
      std::string value = lanes[0];
      for (u32 lane = 1; !vector.is_uniform() && lane < lanes_shown; ++lane) value += " " + std::string(lanes[lane]);
      value += vector.is_uniform() ? " in all lanes" : " …";
      Json entry = {{"name", vector.name}, {"value", std::move(value)}, {"lanes", std::move(lanes)}};
      if (vector.changed) entry["changed"] = true;
      list.push_back(std::move(entry));
    }
  }

  [[nodiscard]] Json final_registers_json() const {
    Json list = Json::array();
    const auto add = [&](auto list_registers) {
      add_final(list, list_registers(scenario_, outcome_.state), list_registers(scenario_, scenario_.initial));
    };
    add(output::list_sgprs);
    add(output::list_specials);
    add(output::list_ttmps);
    add(output::list_hwregs);
    add_final_vectors(list);
    return list;
  }

  Json memory_json() {
    Json list = Json::array();
    u64 left_out = 0;
    std::size_t shown = 0;
    for (const output::MemoryRun& run : output::changed_memory(scenario_.memory, outcome_.memory)) {
      for (std::size_t i = 0; i < run.words.size(); ++i) {
        if (shown == most_memory_words) {
          ++left_out;
          continue;
        }
        ++shown;
        const u64 address = run.address + i * 4;
        list.push_back({{"at", support::hex(address)},
                        {"before", support::hex(scenario_.memory.read_dword(address), dword_digits)},
                        {"value", support::hex(run.words[i], dword_digits)}});
      }
    }
    if (left_out != 0)
      summarise("Memory that changed: " + support::counted(left_out, "dword") + " more are not shown.");
    return list;
  }

  Json warnings_json() {
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

  static Json mismatches_json(const std::vector<Mismatch>& mismatches) {
    Json list = Json::array();
    for (const Mismatch& mismatch : mismatches) {
      list.push_back({{"what", mismatch.what},
                      {"expected", mismatch.expected},
                      {"actual", mismatch.actual},
                      {"place", fmt::format("{}:{}", mismatch.where.file, mismatch.where.line)}});
    }
    return list;
  }

  const Recording& recording_;
  const Scenario& scenario_;
  Generation generation_;
  const Outcome& outcome_;
  ExecutionCounts counts_;
  std::vector<ListingLine> lines_;
  std::vector<i64> line_of_;  ///< by number in `counts_`; -1: not listed
  std::vector<std::string> summarised_;
};

}  // namespace

std::string page_data(const Recording& recording, const Outcome& outcome, const std::vector<Mismatch>* mismatches) {
  // Texts from outside may be anything; what is no UTF-8 in them is replaced.
  return PageData(recording, outcome).write(mismatches).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace salu::page
