#include "support/utf8.hpp"

#include <array>

namespace salu::support {
namespace {

constexpr u32 payload = 0x3f;  // of each byte except the first

}  // namespace

Utf8Character first_character(std::string_view text) {
  const auto byte = [text](std::size_t index) { return static_cast<u32>(static_cast<unsigned char>(text[index])); };
  const std::size_t length = utf8_length(text.front());
  if (length == 1) return {byte(0), 1};
  if (length == 0 || text.size() < length) return {};
  u32 code = byte(0) & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & ~payload) != 0x80) return {};
    code = code << 6 | (byte(i) & payload);
  }
  constexpr std::array<u32, 5> least = {0, 0, 0x80, 0x800, 0x1'0000};
  const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  return code < least[length] || is_surrogate || code > 0x10'ffff ? Utf8Character{} : Utf8Character{code, length};
}

void append_utf8(std::string& text, u32 code) {
  const auto add = [&text](u32 byte) { text += static_cast<char>(byte); };
  if (code < 0x80) return add(code);
  const std::size_t further = code < 0x800 ? 1 : code < 0x1'0000 ? 2 : 3;
  // The number of leading ones is the number of bytes.
  add((0xff80U >> further & 0xffU) | code >> (6 * further));
  for (std::size_t left = further; left-- > 0;) add(0x80U | (code >> (6 * left) & payload));
}

}  // namespace salu::support
