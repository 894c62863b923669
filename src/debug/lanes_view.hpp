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

/// Prints masks below each other. If the terminal is too narrow for 64 lanes in a row, prints one table per range of
/// lanes, and the notes below.
void print_masks(const ConsoleContext& console, std::span<const ShownMask> masks);
/// Prints the active and the waiting lanes. `searches`: also looks for saved masks in SGPRs, which runs the program
/// again.
void show_lanes(ConsoleContext& console, bool searches);
/// Prints the control stack. `searches`: with the instruction that wrote each entry.
void show_stack(ConsoleContext& console, bool searches);

}  // namespace salu::debug
