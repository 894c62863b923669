#pragma once

#include <string_view>

namespace salu::support {

/// Whether a pattern, in which `*` stands for any text and `?` for any character, is like all of a text.
bool fits_pattern(std::string_view text, std::string_view pattern);

}  // namespace salu::support
