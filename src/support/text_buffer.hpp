#pragma once

#include <salu/integer.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

namespace salu::support {

/// An append-only text buffer that reuses its memory, for trace lines (millions per second).
class TextBuffer {
 public:
  void clear() { size_ = 0; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Valid until the text changes.
  [[nodiscard]] std::string_view view() const { return {bytes_.data(), size_}; }

  void append(std::string_view text) {
    if (text.empty()) return;
    std::memcpy(room(text.size()), text.data(), text.size());
    size_ += text.size();
  }
  void append(char c) {
    *room(1) = c;
    ++size_;
  }
  /// Appends spaces up to a size.
  void pad_to(std::size_t size) {
    if (size <= size_) return;
    std::memset(room(size - size_), ' ', size - size_);
    size_ = size;
  }
  /// Appends the eight lower-case hexadecimal digits of a dword, without `0x`.
  void append_digits(u32 value) {
    char* const digits = room(8);
    for (u32 i = 0; i < 8; ++i) digits[i] = hex_digits[value >> (28 - 4 * i) & 15];
    size_ += 8;
  }
  /// Appends `0x` and lower-case digits without leading zeros, but at least `digits` (at most 16).
  void append_hex(u64 value, u32 digits = 1) {
    const u32 needed = std::max((static_cast<u32>(std::bit_width(value)) + 3) / 4, digits);
    char* text = room(2 + std::size_t{needed});
    *text++ = '0';
    *text++ = 'x';
    for (u32 i = needed; i-- > 0;) *text++ = hex_digits[value >> (4 * i) & 15];
    size_ += 2 + std::size_t{needed};
  }
  /// Appends a number in decimal.
  void append_number(u64 value) {
    constexpr std::size_t most = 20;
    char* const text = room(most);
    size_ += static_cast<std::size_t>(std::to_chars(text, text + most, value).ptr - text);
  }

 private:
  static constexpr std::array<char, 16> hex_digits = {'0', '1', '2', '3', '4', '5', '6', '7',
                                                      '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

  /// Returns the end of the text, with space for `bytes` more bytes.
  char* room(std::size_t bytes) {
    if (bytes_.size() - size_ < bytes) [[unlikely]]
      bytes_.resize(std::max(2 * bytes_.size(), size_ + bytes + 256));
    return bytes_.data() + size_;
  }

  std::vector<char> bytes_;
  std::size_t size_ = 0;
};

}  // namespace salu::support
