#include <gtest/gtest.h>
#include <salu/float_format.hpp>

#include <bit>
#include <cstdlib>
#include <string>

// Texts of floating-point numbers, and distances in units of the last place.
namespace salu::test {
namespace {

constexpr FloatFormat f16 = FloatFormat::f16;
constexpr FloatFormat f32 = FloatFormat::f32;
constexpr FloatFormat f64 = FloatFormat::f64;

TEST(FloatFormats, ReadsNumbersOf16Bits) {
  // From the table of examples in IEEE 754's binary16.
  EXPECT_EQ(parse_float(f16, "1"), 0x3c00U);
  EXPECT_EQ(parse_float(f16, "-2"), 0xc000U);
  EXPECT_EQ(parse_float(f16, "65504"), 0x7bffU);
  EXPECT_EQ(parse_float(f16, "0.00006103515625"), 0x0400U);
  EXPECT_EQ(parse_float(f16, "5.9604645e-8"), 0x0001U);
  EXPECT_EQ(parse_float(f16, "0.333251953125"), 0x3555U);
  EXPECT_EQ(parse_float(f16, "-0.0"), 0x8000U);
  EXPECT_EQ(parse_float(f16, "inf"), 0x7c00U);
  EXPECT_EQ(parse_float(f16, "-.inf"), 0xfc00U);
  EXPECT_EQ(parse_float(f16, ".nan"), 0x7e00U);
  // Half-way cases go to the even neighbour: 1 + 2^-11, 1 + 3 * 2^-11, half of the smallest number, and 65520.
  EXPECT_EQ(parse_float(f16, "0x1.002p0"), 0x3c00U);
  EXPECT_EQ(parse_float(f16, "0x1.006p0"), 0x3c02U);
  EXPECT_EQ(parse_float(f16, "0x1p-25"), 0x0000U);
  EXPECT_EQ(parse_float(f16, "0x1.000002p-25"), 0x0001U);
  EXPECT_EQ(parse_float(f16, "65519.99"), 0x7bffU);
  EXPECT_EQ(parse_float(f16, "65520"), std::nullopt);
}

TEST(FloatFormats, ReadsNumbersAsTheHostDoes) {
  for (const char* const text : {"0.1", "1e-45", "3.4028234e38", "-1.17549435e-38", "123456789", "0.000001"}) {
    EXPECT_EQ(parse_float(f32, text), std::bit_cast<u32>(std::strtof(text, nullptr))) << text;
    EXPECT_EQ(parse_float(f64, text), std::bit_cast<u64>(std::strtod(text, nullptr))) << text;
  }
  for (const char* const text : {"", "-", "1.5x", "0x", "--1", "1e400", "one"}) {
    EXPECT_EQ(parse_float(f64, text), std::nullopt) << text;
    EXPECT_EQ(parse_float(f16, text), std::nullopt) << text;
  }
}

TEST(FloatFormats, EveryNumberOf16BitsReadsBack) {
  for (u64 bits = 0; bits <= 0xffff; ++bits) {
    const std::string text = float_text(f16, bits);
    if (is_nan(f16, bits)) {
      EXPECT_EQ(text, "nan");
    } else {
      ASSERT_EQ(parse_float(f16, text), bits) << text;
      EXPECT_LE(text.size(), 11U) << text;
    }
  }
  EXPECT_EQ(float_text(f16, 0x3555), "0.3333");
  EXPECT_EQ(float_text(f32, 0x3dcccccd), "0.1");
  EXPECT_EQ(float_text(f64, 0x3fb999999999999a), "0.1");
  EXPECT_EQ(float_text(f64, 0xfff0000000000000), "-inf");
}

TEST(FloatFormats, CountsUlps) {
  EXPECT_EQ(ulps_between(f32, 0x3f800000, 0x3f800003), 3U);
  EXPECT_EQ(ulps_between(f32, 0x3f800003, 0x3f800000), 3U);
  // Through zero: from the smallest negative to the smallest positive number.
  EXPECT_EQ(ulps_between(f32, 0x80000001, 0x00000001), 2U);
  EXPECT_EQ(ulps_between(f64, u64{1} << 63, 0), 0U);
  EXPECT_EQ(ulps_between(f16, 0x7bff, 0x7c00), 1U);
  EXPECT_EQ(ulps_between(f64, 0xffefffffffffffff, 0x7fefffffffffffff), 2 * u64{0x7fefffffffffffff});
  EXPECT_EQ(ulps_between(f16, 0x7e00, 0x7c01), 0U);
  EXPECT_EQ(ulps_between(f16, 0x7e00, 0x3c00), std::nullopt);
}

}  // namespace
}  // namespace salu::test
