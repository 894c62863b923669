#include <gtest/gtest.h>

#if SALU_HAS_MPFR

#include <sstream>

#include "isa/vector/semantics/approximations.hpp"
#include "isa/vector/semantics/float_operations.hpp"
#include "repetitions.hpp"
#include "semantics/floats/mpfr.hpp"

// The arithmetic on floats of every format, in every mode, against MPFR.
namespace salu::test::floats {
namespace {

namespace vec = isa::vector;

/// A case for messages.
template <class F>
std::string describe(FloatMode mode, const std::vector<F>& sources) {
  std::ostringstream text;
  text << text_of(mode) << std::hex;
  for (const F source : sources) text << ", 0x" << u64{source.bits};
  return text.str();
}

/// The failures of a test, of which the first are reported.
class Failures {
 public:
  template <class Text>
  void expect(bool is_right, Text text) {
    if (!is_right && ++count_ <= 5) ADD_FAILURE() << text();
  }
  ~Failures() {
    if (count_ > 5) ADD_FAILURE() << count_ << " failures in total";
  }

 private:
  int count_ = 0;
};

/// The first NaN of the sources, as a quiet NaN.
template <class F>
std::optional<F> nan_among(const std::vector<F>& sources) {
  for (const F source : sources) {
    if (is_nan(source)) return of_bits<F>(source.bits | Format<F>::quiet);
  }
  return std::nullopt;
}

/// Compares a result, and whether it raises the inexact exception, with `function` of MPFR.
template <class F, class From, class Actual, class Function>
void compare(Failures& failures, FloatMode mode, const std::vector<From>& sources, Actual actual, Function function) {
  u32 raised = 0;
  mode.raised = &raised;
  const F is = actual(mode);
  Result<F> expected{};
  bool flushes = false;
  if (const auto nan = nan_among(sources)) {
    // Conversions keep the highest bits of the fraction.
    if constexpr (std::is_same_v<F, From>) {
      expected.value = *nan;
    } else {
      expected.value = is;
      failures.expect(is_nan(is), [&] { return describe(mode, sources) + ": no NaN"; });
    }
  } else {
    expected = result_of<F>(mode.rounding, function);
    const F kept = flushed(expected.value, mode.keeps_denormal_results);
    flushes = kept != expected.value;
    expected.value = kept;
  }
  const bool is_inexact = expected.is_inexact || flushes;
  const bool is_reported = (raised & vec::exception::inexact) != 0;
  failures.expect(is == expected.value && is_reported == is_inexact, [&] {
    std::ostringstream text;
    text << describe(mode, sources) << std::hex << ": expected 0x" << u64{expected.value.bits}
         << (is_inexact ? " inexact" : "") << ", is 0x" << u64{is.bits} << (is_reported ? " inexact" : "");
    return text.str();
  });
}

template <class F>
class FloatFormat : public testing::Test {
 protected:
  /// The sources as an operation sees them, as numbers of MPFR.
  void assign_sources(FloatMode mode, const std::vector<F>& sources) {
    for (std::size_t i = 0; i < sources.size(); ++i)
      assign(numbers[i], flushed(sources[i], mode.keeps_denormal_inputs));
  }

  void check_two(FloatMode mode, F left, F right) {
    const std::vector<F> sources = {left, right};
    assign_sources(mode, sources);
    compare<F>(
        failures, mode, sources, [&](FloatMode m) { return vec::add(left, right, m); },
        [&](mpfr_ptr to, mpfr_rnd_t direction) { return mpfr_add(to, numbers[0], numbers[1], direction); });
    compare<F>(
        failures, mode, sources, [&](FloatMode m) { return vec::multiply(left, right, m); },
        [&](mpfr_ptr to, mpfr_rnd_t direction) { return mpfr_mul(to, numbers[0], numbers[1], direction); });
  }

  void check_three(FloatMode mode, F first, F second, F third, int scale) {
    const std::vector<F> sources = {first, second, third};
    assign_sources(mode, sources);
    compare<F>(
        failures, mode, sources, [&](FloatMode m) { return vec::multiply_add(first, second, third, m, scale); },
        [&](mpfr_ptr to, mpfr_rnd_t direction) {
          const int error = mpfr_fma(to, numbers[0], numbers[1], numbers[2], direction);
          mpfr_mul_2si(to, to, scale, MPFR_RNDN);
          return error;
        });
  }

  /// Functions of one source. Results that the hardware approximates are rounded as the mode says here.
  void check_one(FloatMode mode, F value) {
    mode.approximation = mode.rounding;
    const std::vector<F> sources = {value};
    assign_sources(mode, sources);
    const auto check = [&](auto actual, auto function) {
      compare<F>(failures, mode, sources, [&](FloatMode m) { return actual(value, m); }, function);
    };
    // An approximation that overflows is infinite whatever the rounding is.
    const auto check_approximation = [&](auto actual, auto function) {
      check(actual, [&](mpfr_ptr to, mpfr_rnd_t direction) {
        const int error = function(to, direction);
        if (mpfr_regular_p(to) == 0 || mpfr_get_exp(to) <= Format<F>::bias + 1) return error;
        mpfr_set_inf(to, mpfr_sgn(to));
        return mpfr_sgn(to);
      });
    };
    Real& x = numbers[0];
    const auto reciprocal = [&](mpfr_ptr to, mpfr_rnd_t direction) { return mpfr_ui_div(to, 1, x, direction); };
    check(vec::reciprocal<F>, reciprocal);
    check_approximation(vec::approximate_reciprocal<F>, reciprocal);
    check_approximation(vec::square_root<F>,
                        [&](mpfr_ptr to, mpfr_rnd_t direction) { return mpfr_sqrt(to, x, direction); });
    // The root of -0 is -0, and so is its sign in the reciprocal; MPFR has +infinity.
    check_approximation(vec::reciprocal_root<F>, [&](mpfr_ptr to, mpfr_rnd_t direction) {
      if (mpfr_zero_p(x) != 0) return mpfr_ui_div(to, 1, x, direction);
      return mpfr_rec_sqrt(to, x, direction);
    });
    if constexpr (F::fraction_bits <= 23) {
      check_approximation(vec::exponential<F>,
                          [&](mpfr_ptr to, mpfr_rnd_t direction) { return mpfr_exp2(to, x, direction); });
      check_approximation(vec::logarithm<F>,
                          [&](mpfr_ptr to, mpfr_rnd_t direction) { return mpfr_log2(to, x, direction); });
      // Beyond 256 turns the results are constants.
      const bool is_far = mpfr_number_p(x) != 0 && mpfr_cmpabs(x, limit) > 0;
      check_approximation(vec::sine<F>, [&](mpfr_ptr to, mpfr_rnd_t direction) {
        return is_far ? mpfr_set_ui(to, 0, direction) : mpfr_sinu(to, x, 1, direction);
      });
      check_approximation(vec::cosine<F>, [&](mpfr_ptr to, mpfr_rnd_t direction) {
        return is_far ? mpfr_set_ui(to, 1, direction) : mpfr_cosu(to, x, 1, direction);
      });
    }
    check_parts(mode, value);
    check_conversions(mode, value);
  }

  /// Rounding to integers is exact, and raises no exceptions.
  void check_parts(FloatMode mode, F value) {
    const std::vector<F> sources = {value};
    Real& x = numbers[0];
    for (const Rounding rounding : roundings) {
      compare<F>(
          failures, mode, sources, [&](FloatMode m) { return vec::to_integral(value, rounding, m); },
          [&](mpfr_ptr to, mpfr_rnd_t) {
            mpfr_rint(to, x, direction_of(rounding));
            return 0;
          });
    }
    Real parts(Format<F>::fraction_bits + 1);
    mpfr_exp_t exponent = 0;
    const bool is_ordinary = mpfr_regular_p(x) != 0;
    if (is_ordinary) {
      mpfr_frexp(&exponent, parts, x, MPFR_RNDN);
    } else {
      mpfr_set(parts, x, MPFR_RNDN);
    }
    const i32 is_exponent = vec::exponent_of(value, mode);
    failures.expect(is_exponent == static_cast<i32>(exponent),
                    [&] { return describe(mode, sources) + ": exponent " + std::to_string(is_exponent); });
    FloatMode kept = mode;
    kept.keeps_denormal_results = true;
    compare<F>(
        failures, kept, sources, [&](FloatMode m) { return vec::significand_of(value, m); },
        [&](mpfr_ptr to, mpfr_rnd_t direction) { return mpfr_set(to, parts, direction); });
    if (mpfr_inf_p(x) == 0) {
      compare<F>(
          failures, mode, sources, [&](FloatMode m) { return vec::fraction_of(value, m); },
          [&](mpfr_ptr to, mpfr_rnd_t direction) {
            // 1 becomes the float before it.
            Real low(Format<F>::fraction_bits + 1);
            mpfr_floor(low, x);
            const int error = mpfr_sub(to, x, low, direction);
            if (mpfr_cmp_ui(to, 1) == 0) mpfr_nextbelow(to);
            return error;
          });
    }
  }

  template <class To>
  void check_conversion(FloatMode mode, FloatMode to_mode, F value) {
    to_mode.raised = nullptr;
    compare<To>(
        failures, to_mode, std::vector<F>{value},
        [&](FloatMode m) {
          FloatMode from = mode;
          from.raised = m.raised;
          return vec::convert<To>(value, from, m);
        },
        [&](mpfr_ptr to, mpfr_rnd_t direction) { return mpfr_set(to, numbers[0], direction); });
  }
  void check_conversions(FloatMode mode, F value) {
    for (const FloatMode& to_mode : {mode, FloatMode{}, FloatMode{Rounding::to_zero}.flushing()}) {
      if constexpr (!std::is_same_v<F, F16>) check_conversion<F16>(mode, to_mode, value);
      if constexpr (!std::is_same_v<F, BF16>) check_conversion<BF16>(mode, to_mode, value);
      if constexpr (!std::is_same_v<F, F32>) check_conversion<F32>(mode, to_mode, value);
      if constexpr (!std::is_same_v<F, F64>) check_conversion<F64>(mode, to_mode, value);
    }
    // Conversions to integers do not flush.
    assign(numbers[0], value);
    check_integer<i32>(value);
    check_integer<u32>(value);
    check_integer<i16>(value);
    check_integer<u16>(value);
    check_integer<u8>(value);
    assign(numbers[0], flushed(value, mode.keeps_denormal_inputs));
    check_normalised<i16>(mode, value);
    check_normalised<u16>(mode, value);
  }
  /// The nearest integer of a type; 0 for a NaN.
  template <class T>
  static i64 integer_of(mpfr_ptr value, mpfr_rnd_t direction) {
    if (mpfr_nan_p(value) != 0) return 0;
    if (mpfr_cmp_si(value, std::numeric_limits<T>::max()) >= 0) return std::numeric_limits<T>::max();
    if (mpfr_cmp_si(value, std::numeric_limits<T>::min()) <= 0) return std::numeric_limits<T>::min();
    return mpfr_get_sj(value, direction);
  }
  template <class T>
  void check_integer(F value) {
    for (const Rounding rounding : roundings) {
      const i64 expected = integer_of<T>(numbers[0], direction_of(rounding));
      const i64 is = vec::to_integer<T>(value, {}, false, rounding);
      failures.expect(is == expected, [&] {
        return describe<F>(FloatMode{rounding}, {value}) + ": integer " + std::to_string(is) + ", expected " +
               std::to_string(expected);
      });
    }
    if constexpr (std::is_same_v<T, i32>) {
      // Wide enough for an exact sum.
      Real sum(2200);
      mpfr_set(sum, numbers[0], MPFR_RNDN);
      mpfr_add_d(sum, sum, 0.5, MPFR_RNDN);
      const i64 expected = integer_of<i32>(sum, MPFR_RNDD);
      const i64 is = vec::to_integer_half_up(value, {});
      failures.expect(is == expected, [&] {
        return describe<F>(FloatMode{}, {value}) + ": half up " + std::to_string(is) + ", expected " +
               std::to_string(expected);
      });
    }
  }
  template <class T>
  void check_normalised(FloatMode mode, F value) {
    Real scaled(80);
    mpfr_mul_si(scaled, numbers[0], std::numeric_limits<T>::max(), MPFR_RNDN);
    i64 expected = integer_of<T>(scaled, MPFR_RNDN);
    if (std::numeric_limits<T>::is_signed) expected = std::max<i64>(expected, -std::numeric_limits<T>::max());
    const i64 is = vec::to_normalised<T>(value, mode);
    failures.expect(is == expected, [&] {
      return describe<F>(mode, {value}) + ": normalised " + std::to_string(is) + ", expected " +
             std::to_string(expected);
    });
  }

  void check_scaled(FloatMode mode, F value, i32 exponent) {
    const std::vector<F> sources = {value};
    assign_sources(mode, sources);
    compare<F>(
        failures, mode, sources, [&](FloatMode m) { return vec::scaled(value, exponent, m); },
        [&](mpfr_ptr to, mpfr_rnd_t direction) { return mpfr_mul_2si(to, numbers[0], exponent, direction); });
  }

  void check_from_integer(FloatMode mode, i64 value) {
    compare<F>(
        failures, mode, std::vector<F>{}, [&](FloatMode m) { return vec::to_float<F>(value, m); },
        [&](mpfr_ptr to, mpfr_rnd_t direction) { return mpfr_set_sj(to, value, direction); });
  }

  std::vector<F> edges = edge_values<F>();
  std::array<Real, 3> numbers{Real(Format<F>::fraction_bits + 1), Real(Format<F>::fraction_bits + 1),
                              Real(Format<F>::fraction_bits + 1)};
  Failures failures;
  Random random{F::bit_count};
  Real limit{64};

  void SetUp() override { mpfr_set_ui(limit, 256, MPFR_RNDN); }
};

using Formats = testing::Types<F16, BF16, F32, F64>;
class FormatNames {
 public:
  template <class F>
  static std::string GetName(int /*number*/) {
    return std::is_same_v<F, BF16> ? "BF16" : "F" + std::to_string(F::bit_count);
  }
};
TYPED_TEST_SUITE(FloatFormat, Formats, FormatNames);

TYPED_TEST(FloatFormat, AddsAndMultipliesEdgeValues) {
  for (const FloatMode& mode : all_modes()) {
    for (const TypeParam left : this->edges) {
      for (const TypeParam right : this->edges) this->check_two(mode, left, right);
    }
  }
}

TYPED_TEST(FloatFormat, AddsAndMultipliesRandomValues) {
  for (int i = 0; i < repetitions(600'000); ++i) {
    const auto left = random_value<TypeParam>(this->random, {});
    this->check_two(random_mode(this->random), left, random_value<TypeParam>(this->random, left));
  }
}

TYPED_TEST(FloatFormat, FusesEdgeValues) {
  for (const TypeParam first : this->edges) {
    for (const TypeParam second : this->edges) {
      for (const TypeParam third : this->edges) this->check_three(random_mode(this->random), first, second, third, 0);
    }
  }
}

TYPED_TEST(FloatFormat, FusesRandomValues) {
  using P = Format<TypeParam>;
  for (int i = 0; i < repetitions(600'000); ++i) {
    const auto first = random_value<TypeParam>(this->random, {});
    const auto second = random_value<TypeParam>(this->random, first);
    // Often near the product, so that most of it cancels.
    const TypeParam product = vec::multiply(first, second, {});
    const auto third = random_value<TypeParam>(this->random, of_bits<TypeParam>(product.bits ^ P::sign));
    const int scale = this->random() % 3 == 0 ? static_cast<int>(this->random() % 257) - 128 : 0;
    this->check_three(random_mode(this->random), first, second, third, scale);
  }
}

TYPED_TEST(FloatFormat, HasFunctionsOfEdgeValues) {
  for (const FloatMode& mode : all_modes()) {
    for (const TypeParam value : this->edges) this->check_one(mode, value);
  }
}

TYPED_TEST(FloatFormat, HasFunctionsOfRandomValues) {
  for (int i = 0; i < repetitions(100'000); ++i) {
    const auto near_one = of_bits<TypeParam>(u64{Format<TypeParam>::bias} << Format<TypeParam>::fraction_bits);
    this->check_one(random_mode(this->random), random_value<TypeParam>(this->random, near_one));
  }
}

TYPED_TEST(FloatFormat, Scales) {
  constexpr std::array<i32, 4> far = {std::numeric_limits<i32>::min(), -5000, 5000, std::numeric_limits<i32>::max()};
  for (const TypeParam value : this->edges) {
    for (const FloatMode& mode : all_modes()) {
      for (const i32 exponent : far) this->check_scaled(mode, value, exponent);
    }
  }
  const i32 range = 2 * (Format<TypeParam>::bias + Format<TypeParam>::fraction_bits) + 4;
  for (int i = 0; i < repetitions(200'000); ++i) {
    const auto exponent = static_cast<i32>(this->random() % static_cast<u32>(2 * range)) - range;
    this->check_scaled(random_mode(this->random), random_value<TypeParam>(this->random, {}), exponent);
  }
}

TYPED_TEST(FloatFormat, ConvertsIntegers) {
  for (int i = 0; i < repetitions(30'000); ++i) {
    const auto value = static_cast<i64>(this->random()) >> this->random() % 64;
    this->check_from_integer(random_mode(this->random), value);
    this->check_from_integer(random_mode(this->random), i64{1} << this->random() % 63);
  }
  this->check_from_integer({}, std::numeric_limits<i64>::min());
}

// Every 16-bit float in the functions that are computed in fixed point.
TEST(FloatFormatF16, HasFunctionsOfAllValues) {
  class AllValues : public FloatFormat<F16> {
   public:
    void TestBody() override {
      SetUp();
      for (u32 bits = 0; bits < 0x10000; ++bits) check_one(FloatMode{roundings[bits % 4]}, of_bits<F16>(bits));
    }
  };
  AllValues().TestBody();
}

/// Results with a seed are those of rounding down or up. Returns how many are rounded up.
template <class F, class Function>
int count_rounded_up(Function function, u32 seed) {
  Random random(3);
  int count = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto value = random_value<F>(random, {});
    const auto with = [&](Rounding rounding, u32 own_seed) {
      FloatMode mode;
      mode.approximation = rounding;
      mode.approximation_seed = own_seed;
      return function(value, mode);
    };
    const F low = with(Rounding::down, 0);
    const F high = with(Rounding::up, 0);
    const F is = with(Rounding::to_nearest_even, seed);
    EXPECT_TRUE(is == low || is == high);
    EXPECT_EQ(is, with(Rounding::to_nearest_even, seed));
    count += low != high && is == high ? 1 : 0;
  }
  return count;
}

TEST(FloatApproximation, IsRoundedDownOrUpByASeed) {
  for (const u32 seed : {1U, 2U, 0xffff'ffffU}) {
    // About half of the 1000 results, most of which are inexact.
    for (const int count : {count_rounded_up<F32>(vec::approximate_reciprocal<F32>, seed),
                            count_rounded_up<F64>(vec::approximate_reciprocal<F64>, seed)}) {
      EXPECT_GT(count, 300);
      EXPECT_LT(count, 600);
    }
  }
}

// ---- divisions, with the steps that LLVM emits ----

/// The quotient from approximations of the reciprocal that are rounded to `approximation`.
F32 divide(F32 dividend, F32 divisor, Rounding approximation) {
  const FloatMode mode;
  const auto fma = [&](F32 a, F32 b, F32 c) { return vec::multiply_add(a, b, c, mode); };
  const auto minus = [](F32 value) { return vec::soft_float::negated(value); };
  const F32 scaled_divisor = vec::division_operand(divisor, divisor, dividend, mode).value;
  const auto [scaled_dividend, scales] = vec::division_operand(dividend, divisor, dividend, mode);
  F32 inverse = vec::reciprocal(scaled_divisor, FloatMode{approximation}.flushing());
  constexpr F32 one{0x3f80'0000};
  inverse = fma(fma(minus(scaled_divisor), inverse, one), inverse, inverse);
  F32 quotient = vec::multiply(scaled_dividend, inverse, mode);
  quotient = fma(fma(minus(scaled_divisor), quotient, scaled_dividend), inverse, quotient);
  const F32 error = fma(minus(scaled_divisor), quotient, scaled_dividend);
  return vec::division_result(vec::division_step(error, inverse, quotient, scales, mode), divisor, dividend, mode);
}
F64 divide(F64 dividend, F64 divisor, Rounding approximation) {
  const FloatMode mode;
  const auto fma = [&](F64 a, F64 b, F64 c) { return vec::multiply_add(a, b, c, mode); };
  const auto minus = [](F64 value) { return vec::soft_float::negated(value); };
  const F64 scaled_divisor = vec::division_operand(divisor, divisor, dividend, mode).value;
  const auto [scaled_dividend, scales] = vec::division_operand(dividend, divisor, dividend, mode);
  F64 inverse = vec::reciprocal(scaled_divisor, FloatMode{approximation});
  constexpr F64 one{0x3ff0'0000'0000'0000};
  for (int i = 0; i < 2; ++i) inverse = fma(inverse, fma(minus(scaled_divisor), inverse, one), inverse);
  const F64 quotient = vec::multiply(scaled_dividend, inverse, mode);
  const F64 error = fma(minus(scaled_divisor), quotient, scaled_dividend);
  return vec::division_result(vec::division_step(error, inverse, quotient, scales, mode), divisor, dividend, mode);
}

template <class F>
void expect_quotients() {
  using P = Format<F>;
  Failures failures;
  Random random(1);
  Real left(P::fraction_bits + 1);
  Real right(P::fraction_bits + 1);
  const auto check = [&](F dividend, F divisor) {
    assign(left, dividend);
    assign(right, divisor);
    F expected = result_of<F>(Rounding::to_nearest_even, [&](mpfr_ptr to, mpfr_rnd_t direction) {
                   return mpfr_div(to, left, right, direction);
                 }).value;
    // If all bits of the divisor's fraction are set, the steps need the nearest reciprocal (Markstein, Computation of
    // elementary functions on the IBM RISC System/6000 processor).
    const bool needs_nearest = (divisor.bits + 1) % P::least_normal == 0;
    for (const Rounding approximation : {Rounding::to_nearest_even, Rounding::up, Rounding::down}) {
      if (needs_nearest && approximation != Rounding::to_nearest_even) continue;
      const F is = divide(dividend, divisor, approximation);
      failures.expect(is == expected || (is_nan(is) && is_nan(expected)), [&] {
        std::ostringstream text;
        text << describe<F>(FloatMode{approximation}, {dividend, divisor}) << std::hex << ": expected 0x"
             << u64{expected.bits} << ", is 0x" << u64{is.bits};
        return text.str();
      });
    }
  };
  const std::vector<F> edges = edge_values<F>();
  for (const F dividend : edges) {
    for (const F divisor : edges) check(dividend, divisor);
  }
  for (int i = 0; i < repetitions(300'000); ++i) {
    const auto divisor = random_value<F>(random, {});
    // All sizes of quotients, with many at the limits of the format.
    const u64 size = random() % (P::infinity >> P::fraction_bits);
    F dividend = random_value<F>(random, of_bits<F>(size << P::fraction_bits));
    if (random() % 4 == 0) dividend = vec::multiply(divisor, of_bits<F>(random() % (4 * P::least_normal)), {});
    check(dividend, divisor);
  }
}

TEST(FloatDivision, IsExactWith32Bits) { expect_quotients<F32>(); }
TEST(FloatDivision, IsExactWith64Bits) { expect_quotients<F64>(); }

// The bits of 2/pi.
TEST(FloatReduction, HasTheBitsOfTwoOverPi) {
  constexpr int bits = 1201;
  Real two_over_pi(1400);
  mpfr_const_pi(two_over_pi, MPFR_RNDN);
  mpfr_ui_div(two_over_pi, 2, two_over_pi, MPFR_RNDN);
  mpfr_mul_2si(two_over_pi, two_over_pi, bits, MPFR_RNDN);
  mpfr_trunc(two_over_pi, two_over_pi);
  Failures failures;
  Random random(2);
  for (int field = 0; field < 2047; ++field) {
    for (u32 segment = 0; segment < 32; ++segment) {
      const F64 angle = of_bits<F64>(static_cast<u64>(field) << 52 | random() >> 12);
      const int shift = static_cast<int>(segment) * 53 + std::max(field - 1077, 0);
      // The 53 bits after `shift`, as an integer.
      Real part(1400);
      mpfr_mul_2si(part, two_over_pi, shift - bits, MPFR_RNDN);
      mpfr_frac(part, part, MPFR_RNDN);
      mpfr_mul_2si(part, part, 53, MPFR_RNDN);
      mpfr_trunc(part, part);
      const int scale = -53 - shift + (field >= 1968 ? 128 : 0);
      const F64 expected = result_of<F64>(Rounding::to_nearest_even, [&](mpfr_ptr to, mpfr_rnd_t direction) {
                             return mpfr_mul_2si(to, part, scale, direction);
                           }).value;
      const F64 is = vec::two_over_pi_segment(angle, segment, {});
      failures.expect(is == expected, [&] { return describe<F64>({}, {angle, expected, is}); });
    }
  }
}

}  // namespace
}  // namespace salu::test::floats

#else

TEST(FloatFormat, AgreesWithMpfr) { GTEST_SKIP() << "MPFR is not installed (scripts/test installs it)"; }

#endif
