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

TEST(FloatFormats, AreSuffixesOfNames) {
  const auto taken = [](std::string_view name) {
    const std::optional<FloatComparison> suffix = take_float_suffix(name);
    return std::pair(suffix, std::string(name));
  };
  EXPECT_EQ(taken("v0:f32"), std::pair(std::optional(FloatComparison{f32, 0}), std::string("v0")));
  EXPECT_EQ(taken("s[2:3]:f64~12"), std::pair(std::optional(FloatComparison{f64, 12}), std::string("s[2:3]")));
  EXPECT_EQ(taken("memory.0x10:8:f16"),
            std::pair(std::optional(FloatComparison{f16, 0}), std::string("memory.0x10:8")));
  for (const std::string name : {"s[2:3]", "s0", "s0:8", "s0:f8", "s0:f32~", "s0:f32~-1", "f32", ""})
    EXPECT_EQ(taken(name), std::pair(std::optional<FloatComparison>(), name));
}

TEST(FloatFormats, AreComparedInValues) {
  EXPECT_TRUE(are_equal({f16, 1}, 0x3c003c00, 0x3c013bff, 32));
  EXPECT_FALSE(are_equal({f16, 1}, 0x3c003c00, 0x3c023c00, 32));
  EXPECT_TRUE(are_equal({f32, 0}, 0x7fc00000, 0xffc00001, 32));
  EXPECT_EQ(float_values_text(f16, 0xc0003c00, 32), "1, -2 (0xc0003c00)");
  EXPECT_EQ(distance_text({f32, 2}, 0x3f800000, 0x3f800003, 32), ", 3 ulps apart; 2 allowed");
  EXPECT_EQ(distance_text({f32, 0}, 0x3f800000, 0x7fc00000, 32), "");
}

}  // namespace
}  // namespace salu::test
