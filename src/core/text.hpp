#pragma once

#include <salu/integer.hpp>

#include <string>

namespace salu::core {

/// `0x` and lower-case digits, at least `digits` of them.
std::string hex(u64 value, u32 digits = 1);

}  // namespace salu::core
