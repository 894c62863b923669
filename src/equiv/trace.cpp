#include "equiv/trace.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "isa/decode.hpp"

namespace salu::equiv {

namespace {

VectorResult result_of(const VectorValue& value) {
  VectorResult result{value.location(), value.lanes, value.lanes, {}};
  for (u64 left = value.lanes; left != 0; left &= left - 1) {
    const u32 lane_value = value.values[static_cast<std::size_t>(std::countr_zero(left))];
    constexpr u64 fnv_prime = 0x100'0000'01b3;
    result.digest = (result.digest ^ lane_value) * fnv_prime;
    result.values.push_back(lane_value);
  }
  std::ranges::sort(result.values);
  const auto repeated = std::ranges::unique(result.values);
  result.values.erase(repeated.begin(), repeated.end());
  return result;
}

std::string effects_text(const TraceEvent& event) {
  std::string text = reads_text(event);
  const std::string writes = writes_text(event);
  if (!writes.empty()) text += (text.empty() ? "-> " : " -> ") + writes;
  return text;
}

}  // namespace

bool TracedStep::is_branch() const {
  switch (flow) {
    case isa::Flow::branch_if:
    case isa::Flow::jump:
    case isa::Flow::call:
    case isa::Flow::fork:
    case isa::Flow::join:
      return true;
    default:
      return false;
  }
}

std::vector<TracedStep> trace_last_run(const Side& side, std::size_t most, observe::LastWriters* writers) {
  std::vector<TracedStep> steps;
  RunOptions options = side.options();
  options.max_steps = std::min<u64>(options.max_steps, most);
  const u64 read_wave = side.read_wave();
  options.trace = [&](const TraceEvent& event) {
    if (writers != nullptr) writers->see(event, event.wave == read_wave);
    steps.push_back({event.wave,
                     event.pc,
                     event.next_pc,
                     isa::flow_of(isa::decode(event.generation, event.words)),
                     std::string(instruction_text(event)),
                     {event.read.begin(), event.read.end()},
                     {event.written.begin(), event.written.end()},
                     {},
                     {},
                     effects_text(event)});
    TracedStep& step = steps.back();
    for (const VectorValue& value : event.vectors_read) step.vectors_read.push_back({value.location(), value.lanes});
    std::ranges::transform(event.vectors_written, std::back_inserter(step.vectors_written), result_of);
  };
  side.repeat(options);
  return steps;
}

}  // namespace salu::equiv
