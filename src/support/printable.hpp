#pragma once

#include <array>
#include <string>
#include <string_view>

/// Escaping of external text for terminals.
namespace salu::support {

/// The ANSI styles of salu's output. It contains no other escape sequences.
namespace style {
inline constexpr std::string_view bold = "\x1b[1m";
inline constexpr std::string_view faint = "\x1b[2m";
inline constexpr std::string_view red = "\x1b[31m";
inline constexpr std::string_view green = "\x1b[32m";
inline constexpr std::string_view yellow = "\x1b[33m";
inline constexpr std::string_view bold_red = "\x1b[1;31m";
inline constexpr std::string_view bold_green = "\x1b[1;32m";
inline constexpr std::string_view bold_yellow = "\x1b[1;33m";
inline constexpr std::string_view plain = "\x1b[0m";
inline constexpr std::array all = {bold, faint, red, green, yellow, bold_red, bold_green, bold_yellow, plain};
}  // namespace style

/// Control sequences that `printable` keeps.
enum class Keep {
  nothing,           ///< for a line or a part of a line
  lines,             ///< line breaks
  lines_and_styles,  ///< line breaks and the styles above
};

/// Escapes (`\x1b`, `\u{202e}`) everything that controls a terminal or hides text: control characters except tabs (C1
/// included), marks that change the writing direction, zero-width characters, line and paragraph separators, and bytes
/// that are not UTF-8.
std::string printable(std::string_view text, Keep keep = Keep::nothing);

/// Escapes such characters in JSON, and in double-quoted YAML (`\u202e`).
std::string printable_json(std::string_view json);

/// True if `printable` would not change the text.
bool is_printable(std::string_view text, Keep keep = Keep::nothing);

}  // namespace salu::support
