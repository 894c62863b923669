#pragma once

#include <salu/integer.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "support/numbers.hpp"

namespace salu::loader {

/// Rounds `value` up to a multiple of `alignment`.
constexpr u64 align_up(u64 value, u64 alignment) { return (value + alignment - 1) / alignment * alignment; }

/// An integer as written, before its destination width is known: a sign and up to 512 bits.
struct Number {
  static constexpr u32 most_bits = 512;
  bool negative = false;
  std::array<u32, most_bits / 32> magnitude{};  ///< low dword first

  [[nodiscard]] bool is_zero() const;
  /// The position of the highest set bit of the magnitude plus one; 0 for zero.
  [[nodiscard]] u32 bit_length() const;
  /// True if it fits in `bits` bits (1 to 512): as unsigned if positive, in two's complement if negative.
  [[nodiscard]] bool fits(u32 bits) const;
  /// The value in two's complement, low dword first.
  [[nodiscard]] std::array<u32, most_bits / 32> twos_complement() const;
  /// The low 64 bits of `twos_complement`.
  [[nodiscard]] u64 low64() const;
};

Number make_number(u64 value);

/// The result of parsing a text as a number.
struct ParsedNumber {
  std::optional<Number> number;
  std::string problem;    ///< set if the text looks like a number but is invalid
  bool is_float = false;  ///< the problem: it looks like a floating-point number
};

/// Parses a decimal, `0x` or `0b` number with an optional sign and `_` between digits. Neither member is set if the
/// text does not look like a number (it may be a label).
ParsedNumber parse_number(std::string_view text);

/// The result of parsing a text as a size.
struct ParsedSize {
  std::optional<u64> bytes;
  std::string problem;  ///< set if the text is not a size
};

/// Parses a number of bytes, `KiB`, `MiB` or `GiB` (`64 MiB`), of up to 63 bits.
ParsedSize parse_size(std::string_view text);

/// Formats the range of a value of `bits` bits for messages: `-0x80000000 to 0xffffffff`.
std::string describe_range(u32 bits);

using support::hex;
using support::ones;
using support::range_text;

}  // namespace salu::loader
