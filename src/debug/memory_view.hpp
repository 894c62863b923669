#pragma once

#include <salu/integer.hpp>

#include <optional>

#include "debug/value_format.hpp"

namespace salu::debug {

struct ConsoleContext;

/// The end of the memory that `x` has shown.
struct ExaminedMemory {
  struct End {
    u64 next = 0;
    ValueFormat format;
  };
  std::optional<End> last;  ///< the last range shown
};

/// Prints memory from an address on. `format` is complete, and not `i`.
bool examine_memory(ConsoleContext& console, u64 address, const ValueFormat& format);
/// Prints `count` instructions from an address on.
bool examine_instructions(ConsoleContext& console, u64 address, u64 count);

}  // namespace salu::debug
