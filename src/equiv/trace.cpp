#include "equiv/trace.hpp"

#include <algorithm>

namespace salu::equiv {

namespace {

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
  options.trace = [&](const TraceEvent& event) {
    if (writers != nullptr) writers->see(event);
    steps.push_back({event.pc,
                     event.next_pc,
                     isa::flow_of(*event.instruction),
                     std::string(instruction_text(event)),
                     {event.read.begin(), event.read.end()},
                     {event.written.begin(), event.written.end()},
                     effects_text(event)});
  };
  run(side.scenario().program, side.start(), side.memory_before(), options);
  return steps;
}

}  // namespace salu::equiv
