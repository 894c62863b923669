#include <gtest/gtest.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <bit>
#include <cmath>
#include <sstream>

#include "isa/vector/semantics/approximations.hpp"
#include "isa/vector/semantics/float_operations.hpp"
#include "repetitions.hpp"
#include "semantics/floats/values.hpp"

// The arithmetic on floats against the instructions of the host, and selections, comparisons and classes against models
// that are written from AMD's manuals with the numbers of the host.
namespace salu::test::floats {
namespace {

namespace vec = isa::vector;

template <class F>
std::string describe(FloatMode mode, std::initializer_list<F> values) {
  std::ostringstream text;
  text << text_of(mode) << std::hex;
  for (const F value : values) text << ", 0x" << u64{value.bits};
  return text.str();
}

#if defined(__x86_64__)

/// The control register of SSE, with the rounding of a mode, flushed results (FTZ) and denormal inputs as zeros (DAZ).
class HostMode {
 public:
  explicit HostMode(FloatMode mode) : before_(_mm_getcsr()) {
    constexpr std::array<u32, 4> directions = {_MM_ROUND_NEAREST, _MM_ROUND_UP, _MM_ROUND_DOWN, _MM_ROUND_TOWARD_ZERO};
    constexpr u32 daz = 0x40;
    constexpr u32 all_masked = 0x1f80;
    _mm_setcsr(all_masked | directions[static_cast<std::size_t>(mode.rounding)] |
               (mode.keeps_denormal_results ? 0 : _MM_FLUSH_ZERO_ON) | (mode.keeps_denormal_inputs ? 0 : daz));
  }
  HostMode(const HostMode&) = delete;
  HostMode& operator=(const HostMode&) = delete;
  ~HostMode() { _mm_setcsr(before_); }

 private:
  u32 before_;
};

// Volatile variables keep operations between the changes of the control register.
template <class T>
T sum_of(T left, T right) {
  const volatile T a = left;
  const volatile T b = right;
  const volatile T result = a + b;
  return result;
}
template <class T>
T product_of(T left, T right) {
  const volatile T a = left;
  const volatile T b = right;
  const volatile T result = a * b;
  return result;
}
float root_of(float value) {
  const volatile float a = value;
  const volatile float result = _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(a)));
  return result;
}
double root_of(double value) {
  const volatile double a = value;
  const volatile double result = _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(a)));
  return result;
}
[[gnu::target("fma")]] float fused(float a, float b, float c) {
  const volatile float result = _mm_cvtss_f32(_mm_fmadd_ss(_mm_set_ss(a), _mm_set_ss(b), _mm_set_ss(c)));
  return result;
}
[[gnu::target("fma")]] double fused(double a, double b, double c) {
  const volatile double result = _mm_cvtsd_f64(_mm_fmadd_sd(_mm_set_sd(a), _mm_set_sd(b), _mm_set_sd(c)));
  return result;
}

template <class F>
struct HostOf;
template <>
struct HostOf<F32> {
  using Type = float;
};
template <>
struct HostOf<F64> {
  using Type = double;
};

template <class F>
class HostFloat : public testing::Test {
 protected:
  using T = typename HostOf<F>::Type;
  static T host(F value) { return std::bit_cast<T>(value.bits); }

  void expect(FloatMode mode, std::initializer_list<F> sources, F actual, T result) const {
    const F expected{std::bit_cast<typename F::Bits>(result)};
    if (actual == expected || (is_nan(actual) && is_nan(expected))) return;
    // The host flushes a result before it is rounded to the least normal number, the GPU after.
    const bool rounds_up = magnitude_of(actual) == Format<F>::least_normal && magnitude_of(expected) == 0;
    if (rounds_up && !mode.keeps_denormal_results) return;
    ADD_FAILURE() << describe(mode, sources) << std::hex << ": expected 0x" << u64{expected.bits} << ", is 0x"
                  << u64{actual.bits};
  }

  void check(FloatMode mode, F first, F second, F third) const {
    std::array<T, 4> results{};
    {
      const HostMode host_mode(mode);
      results = {sum_of(host(first), host(second)), product_of(host(first), host(second)), root_of(host(first)),
                 has_fma ? fused(host(first), host(second), host(third)) : T{0}};
    }
    expect(mode, {first, second}, vec::add(first, second, mode), results[0]);
    expect(mode, {first, second}, vec::multiply(first, second, mode), results[1]);
    mode.approximation = mode.rounding;
    expect(mode, {first}, vec::square_root(first, mode), results[2]);
    if (has_fma) expect(mode, {first, second, third}, vec::multiply_add(first, second, third, mode), results[3]);
  }

  bool has_fma = __builtin_cpu_supports("fma") != 0;
};
using HostFormats = testing::Types<F32, F64>;
class HostNames {
 public:
  template <class F>
  static std::string GetName(int /*number*/) {
    return "F" + std::to_string(F::bit_count);
  }
};
TYPED_TEST_SUITE(HostFloat, HostFormats, HostNames);

TYPED_TEST(HostFloat, AgreesForEdgeValues) {
  const auto edges = edge_values<TypeParam>();
  Random random(3);
  for (const FloatMode& mode : all_modes()) {
    for (const TypeParam first : edges) {
      for (const TypeParam second : edges) this->check(mode, first, second, edges[random() % edges.size()]);
    }
  }
}

TYPED_TEST(HostFloat, AgreesForRandomValues) {
  Random random(4);
  for (int i = 0; i < repetitions(2'000'000); ++i) {
    const auto first = random_value<TypeParam>(random, {});
    const auto second = random_value<TypeParam>(random, first);
    const auto third = random_value<TypeParam>(random, vec::multiply(first, second, {}));
    this->check(random_mode(random), first, second, third);
  }
}

[[gnu::target("f16c")]] u16 to_half(float value) {
  const __m128i halves = _mm_cvtps_ph(_mm_set_ss(value), _MM_FROUND_CUR_DIRECTION);
  return static_cast<u16>(_mm_extract_epi16(halves, 0));
}
[[gnu::target("f16c")]] float from_half(u16 bits) { return _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(bits))); }

// The conversions of the host ignore FTZ and, for 16-bit floats, DAZ.
TEST(HostConversion, AgreesBetween16And32Bits) {
  if (__builtin_cpu_supports("f16c") == 0) GTEST_SKIP() << "the processor has no conversions of 16-bit floats";
  for (u32 bits = 0; bits < 0x10000; ++bits) {
    const F16 half = of_bits<F16>(bits);
    EXPECT_EQ(vec::convert<F32>(half, {}, {}).bits, std::bit_cast<u32>(from_half(half.bits)));
  }
  Random random(5);
  for (int i = 0; i < repetitions(2'000'000); ++i) {
    // Mostly in the range of 16-bit floats.
    F32 value = random_value<F32>(random, F32{static_cast<u32>(97 + random() % 50) << 23});
    const FloatMode mode{roundings[random() % 4]};
    u16 expected = 0;
    {
      const HostMode host_mode(mode);
      expected = to_half(std::bit_cast<float>(value.bits));
    }
    const F16 actual = vec::convert<F16>(value, {}, mode);
    EXPECT_EQ(actual.bits, expected) << describe(mode, {value});
  }
}

// A product of 2^11 and 32.0 overflows in 16 bits.
TEST(HostConversion, LimitsOverflowsOf16Bits) {
  FloatMode mode;
  mode.limits_f16 = true;
  const F16 greatest{0x7bff};
  const F16 infinity{0x7c00};
  EXPECT_EQ(vec::multiply(F16{0x6800}, F16{0x5000}, mode), greatest);
  EXPECT_EQ(vec::multiply(F16{0xe800}, F16{0x5000}, mode), F16{0xfbff});
  EXPECT_EQ(vec::add(infinity, greatest, mode), infinity);
  EXPECT_EQ(vec::reciprocal(F16{0}, mode), infinity);
  EXPECT_EQ(vec::convert<F16>(F32{0x7f7f'ffff}, {}, mode), greatest);
  EXPECT_EQ(vec::convert<F16>(F32{0x7f80'0000}, {}, mode), infinity);
  EXPECT_EQ(vec::multiply(F32{0x7f00'0000}, F32{0x7f00'0000}, mode), F32{0x7f80'0000});
}

template <class T>
T through(T value) {
  const volatile T result = value;
  return result;
}

TEST(HostConversion, AgreesBetween32And64Bits) {
  Random random(6);
  for (int i = 0; i < repetitions(2'000'000); ++i) {
    const F64 value = random_value<F64>(random, of_bits<F64>((1023 - 150 + random() % 300) << 52));
    const FloatMode mode{roundings[random() % 4]};
    float narrow = 0;
    {
      const HostMode host_mode(mode);
      narrow = through(static_cast<float>(through(std::bit_cast<double>(value.bits))));
    }
    EXPECT_EQ(vec::convert<F32>(value, {}, mode).bits, std::bit_cast<u32>(narrow)) << describe(mode, {value});
    const F32 single = random_value<F32>(random, {});
    const double wide = through(static_cast<double>(through(std::bit_cast<float>(single.bits))));
    EXPECT_EQ(vec::convert<F64>(single, {}, mode).bits, std::bit_cast<u64>(wide)) << describe(mode, {single});
  }
}

#endif

// ---- selections, comparisons, classes ----

/// The exact value as a number of the host.
template <class F>
double number_of(F value) {
  using P = Format<F>;
  const u64 all = magnitude_of(value);
  const double sign = (value.bits & P::sign) != 0 ? -1 : 1;
  if (is_nan(value)) return std::nan("");
  if (all == P::infinity) return sign * HUGE_VAL;
  const int field = static_cast<int>(all >> P::fraction_bits);
  const u64 fraction = all & (P::least_normal - 1);
  const u64 significand = field == 0 ? fraction : fraction | P::least_normal;
  return std::copysign(std::ldexp(static_cast<double>(significand), std::max(field, 1) - P::bias - P::fraction_bits),
                       sign);
}

template <class F>
class FloatChoice : public testing::Test {
 protected:
  static bool is_signalling(F value) { return is_nan(value) && (value.bits & Format<F>::quiet) == 0; }
  static F quiet(F value) { return of_bits<F>(value.bits | Format<F>::quiet); }

  /// V_MIN and V_MAX of the CDNA 3 ISA manual.
  static F extreme(FloatMode mode, F left, F right, bool is_maximum) {
    left = flushed(left, mode.keeps_denormal_inputs);
    right = flushed(right, mode.keeps_denormal_inputs);
    if (mode.is_ieee && is_signalling(left)) return quiet(left);
    if (mode.is_ieee && is_signalling(right)) return quiet(right);
    F result = left;
    if (is_nan(left)) {
      result = right;
    } else if (!is_nan(right)) {
      const double a = number_of(left);
      const double b = number_of(right);
      const bool is_less = a < b || (a == b && std::signbit(a) && !std::signbit(b));
      if (is_less == is_maximum) result = right;
    }
    return flushed(result, mode.keeps_denormal_results);
  }
  static F extreme(FloatMode mode, F first, F second, F third, bool is_maximum) {
    return extreme(mode, extreme(mode, first, second, is_maximum), third, is_maximum);
  }
  /// V_MED3: without NaNs, the number that is neither the least nor the greatest.
  static F median(FloatMode mode, F first, F second, F third) {
    if (is_nan(first) || is_nan(second) || is_nan(third)) return extreme(mode, first, second, third, false);
    std::array<F, 3> all = {first, second, third};
    for (F& value : all) value = flushed(value, mode.keeps_denormal_inputs);
    std::sort(all.begin(), all.end(), [](F a, F b) { return number_of(a) < number_of(b); });
    return flushed(all[1], mode.keeps_denormal_results);
  }

  void check(FloatMode mode, F a, F b, F c) {
    const auto expect = [&](F actual, F expected, const char* name) {
      EXPECT_EQ(u64{actual.bits}, u64{expected.bits}) << name << ' ' << describe(mode, {a, b, c});
    };
    expect(vec::minimum(a, b, mode), extreme(mode, a, b, false), "min");
    expect(vec::maximum(a, b, mode), extreme(mode, a, b, true), "max");
    expect(vec::minimum(a, b, c, mode), extreme(mode, a, b, c, false), "min3");
    expect(vec::maximum(a, b, c, mode), extreme(mode, a, b, c, true), "max3");
    const F median_is = vec::median_of(a, b, c, mode);
    const F median_expected = median(mode, a, b, c);
    // The manuals do not define the sign of a median that is 0.
    if (magnitude_of(median_is) != 0 || magnitude_of(median_expected) != 0) expect(median_is, median_expected, "med3");
    const double left = number_of(flushed(a, mode.keeps_denormal_inputs));
    const double right = number_of(flushed(b, mode.keeps_denormal_inputs));
    const vec::Order order = vec::compare(a, b, mode, false);
    EXPECT_EQ(order.less, left < right) << describe(mode, {a, b});
    EXPECT_EQ(order.equal, left == right) << describe(mode, {a, b});
    EXPECT_EQ(order.greater, left > right) << describe(mode, {a, b});
  }
};
using ChoiceFormats = testing::Types<F16, BF16, F32, F64>;
TYPED_TEST_SUITE(FloatChoice, ChoiceFormats);

TYPED_TEST(FloatChoice, AgreesWithTheManuals) {
  const auto edges = edge_values<TypeParam>();
  Random random(7);
  for (const TypeParam a : edges) {
    for (const TypeParam b : edges) {
      for (FloatMode mode : all_modes()) {
        mode.is_ieee = random() % 2 == 0;
        this->check(mode, a, b, edges[random() % edges.size()]);
      }
    }
  }
  for (int i = 0; i < repetitions(100'000); ++i) {
    const auto a = random_value<TypeParam>(random, {});
    const auto b = random_value<TypeParam>(random, a);
    FloatMode mode = random_mode(random);
    mode.is_ieee = random() % 2 == 0;
    this->check(mode, a, b, random_value<TypeParam>(random, b));
  }
}

TYPED_TEST(FloatChoice, HasTheClassesOfTheManuals) {
  using P = Format<TypeParam>;
  const auto expect = [](u64 bits, u32 expected) { EXPECT_EQ(vec::class_of(of_bits<TypeParam>(bits)), expected); };
  expect(P::infinity | 1, 0);
  expect(P::infinity | 1 | P::sign, 0);
  expect(P::infinity | P::quiet, 1);
  expect(P::infinity | P::quiet | P::sign, 1);
  expect(P::infinity | P::sign, 2);
  expect(P::least_normal | P::sign, 3);
  expect((P::infinity - 1) | P::sign, 3);
  expect((P::least_normal - 1) | P::sign, 4);
  expect(1 | P::sign, 4);
  expect(P::sign, 5);
  expect(0, 6);
  expect(1, 7);
  expect(P::least_normal - 1, 7);
  expect(P::least_normal, 8);
  expect(P::infinity - 1, 8);
  expect(P::infinity, 9);
}

// DirectX 9: a product with 0 is +0.
TYPED_TEST(FloatChoice, MultipliesByTheRulesOfDirectX) {
  const auto edges = edge_values<TypeParam>();
  for (const FloatMode& mode : all_modes()) {
    for (const TypeParam a : edges) {
      for (const TypeParam b : edges) {
        const bool has_zero = magnitude_of(flushed(a, mode.keeps_denormal_inputs)) == 0 ||
                              magnitude_of(flushed(b, mode.keeps_denormal_inputs)) == 0;
        const TypeParam expected = has_zero ? TypeParam{} : vec::multiply(a, b, mode);
        EXPECT_EQ(vec::multiply_legacy(a, b, mode), expected) << describe(mode, {a, b});
      }
    }
  }
}

// Factors of 2, 4 and 1/2, which MODE disables, and the clamp to 0 .. 1.
TYPED_TEST(FloatChoice, ModifiesResults) {
  using P = Format<TypeParam>;
  const auto power = [](int exponent) {
    return of_bits<TypeParam>(static_cast<u64>(exponent + P::bias) << P::fraction_bits);
  };
  const TypeParam one = power(0);
  const TypeParam minus_one = of_bits<TypeParam>(one.bits | P::sign);
  const TypeParam nan = of_bits<TypeParam>(P::infinity | P::quiet);
  FloatMode mode = FloatMode{}.flushing();
  mode.is_ieee = false;
  EXPECT_EQ(vec::modified(one, 1, false, mode), power(1));
  EXPECT_EQ(vec::modified(one, 2, false, mode), power(2));
  EXPECT_EQ(vec::modified(one, 3, false, mode), power(-1));
  EXPECT_EQ(vec::modified(of_bits<TypeParam>(P::sign), 1, false, mode), TypeParam{});
  EXPECT_EQ(vec::modified(power(1 - P::bias), 3, false, mode), TypeParam{});
  EXPECT_EQ(vec::modified(power(1), 0, true, mode), one);
  EXPECT_EQ(vec::modified(power(1), 3, true, mode), one);
  EXPECT_EQ(vec::modified(power(-1), 0, true, mode), power(-1));
  EXPECT_EQ(vec::modified(minus_one, 0, true, mode), TypeParam{});
  EXPECT_EQ(vec::modified(of_bits<TypeParam>(P::sign), 0, true, mode), TypeParam{});
  EXPECT_EQ(vec::modified(nan, 0, true, mode), TypeParam{});
  mode.clamps_nan = false;
  EXPECT_EQ(vec::modified(nan, 0, true, mode), nan);
  mode.is_ieee = true;
  EXPECT_EQ(vec::modified(one, 1, false, mode), one);
  mode.is_ieee = false;
  mode.keeps_denormal_results = true;
  EXPECT_EQ(vec::modified(one, 1, false, mode), one);
}

// V_DIV_FIXUP of the CDNA 3 ISA manual.
TYPED_TEST(FloatChoice, FixesQuotients) {
  using P = Format<TypeParam>;
  const auto of = [](u64 bits) { return of_bits<TypeParam>(bits); };
  const TypeParam one = of(u64{P::bias} << P::fraction_bits);
  const TypeParam minus_one = of(one.bits | P::sign);
  const TypeParam zero = of(0);
  const TypeParam minus_zero = of(P::sign);
  const TypeParam infinity = of(P::infinity);
  const TypeParam minus_infinity = of(P::infinity | P::sign);
  const TypeParam invalid = of(P::infinity | P::quiet | P::sign);
  const auto fixed = [](TypeParam quotient, TypeParam divisor, TypeParam dividend) {
    return vec::division_result(quotient, divisor, dividend, {});
  };
  EXPECT_EQ(fixed(one, of(P::infinity | 1), of(P::infinity | 2)), of(P::infinity | P::quiet | 2));
  EXPECT_EQ(fixed(one, of(P::infinity | 1), one), of(P::infinity | P::quiet | 1));
  EXPECT_EQ(fixed(one, zero, minus_zero), invalid);
  EXPECT_EQ(fixed(one, infinity, minus_infinity), invalid);
  EXPECT_EQ(fixed(one, minus_zero, one), minus_infinity);
  EXPECT_EQ(fixed(one, minus_one, minus_infinity), infinity);
  EXPECT_EQ(fixed(one, minus_infinity, one), minus_zero);
  EXPECT_EQ(fixed(one, minus_one, minus_zero), zero);
  EXPECT_EQ(fixed(one, minus_one, one), minus_one);
  EXPECT_EQ(fixed(minus_one, one, one), one);
  EXPECT_EQ(fixed(of(P::infinity | 1), one, minus_one), minus_infinity);
  const TypeParam greatest = of(P::infinity - 1);
  const TypeParam least = of(P::sign | 1);
  if constexpr (TypeParam::bit_count > 16) {
    EXPECT_EQ(fixed(one, greatest, least), minus_zero);
    EXPECT_EQ(vec::division_result(one, greatest, least, FloatMode{Rounding::down}), least);
  }
}

}  // namespace
}  // namespace salu::test::floats
