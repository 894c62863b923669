#pragma once

#include "isa/vector/semantics/soft_float.hpp"
#include "support/random.hpp"

/// Functions that hardware approximates: the manuals specify an error, but not the bits. Here the exact result is
/// rounded to the nearest float, or in the direction of `FloatMode::approximation`; the rounding of MODE does not
/// apply.
///
/// Exponential functions, logarithms, sines and cosines are computed in fixed point with a relative error below 2^-56,
/// and exist for formats of up to 32 bits.
namespace salu::isa::vector {

/// The mode of an approximation of a function of `operand`.
template <class F>
constexpr FloatMode approximating(FloatMode mode, F operand) {
  mode.is_approximating = true;
  if (mode.approximation_seed == 0) return mode.rounding_to(mode.approximation);
  const u64 operand_hash = support::Random(u64{operand.bits}).next();
  const u64 hash = support::Random(operand_hash ^ mode.approximation_seed).next();
  return mode.rounding_to((hash & 1) != 0 ? Rounding::up : Rounding::down);
}

namespace soft_float {

// ---- roots ----

/// The integer square root.
template <class Wide>
constexpr Wide root_of(Wide value) {
  Wide root = 0;
  for (Wide bit = Wide{1} << (width_of<Wide> - 2); bit != 0; bit >>= 2) {
    const bool is_set = value >= root + bit;
    if (is_set) value -= root + bit;
    root = (root >> 1) + (is_set ? bit : 0);
  }
  return root;
}

/// The square root of a positive number; the lowest bit of the result stands for the rest.
template <class Wide>
constexpr Number<Wide> root_of(Number<Wide> number) {
  number = with_top(number, width_of<Wide> - 2);
  if (number.exponent % 2 != 0) {
    number.significand >>= 1;
    number.exponent += 1;
  }
  const Wide root = root_of(number.significand);
  return {false, number.exponent / 2 - 1, root << 1 | Wide{root * root != number.significand}};
}

/// The reciprocal of the square root of a positive number; the lowest bit of the result stands for the rest.
template <class F>
constexpr NumberOf<F> reciprocal_root_of(NumberOf<F> number) {
  using Wide = WideOf<F>;
  constexpr i32 half = width_of<Wide> / 2;
  constexpr i32 dividend_bits = half - 2 + static_cast<i32>(F::fraction_bits);
  number = with_top(number, static_cast<i32>(F::fraction_bits));
  if ((dividend_bits + half + number.exponent) % 2 != 0) {
    number.significand <<= 1;
    number.exponent -= 1;
  }
  // The reciprocal has twice the bits of the root, and is computed in two halves.
  const Wide dividend = Wide{1} << dividend_bits;
  const Wide rest = dividend % number.significand << half;
  const Wide square = (dividend / number.significand << half) + rest / number.significand;
  const Wide root = root_of(square);
  const bool has_rest = rest % number.significand != 0 || root * root != square;
  return {false, -(dividend_bits + half + number.exponent) / 2 - 1, root << 1 | Wide{has_rest}};
}

/// The result of a root of a float that is not positive and finite; false for the others.
template <class F>
constexpr bool has_no_root(F value, FloatMode mode, F& result) {
  if (is_nan(value)) {
    result = from_nan(value, mode);
  } else if (is_negative(value) && !is_zero(value)) {
    result = invalid_result<F>(mode);
  } else {
    return false;
  }
  return true;
}

// ---- fixed point ----

constexpr u64 product_above(u64 left, u64 right, i32 bits) { return static_cast<u64>(u128{left} * right >> bits); }

inline constexpr u64 one_62 = u64{1} << 62;
// The numbers of bits after the binary points are part of the names.
inline constexpr u64 ln_2_64 = 0xb172'17f7'd1cf'79ab;
inline constexpr u64 one_over_ln_2_62 = 0x5c55'1d94'ae0b'f85d;
inline constexpr u64 two_pi_61 = 0xc90f'daa2'2168'c234;
inline constexpr u64 root_of_2_62 = 0x5a82'7999'fcef'3242;

/// A positive number below 2^14 with 64 bits after the binary point; the lowest bit stands for the rest.
constexpr u128 to_fixed(Number<u64> number) {
  const i32 shift = number.exponent + 64;
  if (shift >= 0) return u128{number.significand} << shift;
  return shift_with_rest(u128{number.significand}, static_cast<u32>(-shift));
}

/// sin(2 * pi * turns) for at most a quarter of a turn; the lowest bit of the result stands for the rest.
constexpr Number<u128> sine_of(Number<u64> turns) {
  const u64 angle = product_above(static_cast<u64>(to_fixed(turns)), two_pi_61, 64);  // 61 bits
  const u64 square = product_above(angle, angle, 61);
  u64 series = one_62;
  for (u64 k = 13; k > 0; --k) series = one_62 - product_above(square, series, 61) / (2 * k * (2 * k + 1));
  const u128 sine = u128{turns.significand} * product_above(two_pi_61, series, 62);
  return {turns.negative, turns.exponent - 61, sine | 1};
}

/// cos(2 * pi * turns) for at most an eighth of a turn, with 62 bits after the binary point, rounded down.
constexpr u64 cosine_of(Number<u64> turns) {
  const u64 angle = product_above(static_cast<u64>(to_fixed(turns)), two_pi_61, 64);
  const u64 square = product_above(angle, angle, 61);
  u64 series = one_62;
  for (u64 k = 12; k > 1; --k) series = one_62 - product_above(square, series, 61) / (2 * k * (2 * k - 1));
  return one_62 - product_above(square, series, 61) / 2 - 1;
}

/// The part of a turn that an angle has beyond whole turns, in units of 2^exponent, of which a quarter has `quarter`.
struct Turn {
  u64 part;
  u64 quarter;
  i32 exponent;
};
/// The angle must not be an integer.
constexpr Turn turn_of(Number<u64> angle) {
  // Two more bits, so that a quarter is an integer. A tiny angle is not a multiple of a quarter.
  angle.significand <<= 2;
  angle.exponent -= 2;
  if (angle.exponent < -63) return {angle.significand, ~u64{0}, angle.exponent};
  const u64 one = u64{1} << -angle.exponent;
  return {angle.significand & (one - 1), one / 4, angle.exponent};
}

/// True for angles beyond the range of the sine and the cosine, which is 256 turns.
template <class F>
constexpr bool is_beyond_turns(F value) {
  return exponent_field(value) - bias<F> >= 8 && magnitude(value) != magnitude(power_of_two<F>(8));
}
template <class F>
constexpr bool is_integral(F value) {
  return unpack(value).exponent >= 0 || to_integral(value, Rounding::to_zero, FloatMode{}) == value;
}

}  // namespace soft_float

/// 1 / value.
template <class F>
constexpr F approximate_reciprocal(F value, FloatMode mode) {
  return reciprocal(value, approximating(mode, soft_float::input(value, mode)));
}

/// The square root.
template <class F>
constexpr F square_root(F value, FloatMode mode) {
  using namespace soft_float;
  value = input(value, mode);
  F result{};
  if (has_no_root(value, mode, result)) return result;
  if (is_zero(value) || is_infinite(value)) return value;
  return rounded<F>(root_of(unpack(value)), approximating(mode, value));
}

/// 1 / sqrt(value).
template <class F>
constexpr F reciprocal_root(F value, FloatMode mode) {
  using namespace soft_float;
  value = input(value, mode);
  F result{};
  if (has_no_root(value, mode, result)) return result;
  if (is_infinite(value)) return {0};
  if (is_zero(value)) {
    mode.raise(exception::divide_by_zero);
    return with_sign<F>(infinity<F>, is_negative(value));
  }
  return rounded<F>(reciprocal_root_of<F>(unpack(value)), approximating(mode, value));
}

/// 2 to the power of `value`.
template <class F>
constexpr F exponential(F value, FloatMode mode) {
  using namespace soft_float;
  value = input(value, mode);
  const bool negative = is_negative(value);
  if (is_nan(value)) return from_nan(value, mode);
  if (is_infinite(value)) return negative ? F{0} : value;
  constexpr i32 integer_bits = 12;
  if (exponent_field(value) - bias<F> >= integer_bits)
    return rounded<F, u64>({false, negative ? -(1 << integer_bits) : 1 << integer_bits, 1}, approximating(mode, value));
  constexpr u128 offset = u128{1} << (64 + integer_bits);
  const u128 fixed = to_fixed(unpack(value));
  const u128 positive = negative ? offset - fixed : offset + fixed;
  const auto fraction = static_cast<u64>(positive);
  const i32 integer = static_cast<i32>(positive >> 64) - (1 << integer_bits);
  const u64 angle = product_above(fraction, ln_2_64, 64);
  u64 series = one_62;
  for (u64 k = 21; k > 0; --k) series = one_62 + product_above(angle, series, 64) / k;
  return rounded<F, u64>({false, integer - 63, series << 1 | u64{fraction != 0}}, approximating(mode, value));
}

/// The logarithm to base 2.
template <class F>
constexpr F logarithm(F value, FloatMode mode) {
  using namespace soft_float;
  value = input(value, mode);
  F result{};
  if (has_no_root(value, mode, result)) return result;
  if (is_infinite(value)) return value;
  if (is_zero(value)) {
    mode.raise(exception::divide_by_zero);
    return with_sign<F>(infinity<F>, true);
  }
  // value = 2^integer * significand, with a significand from sqrt(1/2) to sqrt(2), or twice that.
  const Number<u64> number = with_top<u64>(unpack(value), 62);
  const bool is_above = number.significand > root_of_2_62;
  const i32 integer = number.exponent + 62 + i32{is_above};
  const u64 one = is_above ? 2 * one_62 : one_62;
  if (number.significand == one_62) return to_float<F>(integer, approximating(mode, value));
  // log2(s) = 2 / ln(2) * (z + z^3 / 3 + z^5 / 5 + ...) with z = (s - 1) / (s + 1).
  const u64 difference = is_above ? one - number.significand : number.significand - one;
  const i32 shift = leading_zeros(difference) - 2;  // keeps the relative error small near 1
  const auto z = static_cast<u64>((u128{difference << shift} << 64) / (u128{number.significand} + one));
  const u64 small = shift < 64 ? z >> shift : 0;
  const u64 square = product_above(small, small, 64);
  u64 series = 0;
  for (u64 k = 13; k > 0; --k) series = product_above(square, series + one_62 / (2 * k + 1), 64);
  const u64 factor = product_above(one_over_ln_2_62, series + one_62, 62);
  const Number<u128> fraction{is_above, -64 - shift - 61, u128{z} * factor | 1};
  if (integer == 0) return rounded<F>(fraction, approximating(mode, value));
  const Number<u128> whole{integer < 0, 0, static_cast<u128>(integer < 0 ? -integer : integer)};
  return rounded_sum<F>(whole, fraction, approximating(mode, value));
}

/// sin(2 * pi * value); 0 beyond 256 turns.
template <class F>
constexpr F sine(F value, FloatMode mode) {
  using namespace soft_float;
  value = input(value, mode);
  if (is_nan(value)) return from_nan(value, mode);
  if (is_infinite(value)) return invalid_result<F>(mode);
  if (is_beyond_turns(value)) return {0};
  const bool negative = is_negative(value);
  if (is_integral(value)) return with_sign<F>(0, negative);
  Turn turn = turn_of(unpack(value));
  const bool is_second_half = turn.part >= 2 * turn.quarter && turn.part >= turn.quarter;
  if (is_second_half) turn.part -= 2 * turn.quarter;
  if (turn.part > turn.quarter) turn.part = 2 * turn.quarter - turn.part;
  const bool is_negative_sine = negative != is_second_half;
  if (turn.part == 0) return with_sign<F>(0, negative);
  if (turn.part == turn.quarter) return with_sign<F>(power_of_two<F>(0).bits, is_negative_sine);
  return rounded<F>(sine_of({is_negative_sine, turn.exponent, turn.part}), approximating(mode, value));
}

/// cos(2 * pi * value); 1 beyond 256 turns.
template <class F>
constexpr F cosine(F value, FloatMode mode) {
  using namespace soft_float;
  constexpr F one = power_of_two<F>(0);
  value = input(value, mode);
  if (is_nan(value)) return from_nan(value, mode);
  if (is_infinite(value)) return invalid_result<F>(mode);
  if (is_beyond_turns(value) || is_integral(value)) return one;
  Turn turn = turn_of(unpack(value));
  if (turn.part > 2 * turn.quarter && turn.part > turn.quarter) turn.part = 4 * turn.quarter - turn.part;
  const bool negative = turn.part > turn.quarter;
  if (negative) turn.part = 2 * turn.quarter - turn.part;
  if (turn.part == turn.quarter) return {0};
  if (turn.part == 0) return with_sign<F>(one.bits, negative);
  if (turn.part > turn.quarter / 2)
    return rounded<F>(sine_of({negative, turn.exponent, turn.quarter - turn.part}), approximating(mode, value));
  const u64 cosine = cosine_of({negative, turn.exponent, turn.part});
  return rounded<F, u64>({negative, -63, cosine << 1 | 1}, approximating(mode, value));
}

}  // namespace salu::isa::vector
