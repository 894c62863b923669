#pragma once

#include <salu/integer.hpp>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

/// 32-bit floating point (binary32 of IEEE 754); each operation rounds once, exactly as MODE specifies. The floating
/// point of the host is not used: results depend neither on its rounding mode nor on compiler options.
namespace salu::isa::vector {

/// A float, by its bits.
struct F32 {
  u32 bits;
  friend constexpr bool operator==(const F32&, const F32&) = default;
};

/// The rounding of inexact results, with the encoding of MODE.
enum class Rounding : u8 { to_nearest_even, up, down, to_zero };

/// Exceptions, by their bits in TRAPSTS.EXCP and MODE.EXCP_EN.
namespace exception {
inline constexpr u32 invalid = 1U << 0;
inline constexpr u32 input_denormal = 1U << 1;
inline constexpr u32 divide_by_zero = 1U << 2;
inline constexpr u32 overflow = 1U << 3;
inline constexpr u32 underflow = 1U << 4;
inline constexpr u32 inexact = 1U << 5;
inline constexpr u32 integer_divide_by_zero = 1U << 6;
}  // namespace exception

/// The settings of MODE for 32-bit floats.
struct FloatMode {
  Rounding rounding = Rounding::to_nearest_even;
  bool keeps_denormal_inputs = true;  ///< otherwise denormal inputs count as zeros
  bool keeps_denormal_results = true;
  bool clamps_nan = true;  ///< DX10_CLAMP: the modifier `clamp` turns a NaN into 0
  bool is_ieee = true;
  u32* raised = nullptr;  ///< where exceptions are recorded; may be null

  constexpr void raise(u32 exceptions) const {
    if (raised != nullptr) *raised |= exceptions;
  }
  [[nodiscard]] constexpr FloatMode flushing() const {
    FloatMode mode = *this;
    mode.keeps_denormal_inputs = false;
    mode.keeps_denormal_results = false;
    return mode;
  }
};

namespace soft_float {

inline constexpr u32 fraction_bits = 23;
inline constexpr i32 bias = 127;
inline constexpr u32 sign_bit = u32{1} << 31;
inline constexpr u32 infinity = 0x7f80'0000;
inline constexpr u32 greatest = 0x7f7f'ffff;
inline constexpr u32 implied_one = u32{1} << fraction_bits;
inline constexpr F32 default_nan{0x7fc0'0000};
inline constexpr F32 one{0x3f80'0000};

constexpr u32 magnitude(F32 value) { return value.bits & ~sign_bit; }
constexpr bool is_negative(F32 value) { return value.bits >> 31 != 0; }
constexpr bool is_nan(F32 value) { return magnitude(value) > infinity; }
constexpr bool is_infinite(F32 value) { return magnitude(value) == infinity; }
constexpr bool is_zero(F32 value) { return magnitude(value) == 0; }
constexpr bool is_denormal(F32 value) { return magnitude(value) < implied_one && !is_zero(value); }
constexpr F32 negated(F32 value) { return {value.bits ^ sign_bit}; }
constexpr F32 with_sign(u32 magnitude, bool negative) { return {magnitude | (negative ? sign_bit : 0)}; }
constexpr bool is_signalling(F32 value) { return is_nan(value) && (value.bits >> (fraction_bits - 1) & 1) == 0; }
constexpr F32 quieted(F32 nan) { return {nan.bits | u32{1} << (fraction_bits - 1)}; }

/// The value of a source as an operation sees it.
constexpr F32 input(F32 value, FloatMode mode) {
  if (!is_denormal(value)) return value;
  if (!mode.keeps_denormal_inputs) return with_sign(0, is_negative(value));
  mode.raise(exception::input_denormal);
  return value;
}

/// The result of an operation on a NaN.
constexpr F32 from_nan(F32 nan, FloatMode mode) {
  if (is_signalling(nan)) mode.raise(exception::invalid);
  return quieted(nan);
}

/// The NaN of an invalid operation.
constexpr F32 invalid_result(FloatMode mode) {
  mode.raise(exception::invalid);
  return default_nan;
}

/// A finite number: `significand` times 2 to the power of `exponent`.
struct Number {
  bool negative = false;
  i32 exponent = 0;
  u64 significand = 0;
};

constexpr Number unpack(F32 value) {
  const u32 field = magnitude(value) >> fraction_bits;
  const u32 fraction = value.bits & (implied_one - 1);
  const i32 exponent = static_cast<i32>(std::max(field, u32{1})) - bias - static_cast<i32>(fraction_bits);
  return {is_negative(value), exponent, field == 0 ? fraction : fraction | implied_one};
}

/// Shifts right; if a set bit is shifted out, the lowest bit of the result is set.
constexpr u64 shift_with_rest(u64 value, u32 distance) {
  if (distance == 0) return value;
  if (distance > 63) return value != 0 ? 1 : 0;
  const bool has_rest = value << (64 - distance) != 0;
  return value >> distance | u64{has_rest};
}

/// The same number, shifted so that its highest set bit is bit `top`. The bit must not be above `top` before.
constexpr Number with_top(Number number, i32 top) {
  const i32 distance = std::countl_zero(number.significand) - (63 - top);
  return {number.negative, number.exponent - distance, number.significand << distance};
}

/// Rounds to a float. If more than 26 bits are above it, the lowest bit of the significand can stand for any rest.
constexpr F32 rounded(Number number, FloatMode mode) {
  if (number.significand == 0) return with_sign(0, number.negative);
  number = with_top(number, 63);
  constexpr u32 dropped_bits = 63 - fraction_bits;
  const i32 field = number.exponent + 63 + bias;
  const auto below = static_cast<u32>(std::clamp(1 - field, 0, 64));  // shift of a denormal result
  const u64 significand = shift_with_rest(number.significand, below);
  const u64 kept = significand >> dropped_bits;
  const u64 rest = significand & ((u64{1} << dropped_bits) - 1);
  constexpr u64 half = u64{1} << (dropped_bits - 1);
  bool goes_away = false;  // rounds away from zero
  switch (mode.rounding) {
    case Rounding::to_nearest_even:
      goes_away = rest > half || (rest == half && (kept & 1) != 0);
      break;
    case Rounding::up:
      goes_away = rest != 0 && !number.negative;
      break;
    case Rounding::down:
      goes_away = rest != 0 && number.negative;
      break;
    case Rounding::to_zero:
      break;
  }
  // A carry out of the significand correctly increments the exponent.
  const u64 base = below != 0 ? 0 : static_cast<u64>(std::min(field, 255) - 1) << fraction_bits;
  const u64 result = base + kept + u64{goes_away};
  if (rest != 0) mode.raise(exception::inexact | (below != 0 ? exception::underflow : 0));
  if (result >= infinity) {
    mode.raise(exception::overflow | exception::inexact);
    const bool stays_finite =
        mode.rounding == Rounding::to_zero || mode.rounding == (number.negative ? Rounding::up : Rounding::down);
    return with_sign(stays_finite ? greatest : infinity, number.negative);
  }
  const F32 value = with_sign(static_cast<u32>(result), number.negative);
  if (!is_denormal(value) || mode.keeps_denormal_results) return value;
  mode.raise(exception::underflow | exception::inexact);
  return with_sign(0, number.negative);
}

/// The sum of two numbers of at most 48 bits each, rounded.
constexpr F32 rounded_sum(Number left, Number right, FloatMode mode) {
  if (left.significand == 0 && right.significand == 0) {
    const bool negative = left.negative == right.negative ? left.negative : mode.rounding == Rounding::down;
    return with_sign(0, negative);
  }
  if (left.significand == 0) return rounded(right, mode);
  if (right.significand == 0) return rounded(left, mode);
  // One bit is reserved for a carry. If the smaller number loses bits, the difference keeps all but one of the others.
  constexpr i32 top = 62;
  left = with_top(left, top);
  right = with_top(right, top);
  if (left.exponent < right.exponent) std::swap(left, right);
  const u64 smaller = shift_with_rest(right.significand, static_cast<u32>(left.exponent - right.exponent));
  if (left.negative == right.negative) return rounded({left.negative, left.exponent, left.significand + smaller}, mode);
  if (left.significand == smaller) return with_sign(0, mode.rounding == Rounding::down);
  if (left.significand > smaller) return rounded({left.negative, left.exponent, left.significand - smaller}, mode);
  return rounded({right.negative, left.exponent, smaller - left.significand}, mode);
}

constexpr Number product(Number left, Number right) {
  return {left.negative != right.negative, left.exponent + right.exponent, left.significand * right.significand};
}

}  // namespace soft_float

// ---- operations ----

constexpr F32 add(F32 left, F32 right, FloatMode mode) {
  using namespace soft_float;
  left = input(left, mode);
  right = input(right, mode);
  if (is_nan(left)) return from_nan(left, mode);
  if (is_nan(right)) return from_nan(right, mode);
  if (is_infinite(left)) return is_infinite(right) && left != right ? invalid_result(mode) : left;
  if (is_infinite(right)) return right;
  return rounded_sum(unpack(left), unpack(right), mode);
}

constexpr F32 multiply(F32 left, F32 right, FloatMode mode) {
  using namespace soft_float;
  left = input(left, mode);
  right = input(right, mode);
  if (is_nan(left)) return from_nan(left, mode);
  if (is_nan(right)) return from_nan(right, mode);
  const bool negative = is_negative(left) != is_negative(right);
  if (is_infinite(left) || is_infinite(right))
    return is_zero(left) || is_zero(right) ? invalid_result(mode) : with_sign(infinity, negative);
  return rounded(product(unpack(left), unpack(right)), mode);
}

/// `left * right + addend`, rounded once.
constexpr F32 multiply_add(F32 left, F32 right, F32 addend, FloatMode mode) {
  using namespace soft_float;
  left = input(left, mode);
  right = input(right, mode);
  addend = input(addend, mode);
  for (const F32 source : {left, right, addend}) {
    if (is_nan(source)) return from_nan(source, mode);
  }
  if (is_infinite(left) || is_infinite(right)) return add(multiply(left, right, mode), addend, mode);
  if (is_infinite(addend)) return addend;
  return rounded_sum(product(unpack(left), unpack(right)), unpack(addend), mode);
}

/// The nearest float to 1 / `value`.
constexpr F32 reciprocal(F32 value, FloatMode mode) {
  using namespace soft_float;
  value = input(value, mode);
  if (is_nan(value)) return from_nan(value, mode);
  if (is_infinite(value)) return with_sign(0, is_negative(value));
  if (is_zero(value)) {
    mode.raise(exception::divide_by_zero);
    return with_sign(infinity, is_negative(value));
  }
  const Number number = with_top(unpack(value), static_cast<i32>(fraction_bits));
  constexpr i32 shift = 62;
  constexpr u64 dividend = u64{1} << shift;
  const u64 quotient = dividend / number.significand;
  const bool has_rest = dividend % number.significand != 0;
  return rounded({number.negative, -shift - number.exponent - 1, quotient << 1 | u64{has_rest}}, mode);
}

/// Rounds towards zero to an integer.
constexpr F32 truncated(F32 value, FloatMode mode) {
  using namespace soft_float;
  value = input(value, mode);
  if (is_nan(value)) return from_nan(value, mode);
  const i32 exponent = static_cast<i32>(magnitude(value) >> fraction_bits) - bias;
  if (exponent < 0) return with_sign(0, is_negative(value));
  if (exponent >= static_cast<i32>(fraction_bits)) return value;
  return {value.bits & ~((implied_one - 1) >> exponent)};
}

/// The nearest float to an integer.
constexpr F32 to_float(i64 value, FloatMode mode) {
  const u64 distance_from_zero = value < 0 ? -static_cast<u64>(value) : static_cast<u64>(value);
  return soft_float::rounded({value < 0, 0, distance_from_zero}, mode);
}

/// Converts a float to an integer, rounding towards zero; saturates to the type, and returns 0 for a NaN.
/// `signals_inexact`: the modifier `clamp`, whose only effect on conversions to integers this is.
template <class T>
constexpr T to_integer(F32 value, FloatMode mode, bool signals_inexact) {
  using namespace soft_float;
  constexpr i64 least = std::numeric_limits<T>::min();
  constexpr i64 most = std::numeric_limits<T>::max();
  if (is_nan(value)) {
    mode.raise(exception::invalid);
    return 0;
  }
  const Number number = unpack(value);
  i64 result = 0;
  bool is_exact = true;
  if (number.exponent > 16) {
    result = most + 1;
  } else if (number.exponent >= 0) {
    result = static_cast<i64>(number.significand << number.exponent);
  } else if (number.exponent > -64) {
    result = static_cast<i64>(number.significand >> -number.exponent);
    is_exact = static_cast<u64>(result) << -number.exponent == number.significand;
  } else {
    is_exact = number.significand == 0;
  }
  const i64 whole = number.negative ? -result : result;
  const i64 nearest = std::clamp(whole, least, most);
  if (nearest != whole) {
    mode.raise(exception::invalid);
  } else if (!is_exact && signals_inexact) {
    mode.raise(exception::inexact);
  }
  return static_cast<T>(nearest);
}

/// The order of two floats; nothing is true for a NaN.
struct Order {
  bool less;
  bool equal;
  bool greater;
};
/// `signals`: the modifier `clamp`, with which a NaN raises the invalid exception.
constexpr Order compare(F32 left, F32 right, FloatMode mode, bool signals) {
  using namespace soft_float;
  left = input(left, mode);
  right = input(right, mode);
  if (is_nan(left) || is_nan(right)) {
    if (signals) mode.raise(exception::invalid);
    return {false, false, false};
  }
  const auto place = [](F32 value) { return is_negative(value) ? -i64{magnitude(value)} : i64{magnitude(value)}; };
  return {place(left) < place(right), place(left) == place(right), place(left) > place(right)};
}

// ---- modifiers of results ----

/// A result times 2 (1), 4 (2) or 1/2 (3); then, with `clamp`, clamped to the range from 0 to 1.
constexpr F32 modified(F32 value, u8 output_modifier, bool clamp, FloatMode mode) {
  using namespace soft_float;
  // The factor is ignored in IEEE mode and if denormal results are kept.
  if (output_modifier != 0 && !mode.is_ieee && !mode.keeps_denormal_results) {
    constexpr F32 two{0x4000'0000};
    constexpr F32 four{0x4080'0000};
    constexpr F32 half{0x3f00'0000};
    value = multiply(value, output_modifier == 1 ? two : output_modifier == 2 ? four : half, mode);
    if (is_zero(value)) value = {0};
  }
  if (!clamp) return value;
  if (is_nan(value)) return mode.clamps_nan ? F32{0} : value;
  if (is_negative(value)) return {0};
  return magnitude(value) > one.bits ? one : value;
}

}  // namespace salu::isa::vector
