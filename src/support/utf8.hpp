#pragma once

#include <salu/integer.hpp>

#include <cstddef>
#include <string>
#include <string_view>

/// Characters beyond ASCII, in UTF-8.
namespace salu::support {

struct Utf8Character {
  u32 code = 0;            ///< of Unicode
  std::size_t length = 0;  ///< bytes; 0 for what is none
};

/// How many bytes a character has that begins with this one; 0 for a byte that begins none.
constexpr std::size_t utf8_length(char first) {
  const auto byte = static_cast<unsigned char>(first);
  if (byte < 0x80) return 1;
  if (byte < 0xc2 || byte > 0xf4) return 0;
  return byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
}

/// The character at the beginning of a text that is not empty. None is what is cut off, longer than need be, one half
/// of a pair of UTF-16, or beyond U+10FFFF.
Utf8Character first_character(std::string_view text);

/// Appends the character with a number of Unicode.
void append_utf8(std::string& text, u32 code);

}  // namespace salu::support
