#pragma once

#include <array>
#include <string>
#include <string_view>

/// Text from outside, made fit for a terminal.
namespace salu::support {

/// How a piece of a line stands out (ANSI). There are no others in what salu prints.
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

/// What `printable` leaves as it is, though it acts on a terminal.
enum class Keep {
  nothing,           ///< one line, or a part of one
  lines,             ///< ends of lines
  lines_and_styles,  ///< and our own styles
};

/// Writes out (`\x1b`, `\u{202e}`) what would act on a terminal or hide something: control characters but tabs (those
/// of C1, too), marks that turn the direction of writing, characters without width, separators of lines and paragraphs,
/// and bytes that are no UTF-8.
std::string printable(std::string_view text, Keep keep = Keep::nothing);

/// The same for JSON, and for YAML in double quotes: such characters as their escapes (`\u202e`).
std::string printable_json(std::string_view json);

/// Whether `printable` would change nothing.
bool is_printable(std::string_view text, Keep keep = Keep::nothing);

}  // namespace salu::support
