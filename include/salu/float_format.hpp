#pragma once

#include <salu/integer.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace salu {

/// The binary floating-point formats of IEEE 754 that instructions use.
enum class FloatFormat : u8 { f16, f32, f64 };

/// The width of a format in bits: 16, 32 or 64.
constexpr u32 float_bits(FloatFormat format) {
  return format == FloatFormat::f16 ? 16 : format == FloatFormat::f32 ? 32 : 64;
}
/// `f16`, `f32` or `f64`.
std::string_view float_format_name(FloatFormat format);
std::optional<FloatFormat> find_float_format(std::string_view name);

/// Parses a decimal or hexadecimal floating-point number, `inf` or `nan` (also `.inf`, `.nan`). Returns its bits,
/// rounded to nearest even (`f16`: from the nearest double), or nothing if it is invalid or out of range.
std::optional<u64> parse_float(FloatFormat format, std::string_view text);
/// The shortest decimal number that `parse_float` reads as these bits; `inf`, `nan`.
std::string float_text(FloatFormat format, u64 bits);
/// True for the bits of a NaN.
bool is_nan(FloatFormat format, u64 bits);
/// The number of representable numbers from one to the other, with one zero and two infinities. Nothing if exactly one
/// is a NaN; 0 for two of them.
std::optional<u64> ulps_between(FloatFormat format, u64 one, u64 other);

/// Comparison of floating-point numbers. A NaN equals any other one.
struct FloatComparison {
  FloatFormat format{};
  u64 ulps = 0;  ///< allowed distance (`ulps_between`); 0: except for NaNs, all bits must be equal
  friend bool operator==(const FloatComparison&, const FloatComparison&) = default;
};

/// True if the numbers in two values of `width` bits are equal.
bool are_equal(const FloatComparison& floats, u64 expected, u64 actual, u32 width);
/// `1.5 (0x3fc00000)`: the numbers in a value of `width` bits, the lowest first, separated by commas.
std::string float_values_text(FloatFormat format, u64 value, u32 width);
/// `, 3 ulps apart; 2 allowed`: the greatest distance of the numbers in two values. Empty if a NaN differs from a
/// number.
std::string distance_text(const FloatComparison& floats, u64 expected, u64 actual, u32 width);

/// Removes `:f32` or `:f32~2`, a format and an allowed distance, from the end of a name. Returns nothing without one.
std::optional<FloatComparison> take_float_suffix(std::string_view& name);

}  // namespace salu
