#include "semantics/vector_reference_half.hpp"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include "semantics/host_floats.hpp"

// A number is a double, in which the sums and products of 16-bit floats are exact. A NaN is the first one of the
// sources, quieted, or 0x7e00.
namespace salu::test {
namespace half_models {
namespace {

constexpr u32 sign_bit = 0x8000;
constexpr u32 infinity_bits = 0x7c00;
constexpr u32 quiet_bit = 0x0200;
constexpr u32 made_nan = 0x7e00;
constexpr double greatest = 65504;
constexpr double least_normal = 0x1p-14;

bool is_nan(u64 half) { return (half & 0x7fff) > infinity_bits; }
bool is_denormal(u64 half) { return (half & infinity_bits) == 0; }

/// The number of a half that is not a NaN.
double number_of(u64 half) {
  const auto exponent = static_cast<int>(half >> 10 & 31);
  const auto fraction = static_cast<double>(half & 0x3ff);
  double size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  if (exponent == 31) size = std::numeric_limits<double>::infinity();
  return (half & sign_bit) != 0 ? -size : size;
}

class HalfMode : public FloatMode {
 public:
  explicit HalfMode(const LaneInputs& in) : FloatMode(in.mode, true), limits((in.mode >> 23 & 1) != 0) {}
  bool limits;  ///< FP16_OVFL
};

u64 signed_half(u64 size, double value) { return size | (std::signbit(value) ? sign_bit : 0); }

/// Rounds a number to a half.
u64 half_of(double value, const HalfMode& mode, bool keeps_denormals) {
  if (std::isnan(value)) return made_nan;
  if (value == 0 || std::isinf(value)) return signed_half(value == 0 ? 0 : infinity_bits, value);
  const int exponent = std::max(std::ilogb(value), -14);
  double units = 0;
  {
    const HostRounding rounding(mode.rounding);
    const volatile double scaled = std::ldexp(value, 10 - exponent);
    units = std::nearbyint(scaled);
  }
  const double rounded = std::ldexp(std::abs(units), exponent - 10);
  if (rounded > greatest) {
    const bool is_down = mode.rounding == FE_TOWARDZERO || mode.rounding == (value > 0 ? FE_DOWNWARD : FE_UPWARD);
    return signed_half(is_down || mode.limits ? infinity_bits - 1 : infinity_bits, value);
  }
  if (rounded < least_normal) {
    const auto denormal = static_cast<u64>(std::ldexp(rounded, 24));
    return signed_half(keeps_denormals ? denormal : 0, value);
  }
  const int place = std::ilogb(rounded);
  return signed_half(static_cast<u64>(place + 15) << 10 | (static_cast<u64>(std::ldexp(rounded, 10 - place)) & 0x3ff),
                     value);
}

/// The output modifiers.
u64 modified(u64 half, const LaneInputs& in) {
  const HalfMode mode(in);
  if (in.output_modifier != 0 && !mode.is_ieee && !mode.keeps_output_denormals) {
    constexpr std::array<double, 4> factors = {1, 2, 4, 0.5};
    if (is_nan(half)) {
      half |= quiet_bit;
    } else {
      const bool is_flushed = !mode.keeps_input_denormals && is_denormal(half);
      half = half_of((is_flushed ? 0 : number_of(half)) * factors.at(in.output_modifier), mode, false);
      if ((half & 0x7fff) == 0) half = 0;
    }
  }
  if (!in.clamp) return half;
  if (is_nan(half)) return mode.clamps_nan ? 0 : half;
  return (half & sign_bit) != 0 ? 0 : std::min<u64>(half, 0x3c00);
}

LaneResult result_of(u64 half, const LaneInputs& in) { return {modified(half, in), false, false}; }

/// A source as the operation reads it.
u64 flushed(u64 half, bool keeps_denormals) {
  half &= 0xffff;
  return keeps_denormals || !is_denormal(half) ? half : half & sign_bit;
}

/// The first NaN of the sources, quieted.
template <class Halves>
std::optional<u64> first_nan(const Halves& halves, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (is_nan(halves[i])) return halves[i] | quiet_bit;
  }
  return std::nullopt;
}

using Numbers = std::array<double, 3>;

/// Computes a number from numbers, in the rounding mode, and rounds it.
template <class Function>
LaneModel computes(std::size_t count, Function function, bool flushes = false, bool adds_old = false) {
  return [=](const LaneInputs& in) {
    const HalfMode mode(in);
    std::array<u64, 3> halves{};
    Numbers numbers{};
    for (std::size_t i = 0; i < count; ++i) {
      const u64 source = adds_old && i == count - 1 ? in.old : in.s[i];
      halves[i] = flushed(source, mode.keeps_input_denormals && !flushes);
    }
    if (const auto nan = first_nan(halves, flushes ? 2 : count)) return result_of(*nan, in);
    // Of a sum after a product, the NaN of an invalid product is the first one.
    const bool is_invalid = flushes && std::isnan(number_of(halves[0]) * number_of(halves[1]));
    if (is_invalid) return result_of(made_nan, in);
    if (const auto nan = first_nan(halves, count)) return result_of(*nan, in);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = number_of(halves[i]);
    double result = 0;
    {
      const HostRounding rounding(mode.rounding);
      result = function(numbers, mode);
    }
    return result_of(half_of(result, mode, mode.keeps_output_denormals && !flushes), in);
  };
}

/// The nearest half, whatever MODE rounds to.
LaneModel approximates(long double (*function)(long double)) {
  return [=](const LaneInputs& in) {
    const HalfMode mode(in);
    const u64 half = flushed(in.s[0], mode.keeps_input_denormals);
    if (is_nan(half)) return result_of(half | quiet_bit, in);
    HalfMode nearest = mode;
    nearest.rounding = FE_TONEAREST;
    const auto value = static_cast<double>(function(number_of(half)));
    return result_of(half_of(value, nearest, mode.keeps_output_denormals), in);
  };
}

/// The sine of turns, with the sign of the angle for a zero.
long double sine_of(long double turns) {
  if (std::isinf(turns)) return std::numeric_limits<long double>::quiet_NaN();
  if (std::abs(turns) > 256) return 0;
  const long double rest = std::fmod(turns, 1.0L);
  if (rest == 0 || std::abs(rest) == 0.5L) return std::copysign(0.0L, turns);
  if (std::abs(rest) == 0.25L) return std::copysign(1.0L, turns);
  if (std::abs(rest) == 0.75L) return -std::copysign(1.0L, turns);
  return std::sin(rest * 2 * std::numbers::pi_v<long double>);
}
long double cosine_of(long double turns) {
  if (std::isinf(turns)) return std::numeric_limits<long double>::quiet_NaN();
  if (std::abs(turns) > 256) return 1;
  const long double rest = std::abs(std::fmod(turns, 1.0L));
  if (rest == 0.25L || rest == 0.75L) return 0;
  return std::cos(rest * 2 * std::numbers::pi_v<long double>);
}
long double logarithm_of(long double value) {
  return value < 0 ? std::numeric_limits<long double>::quiet_NaN() : std::log2(value);
}
long double root_of(long double value) {
  return value < 0 ? std::numeric_limits<long double>::quiet_NaN() : std::sqrt(value);
}

double floor_of(double value) {
  const double whole = std::trunc(value);
  return std::copysign(whole > value ? whole - 1 : whole, value);
}
double nearest_even(double value) {
  const double low = floor_of(value);
  if (!std::isfinite(value)) return value;
  const double rest = value - low;
  const bool goes_up = rest > 0.5 || (rest == 0.5 && std::fmod(low, 2) != 0);
  return std::copysign(goes_up ? low + 1 : low, value);
}

double fraction_of(const Numbers& n, const HalfMode& mode) {
  const volatile double x = n[0];
  const volatile double whole = floor_of(n[0]);
  const double difference = x - whole;
  const bool is_one = half_of(difference, mode, true) == 0x3c00;
  return is_one ? number_of(0x3bff) : difference;
}

double sum(double a, double b) {
  const volatile double x = a;
  const volatile double y = b;
  return x + y;
}

/// `a * b + c`, rounded to odd, which does not change a later rounding.
double exact_sum(const Numbers& n, const HalfMode& /*mode*/) {
  if (!std::isfinite(n[0]) || !std::isfinite(n[1]) || !std::isfinite(n[2])) return n[0] * n[1] + n[2];
  const double product = n[0] * n[1];
  if (product == 0 || n[2] == 0 || product == -n[2]) return sum(product, n[2]);
  return odd_sum(static_cast<float>(n[0]), static_cast<float>(n[1]), static_cast<float>(n[2]));
}

/// The product is rounded; then, denormal results count as zeros.
double sum_of_rounded(const Numbers& n, const HalfMode& mode) {
  const u64 product = half_of(n[0] * n[1], mode, false);
  if (is_nan(product)) return std::numeric_limits<double>::quiet_NaN();
  return sum(number_of(product), n[2]);
}

// ---- selections ----

/// As `extreme` of 32-bit floats; -0 is less than +0.
u64 extreme(u64 a, u64 b, bool is_maximum, bool is_ieee) {
  for (const u64 half : {a, b}) {
    if (is_ieee && is_nan(half) && (half & quiet_bit) == 0) return half | quiet_bit;
  }
  if (is_nan(a)) return b;
  if (is_nan(b)) return a;
  const double x = number_of(a);
  const double y = number_of(b);
  const bool is_less = x < y || (x == y && std::signbit(x) && !std::signbit(y));
  return is_less == is_maximum ? b : a;
}

using Halves = std::array<u64, 3>;
template <class Function>
LaneModel selects(bool keeps_all, Function function) {
  return [=](const LaneInputs& in) {
    const HalfMode mode(in);
    Halves halves{};
    for (std::size_t i = 0; i < 3; ++i) halves[i] = flushed(in.s[i], keeps_all || mode.keeps_input_denormals);
    return result_of(flushed(function(halves, mode.is_ieee), keeps_all || mode.keeps_output_denormals), in);
  };
}

u64 median_of(const Halves& h, bool is_ieee) {
  const auto of_three = [&](bool is_maximum) {
    return extreme(extreme(h[0], h[1], is_maximum, is_ieee), h[2], is_maximum, is_ieee);
  };
  if (is_nan(h[0]) || is_nan(h[1]) || is_nan(h[2])) return of_three(false);
  const double most = number_of(of_three(true));
  const std::size_t left_out = number_of(h[0]) == most ? 0 : number_of(h[1]) == most ? 1 : 2;
  return extreme(h[left_out == 0 ? 1 : 0], h[left_out == 2 ? 1 : 2], true, is_ieee);
}

u64 quotient_fixed(const Halves& h) {
  const u64 sign = (h[1] ^ h[2]) & sign_bit;
  const u64 divisor = h[1] & 0x7fff;
  const u64 dividend = h[2] & 0x7fff;
  if (is_nan(h[2])) return h[2] | quiet_bit;
  if (is_nan(h[1])) return h[1] | quiet_bit;
  if ((divisor == 0 && dividend == 0) || (divisor == infinity_bits && dividend == infinity_bits))
    return made_nan | sign_bit;
  if (dividend == infinity_bits || divisor == 0) return infinity_bits | sign;
  if (divisor == infinity_bits || dividend == 0) return sign;
  return (is_nan(h[0]) ? infinity_bits : h[0] & 0x7fff) | sign;
}

// ---- conversions ----

u64 to_integer(const LaneInputs& in, double least, double most) {
  const u64 half = in.s[0] & 0xffff;
  if (is_nan(half)) return 0;
  const double whole = std::clamp(std::trunc(number_of(half)), least, most);
  return static_cast<u64>(static_cast<i64>(whole)) & 0xffff;
}

u64 normalised(u64 half, const HalfMode& mode, double least, double most) {
  half = flushed(half, mode.keeps_input_denormals);
  if (is_nan(half)) return 0;
  const double nearest = nearest_even(std::clamp(number_of(half), -1.0, 1.0) * most);
  return static_cast<u64>(static_cast<i64>(std::max(nearest, least))) & 0xffff;
}
LaneModel normalises(bool is_pair, double least, double most) {
  return [=](const LaneInputs& in) {
    const HalfMode mode(in);
    const u64 low = normalised(in.s[0], mode, least, most);
    return LaneResult{is_pair ? low | normalised(in.s[1], mode, least, most) << 16 : low, false, false};
  };
}

/// The half for a 32-bit float, and the reverse.
u64 narrowed(u64 bits, const LaneInputs& in, const HalfMode& mode) {
  const float value = float_source(bits, FloatMode(in.mode).keeps_input_denormals);
  if (!std::isnan(value)) return half_of(value, mode, mode.keeps_output_denormals);
  const auto nan = std::bit_cast<u32>(value);
  return (nan >> 16 & sign_bit) | infinity_bits | quiet_bit | (nan >> 13 & 0x3ff);
}
float widened(u64 bits, const HalfMode& mode) {
  const u64 half = flushed(bits, mode.keeps_input_denormals);
  if (!is_nan(half)) return static_cast<float>(number_of(half));
  return std::bit_cast<float>(static_cast<u32>((half & sign_bit) << 16 | 0x7fc00000 | (half & 0x3ff) << 13));
}

/// A fused sum of 32-bit floats, of which the first NaN is the result.
float fused(const std::array<float, 3>& s, const LaneInputs& in) {
  const FloatMode mode(in.mode);
  for (const float source : s) {
    if (std::isnan(source)) return std::bit_cast<float>(std::bit_cast<u32>(source) | 0x400000);
  }
  float result = 0;
  {
    const HostRounding rounding(mode.rounding);
    result = multiply_add(s[0], s[1], s[2]);
  }
  if (std::isnan(result)) return std::numeric_limits<float>::quiet_NaN();
  return mode.keeps_output_denormals ? result : without_denormal(result);
}

float mixed_sum(const LaneInputs& in) {
  const HalfMode mode(in);
  std::array<float, 3> sources{};
  for (std::size_t i = 0; i < 3; ++i) {
    const bool is_half = (in.op_sel_hi >> i & 1) != 0;
    sources[i] = is_half ? widened(in.s[i], mode) : float_source(in.s[i], FloatMode(in.mode).keeps_input_denormals);
  }
  return fused(sources, in);
}

LaneResult dot_product(const LaneInputs& in) {
  const HalfMode mode(in);
  const auto part = [&](std::size_t i, bool is_second) {
    const u32 selects = is_second ? in.op_sel_hi : in.op_sel;
    const u32 negates = is_second ? in.negate_hi : in.negate;
    const u64 half = in.s[i] >> ((selects >> i & 1) != 0 ? 16 : 0) & 0xffff;
    return widened(half ^ ((negates >> i & 1) != 0 ? sign_bit : 0), mode);
  };
  const float summand = float_source(in.s[2], FloatMode(in.mode).keeps_input_denormals);
  const float first = fused({part(0, false), part(1, false), summand}, in);
  const float flushed_first = FloatMode(in.mode).keeps_input_denormals ? first : without_denormal(first);
  return float_result(in, fused({part(0, true), part(1, true), flushed_first}, in), true);
}

u64 canonical(u64 half, const HalfMode& mode) {
  half = flushed(half, mode.keeps_input_denormals && mode.keeps_output_denormals);
  return mode.is_ieee && is_nan(half) ? half | quiet_bit : half;
}

void add_conversions(Models& models) {
  models["v_cvt_f16_f32"] = [](const LaneInputs& in) { return result_of(narrowed(in.s[0], in, HalfMode(in)), in); };
  models["v_cvt_f32_f16"] = [](const LaneInputs& in) {
    return float_result(in, widened(in.s[0], HalfMode(in)), FloatMode(in.mode).keeps_output_denormals);
  };
  models["v_cvt_pkrtz_f16_f32"] = [](const LaneInputs& in) {
    HalfMode mode(in);
    mode.rounding = FE_TOWARDZERO;
    return LaneResult{narrowed(in.s[0], in, mode) | narrowed(in.s[1], in, mode) << 16, false, false};
  };
  models["v_cvt_f16_u16"] = [](const LaneInputs& in) {
    return result_of(half_of(static_cast<double>(in.s[0] & 0xffff), HalfMode(in), true), in);
  };
  models["v_cvt_f16_i16"] = [](const LaneInputs& in) {
    const auto value = static_cast<double>(in.s[0] & 0xffff);
    return result_of(half_of(value >= 32768 ? value - 65536 : value, HalfMode(in), true), in);
  };
  models["v_cvt_u16_f16"] = [](const LaneInputs& in) { return LaneResult{to_integer(in, 0, 65535), false, false}; };
  models["v_cvt_i16_f16"] = [](const LaneInputs& in) {
    return LaneResult{to_integer(in, -32768, 32767), false, false};
  };
  models["v_cvt_norm_i16_f16"] = normalises(false, -32767, 32767);
  models["v_cvt_norm_u16_f16"] = normalises(false, 0, 65535);
  models["v_cvt_pknorm_i16_f16"] = normalises(true, -32767, 32767);
  models["v_cvt_pknorm_u16_f16"] = normalises(true, 0, 65535);
  models["v_pack_b32_f16"] = [](const LaneInputs& in) {
    const HalfMode mode(in);
    return LaneResult{canonical(in.s[0], mode) | canonical(in.s[1], mode) << 16, false, false};
  };
}

void add_arithmetic(Models& models) {
  const auto plus = [](const Numbers& n, const HalfMode&) { return sum(n[0], n[1]); };
  const auto minus = [](const Numbers& n, const HalfMode&) { return sum(n[0], -n[1]); };
  const auto times = [](const Numbers& n, const HalfMode&) { return n[0] * n[1]; };
  for (const std::string prefix : {"v_", "v_pk_"}) {
    models[prefix + "add_f16"] = computes(2, plus);
    models[prefix + "mul_f16"] = computes(2, times);
    models[prefix + "fma_f16"] = computes(3, exact_sum);
    for (const bool is_maximum : {false, true}) {
      for (const bool keeps_all : {false, true}) {
        const std::string name = prefix + (is_maximum ? "max_f16" : "min_f16") + (keeps_all ? "_gcn1_2" : "");
        models[name] =
            selects(keeps_all, [=](const Halves& h, bool ieee) { return extreme(h[0], h[1], is_maximum, ieee); });
      }
    }
  }
  models["v_fma_legacy_f16"] = models["v_fma_f16"];
  models["v_sub_f16"] = computes(2, minus);
  models["v_subrev_f16"] = [difference = computes(2, minus)](LaneInputs in) {
    std::swap(in.s[0], in.s[1]);
    return difference(in);
  };
  for (const char* name : {"v_mad_f16", "v_mad_legacy_f16", "v_madmk_f16", "v_madak_f16"})
    models[name] = computes(3, sum_of_rounded, true);
  models["v_mac_f16"] = computes(3, sum_of_rounded, true, true);
  for (const bool is_maximum : {false, true}) {
    models[is_maximum ? "v_max3_f16" : "v_min3_f16"] = selects(false, [=](const Halves& h, bool ieee) {
      return extreme(extreme(h[0], h[1], is_maximum, ieee), h[2], is_maximum, ieee);
    });
  }
  models["v_med3_f16"] = selects(false, median_of);
  for (const char* name : {"v_div_fixup_f16", "v_div_fixup_legacy_f16"})
    models[name] = selects(false, [](const Halves& h, bool) { return quotient_fixed(h); });
  models["v_ldexp_f16"] = [](const LaneInputs& in) {
    const auto exponent = static_cast<i16>(in.s[1]);
    return computes(1, [=](const Numbers& n, const HalfMode&) {
      return std::ldexp(n[0], std::clamp<int>(exponent, -100, 100));
    })(in);
  };
}

void add_parts(Models& models) {
  const auto integral = [](double (*function)(double)) {
    return computes(1, [=](const Numbers& n, const HalfMode&) { return function(n[0]); });
  };
  models["v_trunc_f16"] = integral([](double x) { return std::trunc(x); });
  models["v_floor_f16"] = integral(floor_of);
  models["v_ceil_f16"] = integral([](double x) { return -floor_of(-x); });
  models["v_rndne_f16"] = integral(nearest_even);
  models["v_fract_f16"] = computes(1, fraction_of);
  models["v_frexp_mant_f16"] = computes(1, [](const Numbers& n, const HalfMode&) {
    int exponent = 0;
    return std::isfinite(n[0]) ? std::frexp(n[0], &exponent) : n[0];
  });
  models["v_frexp_exp_i16_f16"] = [](const LaneInputs& in) {
    const u64 half = flushed(in.s[0], HalfMode(in).keeps_input_denormals);
    int exponent = 0;
    if (!is_nan(half) && std::isfinite(number_of(half))) std::frexp(number_of(half), &exponent);
    return LaneResult{static_cast<u64>(exponent) & 0xffff, false, false};
  };
  models["v_rcp_f16"] = approximates([](long double x) { return 1 / x; });
  models["v_sqrt_f16"] = approximates(root_of);
  models["v_rsq_f16"] = approximates([](long double x) { return 1 / root_of(x); });
  models["v_log_f16"] = approximates(logarithm_of);
  // Within the range of a double, so that an overflow is one of the rounding.
  models["v_exp_f16"] =
      approximates([](long double x) { return std::isinf(x) ? std::exp2(x) : std::exp2(std::min(x, 900.0L)); });
  models["v_sin_f16"] = approximates(sine_of);
  models["v_cos_f16"] = approximates(cosine_of);
}

void add_comparisons(Models& models) {
  struct Relation {
    const char* name;
    const char* negation;
    bool (*holds)(double a, double b);
  };
  constexpr std::array<Relation, 8> relations = {{
      {"f", "tru", [](double, double) { return false; }},
      {"lt", "nlt", [](double a, double b) { return a < b; }},
      {"eq", "neq", [](double a, double b) { return a == b; }},
      {"le", "nle", [](double a, double b) { return a <= b; }},
      {"gt", "ngt", [](double a, double b) { return a > b; }},
      {"lg", "nlg", [](double a, double b) { return a < b || a > b; }},
      {"ge", "nge", [](double a, double b) { return a >= b; }},
      {"o", "u", [](double, double) { return true; }},
  }};
  for (const Relation& relation : relations) {
    for (const std::string prefix : {"v_cmp_", "v_cmpx_"}) {
      for (const bool is_negated : {false, true}) {
        const auto holds = relation.holds;
        models[prefix + (is_negated ? relation.negation : relation.name) + "_f16"] = [=](const LaneInputs& in) {
          const bool keeps = HalfMode(in).keeps_input_denormals;
          const u64 a = flushed(in.s[0], keeps);
          const u64 b = flushed(in.s[1], keeps);
          const bool is_ordered = !is_nan(a) && !is_nan(b);
          const bool is_true = is_ordered && holds(number_of(a), number_of(b));
          return LaneResult{0, is_true != is_negated, false};
        };
      }
    }
  }
  for (const char* name : {"v_cmp_class_f16", "v_cmpx_class_f16"}) {
    models[name] = [](const LaneInputs& in) {
      const u64 half = in.s[0] & 0xffff;
      const u64 size = half & 0x7fff;
      const bool negative = (half & sign_bit) != 0;
      u32 number = negative ? 5 : 6;
      if (is_nan(half)) {
        number = (half & quiet_bit) != 0 ? 1 : 0;
      } else if (size == infinity_bits) {
        number = negative ? 2 : 9;
      } else if (size >= 0x400) {
        number = negative ? 3 : 8;
      } else if (size != 0) {
        number = negative ? 4 : 7;
      }
      return LaneResult{0, (in.s[1] >> number & 1) != 0, false};
    };
  }
}

}  // namespace
}  // namespace half_models

void add_half_floats(Models& models) {
  using namespace half_models;
  half_models::add_conversions(models);
  half_models::add_arithmetic(models);
  half_models::add_parts(models);
  half_models::add_comparisons(models);
  models["v_dot2_f32_f16"] = half_models::dot_product;
  models["v_fma_mix_f32"] = [](const LaneInputs& in) { return float_result(in, mixed_sum(in), true); };
  for (const char* name : {"v_fma_mixlo_f16", "v_fma_mixhi_f16"}) {
    models[name] = [](const LaneInputs& in) {
      return result_of(narrowed(std::bit_cast<u32>(mixed_sum(in)), in, HalfMode(in)), in);
    };
  }
}

}  // namespace salu::test
