#pragma once

#include <salu/integer.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace salu::support {

/// As many ones as this, from bit 0 on (64 at most).
constexpr u64 ones(u32 bits) { return bits >= 64 ? ~u64{0} : (u64{1} << bits) - 1; }

/// `0x` and lower-case digits, at least `digits` of them.
std::string hex(u64 value, u32 digits = 1);

/// `0x1000 to 0x10ff`: the addresses from `base` on that lie before `end`.
std::string range_text(u64 base, u64 end);

/// `1 lane`, `2 lanes`: a number of what has a regular plural.
std::string counted(u64 count, std::string_view what);

/// All of a text as a number: decimal, or hexadecimal behind `0x`. Nothing when it is none, or needs more than 64 bits.
std::optional<u64> parse_unsigned(std::string_view text);

}  // namespace salu::support
