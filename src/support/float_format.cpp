#include <salu/float_format.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include "support/numbers.hpp"

namespace salu {
namespace {

constexpr std::array<std::string_view, 3> names = {"f16", "f32", "f64"};

struct Layout {
  u32 mantissa = 0;  ///< bits
  u64 infinity = 0;
};
constexpr Layout layout_of(FloatFormat format) {
  switch (format) {
    case FloatFormat::f16:
      return {10, 0x7c00};
    case FloatFormat::f32:
      return {23, 0x7f800000};
    case FloatFormat::f64:
      break;
  }
  return {52, 0x7ff0000000000000};
}

constexpr u64 magnitude(FloatFormat format, u64 bits) { return bits & ((u64{1} << (float_bits(format) - 1)) - 1); }
constexpr bool is_negative(FloatFormat format, u64 bits) { return (bits >> (float_bits(format) - 1) & 1) != 0; }

/// The nearest number of 16 bits, ties to even; infinity if it is out of range.
u64 round_to_f16(double value) {
  constexpr int least_exponent = -24;  // of the unit of denormal numbers
  constexpr u64 sign_bit = 0x8000;
  const u64 sign = std::signbit(value) ? sign_bit : 0;
  const double size = std::fabs(value);
  if (std::isnan(value)) return sign | 0x7e00;
  if (std::isinf(value)) return sign | 0x7c00;
  if (size == 0) return sign;
  // The unit in the last place is 2^unit.
  const int unit = std::max(std::ilogb(size) - 10, least_exponent);
  const auto units = static_cast<u64>(std::nearbyint(std::ldexp(size, -unit)));
  // A carry out of the mantissa increases the exponent.
  const u64 bits = unit == least_exponent ? units : (static_cast<u64>(unit - least_exponent) << 10) + units;
  return sign | std::min<u64>(bits, 0x7c00);
}

double from_f16(u64 bits) {
  const u64 size = bits & 0x7fff;
  const int exponent = static_cast<int>(size >> 10);
  double value = 0;
  if (exponent == 31)
    value = (size & 0x3ff) == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    value = std::ldexp(static_cast<double>(size), -24);
  else
    value = std::ldexp(static_cast<double>(size % 1024 + 1024), exponent - 25);
  return (bits & 0x8000) != 0 ? -value : value;
}

template <class Float>
std::optional<Float> read(std::string_view text) {
  bool negative = false;
  if (text.starts_with('-') || text.starts_with('+')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  auto format = std::chars_format::general;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    format = std::chars_format::hex;
    text.remove_prefix(2);
  }
  if (text.starts_with(".inf") || text.starts_with(".nan")) text.remove_prefix(1);  // YAML's spelling
  if (text.empty() || text.front() == '-') return std::nullopt;
  Float value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, format);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return negative ? -value : value;
}

bool is_equal(const FloatComparison& floats, u64 expected, u64 actual) {
  const std::optional<u64> distance = ulps_between(floats.format, expected, actual);
  return expected == actual || (is_nan(floats.format, expected) && distance) ||
         (floats.ulps != 0 && distance && *distance <= floats.ulps);
}

/// The numbers that a value of a width consists of, the lowest first.
std::vector<u64> floats_of(FloatFormat format, u64 value, u32 width) {
  const u32 bits = float_bits(format);
  std::vector<u64> numbers;
  for (u32 low = 0; low < width; low += bits) numbers.push_back(value >> low & support::ones(bits));
  return numbers;
}

/// The shortest text of a number of 16 bits.
std::string f16_text(u64 bits) {
  constexpr int enough_digits = 5;
  const double value = from_f16(bits);
  for (int digits = 1; digits < enough_digits; ++digits) {
    std::string text = fmt::format("{:.{}g}", value, digits);
    if (parse_float(FloatFormat::f16, text) == bits) return text;
  }
  return fmt::format("{:.{}g}", value, enough_digits);
}

}  // namespace

std::string_view float_format_name(FloatFormat format) { return names[static_cast<std::size_t>(format)]; }

std::optional<FloatFormat> find_float_format(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<FloatFormat>(i);
  }
  return std::nullopt;
}

std::optional<u64> parse_float(FloatFormat format, std::string_view text) {
  if (format == FloatFormat::f32) {
    const auto value = read<float>(text);
    return value ? std::optional<u64>(std::bit_cast<u32>(*value)) : std::nullopt;
  }
  const auto value = read<double>(text);
  if (!value || format == FloatFormat::f64) return value ? std::optional(std::bit_cast<u64>(*value)) : std::nullopt;
  const u64 bits = round_to_f16(*value);
  // As for the other formats, a number beyond the greatest one is out of range.
  if (!std::isinf(*value) && magnitude(format, bits) == layout_of(format).infinity) return std::nullopt;
  return bits;
}

std::string float_text(FloatFormat format, u64 bits) {
  if (is_nan(format, bits)) return "nan";
  switch (format) {
    case FloatFormat::f16:
      return f16_text(bits);
    case FloatFormat::f32:
      return fmt::format("{}", std::bit_cast<float>(static_cast<u32>(bits)));
    case FloatFormat::f64:
      break;
  }
  return fmt::format("{}", std::bit_cast<double>(bits));
}

bool is_nan(FloatFormat format, u64 bits) { return magnitude(format, bits) > layout_of(format).infinity; }

std::optional<u64> ulps_between(FloatFormat format, u64 one, u64 other) {
  if (is_nan(format, one) || is_nan(format, other))
    return is_nan(format, one) && is_nan(format, other) ? std::optional<u64>(0) : std::nullopt;
  const u64 size = magnitude(format, one);
  const u64 other_size = magnitude(format, other);
  if (is_negative(format, one) != is_negative(format, other)) return size + other_size;
  return size > other_size ? size - other_size : other_size - size;
}

bool are_equal(const FloatComparison& floats, u64 expected, u64 actual, u32 width) {
  return std::ranges::equal(floats_of(floats.format, expected, width), floats_of(floats.format, actual, width),
                            [&](u64 wanted, u64 got) { return is_equal(floats, wanted, got); });
}

std::string float_values_text(FloatFormat format, u64 value, u32 width) {
  std::string text;
  for (const u64 number : floats_of(format, value, width))
    text += (text.empty() ? "" : ", ") + float_text(format, number);
  return text + " (" + support::hex(value, width / 4) + ")";
}

std::string distance_text(const FloatComparison& floats, u64 expected, u64 actual, u32 width) {
  const std::vector<u64> wanted = floats_of(floats.format, expected, width);
  const std::vector<u64> got = floats_of(floats.format, actual, width);
  u64 greatest = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto distance = ulps_between(floats.format, wanted[i], got[i]);
    if (!distance) return {};
    greatest = std::max(greatest, *distance);
  }
  return ", " + support::counted(greatest, "ulp") + " apart" +
         (floats.ulps == 0 ? "" : fmt::format("; {} allowed", floats.ulps));
}

std::optional<FloatComparison> take_float_suffix(std::string_view& name) {
  const std::size_t colon = name.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view suffix = name.substr(colon + 1);
  const std::size_t tilde = std::min(suffix.find('~'), suffix.size());
  const auto format = find_float_format(suffix.substr(0, tilde));
  std::optional<u64> ulps = 0;
  if (tilde != suffix.size()) ulps = support::parse_unsigned(suffix.substr(tilde + 1));
  if (!format || !ulps) return std::nullopt;
  name = name.substr(0, colon);
  return FloatComparison{*format, *ulps};
}

}  // namespace salu
