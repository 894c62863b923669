#include <gmock/gmock.h>

#include "programs.hpp"

// Seeded miscompiles: the input that shows the difference is derived from the programs.
namespace salu::equiv_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Differences, AWrongOperationIsShrunkToOneBit) {
  // a + b and a - b differ unless 2b = 0.
  const auto report =
      compare_assembly("s_add_u32 s0, s0, s1\ns_endpgm", "s_sub_u32 s0, s0, s1\ns_endpgm", {.outputs = {"s0"}});
  EXPECT_EQ(report.verdict, Verdict::different);
  EXPECT_EQ(shrunk_value(report, "s0"), 0U);
  EXPECT_EQ(shrunk_value(report, "s1"), 1U);
  ASSERT_EQ(report.difference->outputs.size(), 1U);
  EXPECT_EQ(report.difference->outputs[0].name, "s0");
  EXPECT_EQ(report.difference->outputs[0].a, "0x00000001");
  EXPECT_EQ(report.difference->outputs[0].b, "0xffffffff");
  EXPECT_EQ(report.difference->reproducer_problem, "");
  EXPECT_THAT(mismatches_of_reproducer(report), ElementsAre(0, 1));
}

TEST(Differences, AnOffByOneIsFound) {
  const std::string rest = "\ns_cselect_b32 s0, 1, 0\ns_endpgm";
  const auto report = compare_assembly("s_cmp_lt_u32 s0, 0x4d2" + rest, "s_cmp_le_u32 s0, 0x4d2" + rest);
  EXPECT_EQ(report.verdict, Verdict::different);
  EXPECT_EQ(shrunk_value(report, "s0"), 0x4d2U);
  EXPECT_THAT(mismatches_of_reproducer(report), ElementsAre(0, testing::Gt(0U)));
}

// 3 * s0 is 120003 for no other 32-bit value, because 3 has an inverse.
constexpr const char* only_40001 = R"(
  s_mul_i32 s1, s0, 3
  s_cmp_eq_u32 s1, 0x1d4c3
  s_cselect_b32 s2, 1, 0
  s_add_u32 s0, s0, s2
  s_endpgm)";
constexpr const char* never = R"(
  s_mul_i32 s1, s0, 3
  s_cmp_eq_u32 s1, 0x1d4c3
  s_cselect_b32 s2, 0, 0
  s_add_u32 s0, s0, s2
  s_endpgm)";

TEST(Differences, OneValueInManyIsFoundByTryingAll) {
  EquivalenceOptions options;
  options.outputs = {"s0"};
  options.exhaustive = {"s0=0..65535"};
  options.states = 1;
  const auto report = compare_assembly(only_40001, never, options);
  EXPECT_EQ(report.verdict, Verdict::different);
  EXPECT_EQ(report.combinations, 65536U);
  EXPECT_EQ(report.states, 40002U);
  EXPECT_EQ(shrunk_value(report, "s0"), 40001U);
  EXPECT_EQ(report.difference->outputs.at(0).a, "0x00009c42");
  EXPECT_EQ(report.difference->outputs.at(0).b, "0x00009c41");
  options.exhaustive = {"s0=0..40000"};
  const auto below = compare_assembly(only_40001, never, options);
  EXPECT_EQ(below.verdict, Verdict::equal);
  EXPECT_EQ(below.states, 40001U);
  EXPECT_EQ(below.compared, 40001U);
}

TEST(Differences, ExhaustiveRangesCombine) {
  EquivalenceOptions options;
  options.outputs = {"s2"};
  options.exhaustive = {"s0=0..9", "s1=-2..2"};
  const std::string sum = "s_add_u32 s2, s0, s1\ns_endpgm";
  const auto equal = compare_assembly(sum, sum, options);
  EXPECT_EQ(equal.states, 50U);
  EXPECT_EQ(equal.combinations, 50U);
  // A stops at 8. The last range changes fastest, so the first sum beyond it is 7 + 2.
  const auto report = compare_assembly("s_add_u32 s2, s0, s1\ns_min_i32 s2, s2, 8\ns_endpgm", sum, options);
  EXPECT_EQ(report.verdict, Verdict::different);
  EXPECT_EQ(report.difference->state, 7U * 5 + 4 + 1);
  EXPECT_EQ(report.difference->found.at(0).value, 7U);
  EXPECT_EQ(report.difference->found.at(1).value, 2U);
}

TEST(Differences, MemoryAlone) {
  const std::string more = "registers: {\"s[2:3]\": 0x10000}\nmemory: [{at: 0x10000, size: 64}]\n";
  const Scenario a = scenario("s_store_dword s0, s[2:3], 0x4\ns_endpgm", more);
  const Scenario b =
      scenario("s_add_u32 s0, s0, 1\ns_store_dword s0, s[2:3], 0x4\ns_sub_u32 s0, s0, 1\ns_endpgm", more);
  const auto report = compare(a, b, {.outputs = {"s0", "memory"}});
  EXPECT_EQ(report.verdict, Verdict::different);
  EXPECT_EQ(shrunk_value(report, "s0"), 0U);
  ASSERT_EQ(report.difference->outputs.size(), 1U);
  EXPECT_EQ(report.difference->outputs[0].name, "memory 0x10004");
  EXPECT_EQ(report.difference->outputs[0].a, "0x00000000");
  EXPECT_EQ(report.difference->outputs[0].b, "0x00000001");
  EXPECT_THAT(mismatches_of_reproducer(report), ElementsAre(0, 1));
  // By name: only the named bytes are compared.
  EXPECT_EQ(compare(a, b, {.outputs = {"memory.0x10000:4"}}).verdict, Verdict::equal);
  const auto named = compare(a, b, {.outputs = {"memory.0x10000:8"}});
  EXPECT_EQ(named.verdict, Verdict::different);
  EXPECT_EQ(named.difference->outputs.at(0).name, "memory 0x10004");
  EXPECT_THAT(mismatches_of_reproducer(named), ElementsAre(0, 1));
}

TEST(Differences, TheStopAlone) {
  const std::string test = "s_cmp_eq_u32 s0, 7\ns_cbranch_scc1 rare\ns_endpgm\nrare:\n";
  const auto report = compare_assembly(test + "s_endpgm", test + "s_setkill 1\ns_endpgm");
  EXPECT_EQ(report.verdict, Verdict::different);
  EXPECT_EQ(shrunk_value(report, "s0"), 7U);
  ASSERT_EQ(report.difference->outputs.size(), 1U);
  EXPECT_EQ(report.difference->outputs[0].name, "stop");
  EXPECT_EQ(report.difference->outputs[0].a, "end_program");
  EXPECT_EQ(report.difference->outputs[0].b, "killed");
  EXPECT_THAT(mismatches_of_reproducer(report), ElementsAre(0, 1));
}

TEST(Differences, AFaultOfOne) {
  const std::string load = "s_load_dword s4, s[2:3], 0x0\ns_endpgm";
  const std::string more = "registers: {\"s[2:3]\": 0x10000}\nmemory: [{at: 0x10000, size: 64}]\n";
  // s0 & 64 is beyond the memory.
  const Scenario a = scenario("s_and_b32 s1, s0, 32\ns_add_u32 s2, s2, s1\n" + load, more);
  const Scenario b = scenario("s_and_b32 s1, s0, 64\ns_add_u32 s2, s2, s1\n" + load, more);
  const auto report = compare(a, b, {.outputs = {"s4"}});
  EXPECT_EQ(report.verdict, Verdict::different);
  EXPECT_EQ(shrunk_value(report, "s0"), 64U);
  EXPECT_THAT(report.difference->outputs.at(0).b, HasSubstr("unmapped_memory: "));
  EXPECT_THAT(mismatches_of_reproducer(report), ElementsAre(0, 1));
}

TEST(Differences, TwoInputsThatAreTheSame) {
  // Only s0 = s1, not 0: shrinking one of them alone loses the difference.
  const std::string test = "s_cmp_lg_u32 s0, s1\ns_cbranch_scc1 same\ns_cmp_eq_u32 s0, 0\ns_cbranch_scc1 same\n";
  const auto report = compare_assembly(test + "s_mov_b32 s2, 1\nsame: s_endpgm",
                                       test + "s_mov_b32 s2, 2\nsame: s_endpgm", {.outputs = {"s2"}});
  EXPECT_EQ(report.verdict, Verdict::different);
  EXPECT_EQ(shrunk_value(report, "s0"), 1U);
  EXPECT_EQ(shrunk_value(report, "s1"), 1U);
}

TEST(Differences, AcrossGenerationsByName) {
  // The same text has other words; FLAT_SCRATCH and SGPRs beyond s101 have no counterpart.
  const Scenario a = assembly("s_add_u32 s0, s0, vcc_lo\ns_mov_b32 s103, s0\ns_endpgm", "tahiti");
  const Scenario b = assembly("s_add_u32 s0, s0, vcc_lo\ns_mov_b32 flat_scratch_lo, s0\ns_endpgm", "gfx900");
  const auto equal = compare(a, b);
  EXPECT_EQ(equal.verdict, Verdict::equal);
  EXPECT_THAT(equal.varied, ElementsAre("s0", "vcc_lo"));
  EXPECT_THAT(equal.outputs, ElementsAre("s0", "scc", "memory (neither program wrote any)", "stop reason"));
  EXPECT_THAT(equal.not_compared, testing::Contains("s103: only one of the programs can have it"));
  EXPECT_THAT(equal.not_compared, testing::Contains("flat_scratch_lo: only one of the programs can have it"));
  const Scenario c = assembly("s_sub_u32 s0, s0, vcc_lo\ns_endpgm", "gfx900");
  const auto report = compare(a, c);
  EXPECT_EQ(report.verdict, Verdict::different);
  EXPECT_EQ(shrunk_value(report, "vcc_lo"), 1U);
  EXPECT_THAT(mismatches_of_reproducer(report), ElementsAre(0, testing::Gt(0U)));
}

TEST(Differences, MasksLeaveBitsOut) {
  const std::string a = "s_endpgm";
  const std::string b = "s_xor_b32 s0, s0, 0x100\ns_endpgm";
  EquivalenceOptions options;
  options.inputs = {"s0"};
  options.outputs = {"s0:8"};
  EXPECT_EQ(compare_assembly(a, b, options).verdict, Verdict::equal);
  options.outputs = {"s0:9"};
  const auto report = compare_assembly(a, b, options);
  EXPECT_EQ(report.verdict, Verdict::different);
  EXPECT_THAT(mismatches_of_reproducer(report), ElementsAre(0, 1));
}

// The expectations of a scenario determine what is compared, under their masks.
TEST(Differences, ExpectationsSelectTheComparedResults) {
  const std::string more = "expect: {registers: {s0: {value: 0, mask: 0xff}}}\n";
  const Scenario a = scenario("s_mov_b32 s1, 1\ns_endpgm", more);
  const Scenario same = scenario("s_mov_b32 s1, 2\ns_xor_b32 s0, s0, 0x100\ns_endpgm", more);
  const auto equal = compare(a, same, {.inputs = {"s0"}});
  EXPECT_EQ(equal.verdict, Verdict::equal);
  EXPECT_THAT(equal.outputs, ElementsAre("s0 (mask 0xff)", "stop reason"));
  EXPECT_THAT(equal.not_compared, ElementsAre("everything not named by `expect:`"));
  const Scenario other = scenario("s_xor_b32 s0, s0, 0x80\ns_endpgm", more);
  EXPECT_EQ(compare(a, other, {.inputs = {"s0"}}).verdict, Verdict::different);
}

}  // namespace
}  // namespace salu::equiv_test
