#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salu/proof.hpp>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "programs.hpp"
#include "unit/loader_helpers.hpp"
#include "work_group_kernels.hpp"

// Programs that run several waves.
namespace salu::equiv_test {
namespace {

using test::kernel;
using test::load_good;
using test::mirror;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::string replaced(std::string text, const std::string& old, const std::string& with) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return at == std::string::npos ? text : text.replace(at, old.size(), with);
}

Scenario mirror_of(const std::string& launch, const std::string& code = mirror) {
  return load_good(kernel(code, launch));
}

constexpr const char* four_waves = "workgroup_size: 256, grid_size: 256, waves: all";

TEST(Waves, AllWavesRun) {
  const EquivalenceReport report = compare(mirror_of(four_waves), mirror_of(four_waves));
  EXPECT_EQ(report.verdict, Verdict::equal);
  EXPECT_EQ(report.programs[0].waves, 4U);
  EXPECT_EQ(report.programs[0].stops, (decltype(report.programs[0].stops){{"end_program", 1}}));
  EXPECT_EQ(report.programs[0].executed, 13U);
  EXPECT_EQ(report.programs[0].reachable, 13U);
  EXPECT_THAT(report.outputs, ElementsAre("all memory that either program wrote", "stop reason"));
  EXPECT_THAT(equivalence_text(report), HasSubstr("gfx900: 4 waves, 13 of 13 instructions executed, end_program 1\n"));
  EXPECT_EQ(nlohmann::json::parse(equivalence_json(report))["a"]["waves"], 4);
}

// Without the barrier, the first wave reads LDS before the others have written it.
TEST(Waves, AMissingBarrierIsADifference) {
  const Scenario a = mirror_of(four_waves);
  const Scenario b = mirror_of(four_waves, replaced(mirror, "s_barrier", "s_nop 0"));
  const EquivalenceReport report = compare(a, b);
  ASSERT_EQ(report.verdict, Verdict::different);
  const Difference& difference = *report.difference;
  EXPECT_EQ(difference.outputs[0].name, "memory 0x200000000");
  EXPECT_EQ(difference.outputs[0].object, "out");
  EXPECT_EQ(difference.outputs[0].a, "0x000000ff");
  EXPECT_EQ(difference.outputs[0].b, "0x00000000");
  EXPECT_EQ(difference.outputs[5].object, "out+0x14");
  ASSERT_EQ(difference.parting.size(), 2U);
  EXPECT_EQ(difference.parting[0].what, "the first instruction with another effect, step 10 of the wave of both:");
  for (const std::size_t side : {0, 1}) {
    EXPECT_EQ(difference.parting[0].lines[side].wave, "wave 0 of work-group [0, 0, 0]");
    EXPECT_THAT(difference.parting[0].lines[side].instruction, StartsWith("ds_read_b32 v3, v2"));
    EXPECT_THAT(difference.parting[1].lines[side].instruction, StartsWith("global_store_dword"));
  }
  EXPECT_EQ(difference.parting[1].what, "the last write of memory 0x200000000:");
  EXPECT_EQ(difference.reproducer_problem, "");
  EXPECT_EQ(mismatches_of_reproducer(report)[0], 0U);
  EXPECT_NE(mismatches_of_reproducer(report)[1], 0U);
  EXPECT_THAT(equivalence_text(report),
              HasSubstr("  memory 0x200000000 (out) expected 0x000000ff (A), got 0x00000000 (B)\n"));
  EXPECT_THAT(equivalence_text(report), HasSubstr("\n  A wave 0 of work-group [0, 0, 0]: 0x"));
  const nlohmann::json json = nlohmann::json::parse(equivalence_json(report))["difference"];
  EXPECT_EQ(json["outputs"][0]["object"], "out");
  EXPECT_EQ(json["parting"][1]["lines"][1]["wave"], "wave 0 of work-group [0, 0, 0]");
}

// The barrier makes the kernel run with all waves of its work-group; the registers are those of the selected wave.
TEST(Waves, OneWaveOfAGroupHasTheOthers) {
  const std::string launch = "workgroup_size: 256, wave: 1";
  const std::string expected = "expect: {registers: {s3: 64, \"v3[0]\": 191}}\n";
  const Scenario a = load_good(kernel(mirror, launch, expected));
  const EquivalenceReport report = compare(a, mirror_of(launch));
  EXPECT_EQ(report.verdict, Verdict::equal);
  EXPECT_EQ(report.programs[0].waves, 4U);
  EXPECT_THAT(report.outputs, ElementsAre("s3", "v3[0]", "stop reason"));
  const Scenario other = mirror_of(launch, replaced(mirror, "v_sub_u32_e32 v2, 1020", "v_xor_b32_e32 v2, 1016"));
  const EquivalenceReport different = compare(a, other);
  ASSERT_EQ(different.verdict, Verdict::different);
  EXPECT_EQ(different.difference->outputs.at(0).name, "v3[0]");
  EXPECT_EQ(different.difference->outputs[0].a, "0x000000bf");
  EXPECT_EQ(different.difference->outputs[0].b, "0x000000be");
  // Of the writes of all waves, that of the selected one.
  EXPECT_EQ(different.difference->parting.back().lines.at(0).wave, "wave 1 of work-group [0, 0, 0]");
}

TEST(Waves, OnlyOneProgramMustNotRunSeveral) {
  const Scenario all = mirror_of(four_waves);
  const Scenario alone = mirror_of("workgroup_size: 256", replaced(mirror, "s_barrier", "s_nop 0"));
  const Result<EquivalenceReport> report = compare_programs(all, alone);
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().message, "A runs 4 waves, and B only one; add `waves: all` to `kernel:` of both scenarios");
  EXPECT_THAT(compare_programs(alone, all).error().message, StartsWith("B runs 4 waves, and A only one;"));
}

// Each of 128 items stores its number; in the other program 64 items store two.
TEST(Waves, NumbersOfWavesMayDiffer) {
  const std::string store = "  global_store_dword v1, v0, s[4:5]\n";
  const Scenario a = mirror_of("workgroup_size: 128, waves: all", store + "  s_endpgm");
  const std::string twice =
      store + "  v_add_u32_e32 v2, 64, v0\n  global_store_dword v1, v2, s[4:5] offset:256\n  s_endpgm";
  const Scenario b = mirror_of("workgroup_size: 64, waves: all", twice);
  const EquivalenceReport report = compare(a, b);
  EXPECT_EQ(report.verdict, Verdict::equal);
  EXPECT_EQ(report.programs[0].waves, 2U);
  EXPECT_EQ(report.programs[1].waves, 1U);
  const Scenario c = mirror_of("workgroup_size: 64, waves: all", replaced(twice, "64", "63"));
  EXPECT_EQ(compare(a, c).verdict, Verdict::different);
}

TEST(Waves, ADeadlockIsAnotherStop) {
  const std::string spins = "spin:\n  s_cmp_lg_u32 s3, 0\n  s_cbranch_scc1 spin\n";
  const Scenario b = mirror_of(four_waves, spins + mirror);
  const EquivalenceReport report = compare(mirror_of(four_waves), b);
  ASSERT_EQ(report.verdict, Verdict::different);
  EXPECT_EQ(report.difference->outputs.at(0).name, "stop");
  EXPECT_EQ(report.difference->outputs[0].a, "end_program");
  EXPECT_THAT(report.difference->outputs[0].b, StartsWith("deadlock: "));
  const EquivalenceReport both = compare(b, b);
  EXPECT_EQ(both.verdict, Verdict::nothing_compared);
  EXPECT_THAT(both.skipped, Contains(testing::Pair("both faulted", 1U)));
}

/// Waves of code without a kernel: each adds its number, from s0, to a buffer.
Scenario adders(const std::string& instruction, const std::string& groups, const std::string& more = {}) {
  return load_good("target: gfx900\ncode:\n  asm: |\n    v_mov_b32 v0, 0\n    v_mov_b32 v1, s0\n    " + instruction +
                   "\n    s_waitcnt vmcnt(0)\n    s_endpgm\nregisters: {\"s[4:5]\": 0x10000, exec: 1}\nmemory: [{at: "
                   "0x10000, size: 64}]\nwork_groups: " +
                   groups + "\n" + more);
}

TEST(Waves, RegistersVaryInAllWaves) {
  const std::string groups = "[[{s0: 1}, {s0: 2}], [{s0: 3}]]";
  const Scenario a = adders("global_atomic_add v0, v1, s[4:5]", groups);
  const Scenario b = adders("global_atomic_or v0, v1, s[4:5]", groups);
  EquivalenceOptions options;
  options.inputs = {"memory.0x10000:4"};
  options.states = 100;
  EXPECT_EQ(compare(a, a, options).compared, 100U);
  // 1 + 2 + 3 and 1 | 2 | 3, in the memory that the waves share.
  const EquivalenceReport report = compare(a, b, options);
  ASSERT_EQ(report.verdict, Verdict::different);
  EXPECT_EQ(shrunk_value(report, "memory 0x10000"), 0U);
  EXPECT_EQ(report.difference->outputs.at(0).a, "0x00000006");
  EXPECT_EQ(report.difference->outputs[0].b, "0x00000003");
  EXPECT_EQ(report.difference->parting.at(0).lines.at(1).wave, "wave 0 of work-group 1");
  // Three waves with the same number: 3 * s0 and s0.
  options.inputs = {"s0"};
  const EquivalenceReport of_register = compare(a, b, options);
  ASSERT_EQ(of_register.verdict, Verdict::different);
  EXPECT_EQ(shrunk_value(of_register, "s0"), 1U);
  EXPECT_EQ(of_register.difference->outputs.at(0).a, "0x00000003");
  EXPECT_EQ(of_register.difference->outputs[0].b, "0x00000001");
  EXPECT_EQ(of_register.difference->reproducer_problem, "");
  EXPECT_EQ(mismatches_of_reproducer(of_register)[0], 0U);
}

TEST(Waves, RowsOfCasesAreInputs) {
  const std::string rows = "cases: [{name: none, s0: 0}, {name: seven, s0: 7}]\n";
  const Scenario a = adders("global_atomic_add v0, v1, s[4:5]", "[[{}, {}]]", rows);
  const Scenario b = adders("global_atomic_or v0, v1, s[4:5]", "[[{}, {}]]", rows);
  const EquivalenceReport report = compare(a, b);
  ASSERT_EQ(report.verdict, Verdict::different);
  EXPECT_EQ(report.difference->row, "row 2 (test.yaml:12, seven)");
  EXPECT_EQ(shrunk_value(report, "s0"), 1U);
}

// The order of the waves is that of the scenario, also in the reproducer.
TEST(Waves, TheScheduleIsThatOfTheScenario) {
  const std::string code = "global_store_dword v0, v1, s[4:5]";
  const std::string groups = "[[{s0: 1}, {s0: 2}, {s0: 3}, {s0: 4}]]";
  const Scenario in_order = adders(code, groups);
  bool differs = false;
  for (u64 seed = 0; seed < 8 && !differs; ++seed) {
    const Scenario random = adders(code, groups, "schedule: {seed: " + std::to_string(seed) + ", slice: 1}\n");
    const EquivalenceReport report = compare(random, in_order);
    differs = report.verdict == Verdict::different;
    if (differs) {
      EXPECT_EQ(report.difference->reproducer_problem, "");
    }
  }
  EXPECT_TRUE(differs);
}

TEST(Waves, ProofsAndSweepsAreRefused) {
  const Scenario all = mirror_of(four_waves);
  EXPECT_THAT(prove_programs(all, all).error().message,
              HasSubstr("runs several waves, but this command runs one; with `kernel:`, replace `waves: all` by"));
  const Scenario group = mirror_of("workgroup_size: 256");
  EXPECT_THAT(prove_programs(group, group).error().message, HasSubstr("the kernel has barriers"));
}

}  // namespace
}  // namespace salu::equiv_test
