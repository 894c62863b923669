#pragma once

#include <salu/integer.hpp>

#include <span>
#include <string>

namespace salu::debug {

struct ConsoleContext;

/// A mask that `lanes` shows.
struct ShownMask {
  std::string name;
  u64 lanes = 0;
  std::string note{};
};

/// Masks below each other. Where a terminal is too narrow for 64 lanes in a row, there is a table for the first of
/// them, one for those behind them, and so on; and notes stand below.
void print_masks(const ConsoleContext& console, std::span<const ShownMask> masks);
/// The lanes that run, and those that wait. `searches`: also in SGPRs, for which the run is gone through once more.
void show_lanes(ConsoleContext& console, bool searches);
/// The entries of the control stack. `searches`: with the instruction that wrote each.
void show_stack(ConsoleContext& console, bool searches);

}  // namespace salu::debug
