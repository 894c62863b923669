#pragma once

#include <string_view>

namespace salu::support {

/// True if a pattern matches the whole text; `*` matches any text and `?` any character.
bool fits_pattern(std::string_view text, std::string_view pattern);

}  // namespace salu::support
