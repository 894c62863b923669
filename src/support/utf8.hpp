#pragma once

#include <salu/integer.hpp>

#include <cstddef>
#include <string>
#include <string_view>

/// Decoding and encoding of UTF-8.
namespace salu::support {

struct Utf8Character {
  u32 code = 0;            ///< Unicode code point
  std::size_t length = 0;  ///< in bytes; 0 if invalid
};

/// The length in bytes of a character from its first byte; 0 for a byte that cannot be the first.
constexpr std::size_t utf8_length(char first) {
  const auto byte = static_cast<unsigned char>(first);
  if (byte < 0x80) return 1;
  if (byte < 0xc2 || byte > 0xf4) return 0;
  return byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
}

/// Decodes the first character of a non-empty text. Truncated and overlong sequences, surrogates, and values above
/// U+10FFFF are invalid.
Utf8Character first_character(std::string_view text);

/// Appends the character with a Unicode code point.
void append_utf8(std::string& text, u32 code);

}  // namespace salu::support
