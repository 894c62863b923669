#pragma once

#include <string>
#include <string_view>

namespace salu::app {

/// Words in lines of no more than `width` characters, as far as they are that short themselves. What stands between
/// backquotes stays together on a line. No line break at the end.
std::string wrapped(std::string_view text, std::size_t width);

}  // namespace salu::app
