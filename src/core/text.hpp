#pragma once

#include <salu/integer.hpp>

#include <string>

namespace salu::core {

/// `0x` and lower-case digits, at least `digits` of them.
std::string hex(u64 value, u32 digits = 1);

/// `0x1000 to 0x10ff`: the addresses from `base` on that lie before `end`.
std::string range_text(u64 base, u64 end);

}  // namespace salu::core
