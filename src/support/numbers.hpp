#pragma once

#include <salu/integer.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace salu::support {

/// A mask of the lowest `bits` bits (64 at most).
constexpr u64 ones(u32 bits) { return bits >= 64 ? ~u64{0} : (u64{1} << bits) - 1; }

/// Formats a number in hexadecimal: `0x` and at least `digits` lower-case digits.
std::string hex(u64 value, u32 digits = 1);

/// Formats the range from `base` to `end` (exclusive) with both addresses inclusive: `0x1000 to 0x10ff`.
std::string range_text(u64 base, u64 end);

/// Formats a number with a noun that has a regular plural: `1 lane`, `2 lanes`.
std::string counted(u64 count, std::string_view what);

/// Parses a whole text as a decimal number, or a hexadecimal one with `0x`. Returns nothing if it is not a number or
/// exceeds 64 bits.
std::optional<u64> parse_unsigned(std::string_view text);

}  // namespace salu::support
