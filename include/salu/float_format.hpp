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

}  // namespace salu
