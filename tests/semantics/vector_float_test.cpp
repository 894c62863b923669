#include <gtest/gtest.h>

#include <limits>

#include "isa/vector/semantics/floats.hpp"

// The NaNs of results that the manuals do not specify, for which the comparison with the model accepts any quiet NaN
// (docs/reference/vector.md): salu uses the first NaN among the sources.
namespace salu::test::vector_nans {

namespace floats = isa::vector::semantics;
using isa::vector::Destination;
using isa::vector::F32;
using isa::vector::FloatMode;

constexpr F32 number{0x4040'0000};
constexpr F32 first{0x7f80'0001};
constexpr F32 second{0xffc0'0002};
constexpr F32 third{0x7f80'0004};
constexpr F32 quiet_first{0x7fc0'0001};
constexpr F32 quiet_second = second;
constexpr F32 quiet_third{0x7fc0'0004};

class VectorNan : public testing::TestWithParam<bool> {
 protected:
  /// Denormal modes have no effect.
  static FloatMode mode() { return GetParam() ? FloatMode{}.flushing() : FloatMode{}; }
};

TEST_P(VectorNan, IsTheFirstOfTwo) {
  EXPECT_EQ(floats::v_add_f32(first, second, mode()), quiet_first);
  EXPECT_EQ(floats::v_add_f32(number, second, mode()), quiet_second);
  EXPECT_EQ(floats::v_sub_f32(first, second, mode()), quiet_first);
  EXPECT_EQ(floats::v_mul_f32(first, second, mode()), quiet_first);
  EXPECT_EQ(floats::v_mul_f32(number, second, mode()), quiet_second);
  EXPECT_EQ(floats::v_rcp_f32(first, mode()), quiet_first);
  EXPECT_EQ(floats::v_rcp_iflag_f32(first, mode()), quiet_first);
  EXPECT_EQ(floats::v_trunc_f32(first, mode()), quiet_first);
}

TEST_P(VectorNan, IsTheFirstOfThree) {
  using Function = F32 (*)(F32, F32, F32, FloatMode);
  for (const Function function :
       {Function{floats::v_mad_f32}, Function{floats::v_madmk_f32}, Function{floats::v_madak_f32},
        Function{floats::v_fma_f32}, Function{floats::v_fmamk_f32}, Function{floats::v_fmaak_f32}}) {
    EXPECT_EQ(function(first, second, third, mode()), quiet_first);
    EXPECT_EQ(function(number, second, third, mode()), quiet_second);
    EXPECT_EQ(function(first, number, third, mode()), quiet_first);
    EXPECT_EQ(function(number, number, third, mode()), quiet_third);
  }
  for (const auto function : {floats::v_mac_f32, floats::v_fmac_f32}) {
    EXPECT_EQ(function(first, second, Destination{third.bits}, mode()), quiet_first);
    EXPECT_EQ(function(number, second, Destination{third.bits}, mode()), quiet_second);
    EXPECT_EQ(function(number, number, Destination{third.bits}, mode()), quiet_third);
  }
}

// 0x7fc00000 if no source is a NaN.
TEST_P(VectorNan, IsThePositiveOneWithoutPayload) {
  constexpr F32 infinity{0x7f80'0000};
  constexpr F32 minus_infinity{0xff80'0000};
  constexpr F32 zero{0x8000'0000};
  constexpr F32 made{0x7fc0'0000};
  EXPECT_EQ(floats::v_add_f32(infinity, minus_infinity, mode()), made);
  EXPECT_EQ(floats::v_sub_f32(minus_infinity, minus_infinity, mode()), made);
  EXPECT_EQ(floats::v_mul_f32(infinity, zero, mode()), made);
  EXPECT_EQ(floats::v_mul_f32(zero, minus_infinity, mode()), made);
  EXPECT_EQ(floats::v_fma_f32(infinity, zero, number, mode()), made);
  EXPECT_EQ(floats::v_fma_f32(infinity, number, minus_infinity, mode()), made);
  EXPECT_EQ(floats::v_mad_f32(infinity, number, minus_infinity, mode()), made);
}

INSTANTIATE_TEST_SUITE_P(Denormals, VectorNan, testing::Bool(),
                         [](const auto& flushes) { return flushes.param ? "flushed" : "kept"; });

}  // namespace salu::test::vector_nans

// Operands that no current instruction has: 64-bit integers, reciprocals that are not rounded to nearest, and operands
// that are only possible for parts of an operation.
namespace salu::test::vector_floats {

using isa::vector::F32;
using isa::vector::FloatMode;
using isa::vector::Rounding;
namespace soft_float = isa::vector::soft_float;

constexpr F32 zero{0};
constexpr F32 minus_zero{0x8000'0000};
constexpr F32 one{0x3f80'0000};
constexpr F32 two{0x4000'0000};
constexpr F32 three{0x4040'0000};
constexpr F32 half{0x3f00'0000};

TEST(VectorFloat, KeepsASingleBitForShiftedOutOnes) {
  constexpr u64 all = ~u64{0};
  constexpr u64 lowest = 1;
  EXPECT_EQ(soft_float::shift_with_rest(all, 64), 1U);
  EXPECT_EQ(soft_float::shift_with_rest(lowest, 64), 1U);
  EXPECT_EQ(soft_float::shift_with_rest(u64{0}, 64), 0U);
  EXPECT_EQ(soft_float::shift_with_rest(lowest, 0x8000'0000), 1U);
}

TEST(VectorFloat, AddsZeroWithAnyExponent) {
  constexpr soft_float::Number<u64> number{false, 0, 3};
  constexpr soft_float::Number<u64> nothing{false, 1000, 0};
  EXPECT_EQ(soft_float::rounded_sum<F32>(number, nothing, {}), three);
  EXPECT_EQ(soft_float::rounded_sum<F32>(nothing, number, {}), three);
}

// IEEE 754: an exact result is the same in every rounding mode.
TEST(VectorFloat, RoundsNoReciprocalThatIsExact) {
  for (const Rounding rounding : {Rounding::to_nearest_even, Rounding::up, Rounding::down, Rounding::to_zero}) {
    const FloatMode mode{rounding};
    EXPECT_EQ(reciprocal(one, mode), one);
    EXPECT_EQ(reciprocal(two, mode), half);
    EXPECT_EQ(reciprocal(F32{0x7f80'0000}, mode), zero);
    EXPECT_EQ(reciprocal(F32{0xff80'0000}, mode), minus_zero);
  }
}

// Powers of two, whose exponent fields are 127 + 40 and 127 + 63.
TEST(VectorFloat, ConvertsIntegersOf64Bits) {
  using isa::vector::to_float;
  EXPECT_EQ(to_float(i64{1} << 40, {}), F32{0x5380'0000});
  EXPECT_EQ(to_float(-(i64{1} << 40), {}), F32{0xd380'0000});
  EXPECT_EQ(to_float(std::numeric_limits<i64>::min(), {}), F32{0xdf00'0000});
}

}  // namespace salu::test::vector_floats
