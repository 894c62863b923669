#pragma once

#include <salu/error.hpp>
#include <salu/integer.hpp>
#include <salu/state.hpp>

#include <string>
#include <vector>

#include "debug/breakpoint.hpp"

namespace salu::debug {

struct ConsoleContext;

/// The stops that the user has seen.
struct SeenStops {
  explicit SeenStops(const WaveState& state) : shown(state), before(state) {}

  WaveState shown;   ///< the state of the selected wave at the last stop
  WaveState before;  ///< the state at the stop before the last one
  u64 wave = 0;      ///< number of the wave that was selected then
  Pause last;
  u64 count = 0;                     ///< number of stops
  std::vector<std::string> pending;  ///< commands of breakpoints, to be executed
};

/// Prints the current position.
void show_place(const ConsoleContext& console);
/// Prints the selected wave if it is another one than at the last stop.
void show_wave(ConsoleContext& console);
/// Prints the registers that have changed since the last stop.
void show_changes(ConsoleContext& console);
/// Prints the result of a move. Returns false if it failed.
bool show_stop(ConsoleContext& console, const Result<Pause>& pause);
/// Prints the result of a move that ignores breakpoints. Returns false if it failed.
bool show_place_gone_to(ConsoleContext& console, const Pause& pause);

}  // namespace salu::debug
