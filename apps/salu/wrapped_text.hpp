#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace salu::app {

/// The most columns of help.
inline constexpr std::size_t help_width = 100;

/// Breaks a text into lines of at most `width` characters, except for longer words. Text between backquotes stays on
/// one line. The result does not end with a line break.
std::string wrapped(std::string_view text, std::size_t width);

}  // namespace salu::app
