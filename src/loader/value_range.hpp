#pragma once

#include <string>
#include <string_view>

#include "support/combinations.hpp"

namespace salu::loader {

/// Parses a range of values of `bits` bits: `5`, `0..255`, `-5..5`, or `0..100:5` with a step of five. Returns the
/// error in the text; empty if it is valid.
std::string read_value_range(std::string_view text, u32 bits, support::ValueRange& range);

}  // namespace salu::loader
