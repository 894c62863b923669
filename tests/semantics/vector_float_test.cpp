#include <gtest/gtest.h>

#include "isa/vector/semantics/floats.hpp"

// What salu makes of NaNs, where the manuals leave it open and the comparison with the model takes any quiet one
// (docs/vector.md): the first one among the sources.
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
  /// Denormal numbers have no say in it.
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

// 0x7fc00000 where none of the sources is one.
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
