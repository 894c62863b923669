#include <gmock/gmock.h>

#include "programs.hpp"

// What is compared, what is not, and what is known then.
namespace salu::equiv_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

TEST(Verdicts, EqualProgramsAreEqual) {
  // a - b and -(b - a).
  const auto report = compare_assembly("s_sub_u32 s2, s0, s1\ns_endpgm",
                                       "s_sub_u32 s2, s1, s0\ns_sub_u32 s2, 0, s2\ns_endpgm", {.outputs = {"s2"}});
  EXPECT_EQ(report.verdict, Verdict::equal);
  EXPECT_EQ(report.states, 10000U);
  EXPECT_EQ(report.compared, 10000U);
  EXPECT_FALSE(report.difference);
  EXPECT_THAT(report.programs[0].stops, ElementsAre(Pair("end_program", 10000U)));
}

TEST(Verdicts, TheSameSeedIsTheSameRun) {
  const std::string a = "s_mul_i32 s2, s0, s1\ns_endpgm";
  const std::string b = "s_mul_i32 s2, s0, s1\ns_min_u32 s2, s2, 0x7fff0000\ns_endpgm";
  const auto run = [&](u64 seed) {
    return equivalence_json(compare_assembly(a, b, {.outputs = {"s2"}, .seed = seed}));
  };
  EXPECT_EQ(run(1), run(1));
  EXPECT_EQ(run(2), run(2));
  EXPECT_NE(run(1), run(2));
}

TEST(Verdicts, LoopsWithoutAnEndProveNothing) {
  const std::string loop = "loop: s_branch loop";
  const auto report = compare_assembly(loop, loop, {.outputs = {"s0"}, .states = 5, .max_steps = 100});
  EXPECT_EQ(report.verdict, Verdict::nothing_compared);
  EXPECT_THAT(report.skipped, ElementsAre(Pair("both reached the step limit", 1U)));
  // One that comes to its end and one that does not: that is a difference.
  const std::string test = "s_cmp_eq_u32 s0, 5\nloop: s_cbranch_scc1 ";
  const auto one = compare_assembly(test + "end\nend: s_endpgm", test + "loop\nend: s_endpgm", {.max_steps = 100});
  EXPECT_EQ(one.verdict, Verdict::different);
  EXPECT_EQ(shrunk_value(one, "s0"), 5U);
  EXPECT_EQ(one.difference->outputs.at(0).a, "end_program");
  EXPECT_EQ(one.difference->outputs.at(0).b, "step_limit");
  EXPECT_THAT(mismatches_of_reproducer(one), ElementsAre(0, 1));
}

TEST(Verdicts, ALimitThatOneReachesAloneIsRaised) {
  // 300 turns of a loop against none.
  const std::string slow = "s_mov_b32 s2, 300\nloop:\ns_sub_u32 s2, s2, 1\ns_cmp_lg_u32 s2, 0\ns_cbranch_scc1 loop\n";
  const auto report = compare_assembly(slow + "s_add_u32 s0, s0, 1\ns_endpgm", "s_add_u32 s0, s0, 1\ns_endpgm",
                                       {.outputs = {"s0"}, .states = 10, .max_steps = 100});
  EXPECT_EQ(report.verdict, Verdict::equal);
  EXPECT_EQ(report.compared, 10U);
}

TEST(Verdicts, FaultsOfBothCountOnlyWhenAsked) {
  const std::string load = "s_load_dword s4, s[2:3], 0x0\ns_endpgm";
  EquivalenceOptions options;
  options.outputs = {"s4"};
  options.states = 20;
  const auto skipped = compare_assembly(load, load, options);
  EXPECT_EQ(skipped.verdict, Verdict::nothing_compared);
  EXPECT_THAT(skipped.skipped, ElementsAre(Pair("both faulted", 20U)));
  options.compare_faults = true;
  EXPECT_EQ(compare_assembly(load, load, options).verdict, Verdict::equal);
  // Another reason is a difference then.
  const std::string illegal = "s_setpc_b64 s[2:3]";
  const auto other = compare_assembly(load, illegal, options);
  EXPECT_EQ(other.verdict, Verdict::different);
  EXPECT_THAT(other.difference->outputs.at(0).b, HasSubstr("pc_outside_code"));
}

TEST(Verdicts, AnExpectedStopIsAnEnd) {
  const std::string more = "registers: {\"s[2:3]\": 0x10000}\nexpect: {stop: unmapped_memory, registers: {s0: 0}}\n";
  const std::string load = "\ns_load_dword s4, s[2:3], 0x0\ns_endpgm";
  const Scenario a = scenario("s_add_u32 s0, s0, 1" + load, more);
  EXPECT_EQ(compare(a, a).verdict, Verdict::equal);
  const auto report = compare(a, scenario("s_add_u32 s0, s0, 2" + load, more));
  EXPECT_EQ(report.verdict, Verdict::different);
  EXPECT_EQ(report.difference->outputs.at(0).name, "s0");
  EXPECT_THAT(mismatches_of_reproducer(report), ElementsAre(0, 1));
}

TEST(Verdicts, NothingToCompareIsNotEqual) {
  // Neither registers nor memory are written, and both end alike.
  EXPECT_EQ(compare_assembly("s_endpgm", "s_nop 0\ns_endpgm").verdict, Verdict::nothing_compared);
  // Memory that nobody writes says nothing either, unless the end is what was asked for.
  EXPECT_EQ(compare_assembly("s_endpgm", "s_nop 0\ns_endpgm", {.outputs = {"memory"}}).verdict,
            Verdict::nothing_compared);
  EXPECT_EQ(compare_assembly("s_endpgm", "s_nop 0\ns_endpgm", {.outputs = {"stop"}}).verdict, Verdict::equal);
}

TEST(Verdicts, InputsAreWhatIsReadFirst) {
  // s2 is written first, s4 is read on one path only, s[6:7] as one value.
  const std::string text = R"(
    s_mov_b32 s2, s0
    s_add_u32 s2, s2, s1
    s_cmp_eq_u32 s1, 0x12345
    s_cbranch_scc0 done
    s_add_u32 s2, s2, s4
    s_lshl_b64 s[8:9], s[6:7], 1
    done: s_endpgm)";
  const auto report = compare_assembly(text, text);
  EXPECT_EQ(report.verdict, Verdict::equal);
  EXPECT_THAT(report.varied, ElementsAre("s0", "s1", "s4", "s[6:7]"));
  EXPECT_THAT(report.not_varied, IsEmpty());
  EXPECT_EQ(report.programs[0].executed, 7U);
  EXPECT_EQ(report.programs[0].reachable, 7U);
}

TEST(Verdicts, GivenValuesStay) {
  const Scenario a = scenario("s_add_u32 s2, s0, s1\ns_endpgm", "registers: {s1: 3}\n");
  const Scenario b = scenario("s_add_u32 s2, s0, 3\ns_endpgm", "registers: {s1: 3}\n");
  const auto report = compare(a, b, {.outputs = {"s2"}});
  EXPECT_EQ(report.verdict, Verdict::equal);
  EXPECT_THAT(report.varied, ElementsAre("s0"));
  EXPECT_THAT(report.not_varied, ElementsAre("s1: the scenario or the loader gives a value"));
  EXPECT_EQ(compare(a, b, {.inputs = {"s0", "s1"}, .outputs = {"s2"}}).verdict, Verdict::different);
}

TEST(Verdicts, RangesHold) {
  // They differ for s0 = 0 and above 100.
  const std::string a = "s_sub_u32 s1, s0, 1\ns_cmp_lt_u32 s1, 100\ns_cselect_b32 s2, 1, 0\ns_endpgm";
  const std::string b = "s_mov_b32 s2, 1\ns_endpgm";
  EXPECT_EQ(compare_assembly(a, b, {.inputs = {"s0=1..100"}, .outputs = {"s2"}}).verdict, Verdict::equal);
  const auto report = compare_assembly(a, b, {.inputs = {"s0=1..101"}, .outputs = {"s2"}});
  EXPECT_EQ(report.verdict, Verdict::different);
  EXPECT_EQ(shrunk_value(report, "s0"), 101U);
}

TEST(Verdicts, MemoryIsAnInputByName) {
  const std::string more = "registers: {\"s[2:3]\": 0x10000}\nmemory: [{at: 0x10000, words: [1, 2, 3, 4]}]\n";
  const Scenario a = scenario("s_load_dwordx2 s[4:5], s[2:3], 0x4\ns_add_u32 s0, s4, s5\ns_endpgm", more);
  const Scenario b = scenario("s_load_dword s4, s[2:3], 0x4\ns_add_u32 s0, s4, 3\ns_endpgm", more);
  EXPECT_EQ(compare(a, b, {.outputs = {"s0"}}).verdict, Verdict::equal);
  EXPECT_EQ(compare(a, b, {.inputs = {"memory.0x10000:8"}, .outputs = {"s0"}}).verdict, Verdict::equal);
  const auto report = compare(a, b, {.inputs = {"memory.0x10000:16"}, .outputs = {"s0"}});
  EXPECT_EQ(report.verdict, Verdict::different);
  EXPECT_EQ(shrunk_value(report, "memory 0x10008"), 0U);
  EXPECT_THAT(mismatches_of_reproducer(report), ElementsAre(0, 1));
}

TEST(Verdicts, CoverageSaysWhatNeverRan) {
  const std::string text = R"(
    s_cmp_eq_u32 s0, 9
    s_cbranch_scc1 rare
    s_mov_b32 s1, 1
    s_endpgm
    rare:
    s_mov_b32 s1, 0x12345678
    s_endpgm
    s_nop 0)";
  const auto report = compare_assembly(text, text, {.inputs = {"s0=0..8"}, .outputs = {"s1"}});
  EXPECT_EQ(report.programs[0].executed, 4U);
  EXPECT_EQ(report.programs[0].reachable, 6U);  // the s_nop is not
  ASSERT_EQ(report.programs[0].never_executed.size(), 1U);
  EXPECT_EQ(report.programs[0].never_executed[0].first, 0x1010U);
  EXPECT_EQ(report.programs[0].never_executed[0].last, 0x101bU);
}

TEST(Verdicts, TargetsOfIndirectJumpsAreFoundByGoingThere) {
  const std::string text = R"(
    s_getpc_b64 s[2:3]
    s_add_u32 s2, s2, 12
    s_setpc_b64 s[2:3]
    s_nop 0
    s_mov_b32 s1, 1
    s_endpgm)";
  const auto report = compare_assembly(text, text, {.outputs = {"s1"}});
  EXPECT_EQ(report.programs[0].executed, 5U);
  EXPECT_EQ(report.programs[0].reachable, 5U);
}

TEST(Verdicts, SkippedVectorInstructionsDecideNothing) {
  // v_readfirstlane_b32 s0, v0 is passed over: what it writes is unknown.
  const std::string yaml = "target: gfx900\ncode: {words: [0x7e000500, 0x80018100, 0xbf810000]}\non_vector: skip\n";
  std::vector<Result<Scenario>> loaded = load_yaml(yaml, "vector.yaml");
  ASSERT_TRUE(loaded.at(0).has_value());
  const auto lost = compare(*loaded[0], *loaded[0], {.outputs = {"s1"}, .states = 10});
  EXPECT_EQ(lost.verdict, Verdict::nothing_compared);
  EXPECT_THAT(lost.skipped, ElementsAre(Pair("a skipped vector instruction decides an output", testing::_)));
  EXPECT_EQ(compare(*loaded[0], *loaded[0], {.outputs = {"s2"}, .states = 10}).verdict, Verdict::equal);
  EXPECT_EQ(lost.programs[0].executed, 3U);
}

TEST(Verdicts, TimeEndsIt) {
  const std::string text = "s_add_u32 s0, s0, 1\ns_endpgm";
  const auto report = compare_assembly(text, text, {.states = u64{1} << 60, .seconds = 0.05});
  EXPECT_EQ(report.verdict, Verdict::equal);
  EXPECT_TRUE(report.out_of_time);
  EXPECT_LT(report.elapsed_seconds, 5.0);
}

}  // namespace
}  // namespace salu::equiv_test
