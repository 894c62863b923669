#pragma once

#include <array>

#include "isa/vector/semantics/soft_float.hpp"

/// Operations on floats beyond arithmetic: parts of a number, selections, steps of a division, and conversions to
/// normalised integers.
namespace salu::isa::vector {

// ---- exponents and fractions ----

/// `value` times 2 to the power of `exponent`, rounded once.
template <class F>
constexpr F scaled(F value, i32 exponent, FloatMode mode) {
  using namespace soft_float;
  value = input(value, mode);
  if (is_nan(value)) return from_nan(value, mode);
  if (is_infinite(value)) return value;
  NumberOf<F> number = unpack(value);
  constexpr i32 farthest = 1 << 14;  // beyond the range of every format, from its least to its greatest number
  number.exponent += std::clamp(exponent, -farthest, farthest);
  return rounded<F>(number, mode);
}

/// The significand as a float from 1/2 to 1, with the sign. Zeros, infinities and NaNs are returned.
template <class F>
constexpr F significand_of(F value, FloatMode mode) {
  using namespace soft_float;
  value = input(value, mode);
  if (is_nan(value)) return from_nan(value, mode);
  if (is_infinite(value) || is_zero(value)) return value;
  const NumberOf<F> number = with_top(unpack(value), static_cast<i32>(F::fraction_bits));
  const auto fraction = static_cast<typename F::Bits>(number.significand & (implied_one<F> - 1));
  return with_sign<F>(static_cast<typename F::Bits>(power_of_two<F>(-1).bits | fraction), number.negative);
}

/// The exponent that belongs to `significand_of`; 0 for zeros, infinities and NaNs.
template <class F>
constexpr i32 exponent_of(F value, FloatMode mode) {
  using namespace soft_float;
  value = input(value, mode);
  if (is_nan(value) || is_infinite(value) || is_zero(value)) return 0;
  return with_top(unpack(value), static_cast<i32>(F::fraction_bits)).exponent + static_cast<i32>(F::fraction_bits) + 1;
}

/// The difference from the next lower integer, which is less than 1.
template <class F>
constexpr F fraction_of(F value, FloatMode mode) {
  using namespace soft_float;
  const F difference = add(value, negated(to_integral(value, Rounding::down, mode)), mode);
  constexpr F one = power_of_two<F>(0);
  return difference == one ? F{static_cast<typename F::Bits>(one.bits - 1)} : difference;
}

// ---- minimum, maximum, median ----

namespace soft_float {

/// True if `left` comes before `right` in the order in which -0 is less than +0.
template <class F>
constexpr bool is_before(F left, F right) {
  const auto place = [](F value) {
    const auto distance = static_cast<i64>(magnitude(value));
    return is_negative(value) ? ~distance : distance;
  };
  return place(left) < place(right);
}

/// The lesser or the greater of two floats. A NaN counts as absent; in IEEE mode a signalling NaN is the result.
template <class F>
constexpr F extreme(F left, F right, bool is_greatest, FloatMode mode) {
  left = input(left, mode);
  right = input(right, mode);
  if (mode.is_ieee && is_signalling(left)) return from_nan(left, mode);
  if (mode.is_ieee && is_signalling(right)) return from_nan(right, mode);
  if (is_nan(left)) return output(right, mode);
  if (is_nan(right)) return output(left, mode);
  return output(is_before(left, right) == is_greatest ? right : left, mode);
}

}  // namespace soft_float

template <class F>
constexpr F minimum(F left, F right, FloatMode mode) {
  return soft_float::extreme(left, right, false, mode);
}
template <class F>
constexpr F maximum(F left, F right, FloatMode mode) {
  return soft_float::extreme(left, right, true, mode);
}
template <class F>
constexpr F minimum(F first, F second, F third, FloatMode mode) {
  return minimum(minimum(first, second, mode), third, mode);
}
template <class F>
constexpr F maximum(F first, F second, F third, FloatMode mode) {
  return maximum(maximum(first, second, mode), third, mode);
}
/// The median; the minimum if there is a NaN.
template <class F>
constexpr F median_of(F first, F second, F third, FloatMode mode) {
  using namespace soft_float;
  if (is_nan(first) || is_nan(second) || is_nan(third)) return minimum(first, second, third, mode);
  first = input(first, mode);
  second = input(second, mode);
  third = input(third, mode);
  const FloatMode kept = mode.keeping();
  const F greatest = maximum(first, second, third, kept);
  const auto is_greatest = [&](F value) { return compare(value, greatest, kept, false).equal; };
  if (is_greatest(first)) return output(maximum(second, third, kept), mode);
  if (is_greatest(second)) return output(maximum(first, third, kept), mode);
  return output(maximum(first, second, kept), mode);
}

// ---- classes ----

/// The class of a float, as the number of a bit: signalling NaN, quiet NaN, -infinity, negative normal, negative
/// denormal, -0, +0, positive denormal, positive normal, +infinity.
template <class F>
constexpr u32 class_of(F value) {
  using namespace soft_float;
  if (is_nan(value)) return is_signalling(value) ? 0 : 1;
  const u32 distance = is_infinite(value) ? 3 : is_zero(value) ? 0 : is_denormal(value) ? 1 : 2;
  return is_negative(value) ? 5 - distance : 6 + distance;
}

// ---- steps of a division: scaled operands, approximations of the quotient, a scaled last approximation, a fix-up ----

/// A scaled operand, and whether the quotient has to be scaled.
template <class F>
struct Scaled {
  F value;
  bool scales_quotient;
};

/// The power of two by which the steps of a division scale.
template <class F>
inline constexpr i32 division_scale = F::bit_count == 64 ? 128 : 64;

/// Scales `operand`, which is the divisor or the dividend, so that no step overflows or becomes denormal. The divisor
/// is compared first, as the dividend may be equal.
template <class F>
constexpr Scaled<F> division_operand(F operand, F divisor, F dividend, FloatMode mode) {
  using namespace soft_float;
  // Scaling by a power of two is exact here, so MODE only matters for the operands.
  operand = input(operand, mode);
  divisor = input(divisor, mode);
  dividend = input(dividend, mode);
  if (is_zero(divisor) || is_zero(dividend)) return {default_nan<F>, false};
  constexpr i32 scale = division_scale<F>;
  constexpr i32 far = scale + scale / 2;
  constexpr i32 wide_far = F::bit_count == 64 ? 768 : far;
  const auto by = [&](i32 exponent) { return scaled(operand, exponent, mode.keeping()); };
  const i32 difference = exponent_field(dividend) - exponent_field(divisor);
  const bool is_divisor = compare(operand, divisor, mode, false).equal;
  const bool is_dividend = compare(operand, dividend, mode, false).equal;
  const bool are_finite = exponent_field(dividend) < greatest_field<F> && exponent_field(divisor) < greatest_field<F>;
  // The quotient or the reciprocal of the divisor is less than the least normal number.
  const bool has_tiny_reciprocal = are_finite && magnitude(divisor) > power_of_two<F>(bias<F> - 1).bits;
  const bool has_tiny_quotient = are_finite && [&] {
    const NumberOf<F> number = quotient<F>(unpack(dividend), unpack(divisor));
    return width_of<WideOf<F>> - leading_zeros(number.significand) + number.exponent <= 1 - bias<F>;
  }();
  if (difference >= wide_far) return {is_divisor ? by(scale) : operand, true};
  if (is_denormal(divisor)) return {by(scale), false};
  // The manuals scale by 2^64 here, which is not possible for a divisor of this size.
  if (has_tiny_reciprocal && has_tiny_quotient) return {is_divisor ? by(-scale) : operand, true};
  if (has_tiny_reciprocal) return {by(-scale), false};
  if (has_tiny_quotient) return {is_dividend ? by(scale) : operand, true};
  if (exponent_field(dividend) <= static_cast<i32>(F::fraction_bits)) return {by(scale), false};
  return {operand, false};
}

/// The last step: `left * right + quotient`, where `quotient` is an approximation, rounded once. If the quotient was
/// scaled, its size tells the direction.
template <class F>
constexpr F division_step(F left, F right, F quotient, bool is_scaled, FloatMode mode) {
  using namespace soft_float;
  if (!is_scaled) return multiply_add(left, right, quotient, mode);
  const bool was_great = magnitude(quotient) >= power_of_two<F>(1).bits;
  return multiply_add(left, right, quotient, mode, was_great ? division_scale<F> : -division_scale<F>);
}

/// The quotient of two floats: `quotient`, except for operands and results that are not ordinary numbers.
template <class F>
constexpr F division_result(F quotient, F divisor, F dividend, FloatMode mode) {
  using namespace soft_float;
  quotient = input(quotient, mode);
  divisor = input(divisor, mode);
  dividend = input(dividend, mode);
  const bool negative = is_negative(divisor) != is_negative(dividend);
  if (is_nan(dividend)) return from_nan(dividend, mode);
  if (is_nan(divisor)) return from_nan(divisor, mode);
  if ((is_zero(divisor) && is_zero(dividend)) || (is_infinite(divisor) && is_infinite(dividend)))
    return negated(invalid_result<F>(mode));
  if (is_infinite(dividend)) return with_sign<F>(infinity<F>, negative);
  if (is_zero(divisor)) {
    mode.raise(exception::divide_by_zero);
    return with_sign<F>(infinity<F>, negative);
  }
  if (is_infinite(divisor) || is_zero(dividend)) return with_sign<F>(0, negative);
  // For 16-bit floats the quotient comes from 32-bit steps, which reach every exponent.
  constexpr i32 least_difference = F::bit_count == 64 ? -1075 : F::bit_count == 32 ? -150 : -greatest_field<F>;
  if (exponent_field(dividend) - exponent_field(divisor) < least_difference)
    return rounded<F, u64>({negative, 2 * least_difference, 1}, mode);
  if (is_nan(quotient)) return with_sign<F>(infinity<F>, negative);
  return output(with_sign<F>(magnitude(quotient), negative), mode);
}

// ---- reduction of large angles ----

/// The first 1201 bits of 2/pi after the binary point; the lowest 15 bits are not used.
inline constexpr std::array<u64, 19> two_over_pi = {
    0xa2f9'836e'4e44'1529, 0xfc27'57d1'f534'ddc0, 0xdb62'9599'3c43'9041, 0xfe51'63ab'debb'c561, 0xb724'6e3a'424d'd2e0,
    0x0649'2eea'09d1'921c, 0xfe1d'eb1c'b129'a73e, 0xe882'35f5'2ebb'4484, 0xe99c'7026'b45f'7e41, 0x3991'd639'8353'39f4,
    0x9c84'5f8b'bdf9'283b, 0x1ff8'97ff'de05'980f, 0xef2f'118b'5a0a'6d1f, 0x6d36'7ecf'27cb'09b7, 0x4f46'3f66'9e5f'ea2d,
    0x7527'bac7'ebe5'f17b, 0x3d07'39f7'8a52'92ea, 0x6bfb'5fb1'1f8d'5d08, 0x5603'3046'fc7b'6bab};

/// Segment `segment` of 2/pi, of 53 bits, for the size of the angle. Bits beyond the 1201st are 0.
constexpr F64 two_over_pi_segment(F64 angle, u32 segment, FloatMode mode) {
  using namespace soft_float;
  constexpr u32 bits = 1201;
  constexpr u32 count = 53;
  const i32 field = exponent_field(angle);
  const u32 first = (segment & 31) * count + static_cast<u32>(std::max(field - 1077, 0));
  u64 part = 0;
  for (u32 bit = first; bit < first + count; ++bit) {
    const bool is_set = bit < bits && (two_over_pi[bit / 64] >> (63 - bit % 64) & 1) != 0;
    part = part << 1 | u64{is_set};
  }
  const i32 exponent = -static_cast<i32>(count + first) + (field >= 1968 ? 128 : 0);
  return rounded<F64, u64>({false, exponent, part}, mode);
}

// ---- normalised integers ----

/// The integer of type `T` for a float from 0 (or -1) to 1, which is the greatest one; rounds to the nearest.
template <class T, class F>
constexpr T to_normalised(F value, FloatMode mode) {
  using namespace soft_float;
  constexpr i64 most = std::numeric_limits<T>::max();
  constexpr i64 least = std::numeric_limits<T>::is_signed ? -most : 0;
  value = input(value, mode);
  if (is_nan(value)) {
    mode.raise(exception::invalid);
    return 0;
  }
  NumberOf<F> number = unpack(value);
  number.significand *= static_cast<u64>(most);
  const auto nearest = static_cast<i64>(whole(number, Rounding::to_nearest_even).magnitude);
  return static_cast<T>(std::clamp(number.negative ? -nearest : nearest, least, most));
}

/// Converts to an integer: adds one half, without rounding the sum, and rounds down.
template <class F>
constexpr i32 to_integer_half_up(F value, FloatMode mode) {
  using namespace soft_float;
  if (is_nan(value)) {
    mode.raise(exception::invalid);
    return 0;
  }
  const auto halves = static_cast<i64>(whole(value, Rounding::down, 1).magnitude);
  const i64 integer = ((is_negative(value) ? -halves : halves) + 1) >> 1;
  constexpr i64 least = std::numeric_limits<i32>::min();
  constexpr i64 most = std::numeric_limits<i32>::max();
  const i64 result = std::clamp(integer, least, most);
  if (result != integer) mode.raise(exception::invalid);
  return static_cast<i32>(result);
}

}  // namespace salu::isa::vector
