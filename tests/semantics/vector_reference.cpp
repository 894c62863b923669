#include "semantics/vector_reference.hpp"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cfloat>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "semantics/host_floats.hpp"
#include "semantics/vector_reference_half.hpp"

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
template <class F>
LaneResult accumulate(const LaneInputs& in) {
  LaneInputs with_old = in;
  with_old.s[2] = in.old;
  return float_model<F>([](const SourcesOf<F>& s) { return multiply_add(s[0], s[1], s[2]); })(with_old);
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

template <class F = float>
u64 to_integer(const LaneInputs& in, Wide lowest, Wide highest) {
  const F value = float_source<F>(in.s[0], true);
  if (std::isnan(value)) return 0;
  // Far beyond both limits, but small enough for a cast.
  const double limited = std::clamp(std::trunc(static_cast<double>(value)), -1e15, 1e15);
  return cut(std::clamp(static_cast<Wide>(limited), lowest, highest), 32);
}

template <class F, class Compare>
LaneModel compares_floats(Compare compare) {
  return [compare](const LaneInputs& in) {
    const bool keeps = mode_of<F>(in).keeps_input_denormals;
    return LaneResult{0, compare(float_source<F>(in.s[0], keeps), float_source<F>(in.s[1], keeps)), false};
  };
}

// ---- floats: minimum, maximum, median; parts of a float; divisions ----

template <class F>
constexpr BitsOf<F> quiet_bit = BitsOf<F>{1} << (fraction_bits<F> - 1);
template <class F>
bool is_signalling(F value) {
  return std::isnan(value) && (std::bit_cast<BitsOf<F>>(value) & quiet_bit<F>) == 0;
}
template <class F>
F quieted(F nan) {
  return std::bit_cast<F>(std::bit_cast<BitsOf<F>>(nan) | quiet_bit<F>);
}

/// V_MIN_F32 and V_MAX_F32 (CDNA 3 ISA manual), without the denormal modes.
template <class F>
F extreme(bool is_ieee, F a, F b, bool is_maximum) {
  for (const F value : {a, b}) {
    if (is_ieee && is_signalling(value)) return quieted(value);
  }
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  const bool is_less = a < b || (a == b && std::signbit(a) && !std::signbit(b));
  return is_less == is_maximum ? b : a;
}

/// Up to GCN 1.2 these rows keep denormal numbers (LLVM, supportsMinMaxDenormModes).
template <class F = float, class Function>
LaneModel selection_model(bool keeps_all, Function function) {
  return [=](const LaneInputs& in) {
    const FloatMode mode = mode_of<F>(in);
    SourcesOf<F> sources{};
    for (std::size_t i = 0; i < 3; ++i) sources[i] = float_source<F>(in.s[i], keeps_all || mode.keeps_input_denormals);
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

/// Rounds down. The function of the standard library depends on the rounding mode with some compilers.
template <class F>
F floor_of(F value) {
  const F whole = std::trunc(value);
  return whole > value ? whole - 1 : whole;
}

template <class F>
F rounded_to_even(F value) {
  const F low = floor_of(value);
  const F rest = value - low;
  const bool goes_up = rest > F{0.5} || (rest == F{0.5} && std::fmod(low, F{2}) != 0);
  return std::isfinite(value) ? std::copysign(goes_up ? low + 1 : low, value) : value;
}

template <class F>
F fraction_of(F value) {
  const F difference = add(value, -floor_of(value));
  return difference == 1 ? std::nextafter(F{1}, F{0}) : difference;
}

template <class F>
u64 exponent_of(const LaneInputs& in) {
  const F value = float_source<F>(in.s[0], mode_of<F>(in).keeps_input_denormals);
  int exponent = 0;
  if (std::isfinite(value)) std::frexp(value, &exponent);
  return cut(exponent, 32);
}

/// Rounds a number of the host, as the current rounding mode does.
template <class F>
F narrowed(std::type_identity_t<Wider<F>> value) {
  const volatile Wider<F> wide = value;
  const volatile auto result = static_cast<F>(wide);
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
    result = narrowed<float>(std::ldexp(static_cast<double>(value), exponent));
  }
  return float_result(in, result, mode.keeps_output_denormals);
}

LaneResult scaled_wide(const LaneInputs& in) {
  const FloatMode mode = mode_of<double>(in);
  const volatile double value = float_source<double>(in.s[0], mode.keeps_input_denormals);
  const auto exponent = static_cast<int>(std::clamp(as_signed(in.s[1], 32), Wide{-4000}, Wide{4000}));
  double result = 0;
  {
    const HostRounding rounding(mode.rounding);
    result = std::ldexp(value, exponent);
  }
  return float_result(in, result, mode.keeps_output_denormals);
}

template <class F>
int exponent_field(F value) {
  const F size = std::abs(value);
  return static_cast<int>(std::bit_cast<BitsOf<F>>(size) >> fraction_bits<F>);
}

/// The limits and the factor of the steps of a division.
template <class F>
struct Division {
  static constexpr int far = 96;
  static constexpr int tiny = 23;
  static constexpr int least_difference = -150;
  static constexpr double factor = 0x1p64;
};
template <>
struct Division<double> {
  static constexpr int far = 768;
  static constexpr int tiny = 52;
  static constexpr int least_difference = -1075;
  static constexpr double factor = 0x1p128;
};

/// V_DIV_SCALE_F32 and V_DIV_SCALE_F64 (CDNA 3 ISA manual). The quotient and the reciprocal of the divisor are compared
/// with the least normal number without rounding; a divisor with such a reciprocal is scaled down.
template <class F>
LaneResult division_operand(const LaneInputs& in) {
  const FloatMode mode = mode_of<F>(in);
  const bool keeps = mode.keeps_input_denormals;
  const F operand = float_source<F>(in.s[0], keeps);
  const F divisor = float_source<F>(in.s[1], keeps);
  const F dividend = float_source<F>(in.s[2], keeps);
  constexpr Wider<F> least_normal = std::numeric_limits<F>::min();
  const Wider<F> size = std::abs(divisor);
  const bool are_finite = std::isfinite(divisor) && std::isfinite(dividend);
  const bool has_tiny_reciprocal = are_finite && size > 1 / least_normal;
  const bool has_tiny_quotient = are_finite && Wider<F>{std::abs(dividend)} < size * least_normal;
  const auto times = [&](double factor) {
    const HostRounding rounding(mode.rounding);
    return narrowed<F>(Wider<F>{operand} * Wider<F>{factor});
  };
  const F up = times(Division<F>::factor);
  const F down = times(1 / Division<F>::factor);
  F result = operand;
  bool scales = false;
  if (divisor == 0 || dividend == 0) {
    result = std::numeric_limits<F>::quiet_NaN();
  } else if (exponent_field(dividend) - exponent_field(divisor) >= Division<F>::far) {
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
  } else if (exponent_field(dividend) <= Division<F>::tiny) {
    result = up;
  }
  LaneResult all = float_result(in, result, true);
  all.mask = scales;
  return all;
}

/// V_DIV_FMAS: where VCC is set, the result is scaled by 2^64 or 2^-64, or for 64 bits by 2^128 or 2^-128. The
/// approximation of the quotient, which is the third source, decides about the direction (CLRX documentation,
/// V_DIV_FMAS_F32).
template <class F>
LaneResult division_step(const LaneInputs& in) {
  const FloatMode mode = mode_of<F>(in);
  const auto source = [&](std::size_t i) { return float_source<F>(in.s[i], mode.keeps_input_denormals); };
  const F a = source(0);
  const F b = source(1);
  const F c = source(2);
  F result = 0;
  {
    const HostRounding rounding(mode.rounding);
    result = multiply_add(a, b, c);
  }
  if (in.carry && std::isfinite(a) && std::isfinite(b) && std::isfinite(c)) {
    constexpr double factor = Division<F>::factor;
    const Wider<F> sum = odd_sum(a, b, c);
    const HostRounding rounding(mode.rounding);
    if (sum != 0) result = narrowed<F>(sum * Wider<F>{std::abs(c) >= 2 ? factor : 1 / factor});
  }
  return float_result(in, result, mode.keeps_output_denormals);
}

/// V_DIV_FIXUP_F32 and V_DIV_FIXUP_F64 (CDNA 3 ISA manual).
template <class F>
LaneResult division_result(const LaneInputs& in) {
  constexpr F infinity = std::numeric_limits<F>::infinity();
  const FloatMode mode = mode_of<F>(in);
  const F quotient = float_source<F>(in.s[0], mode.keeps_input_denormals);
  const F divisor = float_source<F>(in.s[1], mode.keeps_input_denormals);
  const F dividend = float_source<F>(in.s[2], mode.keeps_input_denormals);
  const F sign = std::signbit(divisor) != std::signbit(dividend) ? -1.0F : 1.0F;
  F result = std::copysign(std::isnan(quotient) ? infinity : quotient, sign);
  if (std::isnan(dividend)) {
    result = quieted(dividend);
  } else if (std::isnan(divisor)) {
    result = quieted(divisor);
  } else if ((divisor == 0 && dividend == 0) || (std::isinf(divisor) && std::isinf(dividend))) {
    result = -std::numeric_limits<F>::quiet_NaN();
  } else if (divisor == 0 || std::isinf(dividend)) {
    result = sign * infinity;
  } else if (std::isinf(divisor) || dividend == 0) {
    result = sign * F{0};
  } else if (exponent_field(dividend) - exponent_field(divisor) < Division<F>::least_difference) {
    const HostRounding rounding(mode.rounding);
    const Wider<F> tiny = std::numeric_limits<F>::denorm_min();
    result = narrowed<F>(Wider<F>{sign} * tiny * tiny);
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

/// The double nearest to the reciprocal square root of a positive number: of three candidates, the one whose
/// neighbours' midpoints surround it.
double nearest_reciprocal_root(double value) {
  if (std::isnan(value) || value <= 0 || std::isinf(value)) return 1 / std::sqrt(value);
  const auto close = static_cast<double>(1 / std::sqrt(static_cast<long double>(value)));
  const Quad square = Quad{1} / Quad{value};
  for (const double each : {std::nextafter(close, 0.0), close}) {
    const Quad limit = (Quad{each} + Quad{std::nextafter(each, HUGE_VAL)}) / 2;
    if (limit * limit > square) return each;
  }
  return std::nextafter(close, HUGE_VAL);
}

/// The nearest double to a function that follows the denormal modes.
LaneModel nearest_wide_model(double (*function)(double)) {
  return [=](const LaneInputs& in) {
    const FloatMode mode = mode_of<double>(in);
    return float_result(in, function(float_source<double>(in.s[0], mode.keeps_input_denormals)),
                        mode.keeps_output_denormals);
  };
}

/// The first 1204 bits of 2/pi after the binary point, computed with Python's integers by Machin's formula.
constexpr std::string_view two_over_pi =
    "a2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a424dd2e006492eea09d1921cfe1d"
    "eb1cb129a73ee88235f52ebb4484e99c7026b45f7e413991d639835339f49c845f8bbdf9283b1ff897ffde05980fef2f118b"
    "5a0a6d1f6d367ecf27cb09b74f463f669e5fea2d7527bac7ebe5f17b3d0739f78a5292ea6bfb5fb11f8d5d0856033046fc7b"
    "6";

/// V_TRIG_PREOP_F64 (CDNA 3 ISA manual): 53 bits of 2/pi, of which 1201 bits exist.
LaneResult segment_of_two_over_pi(const LaneInputs& in) {
  const int exponent = exponent_field(float_source<double>(in.s[0], true));
  const u32 shift = static_cast<u32>(in.s[1] % 32) * 53 + static_cast<u32>(std::max(exponent - 1077, 0));
  u64 segment = 0;
  for (u32 bit = shift; bit < shift + 53; ++bit) {
    const auto digit = bit < 1201 ? two_over_pi[bit / 4] : '0';
    const auto value = static_cast<u32>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
    segment = segment * 2 + (value >> (3 - bit % 4) & 1);
  }
  const FloatMode mode = mode_of<double>(in);
  double result = 0;
  {
    const HostRounding rounding(mode.rounding);
    const volatile auto significand = static_cast<double>(segment);
    result = std::ldexp(significand, -53 - static_cast<int>(shift) + (exponent >= 1968 ? 128 : 0));
  }
  return float_result(in, result, mode.keeps_output_denormals);
}

LaneResult widened(const LaneInputs& in) {
  const double value = float_source(in.s[0], FloatMode(in.mode).keeps_input_denormals);
  return float_result(in, value, true);
}

/// Rounded as MODE specifies for 32-bit floats.
LaneResult narrowed_to_float(const LaneInputs& in) {
  const FloatMode mode(in.mode);
  float result = 0;
  {
    const HostRounding rounding(mode.rounding);
    result = narrowed<float>(float_source<double>(in.s[0], mode_of<double>(in).keeps_input_denormals));
  }
  return float_result(in, result, mode.keeps_output_denormals);
}

/// V_CMP_CLASS: the bits of the second source are the classes.
template <class F>
LaneResult has_class(const LaneInputs& in) {
  const F value = float_source<F>(in.s[0], true);
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
}

/// All relations of floats, and the classes.
template <class F>
void add_float_comparisons(Models& models, const std::string& type) {
  const auto is_unordered = [](F a, F b) { return std::isnan(a) || std::isnan(b); };
  for (const std::string prefix : {"v_cmp_", "v_cmpx_"}) {
    models[prefix + "f_" + type] = compares_floats<F>([](F, F) { return false; });
    models[prefix + "lt_" + type] = compares_floats<F>(std::less<F>());
    models[prefix + "eq_" + type] = compares_floats<F>(std::equal_to<F>());
    models[prefix + "le_" + type] = compares_floats<F>(std::less_equal<F>());
    models[prefix + "gt_" + type] = compares_floats<F>(std::greater<F>());
    models[prefix + "lg_" + type] = compares_floats<F>([](F a, F b) { return a < b || a > b; });
    models[prefix + "ge_" + type] = compares_floats<F>(std::greater_equal<F>());
    models[prefix + "o_" + type] = compares_floats<F>([=](F a, F b) { return !is_unordered(a, b); });
    models[prefix + "u_" + type] = compares_floats<F>(is_unordered);
    models[prefix + "nge_" + type] = compares_floats<F>([=](F a, F b) { return is_unordered(a, b) || a < b; });
    models[prefix + "nlg_" + type] = compares_floats<F>([=](F a, F b) { return is_unordered(a, b) || a == b; });
    models[prefix + "ngt_" + type] = compares_floats<F>([=](F a, F b) { return is_unordered(a, b) || a <= b; });
    models[prefix + "nle_" + type] = compares_floats<F>([=](F a, F b) { return is_unordered(a, b) || a > b; });
    models[prefix + "neq_" + type] = compares_floats<F>([](F a, F b) { return a != b; });
    models[prefix + "nlt_" + type] = compares_floats<F>([=](F a, F b) { return is_unordered(a, b) || a >= b; });
    models[prefix + "tru_" + type] = compares_floats<F>([](F, F) { return true; });
    models[prefix + "class_" + type] = has_class<F>;
  }
}

void add_floats(Models& models) {
  models["v_add_f32"] = float_model([](const Sources& s) { return add(s[0], s[1]); });
  models["v_sub_f32"] = float_model([](const Sources& s) { return add(s[0], -s[1]); });
  models["v_subrev_f32"] = float_model([](const Sources& s) { return add(s[1], -s[0]); });
  models["v_mul_f32"] = float_model([](const Sources& s) { return multiply(s[0], s[1]); });
  models["v_trunc_f32"] = float_model([](const Sources& s) { return std::trunc(s[0]); });
  models["v_mul_legacy_f32"] = float_model([](const Sources& s) { return multiply_legacy(s[0], s[1]); });
  models["v_min_legacy_f32"] = float_model([](const Sources& s) { return s[0] < s[1] ? s[0] : s[1]; });
  models["v_max_legacy_f32"] = float_model([](const Sources& s) { return s[0] >= s[1] ? s[0] : s[1]; });
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
  models["v_frexp_exp_i32_f32"] = computes(exponent_of<float>);
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
  models["v_div_scale_f32"] = division_operand<float>;
  models["v_div_fmas_f32"] = division_step<float>;
  models["v_div_fixup_f32"] = division_result<float>;
  models["v_mac_f32"] = multiply_then_add(0, 1, 0, true);
  models["v_mad_f32"] = multiply_then_add(0, 1, 2, false);
  // Sources in the order of assembly, including the literal.
  models["v_madmk_f32"] = multiply_then_add(0, 1, 2, false);
  models["v_madak_f32"] = multiply_then_add(0, 1, 2, false);
  for (const char* name : {"v_fma_f32", "v_fmamk_f32", "v_fmaak_f32"}) {
    models[name] = float_model([](const Sources& s) { return multiply_add(s[0], s[1], s[2]); });
  }
  models["v_fmac_f32"] = accumulate<float>;
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

void add_wide_floats(Models& models) {
  models["v_add_f64"] = float_model<double>([](const WideSources& s) { return add(s[0], s[1]); });
  models["v_mul_f64"] = float_model<double>([](const WideSources& s) { return multiply(s[0], s[1]); });
  models["v_fma_f64"] = float_model<double>([](const WideSources& s) { return multiply_add(s[0], s[1], s[2]); });
  models["v_fmac_f64"] = accumulate<double>;
  models["v_trunc_f64"] = float_model<double>([](const WideSources& s) { return std::trunc(s[0]); });
  models["v_ceil_f64"] = float_model<double>([](const WideSources& s) { return -floor_of(-s[0]); });
  models["v_floor_f64"] = float_model<double>([](const WideSources& s) { return floor_of(s[0]); });
  models["v_rndne_f64"] = float_model<double>([](const WideSources& s) { return rounded_to_even(s[0]); });
  models["v_fract_f64"] = float_model<double>([](const WideSources& s) { return fraction_of(s[0]); });
  models["v_frexp_mant_f64"] = float_model<double>([](const WideSources& s) {
    int exponent = 0;
    return std::isfinite(s[0]) ? std::frexp(s[0], &exponent) : s[0];
  });
  models["v_frexp_exp_i32_f64"] = computes(exponent_of<double>);
  models["v_ldexp_f64"] = scaled_wide;
  for (const bool keeps_all : {false, true}) {
    for (const bool is_maximum : {false, true}) {
      const std::string name = is_maximum ? "v_max_f64" : "v_min_f64";
      models[name + (keeps_all ? "_gcn1_2" : "")] = selection_model<double>(
          keeps_all, [=](bool is_ieee, const WideSources& s) { return extreme(is_ieee, s[0], s[1], is_maximum); });
    }
  }
  models["v_div_scale_f64"] = division_operand<double>;
  models["v_div_fmas_f64"] = division_step<double>;
  models["v_div_fixup_f64"] = division_result<double>;
  models["v_rcp_f64"] = nearest_wide_model([](double x) { return divide(1, x); });
  models["v_sqrt_f64"] = nearest_wide_model([](double x) { return std::sqrt(x); });
  models["v_rsq_f64"] = nearest_wide_model(nearest_reciprocal_root);
  models["v_trig_preop_f64"] = segment_of_two_over_pi;
  models["v_cvt_f64_f32"] = widened;
  models["v_cvt_f32_f64"] = narrowed_to_float;
  models["v_cvt_f64_i32"] = [](const LaneInputs& in) {
    return float_result(in, static_cast<double>(as_signed(in.s[0], 32)), true);
  };
  models["v_cvt_f64_u32"] = [](const LaneInputs& in) {
    return float_result(in, static_cast<double>(as_unsigned(in.s[0], 32)), true);
  };
  models["v_cvt_u32_f64"] = computes([](const LaneInputs& in) { return to_integer<double>(in, 0, two_to(32) - 1); });
  models["v_cvt_i32_f64"] =
      computes([](const LaneInputs& in) { return to_integer<double>(in, -two_to(31), two_to(31) - 1); });
}

/// A function computes one of two floats.
void add_packed_floats(Models& models) {
  models["v_pk_add_f32"] = models["v_add_f32"];
  models["v_pk_mul_f32"] = models["v_mul_f32"];
  models["v_pk_fma_f32"] = models["v_fma_f32"];
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
    add_wide_floats(result);
    add_float_comparisons<float>(result, "f32");
    add_float_comparisons<double>(result, "f64");
    add_half_floats(result);
    add_packed_floats(result);
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
