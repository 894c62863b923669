#pragma once

#include <salu/integer.hpp>

#include <optional>

#include "debug/value_format.hpp"

namespace salu::debug {

struct ConsoleContext;

/// Where `x` goes on.
struct ExaminedMemory {
  struct End {
    u64 next = 0;
    ValueFormat format;
  };
  std::optional<End> last;  ///< what it has shown
};

/// Shows memory from an address on in a format that is complete, but for `i`.
bool examine_memory(ConsoleContext& console, u64 address, const ValueFormat& format);
/// Shows so many instructions from an address on.
bool examine_instructions(ConsoleContext& console, u64 address, u64 count);

}  // namespace salu::debug
