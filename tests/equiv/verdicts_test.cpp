#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "programs.hpp"
#include "repetitions.hpp"

// The compared results, and the verdicts.
namespace salu::equiv_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

/// Repeats the comparison with increasing time limits until the report is as wanted, so that the test is independent of
/// the speed and load of the machine.
EquivalenceReport compare_in_little_time(const std::function<bool(const EquivalenceReport&)>& is_wanted,
                                         const std::string& a, const std::string& b, EquivalenceOptions options) {
  for (double seconds = 0.05;; seconds *= 2) {
    options.seconds = seconds;
    EquivalenceReport report = compare_assembly(a, b, options);
    if (is_wanted(report) || seconds > 100) return report;
  }
}

auto is_verdict(Verdict verdict) {
  return [verdict](const EquivalenceReport& report) { return report.verdict == verdict; };
}

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

TEST(Verdicts, TrapRegistersAreVaried) {
  const auto report = compare_assembly("s_mov_b32 s4, ttmp2\ns_endpgm", "s_mov_b32 s4, ttmp3\ns_endpgm", {});
  EXPECT_EQ(report.verdict, Verdict::different);
}

TEST(Verdicts, HardwareRegistersAreListed) {
  const auto report =
      compare_assembly("s_getreg_b32 s4, hwreg(HW_REG_HW_ID)\ns_endpgm", "s_mov_b32 s4, 0\ns_endpgm", {});
  EXPECT_THAT(report.not_varied, ElementsAre("HW_ID: read, but it cannot be varied"));
  EXPECT_TRUE(report.depends_on_others);
}

TEST(Verdicts, LoopsWithoutAnEndProveNothing) {
  const std::string loop = "loop: s_branch loop";
  const auto report = compare_assembly(loop, loop, {.outputs = {"s0"}, .states = 5, .max_steps = 100});
  EXPECT_EQ(report.verdict, Verdict::nothing_compared);
  EXPECT_THAT(report.skipped, ElementsAre(Pair("both reached the step limit", 1U)));
  // One program ends and the other does not: this is a difference.
  const std::string test = "s_cmp_eq_u32 s0, 5\nloop: s_cbranch_scc1 ";
  const auto one = compare_assembly(test + "end\nend: s_endpgm", test + "loop\nend: s_endpgm", {.max_steps = 100});
  EXPECT_EQ(one.verdict, Verdict::different);
  EXPECT_EQ(shrunk_value(one, "s0"), 5U);
  EXPECT_EQ(one.difference->outputs.at(0).a, "end_program");
  EXPECT_EQ(one.difference->outputs.at(0).b, "step_limit");
  EXPECT_THAT(mismatches_of_reproducer(one), ElementsAre(0, 1));
}

TEST(Verdicts, ALimitThatOneReachesAloneIsRaised) {
  // 300 iterations of a loop against none.
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
  // A different reason is a difference then.
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
  // Neither program writes registers or memory, and both end in the same way.
  EXPECT_EQ(compare_assembly("s_endpgm", "s_nop 0\ns_endpgm").verdict, Verdict::nothing_compared);
  // Unwritten memory is not a result either, unless the end was requested.
  EXPECT_EQ(compare_assembly("s_endpgm", "s_nop 0\ns_endpgm", {.outputs = {"memory"}}).verdict,
            Verdict::nothing_compared);
  EXPECT_EQ(compare_assembly("s_endpgm", "s_nop 0\ns_endpgm", {.outputs = {"stop"}}).verdict, Verdict::equal);
}

TEST(Verdicts, InputsAreRegistersReadBeforeWritten) {
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

// Vector registers are found, varied and compared like scalar ones.
TEST(Verdicts, LanesAreInputsAndResults) {
  const EquivalenceReport equal =
      compare_assembly("v_add_u32 v1, v0, v0\ns_endpgm", "v_lshlrev_b32 v1, 1, v0\ns_endpgm");
  EXPECT_EQ(equal.verdict, Verdict::equal);
  EXPECT_EQ(equal.varied.size(), 64U);
  EXPECT_EQ(equal.varied.front(), "v0[0]");
  EXPECT_THAT(equal.outputs, testing::IsSupersetOf({"v1[0]", "v1[63]"}));
  EXPECT_EQ(compare_assembly("v_add_u32 v1, v0, v0\ns_endpgm", "v_add_u32 v1, 3, v0\ns_endpgm").verdict,
            Verdict::different);
  // A register of which only some lanes are read, and one that has a value.
  const EquivalenceReport one =
      compare_assembly("v_readlane_b32 s0, v3, 5\ns_endpgm", "v_readlane_b32 s0, v3, 6\ns_endpgm");
  EXPECT_EQ(one.verdict, Verdict::different);
  const std::string given = "registers: {v0: 4}\n";
  const EquivalenceReport fixed =
      compare(scenario("v_add_u32 v1, v0, v0\ns_endpgm\n", given), scenario("v_mov_b32 v1, 8\ns_endpgm\n", given));
  EXPECT_EQ(fixed.verdict, Verdict::equal);
  EXPECT_THAT(fixed.varied, testing::IsEmpty());
  EXPECT_THAT(fixed.not_varied, testing::Contains("v0: the scenario or the loader gives a value"));
}

TEST(Verdicts, ConstantsOfVectorInstructionsAreTried) {
  const std::string constant = "v_mov_b32 v1, 0\ns_endpgm";
  for (const std::string once :
       {"v_cmp_eq_u32 vcc, 0x12345678, v0\nv_cndmask_b32 v1, 0, 1, vcc\ns_endpgm",
        "v_mov_b32 v2, 0x12345678\nv_cmp_eq_u32 vcc, v2, v0\nv_cndmask_b32 v1, 0, 1, vcc\ns_endpgm"}) {
    EquivalenceOptions options;
    options.inputs = {"v0"};
    options.outputs = {"v1"};
    EXPECT_EQ(compare_assembly(constant, once, options).verdict, Verdict::different) << once;
  }
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

TEST(Verdicts, CoverageListsUnexecutedCode) {
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
  EXPECT_EQ(report.programs[0].reachable, 6U);  // without the s_nop
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
  // v_readfirstlane_b32 s0, v0 is skipped: its result is unknown.
  const std::string yaml = "target: gfx900\ncode: {words: [0x7e000500, 0x80018100, 0xbf810000]}\non_vector: skip\n";
  std::vector<Result<Scenario>> loaded = load_yaml(yaml, "vector.yaml");
  ASSERT_TRUE(loaded.at(0).has_value());
  const auto lost = compare(*loaded[0], *loaded[0], {.outputs = {"s1"}, .states = 10});
  EXPECT_EQ(lost.verdict, Verdict::nothing_compared);
  EXPECT_THAT(lost.skipped, ElementsAre(Pair("an output depends on a skipped vector instruction", testing::_)));
  EXPECT_EQ(compare(*loaded[0], *loaded[0], {.outputs = {"s2"}, .states = 10}).verdict, Verdict::equal);
  EXPECT_EQ(lost.programs[0].executed, 3U);
}

TEST(Verdicts, TimeEndsIt) {
  const std::string text = "s_add_u32 s0, s0, 1\ns_endpgm";
  const auto report = compare_in_little_time(is_verdict(Verdict::equal), text, text, {.states = u64{1} << 60});
  EXPECT_EQ(report.verdict, Verdict::equal);
  EXPECT_TRUE(report.out_of_time);
}

TEST(Verdicts, EveryCombinationIsEveryCombination) {
  // Both fault if the low bits of s0 are 3.
  const std::string text = R"(
    s_and_b32 s4, s0, 7
    s_cmp_eq_u32 s4, 3
    s_cbranch_scc1 bad
    s_add_u32 s1, s0, 1
    s_endpgm
    bad: s_load_dword s4, s[2:3], 0x0
    s_endpgm)";
  EquivalenceOptions options{.outputs = {"s1"}, .exhaustive = {"s0=0..63"}};
  const auto report = compare_assembly(text, text, options);
  EXPECT_EQ(report.verdict, Verdict::incomplete);
  EXPECT_EQ(report.combinations, 64U);
  EXPECT_EQ(report.combinations_compared, 56U);
  EXPECT_THAT(report.skipped, ElementsAre(Pair("both faulted", 8U)));
  EXPECT_THAT(equivalence_text(report),
              testing::StartsWith("not known to be equal: 8 of 64 combinations could not be compared; the others"));
  EXPECT_THAT(equivalence_json(report), HasSubstr("\"verdict\":\"incomplete\""));
  options.compare_faults = true;
  EXPECT_EQ(compare_assembly(text, text, options).verdict, Verdict::equal);
  options.compare_faults = false;
  options.exhaustive = {"s0=4..10"};
  const auto whole = compare_assembly(text, text, options);
  EXPECT_EQ(whole.verdict, Verdict::equal);
  EXPECT_THAT(equivalence_text(whole), testing::StartsWith("equal on 7 states: every combination\n"));
  // All other inputs have a single value in each.
  options.inputs = {"s1"};
  EXPECT_THAT(equivalence_text(compare_assembly(text, text, options)),
              testing::StartsWith("equal on 7 states: every combination, once each with drawn values of the other"));
}

TEST(Verdicts, CombinationsThatTimeLeavesOutAreNotEqual) {
  const std::string text = "s_add_u32 s0, s0, 1\ns_endpgm";
  const auto report =
      compare_in_little_time(is_verdict(Verdict::incomplete), text, text, {.exhaustive = {"s0=0..0xffffffff"}});
  EXPECT_EQ(report.verdict, Verdict::incomplete);
  EXPECT_TRUE(report.out_of_time);
  EXPECT_LT(report.combinations_compared, report.combinations);
}

TEST(Verdicts, ManyLongRunsEndInTimeToo) {
  // All combinations would take hours, and a single batch minutes.
  const std::string loop =
      "s_mov_b32 s2, 0x4000\nloop:\ns_sub_u32 s2, s2, 1\ns_xor_b32 s0, s0, s2\ns_cmp_lg_u32 s2, 0\n"
      "s_cbranch_scc1 loop\ns_endpgm";
  const auto report = compare_in_little_time(is_verdict(Verdict::incomplete), loop, loop,
                                             {.outputs = {"s0"}, .exhaustive = {"s0=0..0xffffffff"}});
  EXPECT_EQ(report.verdict, Verdict::incomplete);
  EXPECT_TRUE(report.out_of_time);
  EXPECT_LT(report.combinations_compared, u64{1} << 22);
}

TEST(Verdicts, OneLongRunEndsInTimeToo) {
  const std::string loop = "loop: s_add_u32 s0, s0, 1\ns_branch loop";
  // Its instructions would take days.
  const auto report = compare_assembly(loop, loop, {.outputs = {"s0"}, .seconds = 0.001, .max_steps = u64{1} << 48});
  EXPECT_EQ(report.verdict, Verdict::nothing_compared);
  EXPECT_TRUE(report.out_of_time);
  EXPECT_EQ(report.states, 0U);
}

TEST(Verdicts, OneLongRunThatWouldHaveToBeWatchedEndsInTimeToo) {
  // v_readfirstlane_b32 s0, v0 is skipped, then a loop takes 100 million steps: s_sub_u32 s1, s1, 1; s_cmp_lg_u32 s1,
  // 0; s_cbranch_scc1 -3.
  const std::string yaml =
      "target: gfx900\ncode: {words: [0x7e000500, 0x80818101, 0xbf078001, 0xbf85fffd, 0xbf810000]}\n"
      "registers: {s1: 0x1ffffff}\non_vector: skip\n";
  std::vector<Result<Scenario>> loaded = load_yaml(yaml, "vector.yaml");
  ASSERT_TRUE(loaded.at(0).has_value());
  loaded[0]->options.max_steps = u64{1} << 40;
  const auto report = compare(*loaded[0], *loaded[0], {.outputs = {"s1"}, .seconds = 1, .max_steps = u64{1} << 40});
  EXPECT_EQ(report.verdict, Verdict::nothing_compared);
  EXPECT_TRUE(report.out_of_time);
}

TEST(Verdicts, ShrinkingEndsInTime) {
  // They differ if more than 200 bits of 15 registers are set, so that shrinking takes thousands of runs. A run is a
  // loop of `rounds` iterations.
  const auto program = [](int rounds, const std::string& end) {
    std::string text = "s_mov_b32 s40, " + std::to_string(rounds) +
                       "\nloop:\ns_sub_u32 s40, s40, 1\ns_cmp_lg_u32 s40, 0\ns_cbranch_scc1 loop\ns_mov_b32 s0, 0\n";
    for (u32 i = 1; i < 16; ++i) text += "s_bcnt1_i32_b32 s40, s" + std::to_string(i) + "\ns_add_u32 s0, s0, s40\n";
    return text + end;
  };
  EquivalenceOptions options{.outputs = {"s0"}, .max_steps = u64{1} << 30, .engine = Engine::scalar};
  for (u32 i = 1; i < 16; ++i) options.inputs.push_back("s" + std::to_string(i));
  const std::string end = "s_endpgm";
  const std::string other_end = "s_min_u32 s0, s0, 200\ns_endpgm";
  const auto whole = compare_assembly(program(1, end), program(1, other_end), options);
  const int rounds = test::work(0x20000);
  ASSERT_EQ(whole.verdict, Verdict::different);
  // Time may also run out before the first of these runs, or after the last one.
  const auto is_cut = [&](const EquivalenceReport& report) {
    return report.difference && report.difference->shrinking_ended_early && report.difference->shrink_runs > 0 &&
           report.difference->shrink_runs < whole.difference->shrink_runs;
  };
  const auto report = compare_in_little_time(is_cut, program(rounds, end), program(rounds, other_end), options);
  ASSERT_EQ(report.verdict, Verdict::different);
  EXPECT_FALSE(whole.difference->shrinking_ended_early);
  EXPECT_TRUE(report.difference->shrinking_ended_early);
  EXPECT_GT(report.difference->shrink_runs, 0U);
  EXPECT_LT(report.difference->shrink_runs, whole.difference->shrink_runs);
  EXPECT_FALSE(report.difference->outputs.empty());
  EXPECT_THAT(mismatches_of_reproducer(report), ElementsAre(0, 1));
}

TEST(Verdicts, SecondsAreANumberAboveZero) {
  const Scenario code = assembly("s_endpgm");
  for (const double seconds : {0.0, -1.0, std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    const auto report = compare_programs(code, code, {.seconds = seconds});
    ASSERT_FALSE(report.has_value()) << seconds;
    EXPECT_EQ(report.error().code, ErrorCode::usage);
  }
}

TEST(Verdicts, FixedInputsAreNotVaried) {
  const Scenario code = assembly("s_add_u32 s2, s0, s1\ns_endpgm");
  const auto problem = [&](const EquivalenceOptions& options) {
    const auto report = compare_programs(code, code, options);
    return report ? std::string("none") : report.error().to_string();
  };
  EXPECT_EQ(problem({.inputs = {"s0", "s1"}, .fixed = {"s1=0"}}),
            "--inputs s1: error: `s1` is also set by --set s1=0; remove one of them");
  EXPECT_THAT(problem({.exhaustive = {"s1=0..3"}, .fixed = {"s[0:1]=5"}}), HasSubstr("also set by --set s[0:1]=5"));
  EXPECT_THAT(problem({.inputs = {"vcc_hi"}, .fixed = {"vcc=5"}}), HasSubstr("`vcc_hi` is also set"));
  EXPECT_THAT(problem({.inputs = {"csp"}, .fixed = {"mode=0"}}), HasSubstr("`csp` is also set"));
  EXPECT_EQ(problem({.inputs = {"s0"}, .fixed = {"s1=0"}}), "none");
  EXPECT_EQ(problem({.inputs = {"s0", "s[0:1]"}}), "--inputs s[0:1]: error: `s[0:1]` is already varied");
}

TEST(Verdicts, RowsAreTheFirstStates) {
  const std::string more = "registers: {\"s[8:9]\": 0x10000}\nmemory: [{at: 0x10000, words: [9]}]\n";
  const std::string load = "s_load_dword s3, s[8:9], 0x0\n";
  const std::string rows = R"(cases:
  - {name: small, s0: 1, memory.0x10000: 2, expect.s2: 3}
  - {name: rare, s0: 0x12345678, memory.0x10000: 5, expect.s2: 0x1234567d}
  - {s0: 7, expect.s2: 16}
)";
  const Scenario a = scenario(load + "s_add_u32 s2, s0, s3\ns_endpgm", more + rows);
  // The sum, except if s3 is 5: no other state has this value in memory.
  const std::string wrong = load + "s_add_u32 s2, s0, s3\ns_cmp_eq_u32 s3, 5\ns_cselect_b32 s2, 0, s2\ns_endpgm";
  const Scenario b = scenario(wrong, more + rows);
  const auto equal = compare(a, a, {.states = 100});
  EXPECT_EQ(equal.verdict, Verdict::equal);
  EXPECT_EQ(equal.rows, 3U);
  EXPECT_EQ(equal.states, 103U);
  EXPECT_THAT(equal.varied, ElementsAre("s0"));
  // The expectations of the rows name the results.
  EXPECT_THAT(equal.outputs, ElementsAre("s2", "stop reason"));
  EXPECT_THAT(equal.not_varied, Contains("memory.0x10000: only the rows of `cases:` set it"));
  const auto report = compare(a, b);
  ASSERT_EQ(report.verdict, Verdict::different);
  EXPECT_EQ(report.difference->state, 2U);
  EXPECT_EQ(report.rows, 2U);
  EXPECT_THAT(report.difference->row, testing::StartsWith("row 2 (scenario.yaml:"));
  EXPECT_THAT(report.difference->row, testing::EndsWith(", rare)"));
  EXPECT_EQ(shrunk_value(report, "s0"), 0U);
  EXPECT_EQ(shrunk_value(report, "memory.0x10000"), 5U);
  EXPECT_THAT(equivalence_text(report), testing::StartsWith("different: row 2 (scenario.yaml:"));
  EXPECT_THAT(mismatches_of_reproducer(report), ElementsAre(0, 1));
  // A row that does not set memory has the scenario's memory, whatever the previous row had.
  const Scenario nine = scenario("s_add_u32 s2, s0, 9\ns_endpgm", more + "cases:\n  - {s0: 7}\n");
  const Scenario both = scenario(load + "s_add_u32 s2, s0, s3\ns_endpgm", more + "cases:\n  - {s0: 7}\n");
  EXPECT_EQ(compare(both, nine, {.outputs = {"s2"}, .states = 10}).verdict, Verdict::equal);
}

TEST(Verdicts, RowsOfOneProgramHaveToFitTheOther) {
  const std::string memory = "memory: [{at: 0x10000, words: [9]}]\n";
  const Scenario a = scenario("s_endpgm", memory + "cases:\n  - {memory.0x10000: 1}\n");
  const auto report = compare_programs(a, assembly("s_endpgm"), {});
  ASSERT_FALSE(report.has_value());
  EXPECT_THAT(report.error().message, HasSubstr("`cases:` sets `memory.0x10000`, which code.s lacks"));
}

TEST(Verdicts, ResultsThatDependOnSkippedInstructionsAreNotCompared) {
  // v_readfirstlane_b32 s0, v0 is skipped; s_cbranch_scc1 depends on its result.
  const std::string yaml =
      "target: gfx900\ncode: {words: [0x7e000500, 0xbf068000, 0xbf850001, 0xbe820081, 0xbf810000]}\non_vector: skip\n";
  std::vector<Result<Scenario>> loaded = load_yaml(yaml, "vector.yaml");
  ASSERT_TRUE(loaded.at(0).has_value());
  const auto report = compare(*loaded[0], *loaded[0], {.outputs = {"s2"}, .states = 10});
  EXPECT_EQ(report.verdict, Verdict::nothing_compared);
  EXPECT_THAT(report.skipped, ElementsAre(Pair(HasSubstr("control flow or stored data depends on"), testing::_)));
  EXPECT_THAT(report.not_compared, Contains(HasSubstr("results of vector instructions, which are skipped")));
}

}  // namespace
}  // namespace salu::equiv_test
