#pragma once

#include <salu/integer.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "support/numbers.hpp"

namespace salu::loader {

/// The next multiple of an alignment from `value` on.
constexpr u64 align_up(u64 value, u64 alignment) { return (value + alignment - 1) / alignment * alignment; }

/// An integer as written, before it is known where it goes: a sign and up to 512 bits.
struct Number {
  static constexpr u32 most_bits = 512;
  bool negative = false;
  std::array<u32, most_bits / 32> magnitude{};  ///< low dword first

  [[nodiscard]] bool is_zero() const;
  /// Position of the highest set bit of the magnitude plus one; 0 for zero.
  [[nodiscard]] u32 bit_length() const;
  /// True when a value of `bits` bits (1 to 512) can hold it: unsigned when positive, two's complement when negative.
  [[nodiscard]] bool fits(u32 bits) const;
  /// The value in two's complement, low dword first.
  [[nodiscard]] std::array<u32, most_bits / 32> twos_complement() const;
  /// The low 64 bits of `twos_complement`.
  [[nodiscard]] u64 low64() const;
};

Number make_number(u64 value);

/// What a text is when read as a number.
struct ParsedNumber {
  std::optional<Number> number;
  std::string problem;    ///< set when the text looks like a number and is none that can be used
  bool is_float = false;  ///< the problem: it looks like a floating-point number
};

/// Reads decimal, `0x`, `0b`, a sign in front, `_` between digits. Neither member is set when the text does not look
/// like a number at all (it may be a label then).
ParsedNumber parse_number(std::string_view text);

/// What a text is when read as a size.
struct ParsedSize {
  std::optional<u64> bytes;
  std::string problem;  ///< set when there is no size
};

/// Reads a number of bytes, `KiB`, `MiB` or `GiB` (`64 MiB`), of up to 63 bits.
ParsedSize parse_size(std::string_view text);

/// Reads a decimal or hexadecimal floating-point number, `inf` or `nan`, correctly rounded; nothing when it is none or
/// out of range.
std::optional<u32> parse_f32(std::string_view text);
std::optional<u64> parse_f64(std::string_view text);

/// Range of a value of `bits` bits, for messages: `-0x80000000 to 0xffffffff`.
std::string describe_range(u32 bits);

using support::hex;
using support::ones;
using support::range_text;

}  // namespace salu::loader
