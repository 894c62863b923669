#pragma once

#include <salu/integer.hpp>

#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>
#include <utility>

#include "support/compiler.hpp"

/// Binary floating point (IEEE 754) of 16, 32 and 64 bits; each operation rounds once, exactly as MODE specifies. The
/// floating point of the host is not used: results depend neither on its rounding mode nor on compiler options.
namespace salu::isa::vector {

/// A float, by its bits: the sign, the exponent, and a fraction of `fraction` bits.
template <class Word, u32 fraction>
struct Float {
  using Bits = Word;
  static constexpr u32 bit_count = std::numeric_limits<Word>::digits;
  static constexpr u32 fraction_bits = fraction;
  Word bits;
  friend constexpr bool operator==(const Float&, const Float&) = default;
};
using F16 = Float<u16, 10>;
using BF16 = Float<u16, 7>;
using F32 = Float<u32, 23>;
using F64 = Float<u64, 52>;

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

/// The settings of MODE for one format: MODE has fields for 32-bit floats, and others for 16-bit and 64-bit floats.
struct FloatMode {
  Rounding rounding = Rounding::to_nearest_even;
  bool keeps_denormal_inputs = true;  ///< otherwise denormal inputs count as zeros
  bool keeps_denormal_results = true;
  bool clamps_nan = true;  ///< DX10_CLAMP: the modifier `clamp` turns a NaN into 0
  bool is_ieee = true;
  u32* raised = nullptr;    ///< where exceptions are recorded; may be null
  bool limits_f16 = false;  ///< FP16_OVFL: a 16-bit result that overflows is the greatest finite number
  Rounding approximation = Rounding::to_nearest_even;  ///< rounding of results that hardware approximates
  bool is_approximating = false;                       ///< the result is one of them
  u32 approximation_seed = 0;                          ///< if not 0: up or down, chosen by this and the operand

  constexpr void raise(u32 exceptions) const {
    if (raised != nullptr) *raised |= exceptions;
  }
  [[nodiscard]] constexpr FloatMode rounding_to(Rounding direction) const {
    FloatMode mode = *this;
    mode.rounding = direction;
    return mode;
  }
  [[nodiscard]] constexpr FloatMode flushing() const {
    FloatMode mode = *this;
    mode.keeps_denormal_inputs = false;
    mode.keeps_denormal_results = false;
    return mode;
  }
  [[nodiscard]] constexpr FloatMode keeping() const {
    FloatMode mode = *this;
    mode.keeps_denormal_inputs = true;
    mode.keeps_denormal_results = true;
    return mode;
  }
};

/// The settings of MODE for 16-bit and 64-bit floats.
struct WideFloatMode : FloatMode {};

namespace soft_float {

// ---- parts and properties of a format ----

template <class F>
inline constexpr u32 exponent_bits = F::bit_count - 1 - F::fraction_bits;
/// The exponent of infinities and NaNs, as it is encoded.
template <class F>
inline constexpr i32 greatest_field = (1 << exponent_bits<F>)-1;
template <class F>
inline constexpr i32 bias = greatest_field<F> / 2;
template <class F>
inline constexpr typename F::Bits sign_bit = static_cast<typename F::Bits>(u64{1} << (F::bit_count - 1));
/// The bit above the fraction: the implied one of the significand, and the lowest bit of the exponent.
template <class F>
inline constexpr typename F::Bits implied_one = static_cast<typename F::Bits>(u64{1} << F::fraction_bits);
template <class F>
inline constexpr typename F::Bits infinity = static_cast<typename F::Bits>(u64{greatest_field<F>} << F::fraction_bits);
template <class F>
inline constexpr typename F::Bits greatest = static_cast<typename F::Bits>(infinity<F> - 1);
template <class F>
inline constexpr F default_nan{static_cast<typename F::Bits>(infinity<F> | implied_one<F> >> 1)};

template <class F>
constexpr typename F::Bits magnitude(F value) {
  return static_cast<typename F::Bits>(value.bits & (sign_bit<F> - 1));
}
template <class F>
constexpr bool is_negative(F value) {
  return value.bits >> (F::bit_count - 1) != 0;
}
template <class F>
constexpr bool is_nan(F value) {
  return magnitude(value) > infinity<F>;
}
template <class F>
constexpr bool is_infinite(F value) {
  return magnitude(value) == infinity<F>;
}
template <class F>
constexpr bool is_zero(F value) {
  return magnitude(value) == 0;
}
template <class F>
constexpr bool is_denormal(F value) {
  return magnitude(value) < implied_one<F> && !is_zero(value);
}
template <class F>
constexpr bool is_signalling(F value) {
  return is_nan(value) && (value.bits >> (F::fraction_bits - 1) & 1) == 0;
}
template <class F>
constexpr F negated(F value) {
  return {static_cast<typename F::Bits>(value.bits ^ sign_bit<F>)};
}
template <class F>
constexpr F with_sign(std::type_identity_t<typename F::Bits> magnitude, bool negative) {
  return {static_cast<typename F::Bits>(magnitude | (negative ? sign_bit<F> : 0))};
}
template <class F>
constexpr F quieted(F nan) {
  return {static_cast<typename F::Bits>(nan.bits | implied_one<F> >> 1)};
}
/// The exponent as it is encoded: 0 for zeros and denormal numbers.
template <class F>
constexpr i32 exponent_field(F value) {
  return static_cast<i32>(magnitude(value) >> F::fraction_bits);
}
/// 2 to the power of `exponent`, which must be that of a normal number.
template <class F>
constexpr F power_of_two(i32 exponent) {
  return {static_cast<typename F::Bits>(static_cast<u64>(exponent + bias<F>) << F::fraction_bits)};
}

// ---- operands and special results ----

/// The value of a source as an operation sees it.
template <class F>
constexpr F input(F value, FloatMode mode) {
  if (!is_denormal(value)) return value;
  if (!mode.keeps_denormal_inputs) return with_sign<F>(0, is_negative(value));
  mode.raise(exception::input_denormal);
  return value;
}

/// The result of an operation: a zero instead of a denormal number, if MODE flushes results.
template <class F>
constexpr F output(F value, FloatMode mode) {
  if (!is_denormal(value) || mode.keeps_denormal_results) return value;
  mode.raise(exception::underflow | exception::inexact);
  return with_sign<F>(0, is_negative(value));
}

/// The result of an operation on a NaN.
template <class F>
constexpr F from_nan(F nan, FloatMode mode) {
  if (is_signalling(nan)) mode.raise(exception::invalid);
  return quieted(nan);
}

/// The NaN of an invalid operation.
template <class F>
constexpr F invalid_result(FloatMode mode) {
  mode.raise(exception::invalid);
  return default_nan<F>;
}

// ---- finite numbers ----

/// A finite number: `significand` times 2 to the power of `exponent`.
template <class Wide>
struct Number {
  bool negative = false;
  i32 exponent = 0;
  Wide significand = 0;
};

/// An integer that can hold the product of two significands of a format.
template <class F>
using WideOf = std::conditional_t<(F::fraction_bits > 30), u128, u64>;
template <class F>
using NumberOf = Number<WideOf<F>>;

template <class Wide>
inline constexpr i32 width_of = 8 * static_cast<i32>(sizeof(Wide));

constexpr i32 leading_zeros(u64 value) { return std::countl_zero(value); }
constexpr i32 leading_zeros(u128 value) {
  const auto high = static_cast<u64>(value >> 64);
  return high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(static_cast<u64>(value));
}

template <class F>
constexpr NumberOf<F> unpack(F value) {
  const i32 field = exponent_field(value);
  const auto fraction = static_cast<typename F::Bits>(value.bits & (implied_one<F> - 1));
  const i32 exponent = std::max(field, 1) - bias<F> - static_cast<i32>(F::fraction_bits);
  return {is_negative(value), exponent, field == 0 ? fraction : static_cast<WideOf<F>>(fraction | implied_one<F>)};
}

/// Shifts right; if a set bit is shifted out, the lowest bit of the result is set.
template <class Wide>
constexpr Wide shift_with_rest(Wide value, u32 distance) {
  if (distance == 0) return value;
  if (distance >= static_cast<u32>(width_of<Wide>)) return value != 0 ? 1 : 0;
  const bool has_rest = value << (static_cast<u32>(width_of<Wide>) - distance) != 0;
  return value >> distance | Wide{has_rest};
}

/// The same number, shifted so that its highest set bit is bit `top`. The bit must not be above `top` before.
template <class Wide>
constexpr Number<Wide> with_top(Number<Wide> number, i32 top) {
  const i32 distance = leading_zeros(number.significand) - (width_of<Wide> - 1 - top);
  return {number.negative, number.exponent - distance, number.significand << distance};
}

/// True if a magnitude is rounded away from zero. `rest` is the part that does not fit, in a unit in which one half of
/// the last place is `half`.
template <class Wide>
constexpr bool goes_away(bool is_odd, Wide rest, Wide half, bool negative, Rounding rounding) {
  switch (rounding) {
    case Rounding::to_nearest_even:
      return rest > half || (rest == half && is_odd);
    case Rounding::up:
      return rest != 0 && !negative;
    case Rounding::down:
      return rest != 0 && negative;
    case Rounding::to_zero:
      break;
  }
  return false;
}

/// The result of an overflow. An approximation, whose error is relative to the result, is infinite.
template <class F>
constexpr F overflowed(bool negative, FloatMode mode) {
  mode.raise(exception::overflow | exception::inexact);
  const bool is_towards_zero =
      mode.rounding == Rounding::to_zero || mode.rounding == (negative ? Rounding::up : Rounding::down);
  const bool stays_finite = (is_towards_zero && !mode.is_approximating) || (mode.limits_f16 && std::is_same_v<F, F16>);
  return with_sign<F>(stays_finite ? greatest<F> : infinity<F>, negative);
}

/// Rounds to a float. If the significand has at least two bits more than that of the float, its lowest bit can stand
/// for any rest.
template <class F, class Wide>
constexpr F rounded(Number<Wide> number, FloatMode mode) {
  if (number.significand == 0) return with_sign<F>(0, number.negative);
  constexpr i32 top = width_of<Wide> - 1;
  number = with_top(number, top);
  constexpr u32 dropped_bits = static_cast<u32>(top) - F::fraction_bits;
  const i32 field = number.exponent + top + bias<F>;
  const auto below = static_cast<u32>(std::clamp(1 - field, 0, top + 1));  // shift of a denormal result
  const Wide significand = shift_with_rest(number.significand, below);
  const auto kept = static_cast<u64>(significand >> dropped_bits);
  const Wide rest = significand & ((Wide{1} << dropped_bits) - 1);
  const bool away = goes_away((kept & 1) != 0, rest, Wide{1} << (dropped_bits - 1), number.negative, mode.rounding);
  // A carry out of the significand correctly increments the exponent.
  const u64 base = below != 0 ? 0 : static_cast<u64>(std::min(field, greatest_field<F>) - 1) << F::fraction_bits;
  const u64 result = base + kept + u64{away};
  if (rest != 0) mode.raise(exception::inexact | (below != 0 ? exception::underflow : 0));
  if (result >= infinity<F>) return overflowed<F>(number.negative, mode);
  return output(with_sign<F>(static_cast<typename F::Bits>(result), number.negative), mode);
}

/// The sum of two numbers, rounded. Each may have as many bits as a product of two significands.
template <class F, class Wide>
constexpr F rounded_sum(Number<Wide> left, Number<Wide> right, FloatMode mode) {
  if (left.significand == 0 && right.significand == 0) {
    const bool negative = left.negative == right.negative ? left.negative : mode.rounding == Rounding::down;
    return with_sign<F>(0, negative);
  }
  if (left.significand == 0) return rounded<F>(right, mode);
  if (right.significand == 0) return rounded<F>(left, mode);
  // One bit is reserved for a carry. If the smaller number loses bits, the difference keeps all but one of the others.
  constexpr i32 top = width_of<Wide> - 2;
  left = with_top(left, top);
  right = with_top(right, top);
  if (left.exponent < right.exponent) std::swap(left, right);
  const Wide smaller = shift_with_rest(right.significand, static_cast<u32>(left.exponent - right.exponent));
  if (left.negative == right.negative)
    return rounded<F, Wide>({left.negative, left.exponent, left.significand + smaller}, mode);
  if (left.significand == smaller) return with_sign<F>(0, mode.rounding == Rounding::down);
  if (left.significand > smaller)
    return rounded<F, Wide>({left.negative, left.exponent, left.significand - smaller}, mode);
  return rounded<F, Wide>({right.negative, left.exponent, smaller - left.significand}, mode);
}

template <class Wide>
constexpr Number<Wide> product(Number<Wide> left, Number<Wide> right) {
  return {left.negative != right.negative, left.exponent + right.exponent, left.significand * right.significand};
}

/// The quotient of two numbers that are not 0, with at least two bits more than a significand of the format. The lowest
/// bit stands for the rest.
template <class F>
constexpr NumberOf<F> quotient(NumberOf<F> dividend, NumberOf<F> divisor) {
  divisor = with_top(divisor, static_cast<i32>(F::fraction_bits));
  dividend = with_top(dividend, width_of<WideOf<F>> - 2);
  const auto whole = dividend.significand / divisor.significand;
  const bool has_rest = dividend.significand % divisor.significand != 0;
  return {dividend.negative != divisor.negative, dividend.exponent - divisor.exponent - 1,
          whole << 1 | WideOf<F>{has_rest}};
}

/// An integer that a number is rounded to. Magnitudes of 2^62 and more count as 2^62.
struct Whole {
  u64 magnitude;
  bool is_exact;
};
template <class Wide>
constexpr Whole whole(Number<Wide> number, Rounding rounding) {
  constexpr i32 top = 62;
  if (number.significand == 0) return {0, true};
  if (width_of<Wide> - leading_zeros(number.significand) + number.exponent > top) return {u64{1} << top, true};
  if (number.exponent >= 0) return {static_cast<u64>(number.significand << number.exponent), true};
  // A bit for one half, and one for the rest below it.
  const Wide moved = number.exponent == -1
                         ? number.significand << 1
                         : shift_with_rest(number.significand, static_cast<u32>(-2 - number.exponent));
  const auto kept = static_cast<u64>(moved >> 2);
  const auto rest = static_cast<u64>(moved) & 3;
  return {kept + u64{goes_away((kept & 1) != 0, rest, u64{2}, number.negative, rounding)}, rest == 0};
}
/// The integer that a number or an infinity is rounded to, times 2 to the power of `scale`.
template <class F>
constexpr Whole whole(F value, Rounding rounding, i32 scale = 0) {
  NumberOf<F> number = unpack(value);
  number.exponent += is_infinite(value) ? greatest_field<F64> : scale;
  return whole(number, rounding);
}

}  // namespace soft_float

// ---- arithmetic ----

template <class F>
constexpr F add(F left, F right, FloatMode mode) {
  using namespace soft_float;
  left = input(left, mode);
  right = input(right, mode);
  if (is_nan(left)) return from_nan(left, mode);
  if (is_nan(right)) return from_nan(right, mode);
  if (is_infinite(left)) return is_infinite(right) && left != right ? invalid_result<F>(mode) : left;
  if (is_infinite(right)) return right;
  return rounded_sum<F>(unpack(left), unpack(right), mode);
}

/// A NaN keeps its sign.
template <class F>
constexpr F subtract(F left, F right, FloatMode mode) {
  return add(left, soft_float::is_nan(right) ? right : soft_float::negated(right), mode);
}

template <class F>
constexpr F multiply(F left, F right, FloatMode mode) {
  using namespace soft_float;
  left = input(left, mode);
  right = input(right, mode);
  if (is_nan(left)) return from_nan(left, mode);
  if (is_nan(right)) return from_nan(right, mode);
  const bool negative = is_negative(left) != is_negative(right);
  if (is_infinite(left) || is_infinite(right))
    return is_zero(left) || is_zero(right) ? invalid_result<F>(mode) : with_sign<F>(infinity<F>, negative);
  return rounded<F>(product(unpack(left), unpack(right)), mode);
}

/// The product by the rules of DirectX 9: 0 times anything, including infinities and NaNs, is +0.
template <class F>
constexpr F multiply_legacy(F left, F right, FloatMode mode) {
  using namespace soft_float;
  if (is_zero(input(left, mode)) || is_zero(input(right, mode))) return {0};
  return multiply(left, right, mode);
}

/// `left * right + addend`, rounded once, times 2 to the power of `scale`.
template <class F>
constexpr F multiply_add(F left, F right, F addend, FloatMode mode, i32 scale = 0) {
  using namespace soft_float;
  left = input(left, mode);
  right = input(right, mode);
  addend = input(addend, mode);
  for (const F source : {left, right, addend}) {
    if (is_nan(source)) return from_nan(source, mode);
  }
  if (is_infinite(left) || is_infinite(right)) return add(multiply(left, right, mode), addend, mode);
  if (is_infinite(addend)) return addend;
  NumberOf<F> all = product(unpack(left), unpack(right));
  NumberOf<F> other = unpack(addend);
  all.exponent += scale;
  other.exponent += scale;
  return rounded_sum<F>(all, other, mode);
}

/// 1 / `value`.
template <class F>
constexpr F reciprocal(F value, FloatMode mode) {
  using namespace soft_float;
  value = input(value, mode);
  if (is_nan(value)) return from_nan(value, mode);
  if (is_infinite(value)) return with_sign<F>(0, is_negative(value));
  if (is_zero(value)) {
    mode.raise(exception::divide_by_zero);
    return with_sign<F>(infinity<F>, is_negative(value));
  }
  return rounded<F>(quotient<F>({false, 0, 1}, unpack(value)), mode);
}

// ---- conversions ----

/// Converts to another format; `from` and `to` are the modes of both formats.
template <class To, class From>
constexpr To convert(From value, FloatMode from, FloatMode to) {
  using namespace soft_float;
  value = input(value, from);
  const bool negative = is_negative(value);
  if (is_nan(value)) {
    // The highest bits of the fraction are kept.
    constexpr i32 wider = static_cast<i32>(To::fraction_bits) - static_cast<i32>(From::fraction_bits);
    const u64 fraction = from_nan(value, to).bits & (implied_one<From> - 1);
    const u64 moved = wider >= 0 ? fraction << std::max(wider, 0) : fraction >> std::max(-wider, 0);
    return with_sign<To>(static_cast<typename To::Bits>(infinity<To> | moved), negative);
  }
  if (is_infinite(value)) return with_sign<To>(infinity<To>, negative);
  return rounded<To>(unpack(value), to);
}

/// The float for an integer.
template <class F = F32>
constexpr F to_float(i64 value, FloatMode mode) {
  const u64 distance_from_zero = value < 0 ? -static_cast<u64>(value) : static_cast<u64>(value);
  return soft_float::rounded<F, u64>({value < 0, 0, distance_from_zero}, mode);
}

/// Converts a float to an integer; saturates to the type, and returns 0 for a NaN. `signals_inexact`: the modifier
/// `clamp`, whose only effect on conversions to integers this is.
template <class T, class F>
constexpr T to_integer(F value, FloatMode mode, bool signals_inexact, Rounding rounding = Rounding::to_zero) {
  using namespace soft_float;
  constexpr i64 least = std::numeric_limits<T>::min();
  constexpr i64 most = std::numeric_limits<T>::max();
  if (is_nan(value)) {
    mode.raise(exception::invalid);
    return 0;
  }
  const Whole nearest = whole(value, rounding);
  const i64 integer = is_negative(value) ? -static_cast<i64>(nearest.magnitude) : static_cast<i64>(nearest.magnitude);
  const i64 result = std::clamp(integer, least, most);
  if (result != integer) {
    mode.raise(exception::invalid);
  } else if (!nearest.is_exact && signals_inexact) {
    mode.raise(exception::inexact);
  }
  return static_cast<T>(result);
}

/// Rounds to an integer, as a float.
template <class F>
constexpr F to_integral(F value, Rounding rounding, FloatMode mode) {
  using namespace soft_float;
  using Bits = typename F::Bits;
  value = input(value, mode);
  if (is_nan(value)) return from_nan(value, mode);
  const Bits all = magnitude(value);
  const bool negative = is_negative(value);
  const i32 exponent = exponent_field(value) - bias<F>;
  if (exponent >= static_cast<i32>(F::fraction_bits)) return value;
  if (exponent < 0) {
    // The bits of positive floats have the order of their values.
    const bool away = goes_away<u64>(false, all, power_of_two<F>(-1).bits, negative, rounding);
    return with_sign<F>(away ? power_of_two<F>(0).bits : 0, negative);
  }
  const u64 unit = u64{implied_one<F>} >> exponent;
  // The bias is odd, so the lowest bit of the exponent stands for that of the integer 1.
  const bool away = goes_away<u64>((all & unit) != 0, all & (unit - 1), unit / 2, negative, rounding);
  return with_sign<F>(static_cast<Bits>((all & ~(unit - 1)) + (away ? unit : 0)), negative);
}
template <class F>
constexpr F truncated(F value, FloatMode mode) {
  return to_integral(value, Rounding::to_zero, mode);
}

// ---- comparisons ----

/// The order of two floats; nothing is true for a NaN.
struct Order {
  bool less;
  bool equal;
  bool greater;
};
/// `signals`: the modifier `clamp`, with which a NaN raises the invalid exception.
template <class F>
constexpr Order compare(F left, F right, FloatMode mode, bool signals) {
  using namespace soft_float;
  left = input(left, mode);
  right = input(right, mode);
  if (is_nan(left) || is_nan(right)) {
    if (signals) mode.raise(exception::invalid);
    return {false, false, false};
  }
  const auto place = [](F value) {
    const auto distance = static_cast<i64>(magnitude(value));
    return is_negative(value) ? -distance : distance;
  };
  return {place(left) < place(right), place(left) == place(right), place(left) > place(right)};
}

// ---- modifiers of results ----

/// A result times 2 (1), 4 (2) or 1/2 (3); then, with `clamp`, clamped to the range from 0 to 1.
template <class F>
constexpr F modified(F value, u8 output_modifier, bool clamp, FloatMode mode) {
  using namespace soft_float;
  // The factor is ignored in IEEE mode and if denormal results are kept.
  if (output_modifier != 0 && !mode.is_ieee && !mode.keeps_denormal_results) {
    value = multiply(value, power_of_two<F>(output_modifier == 3 ? -1 : output_modifier), mode);
    if (is_zero(value)) value = {0};
  }
  if (!clamp) return value;
  if (is_nan(value)) return mode.clamps_nan ? F{0} : value;
  if (is_negative(value)) return {0};
  constexpr F one = power_of_two<F>(0);
  return magnitude(value) > one.bits ? one : value;
}

}  // namespace salu::isa::vector
