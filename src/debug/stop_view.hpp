#pragma once

#include <salu/error.hpp>
#include <salu/integer.hpp>
#include <salu/state.hpp>

#include <string>
#include <vector>

#include "debug/breakpoint.hpp"

namespace salu::debug {

struct ConsoleContext;

/// What the user has seen of the run.
struct SeenStops {
  explicit SeenStops(const WaveState& state) : shown(state), before(state) {}

  WaveState shown;   ///< the state that the user knows
  WaveState before;  ///< the state at the stop before the last one
  Pause last;
  u64 count = 0;                     ///< of stops
  std::vector<std::string> pending;  ///< commands of what was hit, to be executed
};

/// Where the run stands.
void show_place(const ConsoleContext& console);
/// Registers that are others than the user knows.
void show_changes(ConsoleContext& console);
/// What a move prints. False when it was none.
bool show_stop(ConsoleContext& console, const Result<Pause>& pause);
/// The same of a move that looks at no breakpoints.
bool show_place_gone_to(ConsoleContext& console, const Pause& pause);

}  // namespace salu::debug
