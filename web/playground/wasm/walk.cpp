#include <fmt/core.h>

#include <utility>

#include "answers.hpp"
#include "debug/why_place.hpp"
#include "debug/why_text.hpp"

namespace salu::playground {
namespace {

/// The most vector registers whose lanes are shown.
constexpr u32 most_vector_registers = 32;

std::string hexadecimal(u64 value, u32 width) { return fmt::format("{:0{}x}", value, (width + 3) / 4); }

/// Registers of at most 64 bits, with names as in scenarios; registers that a generation does not have are skipped.
std::vector<std::string> shown_names(Generation generation, const WaveState& state) {
  std::vector<std::string> names;
  for (u32 i = 0; i < state.sgprs; ++i) {
    if (state.defined[i] || state.file[i] != 0) names.push_back(fmt::format("s{}", i));
  }
  for (const char* name : {"vcc", "exec", "scc", "m0", "csp", "flat_scratch", "xnack_mask"}) names.emplace_back(name);
  for (u32 i = 0; i < generation_info(generation).ttmps; ++i) {
    const std::string name = fmt::format("ttmp{}", i);
    const auto parsed = parse_register_name(generation, name);
    if (parsed && read_register(state, *parsed) != 0) names.push_back(name);
  }
  for (const char* name : {"mode", "status", "trapsts", "tba", "tma"}) names.emplace_back(name);
  return names;
}

Json vector_json(const WaveState& state, const WaveState& before) {
  Json list = Json::array();
  for (u32 i = 0; i < VectorRegisters::count && list.size() < most_vector_registers; ++i) {
    if (!state.vectors.is_touched(i)) continue;
    Json lanes = Json::array();
    for (const u32 lane : state.vectors.lanes(i)) lanes.push_back(hexadecimal(lane, 32));
    const bool has_changed =
        state.vectors.lanes(i) != before.vectors.lanes(i) || state.vectors.defined(i) != before.vectors.defined(i);
    const bool is_accumulator = i >= VectorRegisters::vgprs;
    list.push_back({{"name", fmt::format("{}{}", is_accumulator ? 'a' : 'v', i % VectorRegisters::vgprs)},
                    {"lanes", std::move(lanes)},
                    {"defined", hexadecimal(state.vectors.defined(i), 64)},
                    {"changed", has_changed}});
  }
  return list;
}

}  // namespace

Walk::Walk(Scenario scenario)
    : scenario_(std::move(scenario)),
      // Limits that suit the memory of a browser tab.
      session_(scenario_, {.history_bytes = u64{32} << 20, .check_undefined = scenario_.options.check_undefined}),
      console_(
          session_, [this](std::string_view text) { printed_ += text; }, false),
      shown_(session_.machine().state()) {}

Json Walk::execute(const std::string& line) {
  printed_.clear();
  const bool is_good = console_.execute(line);
  Json answer = state();
  answer["text"] = printed_;
  answer["good"] = is_good;
  return answer;
}

Json Walk::why(const std::string& text, std::optional<u64> step) {
  Result<debug::WhyPlace> place = debug::read_why_place(text);
  if (!place) throw Refusal{place.error().message};
  const u64 position = place->step.value_or(step.value_or(session_.run().position()));
  if (position > session_.run().furthest()) throw Refusal{fmt::format("the run has not reached step {} yet", position)};
  place->step = position;
  const auto bits = debug::find_why_bits(session_, *place);
  if (!bits) throw Refusal{bits.error().message};
  const observe::WhyGraph graph = session_.why(*bits, position, {});
  Json links = Json::array();
  for (const observe::WhyLink& link : graph.links) {
    if (!link.is_edit) links.push_back({{"step", link.step()}, {"text", link.text}});
  }
  return {{"text", debug::why_text(graph, scenario_.program, "the console's `why` shows more")}, {"links", links}};
}

Json Walk::state() {
  const WaveState now = session_.machine().state();
  const Generation generation = scenario_.program.generation();
  Json registers = Json::array();
  for (const std::string& name : shown_names(generation, now)) {
    const auto parsed = parse_register_name(generation, name);
    if (!parsed) continue;
    const u64 value = read_register(now, *parsed);
    registers.push_back({{"name", name},
                         {"value", hexadecimal(value, parsed->width)},
                         {"defined", parsed->is_always_defined() || is_defined(now, parsed->index)},
                         {"changed", value != read_register(shown_, *parsed)}});
  }
  const u64 address = session_.address();
  const LineEntry* const line = scenario_.program.find_line(address);
  Json breakpoints = Json::array();
  for (const debug::Breakpoint& each : session_.breakpoints()) {
    Json places = Json::array();
    for (const u64 at : each.addresses) {
      const LineEntry* const entry = scenario_.program.find_line(at);
      if (entry != nullptr) places.push_back({{"file", scenario_.program.files[entry->file]}, {"line", entry->line}});
    }
    breakpoints.push_back({{"id", each.id}, {"what", each.what}, {"places", std::move(places)}});
  }
  Json answer = {{"position", session_.run().position()},
                 {"furthest", session_.run().furthest()},
                 {"ended", session_.run().ended()},
                 {"pc", hexadecimal(address, 64)},
                 {"place", scenario_.program.describe_place(address)},
                 {"instruction", session_.machine().code().text_at(address)},
                 {"file", line == nullptr ? "" : scenario_.program.files[line->file]},
                 {"line", line == nullptr ? 0 : line->line},
                 {"target", scenario_.program.target->name},
                 {"registers", std::move(registers)},
                 {"vectors", vector_json(now, shown_)},
                 {"breakpoints", std::move(breakpoints)}};
  if (session_.run().ended()) {
    const Stop stop = session_.run().stop();
    answer["stop"] = {{"reason", stop.reason_name()}, {"detail", stop.detail}};
  }
  shown_ = now;
  return answer;
}

}  // namespace salu::playground
