#include "semantics/vector_reference.hpp"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace salu::test {
namespace {

/// Wide enough for all exact results here.
__extension__ using Wide = __int128;

constexpr Wide two_to(u32 bits) { return Wide{1} << bits; }

Wide as_unsigned(u64 value, u32 bits) { return bits == 64 ? Wide{value} : Wide{value} % two_to(bits); }

Wide as_signed(u64 value, u32 bits) {
  const Wide positive = as_unsigned(value, bits);
  return positive >= two_to(bits - 1) ? positive - two_to(bits) : positive;
}

/// The low bits of a number in two's complement.
u64 cut(Wide value, u32 bits) {
  const Wide modulus = two_to(bits);
  const Wide rest = value % modulus;
  return static_cast<u64>(rest < 0 ? rest + modulus : rest);
}

/// A result of `bits` bits: truncated, or saturated with clamp.
u64 unsigned_result(const LaneInputs& in, Wide exact, u32 bits) {
  if (in.clamp) exact = std::clamp(exact, Wide{0}, two_to(bits) - 1);
  return cut(exact, bits);
}

u64 signed_result(const LaneInputs& in, Wide exact, u32 bits) {
  if (in.clamp) exact = std::clamp(exact, -two_to(bits - 1), two_to(bits - 1) - 1);
  return cut(exact, bits);
}

// ---- helpers for rows ----

/// D computed from the sources.
template <class Function>
LaneModel computes(Function function) {
  return [function](const LaneInputs& in) { return LaneResult{function(in), false, false}; };
}

/// The exact result of unsigned or signed sources that have the width of the result.
using Exact = Wide (*)(Wide, Wide, Wide);

LaneModel unsigned_exact(u32 bits, Exact exact) {
  return computes([=](const LaneInputs& in) {
    return unsigned_result(
        in, exact(as_unsigned(in.s[0], bits), as_unsigned(in.s[1], bits), as_unsigned(in.s[2], bits)), bits);
  });
}

LaneModel signed_exact(u32 bits, Exact exact) {
  return computes([=](const LaneInputs& in) {
    return signed_result(in, exact(as_signed(in.s[0], bits), as_signed(in.s[1], bits), as_signed(in.s[2], bits)), bits);
  });
}

Wide middle(Wide a, Wide b, Wide c) {
  std::array<Wide, 3> all = {a, b, c};
  std::sort(all.begin(), all.end());
  return all[1];
}

/// A result with a carry or a borrow, if it does not fit in 32 bits.
LaneModel with_carry(Wide (*exact)(Wide, Wide, Wide)) {
  return [exact](const LaneInputs& in) {
    const Wide result = exact(as_unsigned(in.s[0], 32), as_unsigned(in.s[1], 32), in.carry ? 1 : 0);
    return LaneResult{unsigned_result(in, result, 32), result < 0 || result >= two_to(32), false};
  };
}

u64 multiply_24(const LaneInputs& in, bool is_signed, bool is_high, bool adds) {
  const Wide a = is_signed ? as_signed(in.s[0], 24) : as_unsigned(in.s[0], 24);
  const Wide b = is_signed ? as_signed(in.s[1], 24) : as_unsigned(in.s[1], 24);
  Wide exact = a * b;
  if (is_high) return cut(exact >> 32, 32);
  if (adds) exact += is_signed ? as_signed(in.s[2], 32) : as_unsigned(in.s[2], 32);
  return is_signed ? signed_result(in, exact, 32) : unsigned_result(in, exact, 32);
}

u64 shift_left(u64 value, u64 count, u32 bits) {
  return cut(as_unsigned(value, bits) << static_cast<u32>(count % bits), bits);
}
u64 shift_right(u64 value, u64 count, u32 bits) {
  return cut(as_unsigned(value, bits) >> static_cast<u32>(count % bits), bits);
}
u64 shift_right_signed(u64 value, u64 count, u32 bits) {
  // Divides and rounds down.
  const Wide divisor = two_to(static_cast<u32>(count % bits));
  const Wide dividend = as_signed(value, bits);
  Wide quotient = dividend / divisor;
  if (quotient * divisor > dividend) --quotient;
  return cut(quotient, bits);
}

using Shift = u64 (*)(u64 value, u64 count, u32 bits);
LaneModel shifts(Shift shift, u32 bits, std::size_t value, std::size_t count) {
  return computes([=](const LaneInputs& in) { return shift(in.s[value], in.s[count], bits); });
}

u64 byte_of(u64 value, u32 number) { return value >> (8 * number) & 0xff; }
u64 distance(u64 a, u64 b) { return a > b ? a - b : b - a; }

/// The sum of the differences of the parts of both sources.
u64 sum_of_distances(const LaneInputs& in, u32 part_bits, bool masked) {
  u64 sum = 0;
  for (u32 low = 0; low < 32; low += part_bits) {
    const u64 mask = (u64{1} << part_bits) - 1;
    const u64 a = in.s[0] >> low & mask;
    const u64 b = in.s[1] >> low & mask;
    if (!masked || b != 0) sum += distance(a, b);
  }
  return sum;
}

u64 permute(const LaneInputs& in) {
  const u64 bytes = in.s[0] << 32 | in.s[1];
  u64 result = 0;
  for (u32 i = 0; i < 4; ++i) {
    const u64 selector = byte_of(in.s[2], i);
    u64 byte = 0;
    if (selector < 8) {
      byte = byte_of(bytes, static_cast<u32>(selector));
    } else if (selector < 12) {
      byte = (bytes >> (15 + 16 * (selector - 8)) & 1) != 0 ? 0xff : 0;
    } else if (selector > 12) {
      byte = 0xff;
    }
    result |= byte << (8 * i);
  }
  return result;
}

u64 field(const LaneInputs& in, bool is_signed) {
  const auto offset = static_cast<u32>(in.s[1] % 32);
  const auto width = static_cast<u32>(in.s[2] % 32);
  if (width == 0) return 0;
  // The bits above the source are its sign, or zeros.
  const Wide source = is_signed ? as_signed(in.s[0], 32) : as_unsigned(in.s[0], 32);
  const u64 bits = cut(source >> offset, width);
  return is_signed ? cut(as_signed(bits, width), 32) : bits;
}

/// The number of bits from the top that are equal to the highest one, or from one end that are not set; -1 if all are.
u64 first_difference(const LaneInputs& in, bool from_top, bool is_signed) {
  const bool top = (in.s[0] >> 31 & 1) != 0;
  for (u32 i = 0; i < 32; ++i) {
    const bool bit = (in.s[0] >> (from_top ? 31 - i : i) & 1) != 0;
    if (bit != (is_signed && top)) return i;
  }
  return 0xffffffff;
}

u64 reverse(const LaneInputs& in) {
  u64 result = 0;
  for (u32 i = 0; i < 32; ++i) result |= (in.s[0] >> i & 1) << (31 - i);
  return result;
}

/// Bits of a mask that belong to lower lanes; the mask is for lanes 0 to 31, or for the others.
u64 count_below(const LaneInputs& in, u32 first_lane) {
  u64 count = in.s[1];
  for (u32 i = 0; i < 32; ++i) {
    if (first_lane + i < in.lane) count += in.s[0] >> i & 1;
  }
  return cut(count, 32);
}

template <class Compare>
LaneModel compares(u32 bits, bool is_signed, Compare compare) {
  return [=](const LaneInputs& in) {
    const Wide a = is_signed ? as_signed(in.s[0], bits) : as_unsigned(in.s[0], bits);
    const Wide b = is_signed ? as_signed(in.s[1], bits) : as_unsigned(in.s[1], bits);
    return LaneResult{0, compare(a, b), false};
  };
}

// ---- floats: computed by the host ----

struct FloatMode {
  explicit FloatMode(u32 mode)
      : keeps_input_denormals((mode >> 4 & 1) != 0),
        keeps_output_denormals((mode >> 5 & 1) != 0),
        clamps_nan((mode >> 8 & 1) != 0),
        is_ieee((mode >> 9 & 1) != 0) {
    constexpr std::array<int, 4> roundings = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    rounding = roundings[mode & 3];
  }
  int rounding;
  bool keeps_input_denormals;
  bool keeps_output_denormals;
  bool clamps_nan;
  bool is_ieee;
};

class HostRounding {
 public:
  explicit HostRounding(int rounding) : before_(std::fegetround()) { std::fesetround(rounding); }
  HostRounding(const HostRounding&) = delete;
  HostRounding& operator=(const HostRounding&) = delete;
  ~HostRounding() { std::fesetround(before_); }

 private:
  int before_;
};

/// Replaces a denormal by a zero with the same sign.
float without_denormal(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0F, value) : value;
}

float float_source(u64 bits, bool keeps_denormals) {
  const auto value = std::bit_cast<float>(static_cast<u32>(bits));
  return keeps_denormals ? value : without_denormal(value);
}

/// Compilers must neither move these operations across a change of the rounding mode nor compute them.
float multiply(float a, float b) {
  const volatile float x = a;
  const volatile float y = b;
  const volatile float result = x * y;
  return result;
}
float add(float a, float b) {
  const volatile float x = a;
  const volatile float y = b;
  const volatile float result = x + y;
  return result;
}
float multiply_add(float a, float b, float c) {
  const volatile float x = a;
  const volatile float y = b;
  const volatile float z = c;
  const volatile float result = std::fma(x, y, z);
  return result;
}
float divide(float a, float b) {
  const volatile float x = a;
  const volatile float y = b;
  const volatile float result = x / y;
  return result;
}

/// The output modifier applies if MODE flushes output denormals (also for rows that always do) and IEEE mode is off;
/// then there is no -0. The clamp to 0 .. 1 is last.
LaneResult float_result(const LaneInputs& in, float value, bool keeps_denormals) {
  const FloatMode mode(in.mode);
  if (!keeps_denormals) value = without_denormal(value);
  if (in.output_modifier != 0 && !mode.is_ieee && !mode.keeps_output_denormals) {
    constexpr std::array<float, 4> factors = {1, 2, 4, 0.5F};
    const HostRounding rounding(mode.rounding);
    if (!mode.keeps_input_denormals) value = without_denormal(value);
    value = without_denormal(multiply(value, factors[in.output_modifier]));
    if (value == 0) value = 0;
  }
  if (in.clamp) {
    if (std::isnan(value)) {
      if (mode.clamps_nan) value = 0;
    } else if (value <= 0) {
      value = 0;
    } else if (value > 1) {
      value = 1;
    }
  }
  return {std::bit_cast<u32>(value), false, std::isnan(value)};
}

using Sources = std::array<float, 3>;
/// Rows that follow MODE in all respects.
template <class Function>
LaneModel float_model(Function function) {
  return [function](const LaneInputs& in) {
    const FloatMode mode(in.mode);
    Sources sources{};
    for (std::size_t i = 0; i < 3; ++i) sources[i] = float_source(in.s[i], mode.keeps_input_denormals);
    float result = 0;
    {
      const HostRounding rounding(mode.rounding);
      result = function(sources);
    }
    return float_result(in, result, mode.keeps_output_denormals);
  };
}

/// V_MAD and V_MAC: a rounded product, then a rounded sum; denormals are always flushed.
LaneModel multiply_then_add(std::size_t first, std::size_t second, std::size_t third, bool adds_old) {
  return [=](const LaneInputs& in) {
    const FloatMode mode(in.mode);
    const float summand = float_source(adds_old ? in.old : in.s[third], false);
    float result = 0;
    {
      const HostRounding rounding(mode.rounding);
      const float product =
          without_denormal(multiply(float_source(in.s[first], false), float_source(in.s[second], false)));
      result = add(product, summand);
    }
    return float_result(in, result, false);
  };
}

/// V_FMAC, whose summand is the destination.
LaneResult accumulate(const LaneInputs& in) {
  LaneInputs with_old = in;
  with_old.s[2] = in.old;
  return float_model([](const Sources& s) { return multiply_add(s[0], s[1], s[2]); })(with_old);
}

LaneResult reciprocal(const LaneInputs& in) { return float_result(in, divide(1, float_source(in.s[0], false)), false); }

float from_integer(Wide value) {
  const volatile auto integer = static_cast<i64>(value);
  const volatile auto result = static_cast<float>(integer);
  return result;
}

LaneModel converts_integer(Wide (*integer)(const LaneInputs&)) {
  return [integer](const LaneInputs& in) {
    const FloatMode mode(in.mode);
    float result = 0;
    {
      const HostRounding rounding(mode.rounding);
      result = from_integer(integer(in));
    }
    return float_result(in, result, mode.keeps_output_denormals);
  };
}

u64 to_integer(const LaneInputs& in, Wide lowest, Wide highest) {
  const auto value = std::bit_cast<float>(static_cast<u32>(in.s[0]));
  if (std::isnan(value)) return 0;
  // Far beyond both limits, but small enough for a cast.
  const double limited = std::clamp(std::trunc(static_cast<double>(value)), -1e15, 1e15);
  return cut(std::clamp(static_cast<Wide>(limited), lowest, highest), 32);
}

template <class Compare>
LaneModel compares_floats(Compare compare) {
  return [compare](const LaneInputs& in) {
    const bool keeps = FloatMode(in.mode).keeps_input_denormals;
    return LaneResult{0, compare(float_source(in.s[0], keeps), float_source(in.s[1], keeps)), false};
  };
}

// ---- floats: minimum, maximum, median; parts of a float; divisions ----

bool is_signalling(float value) { return std::isnan(value) && (std::bit_cast<u32>(value) >> 22 & 1) == 0; }
float quieted(float nan) { return std::bit_cast<float>(std::bit_cast<u32>(nan) | 1U << 22); }

/// V_MIN_F32 and V_MAX_F32 (CDNA 3 ISA manual), without the denormal modes.
float extreme(bool is_ieee, float a, float b, bool is_maximum) {
  for (const float value : {a, b}) {
    if (is_ieee && is_signalling(value)) return quieted(value);
  }
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  const bool is_less = a < b || (a == b && std::signbit(a) && !std::signbit(b));
  return is_less == is_maximum ? b : a;
}

/// Up to GCN 1.2 these rows keep denormal numbers (LLVM, supportsMinMaxDenormModes).
template <class Function>
LaneModel selection_model(bool keeps_all, Function function) {
  return [=](const LaneInputs& in) {
    const FloatMode mode(in.mode);
    Sources sources{};
    for (std::size_t i = 0; i < 3; ++i) sources[i] = float_source(in.s[i], keeps_all || mode.keeps_input_denormals);
    return float_result(in, function(mode.is_ieee, sources), keeps_all || mode.keeps_output_denormals);
  };
}

float extreme_of_three(bool is_ieee, const Sources& s, bool is_maximum) {
  return extreme(is_ieee, extreme(is_ieee, s[0], s[1], is_maximum), s[2], is_maximum);
}

/// V_MED3_F32: the greatest of the two that are not the greatest of all.
float median_of(bool is_ieee, const Sources& s) {
  if (std::isnan(s[0]) || std::isnan(s[1]) || std::isnan(s[2])) return extreme_of_three(is_ieee, s, false);
  const float greatest = extreme_of_three(is_ieee, s, true);
  const std::size_t left_out = s[0] == greatest ? 0 : s[1] == greatest ? 1 : 2;
  return extreme(is_ieee, s[left_out == 0 ? 1 : 0], s[left_out == 2 ? 1 : 2], true);
}

/// Compilers compute std::floor in a way that depends on the rounding mode.
float floor_of(float value) {
  const float whole = std::trunc(value);
  return whole > value ? whole - 1 : whole;
}

float rounded_to_even(float value) {
  const float low = floor_of(value);
  const float rest = value - low;
  const bool goes_up = rest > 0.5F || (rest == 0.5F && std::fmod(low, 2.0F) != 0);
  return std::isfinite(value) ? std::copysign(goes_up ? low + 1 : low, value) : value;
}

float fraction_of(float value) {
  const float difference = add(value, -floor_of(value));
  return difference == 1 ? std::nextafter(1.0F, 0.0F) : difference;
}

u64 exponent_of(const LaneInputs& in) {
  const float value = float_source(in.s[0], FloatMode(in.mode).keeps_input_denormals);
  int exponent = 0;
  if (std::isfinite(value)) std::frexp(value, &exponent);
  return cut(exponent, 32);
}

/// Rounds a number of the host, as the current rounding mode does.
float narrowed(double value) {
  const volatile double wide = value;
  const volatile auto result = static_cast<float>(wide);
  return result;
}

LaneResult scaled(const LaneInputs& in) {
  const FloatMode mode(in.mode);
  const float value = float_source(in.s[0], mode.keeps_input_denormals);
  // Far enough for every result, and within the range of a double.
  const auto exponent = static_cast<int>(std::clamp(as_signed(in.s[1], 32), Wide{-400}, Wide{400}));
  float result = 0;
  {
    const HostRounding rounding(mode.rounding);
    result = narrowed(std::ldexp(static_cast<double>(value), exponent));
  }
  return float_result(in, result, mode.keeps_output_denormals);
}

int exponent_field(float value) { return static_cast<int>(std::bit_cast<u32>(value) >> 23 & 0xff); }

/// V_DIV_SCALE_F32 (CDNA 3 ISA manual). The quotient and the reciprocal of the divisor are compared with the
/// least normal number without rounding; a divisor with such a reciprocal is scaled down.
LaneResult division_operand(const LaneInputs& in) {
  const FloatMode mode(in.mode);
  const bool keeps = mode.keeps_input_denormals;
  const float operand = float_source(in.s[0], keeps);
  const float divisor = float_source(in.s[1], keeps);
  const float dividend = float_source(in.s[2], keeps);
  constexpr double least_normal = 0x1p-126;
  const double size = std::abs(static_cast<double>(divisor));
  const bool are_finite = std::isfinite(divisor) && std::isfinite(dividend);
  const bool has_tiny_reciprocal = are_finite && size > 1 / least_normal;
  const bool has_tiny_quotient = are_finite && std::abs(static_cast<double>(dividend)) < size * least_normal;
  const auto times = [&](double factor) {
    const HostRounding rounding(mode.rounding);
    return narrowed(static_cast<double>(operand) * factor);
  };
  const float up = times(0x1p64);
  const float down = times(0x1p-64);
  float result = operand;
  bool scales = false;
  if (divisor == 0 || dividend == 0) {
    result = std::nanf("");
  } else if (exponent_field(dividend) - exponent_field(divisor) >= 96) {
    scales = true;
    if (operand == divisor) result = up;
  } else if (std::fpclassify(divisor) == FP_SUBNORMAL) {
    result = up;
  } else if (has_tiny_reciprocal && has_tiny_quotient) {
    scales = true;
    if (operand == divisor) result = down;
  } else if (has_tiny_reciprocal) {
    result = down;
  } else if (has_tiny_quotient) {
    scales = true;
    if (operand == dividend) result = up;
  } else if (exponent_field(dividend) <= 23) {
    result = up;
  }
  LaneResult all = float_result(in, result, true);
  all.mask = scales;
  return all;
}

/// The sum of a product and a number, rounded to odd: a wide result that can be scaled and rounded again.
double odd_sum(float a, float b, float c) {
  const HostRounding rounding(FE_TOWARDZERO);
  std::feclearexcept(FE_INEXACT);
  const volatile double x = static_cast<double>(a) * static_cast<double>(b);
  const volatile double y = c;
  const volatile double sum = x + y;
  const double result = sum;
  if (std::fetestexcept(FE_INEXACT) == 0) return result;
  return std::bit_cast<double>(std::bit_cast<u64>(result) | 1);
}

/// V_DIV_FMAS_F32: where VCC is set, the result is scaled by 2^64 or 2^-64. The approximation of the quotient, which is
/// the third source, decides about the direction (CLRX documentation, V_DIV_FMAS_F32).
LaneResult division_step(const LaneInputs& in) {
  const FloatMode mode(in.mode);
  const auto source = [&](std::size_t i) { return float_source(in.s[i], mode.keeps_input_denormals); };
  const float a = source(0);
  const float b = source(1);
  const float c = source(2);
  float result = 0;
  {
    const HostRounding rounding(mode.rounding);
    result = multiply_add(a, b, c);
  }
  if (in.carry && std::isfinite(a) && std::isfinite(b) && std::isfinite(c)) {
    const double sum = odd_sum(a, b, c);
    const HostRounding rounding(mode.rounding);
    if (sum != 0) result = narrowed(sum * (std::abs(c) >= 2 ? 0x1p64 : 0x1p-64));
  }
  return float_result(in, result, mode.keeps_output_denormals);
}

/// V_DIV_FIXUP_F32 (CDNA 3 ISA manual).
LaneResult division_result(const LaneInputs& in) {
  const FloatMode mode(in.mode);
  const float quotient = float_source(in.s[0], mode.keeps_input_denormals);
  const float divisor = float_source(in.s[1], mode.keeps_input_denormals);
  const float dividend = float_source(in.s[2], mode.keeps_input_denormals);
  const float sign = std::signbit(divisor) != std::signbit(dividend) ? -1.0F : 1.0F;
  float result = std::copysign(std::isnan(quotient) ? HUGE_VALF : quotient, sign);
  if (std::isnan(dividend)) {
    result = quieted(dividend);
  } else if (std::isnan(divisor)) {
    result = quieted(divisor);
  } else if ((divisor == 0 && dividend == 0) || (std::isinf(divisor) && std::isinf(dividend))) {
    result = -std::nanf("");
  } else if (divisor == 0 || std::isinf(dividend)) {
    result = sign * HUGE_VALF;
  } else if (std::isinf(divisor) || dividend == 0) {
    result = sign * 0.0F;
  } else if (exponent_field(dividend) - exponent_field(divisor) < -150) {
    const HostRounding rounding(mode.rounding);
    result = narrowed(static_cast<double>(sign) * 0x1p-300);
  }
  return float_result(in, result, mode.keeps_output_denormals);
}

// ---- floats: approximations, cube maps, bytes and normalised integers ----

/// The nearest float to a function that is computed with more bits.
template <class Function>
LaneModel nearest_model(bool keeps_denormals, Function function) {
  return [=](const LaneInputs& in) {
    const FloatMode mode(in.mode);
    const float source = float_source(in.s[0], keeps_denormals && mode.keeps_input_denormals);
    const volatile long double exact = function(static_cast<long double>(source));
    const volatile auto nearest = static_cast<float>(exact);
    return float_result(in, nearest, keeps_denormals && mode.keeps_output_denormals);
  };
}

/// sin(2 * pi * turns), or its cosine; the distance from the next quarter is exact.
long double wave_of(long double turns, bool is_cosine) {
  if (std::isinf(turns)) return std::nanl("");
  if (std::abs(turns) > 256) return is_cosine ? 1 : 0;
  const long double quarters = std::nearbyint(turns * 4);
  const long double angle = (turns - quarters / 4) * 6.283185307179586476925286766559L;
  const int quadrant = static_cast<int>(std::fmod(quarters, 4.0L) + 4) % 4 + (is_cosine ? 1 : 0);
  const long double size = quadrant % 2 == 0 ? std::sin(angle) : std::cos(angle);
  const long double result = quadrant % 4 < 2 ? size : -size;
  // IEEE 754, sinPi and cosPi.
  if (result == 0) return is_cosine ? 0.0L : std::copysign(0.0L, turns);
  return result;
}

/// A product in which 0 times anything is 0.
float multiply_legacy(float a, float b) { return a == 0 || b == 0 ? 0.0F : multiply(a, b); }

LaneModel legacy_sum(bool adds_old) {
  return [=](const LaneInputs& in) {
    const FloatMode mode(in.mode);
    float result = 0;
    {
      const HostRounding rounding(mode.rounding);
      const float product =
          without_denormal(multiply_legacy(float_source(in.s[0], false), float_source(in.s[1], false)));
      result = add(product, float_source(adds_old ? in.old : in.s[2], false));
    }
    return float_result(in, result, false);
  };
}

/// The coordinates of a vector on the face of a cube (CDNA 3 ISA manual, V_CUBEID_F32 and the following).
struct Cube {
  explicit Cube(const Sources& s) {
    const auto [x, y, z] = s;
    const bool is_z = std::abs(z) >= std::abs(x) && std::abs(z) >= std::abs(y);
    if (is_z) {
      face = z < 0 ? 5 : 4;
      major = z;
      first = z < 0 ? -x : x;
      second = -y;
    } else if (std::abs(y) >= std::abs(x)) {
      face = y < 0 ? 3 : 2;
      major = y;
      first = x;
      second = y < 0 ? -z : z;
    } else {
      face = x < 0 ? 1 : 0;
      major = x;
      first = x < 0 ? z : -z;
      second = -y;
    }
  }
  float face = 0;
  float major = 0;
  float first = 0;
  float second = 0;
};

/// The integer of a number of the host in a range; 0 for a NaN.
u64 limited(double value, double least, double greatest, u32 bits) {
  if (std::isnan(value)) return 0;
  return cut(static_cast<Wide>(std::clamp(value, least, greatest)), bits);
}

double float_number(u64 bits) { return std::bit_cast<float>(static_cast<u32>(bits)); }

u64 byte_inserted(const LaneInputs& in) {
  const HostRounding rounding(FloatMode(in.mode).rounding);
  const volatile double value = float_number(in.s[0]);
  const u64 byte = limited(std::nearbyint(value), 0, 255, 8);
  const u64 shift = in.s[1] % 4 * 8;
  return (in.s[2] & ~(u64{0xff} << shift)) | byte << shift;
}

LaneModel normalised(double least, double greatest) {
  return computes([=](const LaneInputs& in) {
    const auto half = [=](u64 bits) {
      return limited(std::nearbyint(float_number(bits) * greatest), least, greatest, 16);
    };
    return half(in.s[0]) | half(in.s[1]) << 16;
  });
}

/// V_CMP_CLASS_F32: the bits of the second source are the classes.
LaneResult has_class(const LaneInputs& in) {
  const auto value = std::bit_cast<float>(static_cast<u32>(in.s[0]));
  const bool negative = std::signbit(value);
  u32 bit = 0;
  switch (std::fpclassify(value)) {
    case FP_NAN:
      bit = is_signalling(value) ? 0 : 1;
      break;
    case FP_INFINITE:
      bit = negative ? 2 : 9;
      break;
    case FP_NORMAL:
      bit = negative ? 3 : 8;
      break;
    case FP_SUBNORMAL:
      bit = negative ? 4 : 7;
      break;
    default:
      bit = negative ? 5 : 6;
      break;
  }
  return {0, (in.s[1] >> bit & 1) != 0, false};
}

// ---- the rows ----

using Models = std::map<std::string, LaneModel, std::less<>>;

void add_moves_and_bits(Models& models) {
  models["v_mov_b32"] = computes([](const LaneInputs& in) { return in.s[0]; });
  models["v_mov_b64"] = models["v_mov_b32"];
  models["v_accvgpr_mov_b32"] = models["v_mov_b32"];
  models["v_accvgpr_read_b32"] = models["v_mov_b32"];
  models["v_accvgpr_write_b32"] = models["v_mov_b32"];
  models["v_cndmask_b32"] = computes([](const LaneInputs& in) { return in.carry ? in.s[1] : in.s[0]; });
  models["v_not_b32"] = computes([](const LaneInputs& in) { return 0xffffffff - in.s[0]; });
  models["v_bfrev_b32"] = computes(reverse);
  models["v_ffbh_u32"] = computes([](const LaneInputs& in) { return first_difference(in, true, false); });
  models["v_ffbl_b32"] = computes([](const LaneInputs& in) { return first_difference(in, false, false); });
  models["v_ffbh_i32"] = computes([](const LaneInputs& in) { return first_difference(in, true, true); });
  models["v_and_b32"] = computes([](const LaneInputs& in) { return in.s[0] & in.s[1]; });
  models["v_or_b32"] = computes([](const LaneInputs& in) { return in.s[0] | in.s[1]; });
  models["v_xor_b32"] = computes([](const LaneInputs& in) { return in.s[0] ^ in.s[1]; });
  models["v_xnor_b32"] = computes([](const LaneInputs& in) { return 0xffffffff - (in.s[0] ^ in.s[1]); });
  models["v_bfm_b32"] =
      computes([](const LaneInputs& in) { return shift_left((u64{1} << in.s[0] % 32) - 1, in.s[1], 32); });
  models["v_bfi_b32"] = computes([](const LaneInputs& in) {
    u64 result = 0;
    for (u32 i = 0; i < 32; ++i) result |= in.s[(in.s[0] >> i & 1) != 0 ? 1 : 2] & (u64{1} << i);
    return result;
  });
  models["v_bfe_u32"] = computes([](const LaneInputs& in) { return field(in, false); });
  models["v_bfe_i32"] = computes([](const LaneInputs& in) { return field(in, true); });
  models["v_bcnt_u32_b32"] = computes(
      [](const LaneInputs& in) { return cut(Wide{in.s[1]} + __builtin_popcount(static_cast<u32>(in.s[0])), 32); });
  models["v_mbcnt_lo_u32_b32"] = computes([](const LaneInputs& in) { return count_below(in, 0); });
  models["v_mbcnt_hi_u32_b32"] = computes([](const LaneInputs& in) { return count_below(in, 32); });
  models["v_perm_b32"] = computes(permute);
  models["v_alignbit_b32"] =
      computes([](const LaneInputs& in) { return cut((in.s[0] << 32 | in.s[1]) >> in.s[2] % 32, 32); });
  models["v_alignbyte_b32"] =
      computes([](const LaneInputs& in) { return cut((in.s[0] << 32 | in.s[1]) >> 8 * (in.s[2] % 4), 32); });
  models["v_and_or_b32"] = computes([](const LaneInputs& in) { return (in.s[0] & in.s[1]) | in.s[2]; });
  models["v_or3_b32"] = computes([](const LaneInputs& in) { return in.s[0] | in.s[1] | in.s[2]; });
  models["v_lshl_or_b32"] = computes([](const LaneInputs& in) { return shift_left(in.s[0], in.s[1], 32) | in.s[2]; });
}

void add_shifts(Models& models) {
  models["v_lshl_b32"] = shifts(shift_left, 32, 0, 1);
  models["v_lshr_b32"] = shifts(shift_right, 32, 0, 1);
  models["v_ashr_i32"] = shifts(shift_right_signed, 32, 0, 1);
  models["v_lshlrev_b32"] = shifts(shift_left, 32, 1, 0);
  models["v_lshrrev_b32"] = shifts(shift_right, 32, 1, 0);
  models["v_ashrrev_i32"] = shifts(shift_right_signed, 32, 1, 0);
  models["v_lshl_b64"] = shifts(shift_left, 64, 0, 1);
  models["v_lshr_b64"] = shifts(shift_right, 64, 0, 1);
  models["v_ashr_i64"] = shifts(shift_right_signed, 64, 0, 1);
  models["v_lshlrev_b64"] = shifts(shift_left, 64, 1, 0);
  models["v_lshrrev_b64"] = shifts(shift_right, 64, 1, 0);
  models["v_ashrrev_i64"] = shifts(shift_right_signed, 64, 1, 0);
  for (const std::string prefix : {"v_", "v_pk_"}) {
    models[prefix + "lshlrev_b16"] = shifts(shift_left, 16, 1, 0);
    models[prefix + "lshrrev_b16"] = shifts(shift_right, 16, 1, 0);
    models[prefix + "ashrrev_i16"] = shifts(shift_right_signed, 16, 1, 0);
  }
}

void add_sums(Models& models) {
  const Exact sum = [](Wide a, Wide b, Wide) { return a + b; };
  const Exact difference = [](Wide a, Wide b, Wide) { return a - b; };
  const Exact reversed = [](Wide a, Wide b, Wide) { return b - a; };
  models["v_add_co_u32"] = with_carry(sum);
  models["v_sub_co_u32"] = with_carry(difference);
  models["v_subrev_co_u32"] = with_carry(reversed);
  models["v_addc_co_u32"] = with_carry([](Wide a, Wide b, Wide carry) { return a + b + carry; });
  models["v_subb_co_u32"] = with_carry([](Wide a, Wide b, Wide carry) { return a - b - carry; });
  models["v_subbrev_co_u32"] = with_carry([](Wide a, Wide b, Wide carry) { return b - a - carry; });
  // Without the carry bit, which belongs to another row.
  const auto alone = [](Exact exact) { return unsigned_exact(32, exact); };
  models["v_add_u32"] = alone(sum);
  models["v_sub_u32"] = alone(difference);
  models["v_subrev_u32"] = alone(reversed);
  models["v_add_i32"] = signed_exact(32, sum);
  models["v_sub_i32"] = signed_exact(32, difference);
  models["v_subrev_u16"] = unsigned_exact(16, reversed);
  for (const std::string prefix : {"v_", "v_pk_"}) {
    models[prefix + "add_u16"] = unsigned_exact(16, sum);
    models[prefix + "sub_u16"] = unsigned_exact(16, difference);
    models[prefix + "add_i16"] = signed_exact(16, sum);
    models[prefix + "sub_i16"] = signed_exact(16, difference);
  }
  models["v_add3_u32"] = computes([](const LaneInputs& in) { return cut(Wide{in.s[0]} + in.s[1] + in.s[2], 32); });
  models["v_lshl_add_u32"] =
      computes([](const LaneInputs& in) { return cut(Wide{shift_left(in.s[0], in.s[1], 32)} + in.s[2], 32); });
  models["v_lshl_add_u64"] =
      computes([](const LaneInputs& in) { return cut(Wide{shift_left(in.s[0], in.s[1] % 8, 64)} + in.s[2], 64); });
  models["v_add_lshl_u32"] =
      computes([](const LaneInputs& in) { return shift_left(cut(Wide{in.s[0]} + in.s[1], 32), in.s[2], 32); });
  models["v_xad_u32"] = computes([](const LaneInputs& in) { return cut(Wide{in.s[0] ^ in.s[1]} + in.s[2], 32); });
  models["v_sad_u8"] = computes(
      [](const LaneInputs& in) { return unsigned_result(in, Wide{in.s[2]} + sum_of_distances(in, 8, false), 32); });
  models["v_sad_hi_u8"] = computes([](const LaneInputs& in) {
    return unsigned_result(in, Wide{in.s[2]} + (Wide{sum_of_distances(in, 8, false)} << 16), 32);
  });
  models["v_sad_u16"] = computes(
      [](const LaneInputs& in) { return unsigned_result(in, Wide{in.s[2]} + sum_of_distances(in, 16, false), 32); });
  models["v_sad_u32"] = computes(
      [](const LaneInputs& in) { return unsigned_result(in, Wide{in.s[2]} + sum_of_distances(in, 32, false), 32); });
  models["v_msad_u8"] = computes(
      [](const LaneInputs& in) { return unsigned_result(in, Wide{in.s[2]} + sum_of_distances(in, 8, true), 32); });
}

void add_products(Models& models) {
  const Exact product = [](Wide a, Wide b, Wide) { return a * b; };
  const Exact high = [](Wide a, Wide b, Wide) { return (a * b) >> 32; };
  const Exact product_and_sum = [](Wide a, Wide b, Wide c) { return a * b + c; };
  models["v_mul_i32_i24"] = computes([](const LaneInputs& in) { return multiply_24(in, true, false, false); });
  models["v_mul_u32_u24"] = computes([](const LaneInputs& in) { return multiply_24(in, false, false, false); });
  models["v_mul_hi_i32_i24"] = computes([](const LaneInputs& in) { return multiply_24(in, true, true, false); });
  models["v_mul_hi_u32_u24"] = computes([](const LaneInputs& in) { return multiply_24(in, false, true, false); });
  models["v_mad_i32_i24"] = computes([](const LaneInputs& in) { return multiply_24(in, true, false, true); });
  models["v_mad_u32_u24"] = computes([](const LaneInputs& in) { return multiply_24(in, false, false, true); });
  models["v_mul_lo_u32"] = unsigned_exact(32, product);
  models["v_mul_lo_i32"] = signed_exact(32, product);
  models["v_mul_hi_u32"] = unsigned_exact(32, high);
  models["v_mul_hi_i32"] = signed_exact(32, high);
  models["v_mul_lo_u16"] = unsigned_exact(16, product);
  models["v_pk_mul_lo_u16"] = unsigned_exact(16, product);
  for (const char* name : {"v_mad_u16", "v_mad_legacy_u16", "v_pk_mad_u16"}) {
    models[name] = unsigned_exact(16, product_and_sum);
  }
  for (const char* name : {"v_mad_i16", "v_mad_legacy_i16", "v_pk_mad_i16"}) {
    models[name] = signed_exact(16, product_and_sum);
  }
  models["v_mad_u32_u16"] = computes([](const LaneInputs& in) {
    return unsigned_result(in, as_unsigned(in.s[0], 16) * as_unsigned(in.s[1], 16) + as_unsigned(in.s[2], 32), 32);
  });
  models["v_mad_i32_i16"] = computes([](const LaneInputs& in) {
    return signed_result(in, as_signed(in.s[0], 16) * as_signed(in.s[1], 16) + as_signed(in.s[2], 32), 32);
  });
  // The exact results have 65 bits; the highest one is written to the mask.
  models["v_mad_u64_u32"] = [](const LaneInputs& in) {
    const Wide exact = as_unsigned(in.s[0], 32) * as_unsigned(in.s[1], 32) + as_unsigned(in.s[2], 64);
    return LaneResult{unsigned_result(in, exact, 64), exact >= two_to(64), false};
  };
  models["v_mad_i64_i32"] = [](const LaneInputs& in) {
    const Wide exact = as_signed(in.s[0], 32) * as_signed(in.s[1], 32) + as_signed(in.s[2], 64);
    return LaneResult{signed_result(in, exact, 64), exact < 0, false};
  };
}

/// The sum of the products of elements of `bits` bits, and the summand (CDNA 3 ISA manual, 12.7 and 12.11).
LaneModel dot_product(u32 bits, bool is_signed, bool accumulates) {
  return computes([=](const LaneInputs& in) {
    const auto number = [&](u64 value, u32 width) {
      return is_signed ? as_signed(value, width) : as_unsigned(value, width);
    };
    const auto element = [&](std::size_t source, u32 index) {
      // Only 16-bit elements can be selected, and only if the form has the fields.
      u32 place = index;
      if (bits == 16 && !accumulates) place = (index == 0 ? in.op_sel : in.op_sel_hi) >> source & 1;
      return number(in.s[source] >> (bits * place), bits);
    };
    Wide sum = number(accumulates ? in.old : in.s[2], 32);
    for (u32 index = 0; index < 32 / bits; ++index) sum += element(0, index) * element(1, index);
    return is_signed ? signed_result(in, sum, 32) : unsigned_result(in, sum, 32);
  });
}

void add_dot_products(Models& models) {
  models["v_dot2_i32_i16"] = dot_product(16, true, false);
  models["v_dot2_u32_u16"] = dot_product(16, false, false);
  models["v_dot4_i32_i8"] = dot_product(8, true, false);
  models["v_dot4_u32_u8"] = dot_product(8, false, false);
  models["v_dot8_i32_i4"] = dot_product(4, true, false);
  models["v_dot8_u32_u4"] = dot_product(4, false, false);
  models["v_dot2c_i32_i16"] = dot_product(16, true, true);
  models["v_dot4c_i32_i8"] = dot_product(8, true, true);
  models["v_dot8c_i32_i4"] = dot_product(4, true, true);
}

/// A bit of the truth table for each bit of the sources (CDNA 4 ISA manual, V_BITOP3_B32: "D0[i] = TTBL[{S0[i], S1[i],
/// S2[i]}]").
LaneModel truth_table(u32 bits) {
  return computes([=](const LaneInputs& in) {
    u64 result = 0;
    for (u32 i = 0; i < bits; ++i) {
      const u64 row = (in.s[0] >> i & 1) * 4 + (in.s[1] >> i & 1) * 2 + (in.s[2] >> i & 1);
      if ((in.truth_table >> row & 1) != 0) result |= u64{1} << i;
    }
    return result;
  });
}

/// Both sources divided by a power of two, rounded down, and limited to a byte (CDNA 4 ISA manual, V_ASHR_PK_I8_I32).
LaneModel packed_quotients(Wide least, Wide greatest) {
  return computes([=](const LaneInputs& in) {
    const auto byte = [&](u64 source) {
      const Wide quotient = as_signed(shift_right_signed(source, in.s[2], 32), 32);
      return cut(std::clamp(quotient, least, greatest), 8);
    };
    return byte(in.s[0]) + 256 * byte(in.s[1]);
  });
}

void add_instructions_of_cdna4(Models& models) {
  models["v_bitop3_b32"] = truth_table(32);
  models["v_bitop3_b16"] = truth_table(16);
  models["v_ashr_pk_i8_i32"] = packed_quotients(-128, 127);
  models["v_ashr_pk_u8_i32"] = packed_quotients(0, 255);
  models["v_prng_b32"] = computes([](const LaneInputs& in) {
    const u64 feedback = in.s[0] >= 0x80000000 ? 197 : 0;
    return cut(as_unsigned(in.s[0], 32) * 2, 32) ^ feedback;
  });
}

void add_choices(Models& models) {
  const Exact least = [](Wide a, Wide b, Wide) { return std::min(a, b); };
  const Exact greatest = [](Wide a, Wide b, Wide) { return std::max(a, b); };
  const Exact least_of_three = [](Wide a, Wide b, Wide c) { return std::min({a, b, c}); };
  const Exact greatest_of_three = [](Wide a, Wide b, Wide c) { return std::max({a, b, c}); };
  for (const u32 bits : {16U, 32U}) {
    const std::string width = std::to_string(bits);
    for (const std::string prefix : {"v_", "v_pk_"}) {
      models[prefix + "min_u" + width] = unsigned_exact(bits, least);
      models[prefix + "max_u" + width] = unsigned_exact(bits, greatest);
      models[prefix + "min_i" + width] = signed_exact(bits, least);
      models[prefix + "max_i" + width] = signed_exact(bits, greatest);
    }
    models["v_min3_u" + width] = unsigned_exact(bits, least_of_three);
    models["v_max3_u" + width] = unsigned_exact(bits, greatest_of_three);
    models["v_med3_u" + width] = unsigned_exact(bits, middle);
    models["v_min3_i" + width] = signed_exact(bits, least_of_three);
    models["v_max3_i" + width] = signed_exact(bits, greatest_of_three);
    models["v_med3_i" + width] = signed_exact(bits, middle);
  }
  models["v_cvt_pk_u16_u32"] = computes(
      [](const LaneInputs& in) { return std::min<u64>(in.s[0], 0xffff) | std::min<u64>(in.s[1], 0xffff) << 16; });
  models["v_cvt_pk_i16_i32"] = computes([](const LaneInputs& in) {
    const auto half = [](u64 value) { return cut(std::clamp(as_signed(value, 32), -two_to(15), two_to(15) - 1), 16); };
    return half(in.s[0]) | half(in.s[1]) << 16;
  });
  models["v_sat_pk_u8_i16"] = computes([](const LaneInputs& in) {
    const auto byte = [](u64 value) { return cut(std::clamp(as_signed(value, 16), Wide{0}, Wide{255}), 8); };
    return byte(in.s[0]) | byte(in.s[0] >> 16) << 8;
  });
}

void add_comparisons(Models& models) {
  for (const std::string prefix : {"v_cmp_", "v_cmpx_"}) {
    for (const u32 bits : {16U, 32U, 64U}) {
      for (const bool is_signed : {false, true}) {
        const std::string type = (is_signed ? "_i" : "_u") + std::to_string(bits);
        models[prefix + "f" + type] = compares(bits, is_signed, [](Wide, Wide) { return false; });
        models[prefix + "lt" + type] = compares(bits, is_signed, std::less<Wide>());
        models[prefix + "eq" + type] = compares(bits, is_signed, std::equal_to<Wide>());
        models[prefix + "le" + type] = compares(bits, is_signed, std::less_equal<Wide>());
        models[prefix + "gt" + type] = compares(bits, is_signed, std::greater<Wide>());
        models[prefix + "ne" + type] = compares(bits, is_signed, std::not_equal_to<Wide>());
        models[prefix + "ge" + type] = compares(bits, is_signed, std::greater_equal<Wide>());
        models[prefix + "t" + type] = compares(bits, is_signed, [](Wide, Wide) { return true; });
      }
    }
  }
  const auto is_unordered = [](float a, float b) { return std::isnan(a) || std::isnan(b); };
  for (const std::string prefix : {"v_cmp_", "v_cmpx_"}) {
    models[prefix + "f_f32"] = compares_floats([](float, float) { return false; });
    models[prefix + "lt_f32"] = compares_floats(std::less<float>());
    models[prefix + "eq_f32"] = compares_floats(std::equal_to<float>());
    models[prefix + "le_f32"] = compares_floats(std::less_equal<float>());
    models[prefix + "gt_f32"] = compares_floats(std::greater<float>());
    models[prefix + "lg_f32"] = compares_floats([](float a, float b) { return a < b || a > b; });
    models[prefix + "ge_f32"] = compares_floats(std::greater_equal<float>());
    models[prefix + "o_f32"] = compares_floats([=](float a, float b) { return !is_unordered(a, b); });
    models[prefix + "u_f32"] = compares_floats(is_unordered);
    models[prefix + "nge_f32"] = compares_floats([=](float a, float b) { return is_unordered(a, b) || a < b; });
    models[prefix + "nlg_f32"] = compares_floats([=](float a, float b) { return is_unordered(a, b) || a == b; });
    models[prefix + "ngt_f32"] = compares_floats([=](float a, float b) { return is_unordered(a, b) || a <= b; });
    models[prefix + "nle_f32"] = compares_floats([=](float a, float b) { return is_unordered(a, b) || a > b; });
    models[prefix + "neq_f32"] = compares_floats([](float a, float b) { return a != b; });
    models[prefix + "nlt_f32"] = compares_floats([=](float a, float b) { return is_unordered(a, b) || a >= b; });
    models[prefix + "tru_f32"] = compares_floats([](float, float) { return true; });
    models[prefix + "class_f32"] = has_class;
  }
}

void add_floats(Models& models) {
  models["v_add_f32"] = float_model([](const Sources& s) { return add(s[0], s[1]); });
  models["v_sub_f32"] = float_model([](const Sources& s) { return add(s[0], -s[1]); });
  models["v_subrev_f32"] = float_model([](const Sources& s) { return add(s[1], -s[0]); });
  models["v_mul_f32"] = float_model([](const Sources& s) { return multiply(s[0], s[1]); });
  models["v_trunc_f32"] = float_model([](const Sources& s) { return std::trunc(s[0]); });
  models["v_mul_legacy_f32"] = float_model([](const Sources& s) { return multiply_legacy(s[0], s[1]); });
  models["v_mad_legacy_f32"] = legacy_sum(false);
  models["v_mac_legacy_f32"] = legacy_sum(true);
  models["v_exp_f32"] = nearest_model(false, [](long double x) { return std::exp2(x); });
  models["v_log_f32"] = nearest_model(false, [](long double x) { return std::log2(x); });
  models["v_sqrt_f32"] = nearest_model(false, [](long double x) { return std::sqrt(x); });
  models["v_rsq_f32"] = nearest_model(false, [](long double x) { return 1 / std::sqrt(x); });
  models["v_sin_f32"] = nearest_model(true, [](long double x) { return wave_of(x, false); });
  models["v_cos_f32"] = nearest_model(true, [](long double x) { return wave_of(x, true); });
  models["v_cubeid_f32"] = float_model([](const Sources& s) { return Cube(s).face; });
  models["v_cubesc_f32"] = float_model([](const Sources& s) { return Cube(s).first; });
  models["v_cubetc_f32"] = float_model([](const Sources& s) { return Cube(s).second; });
  models["v_cubema_f32"] = float_model([](const Sources& s) { return multiply(Cube(s).major, 2); });
  models["v_cvt_rpi_i32_f32"] = computes(
      [](const LaneInputs& in) { return limited(std::floor(float_number(in.s[0]) + 0.5), -0x1p31, 0x1p31 - 1, 32); });
  models["v_cvt_flr_i32_f32"] = computes(
      [](const LaneInputs& in) { return limited(std::floor(float_number(in.s[0])), -0x1p31, 0x1p31 - 1, 32); });
  models["v_cvt_off_f32_i4"] = [](const LaneInputs& in) {
    return float_result(in, static_cast<float>(as_signed(in.s[0], 4)) / 16, true);
  };
  models["v_cvt_pk_u8_f32"] = computes(byte_inserted);
  models["v_cvt_pknorm_i16_f32"] = normalised(-32767, 32767);
  models["v_cvt_pknorm_u16_f32"] = normalised(0, 65535);
  models["v_ceil_f32"] = float_model([](const Sources& s) { return -floor_of(-s[0]); });
  models["v_floor_f32"] = float_model([](const Sources& s) { return floor_of(s[0]); });
  models["v_rndne_f32"] = float_model([](const Sources& s) { return rounded_to_even(s[0]); });
  models["v_fract_f32"] = float_model([](const Sources& s) { return fraction_of(s[0]); });
  models["v_frexp_mant_f32"] = float_model([](const Sources& s) {
    int exponent = 0;
    return std::isfinite(s[0]) ? std::frexp(s[0], &exponent) : s[0];
  });
  models["v_frexp_exp_i32_f32"] = computes(exponent_of);
  models["v_ldexp_f32"] = scaled;
  for (const bool keeps_all : {false, true}) {
    const std::string suffix = keeps_all ? "_f32_gcn1_2" : "_f32";
    for (const bool is_maximum : {false, true}) {
      const std::string name = is_maximum ? "v_max" : "v_min";
      models[name + suffix] = selection_model(
          keeps_all, [=](bool is_ieee, const Sources& s) { return extreme(is_ieee, s[0], s[1], is_maximum); });
      models[name + "3" + suffix] = selection_model(
          keeps_all, [=](bool is_ieee, const Sources& s) { return extreme_of_three(is_ieee, s, is_maximum); });
    }
    models["v_med3" + suffix] = selection_model(keeps_all, median_of);
  }
  models["v_div_scale_f32"] = division_operand;
  models["v_div_fmas_f32"] = division_step;
  models["v_div_fixup_f32"] = division_result;
  models["v_mac_f32"] = multiply_then_add(0, 1, 0, true);
  models["v_mad_f32"] = multiply_then_add(0, 1, 2, false);
  // Sources in the order of assembly, including the literal.
  models["v_madmk_f32"] = multiply_then_add(0, 1, 2, false);
  models["v_madak_f32"] = multiply_then_add(0, 1, 2, false);
  for (const char* name : {"v_fma_f32", "v_fmamk_f32", "v_fmaak_f32"}) {
    models[name] = float_model([](const Sources& s) { return multiply_add(s[0], s[1], s[2]); });
  }
  models["v_fmac_f32"] = accumulate;
  models["v_rcp_f32"] = reciprocal;
  models["v_rcp_iflag_f32"] = reciprocal;
  models["v_cvt_f32_i32"] = converts_integer([](const LaneInputs& in) { return as_signed(in.s[0], 32); });
  models["v_cvt_f32_u32"] = converts_integer([](const LaneInputs& in) { return as_unsigned(in.s[0], 32); });
  models["v_cvt_f32_ubyte0"] = converts_integer([](const LaneInputs& in) { return Wide{byte_of(in.s[0], 0)}; });
  models["v_cvt_f32_ubyte1"] = converts_integer([](const LaneInputs& in) { return Wide{byte_of(in.s[0], 1)}; });
  models["v_cvt_f32_ubyte2"] = converts_integer([](const LaneInputs& in) { return Wide{byte_of(in.s[0], 2)}; });
  models["v_cvt_f32_ubyte3"] = converts_integer([](const LaneInputs& in) { return Wide{byte_of(in.s[0], 3)}; });
  models["v_cvt_u32_f32"] = computes([](const LaneInputs& in) { return to_integer(in, 0, two_to(32) - 1); });
  models["v_cvt_i32_f32"] = computes([](const LaneInputs& in) { return to_integer(in, -two_to(31), two_to(31) - 1); });
}

const Models& all_models() {
  static const Models models = [] {
    Models result;
    add_moves_and_bits(result);
    add_shifts(result);
    add_sums(result);
    add_products(result);
    add_dot_products(result);
    add_instructions_of_cdna4(result);
    add_choices(result);
    add_comparisons(result);
    add_floats(result);
    return result;
  }();
  return models;
}

}  // namespace

const LaneModel* find_lane_model(std::string_view name) {
  const auto found = all_models().find(name);
  return found == all_models().end() ? nullptr : &found->second;
}

}  // namespace salu::test
