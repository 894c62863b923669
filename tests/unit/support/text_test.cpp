#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

#include "isa/mnemonic_pattern.hpp"
#include "support/glob.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

// Building blocks of messages and option texts.
namespace salu {
namespace {

TEST(Text, ReadsAllOfANumber) {
  EXPECT_EQ(support::parse_unsigned("0"), 0U);
  EXPECT_EQ(support::parse_unsigned("18446744073709551615"), ~u64{0});
  EXPECT_EQ(support::parse_unsigned("0xFfffffffffffffff"), ~u64{0});
  EXPECT_EQ(support::parse_unsigned("0X10"), 16U);
  for (const std::string_view text :
       {"", "0x", "18446744073709551616", "0x10000000000000000", "-1", "+1", " 1", "1 ", "1x", "0x0x1", "0x-1", "a"})
    EXPECT_EQ(support::parse_unsigned(text), std::nullopt) << text;
}

TEST(Text, Counts) {
  EXPECT_EQ(support::counted(0, "lane"), "0 lanes");
  EXPECT_EQ(support::counted(1, "lane"), "1 lane");
  EXPECT_EQ(support::counted(64, "lane"), "64 lanes");
}

TEST(Pattern, IsLikeAllOfAText) {
  const auto fits = support::fits_pattern;
  EXPECT_TRUE(fits("", ""));
  EXPECT_TRUE(fits("", "*"));
  EXPECT_FALSE(fits("", "?"));
  EXPECT_FALSE(fits("s_mov_b32", ""));
  EXPECT_TRUE(fits("s_mov_b32", "s_mov_b32"));
  EXPECT_FALSE(fits("s_mov_b32", "s_mov"));
  EXPECT_FALSE(fits("s_mov_b32", "mov_b32"));
  EXPECT_TRUE(fits("s_mov_b32", "s_*_b32"));
  EXPECT_TRUE(fits("s_mov_b32", "*b32*"));
  EXPECT_TRUE(fits("s_mov_b32", "s_mov_b??"));
  EXPECT_FALSE(fits("s_mov_b32", "s_mov_b???"));
  EXPECT_TRUE(fits("s_and_saveexec_b64", "*_*_*"));
  EXPECT_FALSE(fits("s_and_saveexec_b64", "*_*_*_*_*"));
  // A star that first matches too little.
  EXPECT_TRUE(fits("aab", "*ab"));
  EXPECT_TRUE(fits("mississippi", "m*iss*ppi"));
  EXPECT_FALSE(fits("mississippi", "m*iss*ssp"));
}

// A pattern for which a matcher with full backtracking takes practically forever.
TEST(Pattern, TakesNoLongerForManyStars) {
  const std::string text(1000, 'a');
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "a*";
  EXPECT_FALSE(support::fits_pattern(text, pattern + "b"));
  EXPECT_TRUE(support::fits_pattern(text, pattern));
}

TEST(Pattern, ReportsPatternsWithoutAMatch) {
  EXPECT_EQ(isa::mnemonic_pattern_problem("s_cbranch_*", Generation::gcn1_0), std::nullopt);
  EXPECT_EQ(isa::mnemonic_pattern_problem("s_moov_b32", Generation::gcn1_4),
            "no scalar instruction of gcn1.4 has the name `s_moov_b32`; did you mean `s_mov_b32`?");
  EXPECT_EQ(isa::mnemonic_pattern_problem("v_*", Generation::gcn1_2), "no scalar instruction of gcn1.2 matches `v_*`");
  // S_CALL_B64 was added in GCN 1.4.
  EXPECT_TRUE(isa::mnemonic_pattern_problem("s_call_*", Generation::gcn1_2).has_value());
  EXPECT_FALSE(isa::mnemonic_pattern_problem("s_call_*", Generation::gcn1_4).has_value());
  const std::array<std::string_view, 1> others = {"vector"};
  EXPECT_EQ(isa::mnemonic_pattern_problem("vec*", Generation::gcn1_4, others), std::nullopt);
}

TEST(NameText, QuotesAndLists) {
  EXPECT_EQ(support::quote("a\nb"), "`a b`");
  EXPECT_EQ(support::quote(std::string(61, 'x')), "`" + std::string(60, 'x') + "...`");
  // Characters are not split.
  EXPECT_EQ(support::quote(std::string(59, 'x') + "\xe2\x82\xac"), "`" + std::string(59, 'x') + "...`");
  EXPECT_EQ(support::beginning("\xe2\x82\xac", 2), "");
  EXPECT_EQ(support::beginning("a\xe2\x82\xac", 4), "a\xe2\x82\xac");
  const std::array<std::string_view, 3> names = {"s0", "s1", "vcc"};
  EXPECT_EQ(support::name_list({}), "");
  EXPECT_EQ(support::name_list({names.data(), 1}), "`s0`");
  EXPECT_EQ(support::name_list({names.data(), 2}, "and"), "`s0` and `s1`");
  EXPECT_EQ(support::name_list(names), "`s0`, `s1` or `vcc`");
  EXPECT_EQ(support::did_you_mean("vvc", names), "; did you mean `vcc`?");
  EXPECT_EQ(support::did_you_mean("vvc", names, support::NameStyle::bare), "; did you mean vcc?");
  EXPECT_EQ(support::did_you_mean("something_else", names), "");
}

}  // namespace
}  // namespace salu
