#include <gtest/gtest.h>
#include <salu/float_format.hpp>

#include <string>

#include "loader/number.hpp"

namespace salu::loader {
namespace {

u64 value_of(const char* text) {
  const ParsedNumber parsed = parse_number(text);
  EXPECT_TRUE(parsed.number) << text << ": " << parsed.problem;
  return parsed.number ? parsed.number->low64() : 0;
}

TEST(Number, ReadsEveryNotation) {
  EXPECT_EQ(value_of("0"), 0U);
  EXPECT_EQ(value_of("42"), 42U);
  EXPECT_EQ(value_of("-1"), ~u64{0});
  EXPECT_EQ(value_of("-0"), 0U);
  EXPECT_EQ(value_of("0x2a"), 42U);
  EXPECT_EQ(value_of("0XFF"), 255U);
  EXPECT_EQ(value_of("-0x10"), ~u64{0} - 15);
  EXPECT_EQ(value_of("0b101"), 5U);
  EXPECT_EQ(value_of("1_000_000"), 1000000U);
  EXPECT_EQ(value_of("0xdead_beef"), 0xdeadbeefU);
  EXPECT_EQ(value_of("18446744073709551615"), ~u64{0});
  EXPECT_EQ(value_of("0x00000000000000000000000000000001"), 1U);
}

TEST(Number, RejectsInvalidNumbers) {
  for (const char* text : {"0x", "0b", "0b2", "12a", "0xg", "1__0", "1_", "0x_1", "010", "007", "1.5", "-1e3", "1-2"}) {
    const ParsedNumber parsed = parse_number(text);
    EXPECT_FALSE(parsed.number) << text;
    EXPECT_FALSE(parsed.problem.empty()) << text;
  }
  for (const char* text : {"", "-", "abc", "x10", "_1", "+1", " 1", ".5"}) {
    const ParsedNumber parsed = parse_number(text);
    EXPECT_FALSE(parsed.number) << text;
    EXPECT_TRUE(parsed.problem.empty()) << text;
  }
}

TEST(Number, HoldsUpTo512Bits) {
  const ParsedNumber most = parse_number("0x" + std::string(128, 'f'));
  ASSERT_TRUE(most.number);
  EXPECT_EQ(most.number->bit_length(), 512U);
  EXPECT_TRUE(most.number->fits(512));
  EXPECT_FALSE(most.number->fits(511));
  EXPECT_FALSE(parse_number("0x1" + std::string(128, '0')).number);
  const ParsedNumber wide = parse_number("0x0123456789abcdef_fedcba9876543210");
  ASSERT_TRUE(wide.number);
  EXPECT_EQ(wide.number->magnitude[0], 0x76543210U);
  EXPECT_EQ(wide.number->magnitude[1], 0xfedcba98U);
  EXPECT_EQ(wide.number->magnitude[2], 0x89abcdefU);
  EXPECT_EQ(wide.number->magnitude[3], 0x01234567U);
  // 2^128 in decimal.
  EXPECT_EQ(parse_number("340282366920938463463374607431768211456").number->bit_length(), 129U);
}

TEST(Number, FitsUnsignedOrSigned) {
  const auto fits = [](const char* text, u32 bits) { return parse_number(text).number->fits(bits); };
  EXPECT_TRUE(fits("4294967295", 32));
  EXPECT_FALSE(fits("4294967296", 32));
  EXPECT_TRUE(fits("-2147483648", 32));
  EXPECT_FALSE(fits("-2147483649", 32));
  EXPECT_TRUE(fits("-0x8000000000000000", 64));
  EXPECT_FALSE(fits("-0x8000000000000001", 64));
  EXPECT_TRUE(fits("1", 1));
  EXPECT_FALSE(fits("2", 1));
  EXPECT_FALSE(fits("-1", 1));
  EXPECT_TRUE(fits("255", 8));
  EXPECT_TRUE(fits("-128", 8));
  EXPECT_FALSE(fits("-129", 8));
}

TEST(Number, NegativeWideValuesAreTwosComplement) {
  const auto dwords = parse_number("-2").number->twos_complement();
  EXPECT_EQ(dwords[0], 0xfffffffeU);
  for (std::size_t i = 1; i < dwords.size(); ++i) EXPECT_EQ(dwords[i], 0xffffffffU);
}

// Patterns of IEEE 754.
TEST(Number, FloatsBecomePatterns) {
  EXPECT_EQ(parse_float(FloatFormat::f32, "1.5"), 0x3fc00000U);
  EXPECT_EQ(parse_float(FloatFormat::f32, "-2"), 0xc0000000U);
  EXPECT_EQ(parse_float(FloatFormat::f32, "1"), 0x3f800000U);
  EXPECT_EQ(parse_float(FloatFormat::f32, "-0.0"), 0x80000000U);
  EXPECT_EQ(parse_float(FloatFormat::f32, "0x1.8p0"), 0x3fc00000U);
  EXPECT_EQ(parse_float(FloatFormat::f32, ".inf"), 0x7f800000U);
  EXPECT_EQ(parse_float(FloatFormat::f32, "-inf"), 0xff800000U);
  EXPECT_EQ(parse_float(FloatFormat::f32, "3.4028235e38"), 0x7f7fffffU);
  EXPECT_EQ(parse_float(FloatFormat::f32, "0.1"), 0x3dcccccdU);
  EXPECT_EQ(parse_float(FloatFormat::f64, "1.5"), 0x3ff8000000000000U);
  EXPECT_EQ(parse_float(FloatFormat::f64, "0.1"), 0x3fb999999999999aU);
  for (const char* text : {"", "-", "1e40", "abc", "1.5x", "--1", "0x", "1 5"})
    EXPECT_FALSE(parse_float(FloatFormat::f32, text)) << text;
  EXPECT_FALSE(parse_float(FloatFormat::f64, "1e400"));
}

TEST(Number, RangesForPeople) {
  EXPECT_EQ(describe_range(1), "0 or 1");
  EXPECT_EQ(describe_range(3), "0 to 7");
  EXPECT_EQ(describe_range(8), "-0x80 to 0xff");
  EXPECT_EQ(describe_range(32), "-0x80000000 to 0xffffffff");
  EXPECT_EQ(describe_range(64), "-0x8000000000000000 to 0xffffffffffffffff");
}

}  // namespace
}  // namespace salu::loader
