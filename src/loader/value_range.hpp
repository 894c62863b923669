#pragma once

#include <string>
#include <string_view>

#include "support/combinations.hpp"

namespace salu::loader {

/// Reads `5`, `0..255`, `-5..5`, and `0..100:5` for values five apart, as values of `bits` bits. Returns what is wrong
/// with the text, or nothing.
std::string read_value_range(std::string_view text, u32 bits, support::ValueRange& range);

}  // namespace salu::loader
