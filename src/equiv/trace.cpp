#include "equiv/trace.hpp"

#include <algorithm>

namespace salu::equiv {

Cell cell(const Location& location, std::size_t dword) {
  constexpr Cell other_cells = 256;
  switch (location.kind) {
    case Location::Kind::registers:
      return location.first + dword;
    case Location::Kind::scc:
      return scc_cell;
    case Location::Kind::memory:
      return memory_cell(location.address) + dword;
    default:
      return other_cells + static_cast<Cell>(location.kind) * other_cells + location.first;
  }
}

bool TracedStep::is_branch() const {
  return instruction.starts_with("s_cbranch") || instruction.starts_with("s_setpc") ||
         instruction.starts_with("s_swappc");
}

std::vector<TracedStep> trace_last_run(const Side& side, std::size_t most, observe::LastWriters* writers) {
  std::vector<TracedStep> steps;
  RunOptions options = side.options();
  options.max_steps = std::min<u64>(options.max_steps, most);
  options.trace = [&](const TraceEvent& event) {
    if (writers != nullptr) writers->see(event);
    steps.push_back({event.pc,
                     std::string(event.instruction),
                     std::string(event.reads),
                     std::string(event.writes),
                     {event.read.begin(), event.read.end()},
                     {event.written.begin(), event.written.end()}});
  };
  run(side.scenario().program, side.start(), side.memory_before(), options);
  return steps;
}

}  // namespace salu::equiv
