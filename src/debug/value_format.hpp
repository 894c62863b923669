#pragma once

#include <salu/integer.hpp>
#include <salu/program.hpp>

#include <optional>
#include <string>
#include <string_view>

#include "expr/expression.hpp"

/// Text of values, for all front ends.
namespace salu::debug {

/// `0x0000042f`, `-3`, `1` for a field: a value of `width` bits; width 0: as many digits as needed.
std::string value_text(const expr::Value& value, u32 width);
/// A value with its decimal form or symbol: `0x0000042f (1071)`, `0x0000000000001014 <then>`.
std::string explained_value(const expr::Value& value, u32 width, const Program& program);

/// The format after the slash of `x/4xb` and `print/t`, as in GDB. `f16`, `f32` and `f64` are the letter f with a size.
struct ValueFormat {
  u64 count = 1;
  char letter = 0;     ///< one of x d u t o z a c f i; 0: not given
  u32 size_bytes = 0;  ///< b 1, h 2, w 4, g 8; 0: not given

  /// The width of the floats that `f16`, `f32` or `f64` selects; 0 for other formats.
  [[nodiscard]] u32 float_width() const { return letter == 'f' ? 8 * size_bytes : 0; }
};

/// Parses a format without the slash. Returns nothing, with a message in `problem`, if it is invalid.
std::optional<ValueFormat> parse_format(std::string_view text, std::string& problem);

/// Formats a value of `width` bits by a letter: x hexadecimal, z with all digits, d signed, u unsigned, t binary, o
/// octal, c as a character after its number, f as a floating-point number (of 16, 32 or 64 bits, otherwise as d).
std::string format_value(u64 bits, u32 width, char letter);
/// Formats a value of `width` bits as floats of `float_width` bits, the lowest first: `1.5`, `{1, -2}`.
std::string floats_text(u64 bits, u32 width, u32 float_width);

}  // namespace salu::debug
