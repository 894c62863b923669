#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "unit/loader_helpers.hpp"
#include "work_group_kernels.hpp"

// Work-groups of several waves: turns, barriers, own memory, deadlocks.
namespace salu::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

u32 read(const Outcome& outcome, u64 index) { return outcome.memory.read_dword(out + 4 * index); }

TEST(WorkGroups, WavesMeetAtABarrier) {
  const Outcome outcome = run_text(kernel(mirror, "workgroup_size: 256, grid_size: 256, waves: all"));
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
  for (u32 item = 0; item < 256; ++item) EXPECT_EQ(read(outcome, item), 255 - item);
  EXPECT_EQ(outcome.steps, 4U * 13);
  EXPECT_TRUE(outcome.warnings.empty());
}

TEST(WorkGroups, OrderAndSlicesDoNotMatterWithBarriers) {
  for (u64 seed = 0; seed < 50; ++seed) {
    const std::string schedule = "schedule: {seed: " + std::to_string(seed) + ", slice: 3}\n";
    const Outcome outcome = run_text(kernel(mirror, "workgroup_size: 256, grid_size: 256, waves: all", schedule));
    for (u32 item = 0; item < 256; ++item) EXPECT_EQ(read(outcome, item), 255 - item) << seed;
  }
}

TEST(WorkGroups, OneWaveOfAGroupIsReported) {
  const std::string text = kernel(mirror, "workgroup_size: 256, grid_size: 256, wave: 1");
  const Scenario scenario = load_good(text);
  RunOptions options = scenario.options;
  std::vector<u64> traced;
  options.trace = [&](const TraceEvent& event) { traced.push_back(event.wave); };
  const Outcome outcome = run(scenario, options);
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
  EXPECT_EQ(outcome.state.vectors.lanes(3)[5], 255U - (64 + 5));
  EXPECT_EQ(outcome.state.file[3], 64U);
  EXPECT_EQ(read(outcome, 0), 255U);
  EXPECT_EQ(traced, std::vector<u64>(13, 0));
}

TEST(WorkGroups, WavesCanHaveGivenRegisters) {
  // Each wave stores its number to shared memory, and reads that of the other wave of its work-group.
  const std::string text = R"(
target: gfx900
code:
  asm: |
    v_mov_b32 v0, s0
    v_mov_b32 v1, s1
    v_mov_b32 v2, s2
    v_mov_b32 v3, s3
    ds_write_b32 v0, v2
    s_waitcnt lgkmcnt(0)
    s_barrier
    ds_read_b32 v4, v1
    s_waitcnt lgkmcnt(0)
    global_store_dword v3, v4, s[4:5]
    s_endpgm
registers: {m0: 0xffffffff, "s[4:5]": 0x200000000, exec: 1, s1: 4}
work_groups:
  - [{s2: 10}, {s0: 4, s1: 0, s2: 11, s3: 4}]
  - - {s2: 20, s3: 8}
    - {s0: 4, s1: 0, s2: 21, s3: 12, exec: 3}
memory: [{at: 0x200000000, size: 4096}, {at: 0xffff00000000, size: 1024}]
)";
  const Outcome outcome = run_text(text);
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
  EXPECT_EQ(outcome.steps, 4U * 11);
  const std::vector<u32> outcomes = {read(outcome, 0), read(outcome, 1), read(outcome, 2), read(outcome, 3)};
  EXPECT_THAT(outcomes, ElementsAre(11, 10, 21, 20));
  EXPECT_EQ(outcome.state.exec(), 3U);
  EXPECT_EQ(load_good(text).waves->wave(2).name, "wave 0 of work-group 1");
  EXPECT_EQ(load_good(text).waves->wave(2).initial.file[2], 20U);
}

// The first group runs longer than the second; the final state is nevertheless that of the last wave.
TEST(WorkGroups, TheFinalStateIsThatOfTheLastWave) {
  const std::string text = R"(
target: gfx900
code:
  asm: |
    .Lloop:
    s_sub_u32 s0, s0, 1
    s_cmp_lg_u32 s0, 0
    s_cbranch_scc1 .Lloop
    s_endpgm
work_groups: [[{s0: 900, s2: 1}, {s0: 1, s2: 2}], [{s0: 20, s2: 3}, {s0: 2, s2: 4}]]
schedule: {groups: concurrent, slice: 10}
)";
  const Outcome outcome = run_text(text);
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
  EXPECT_EQ(outcome.steps, 3U * (900 + 1 + 20 + 2) + 4);
  EXPECT_EQ(outcome.state.file[2], 4U);
}

TEST(WorkGroups, WavesWithGivenRegistersAreChecked) {
  const std::string code = "target: gfx900\ncode: {asm: s_endpgm}\n";
  EXPECT_THAT(load_bad(code + "work_groups: {}\n").message, HasSubstr("must be a list of work-groups"));
  EXPECT_THAT(load_bad(code + "work_groups: [{s0: 1}]\n").message, HasSubstr("each a list of waves"));
  EXPECT_THAT(load_bad(code + "work_groups: []\n").message, HasSubstr("needs at least one work-group"));
  EXPECT_THAT(load_bad(code + "work_groups: [[]]\n").message, HasSubstr("needs at least one wave"));
  EXPECT_THAT(load_bad(code + "work_groups: [[{s200: 1}]]\n").message, HasSubstr("s200"));
  EXPECT_THAT(load_bad(code + "work_groups: [[{}]]\nundefined: [s0]\n").message, HasSubstr("applies to one wave"));
  EXPECT_THAT(load_bad(kernel("  s_endpgm", "workgroup_size: 64", "work_groups: [[{}]]\n")).message,
              HasSubstr("cannot be combined with `kernel:`"));
}

TEST(WorkGroups, AWaveWithoutBarriersRunsAlone) {
  EXPECT_EQ(load_good(kernel("  s_endpgm", "workgroup_size: 256, grid_size: 256, wave: 1")).group, nullptr);
  EXPECT_NE(load_good(kernel(mirror, "workgroup_size: 256, grid_size: 256, wave: 1")).group, nullptr);
  EXPECT_EQ(load_good(kernel(mirror, "workgroup_size: 64, grid_size: 64")).group, nullptr);
}

TEST(WorkGroups, AnEndedWaveCountsAsArrived) {
  // The first wave ends at once.
  const Outcome outcome =
      run_text(kernel("  s_cmp_eq_u32 s3, 0\n  s_cbranch_scc1 .Lleave\n  s_barrier\n"
                      "  v_mov_b32_e32 v2, 7\n  global_store_dword v1, v2, s[4:5]\n.Lleave:\n"
                      "  s_endpgm",
                      "workgroup_size: 192, grid_size: 192, waves: all"));
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
  EXPECT_EQ(read(outcome, 63), 0U);
  EXPECT_EQ(read(outcome, 64), 7U);
  EXPECT_EQ(read(outcome, 191), 7U);
}

TEST(WorkGroups, BarriersCountAndNeedNotBeTheSame) {
  // Each wave waits at its own barrier, as on hardware.
  const Outcome outcome =
      run_text(kernel("  s_cmp_eq_u32 s3, 0\n  s_cbranch_scc1 .Lfirst\n  s_barrier\n"
                      "  s_branch .Lmet\n.Lfirst:\n  s_barrier\n.Lmet:\n  s_endpgm",
                      "workgroup_size: 128, grid_size: 128, waves: all"));
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
}

TEST(WorkGroups, EachGroupHasItsOwnSharedMemory) {
  // Every group adds 1 to a counter in LDS, which starts with 0, and stores the sum.
  const std::string count =
      "  v_mov_b32_e32 v5, 0\n  ds_read_b32 v2, v5\n  s_waitcnt lgkmcnt(0)\n  v_add_u32_e32 v2, 1, v2\n  s_barrier\n"
      "  ds_write_b32 v5, v2\n  s_barrier\n  ds_read_b32 v3, v5\n  s_lshl_b32 s6, s2, 2\n  s_add_u32 s4, s4, s6\n"
      "  s_waitcnt lgkmcnt(0)\n  global_store_dword v5, v3, s[4:5]\n  s_endpgm";
  for (const char* const schedule :
       {"", "schedule: {groups: concurrent, slice: 2}\n", "schedule: {groups: concurrent, seed: 3, slice: 5}\n"}) {
    const Outcome outcome = run_text(kernel(count, "workgroup_size: 128, grid_size: 640, waves: all", schedule));
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
    for (u32 group = 0; group < 5; ++group) EXPECT_EQ(read(outcome, group), 1U) << schedule;
  }
}

TEST(WorkGroups, AGroupThatStartsAfterOthersHasItsOwnSharedMemory) {
  // At most 1024 waves run at the same time. A group that finds something in LDS stores it.
  const std::string code =
      "  v_mov_b32_e32 v5, 0\n  ds_read_b32 v2, v5\n  v_mov_b32_e32 v6, 1\n  ds_write_b32 v5, v6\n"
      "  s_waitcnt lgkmcnt(0)\n  v_readfirstlane_b32 s7, v2\n  s_cmp_eq_u32 s7, 0\n  s_cbranch_scc1 .Lgood\n"
      "  global_store_dword v5, v2, s[4:5]\n.Lgood:\n  s_endpgm";
  const Outcome outcome =
      run_text(kernel(code, "workgroup_size: 64, grid_size: 66560, waves: all", "schedule: {groups: concurrent}\n"));
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
  EXPECT_EQ(outcome.steps, 1040U * 14);
  EXPECT_EQ(read(outcome, 0), 0U);
}

/// Waits until out[1] has the number of the wave, and then increments it: the waves run in order.
constexpr const char* relay =
    "  s_lshr_b32 s6, s3, 6\n.Lwait:\n  s_sleep 1\n  s_load_dword s7, s[4:5], 0x4 glc\n  s_waitcnt lgkmcnt(0)\n"
    "  s_cmp_lg_u32 s7, s6\n  s_cbranch_scc1 .Lwait\n  s_add_u32 s7, s7, 1\n  s_store_dword s7, s[4:5], 0x4 glc\n"
    "  s_waitcnt lgkmcnt(0)\n  s_dcache_wb\n  s_endpgm";

TEST(WorkGroups, AnOverwrittenEntryOfTheControlStackNamesTheCulprit) {
  // Each wave reads from LDS, after a barrier, what the other one has stored: the second one gets a value of which 8
  // lanes fork.
  const Outcome outcome =
      run_text(kernel("  v_mov_b32_e32 v2, 0xff\n  ds_write_b32 v1, v2\n  s_waitcnt lgkmcnt(0)\n  s_barrier\n"
                      "  v_mov_b32_e32 v2, 0\n  ds_read_b32 v3, v2\n  s_waitcnt lgkmcnt(0)\n  s_cmp_eq_u32 s3, 0\n"
                      "  s_cbranch_scc1 end\n  v_readfirstlane_b32 s12, v3\n  s_mov_b32 s13, 0\n  s_mov_b32 s10, 0\n"
                      "  s_cbranch_i_fork s[12:13], then\n  s_branch join\nthen:\n  s_mov_b32 s0, 5\njoin:\n"
                      "  s_cbranch_join s10\nend:\n  s_endpgm",
                      "workgroup_size: 128, grid_size: 128, waves: all"));
  ASSERT_EQ(outcome.warnings.size(), 1U) << outcome.stop.detail;
  EXPECT_EQ(outcome.warnings[0].kind, WarningKind::control_stack_misuse);
  EXPECT_THAT(outcome.warnings[0].detail, HasSubstr("s_mov_b32 s0, 5 at 0x105c overwrote it"));
}

TEST(WorkGroups, AWaveThatSpinsYields) {
  for (const std::string& schedule :
       {std::string(), std::string("schedule: {slice: 1}\n"), std::string("schedule: {seed: 1, slice: 100}\n")}) {
    const Outcome outcome = run_text(kernel(relay, "workgroup_size: 1024, grid_size: 1024, waves: all", schedule));
    EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << schedule << outcome.stop.detail;
    EXPECT_EQ(read(outcome, 1), 16U);
  }
}

TEST(WorkGroups, GroupsWaitForEachOtherOnlyIfTheyRunAtTheSameTime) {
  // The first group waits for the second one.
  const std::string waits =
      "  s_cmp_eq_u32 s2, 1\n  s_cbranch_scc1 .Lset\n.Lwait:\n  s_load_dword s7, s[4:5], 0x8 glc\n"
      "  s_waitcnt lgkmcnt(0)\n  s_cmp_eq_u32 s7, 0\n  s_cbranch_scc1 .Lwait\n  s_endpgm\n.Lset:\n"
      "  s_store_dword s2, s[4:5], 0x8 glc\n  s_waitcnt lgkmcnt(0)\n  s_endpgm";
  const std::string launch = "workgroup_size: 128, grid_size: 256, waves: all";
  EXPECT_EQ(run_text(kernel(waits, launch, "schedule: {groups: concurrent}\n")).stop.reason, StopReason::end_program);
  const Stop in_turn = run_text(kernel(waits, launch, "schedule: {groups: in_turn}\n")).stop;
  EXPECT_EQ(in_turn.reason, StopReason::deadlock);
  EXPECT_THAT(in_turn.detail, HasSubstr("later work-groups have not started: `schedule: {groups: concurrent}`"));
}

TEST(WorkGroups, WavesThatWaitForeverAreADeadlock) {
  // The first wave waits for a number that no wave stores, and the others for the first one, at the barrier.
  const std::string waits =
      "  s_cmp_lg_u32 s3, 0\n  s_cbranch_scc1 .Lmeet\n.Lwait:\n  s_load_dword s7, s[4:5], 0x8 glc\n"
      "  s_waitcnt lgkmcnt(0)\n  s_cmp_eq_u32 s7, 0\n  s_cbranch_scc1 .Lwait\n.Lmeet:\n  s_barrier\n  s_endpgm";
  for (const char* const schedule : {"", "schedule: {seed: 9, slice: 7}\n"}) {
    const Outcome outcome = run_text(kernel(waits, "workgroup_size: 192, grid_size: 192, waves: all", schedule));
    EXPECT_EQ(outcome.stop.reason, StopReason::deadlock) << schedule;
    EXPECT_THAT(outcome.stop.detail, HasSubstr("wave 0 of work-group [0, 0, 0] is at 0x"));
    EXPECT_THAT(outcome.stop.detail, HasSubstr("wave 1 of work-group [0, 0, 0] waits at the barrier before 0x"));
    EXPECT_THAT(outcome.stop.detail, HasSubstr("wave 2 of work-group [0, 0, 0] waits at the barrier before 0x"));
    EXPECT_LT(outcome.steps, 1'000'000U);
  }
}

TEST(WorkGroups, AGroupThatChangesOnlyItsSharedMemoryIsNoDeadlock) {
  // The first group counts in LDS, with the same registers at the end of each of its turns. The second one waits for
  // it.
  const std::string counts =
      "  v_mov_b32_e32 v5, 0\n  v_mov_b32_e32 v6, 1\n  v_mov_b32_e32 v7, 0\n  s_movk_i32 s6, 0\n  s_cmp_eq_u32 s2, 1\n"
      "  s_cbranch_scc1 .Lwait\n.Lnext:\n  ds_add_u32 v5, v6\n  ds_read_b32 v7, v5\n  s_waitcnt lgkmcnt(0)\n"
      "  v_readfirstlane_b32 s6, v7\n  s_cmpk_ge_u32 s6, 0x1000\n  v_mov_b32_e32 v7, 0\n  s_mov_b32 s6, 0\n  s_nop 0\n"
      "  s_nop 0\n  s_cbranch_scc0 .Lnext\n  s_store_dword s3, s[4:5], 0x4\n  s_mov_b32 s7, 1\n"
      "  s_store_dword s7, s[4:5], 0x8\n  s_endpgm\n.Lwait:\n  s_load_dword s7, s[4:5], 0x8 glc\n"
      "  s_waitcnt lgkmcnt(0)\n  s_nop 0\n  s_cmp_eq_u32 s7, 0\n  s_cbranch_scc1 .Lwait\n  s_endpgm";
  // Turns of 10 instructions end at the same one of the 10 in each loop.
  const Outcome outcome = run_text(
      kernel(counts, "workgroup_size: 64, grid_size: 128, waves: all", "schedule: {groups: concurrent, slice: 10}\n"));
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
}

TEST(WorkGroups, AWaitForTheClockIsNoDeadlock) {
  // Each wave reads the clock until it is past a time, and forgets what it has read.
  const std::string waits =
      "  s_movk_i32 s6, 0\n.Lwait:\n  s_memtime s[6:7]\n  s_waitcnt lgkmcnt(0)\n  s_cmp_gt_u32 s6, 0x8000\n"
      "  s_mov_b64 s[6:7], 0\n  s_cbranch_scc0 .Lwait\n  s_endpgm";
  const Outcome outcome =
      run_text(kernel(waits, "workgroup_size: 128, grid_size: 128, waves: all", "schedule: {slice: 5}\n"));
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program) << outcome.stop.detail;
}

TEST(WorkGroups, ALoopThatComputesIsNoDeadlock) {
  // Both waves count to 60,000: longer than a slice, without any store.
  const Outcome outcome =
      run_text(kernel("  s_mov_b32 s6, 0\n.Lnext:\n  s_add_u32 s6, s6, 1\n"
                      "  s_cmp_lg_u32 s6, 60000\n  s_cbranch_scc1 .Lnext\n  s_barrier\n  s_endpgm",
                      "workgroup_size: 128, grid_size: 128, waves: all"));
  EXPECT_EQ(outcome.stop.reason, StopReason::end_program);
  EXPECT_EQ(outcome.state.file[6], 60000U);
}

TEST(WorkGroups, TheStepLimitCountsAllWaves) {
  const Scenario scenario = load_good(kernel(mirror, "workgroup_size: 256, grid_size: 256, waves: all"));
  for (u64 limit = 1; limit < 52; ++limit) {
    RunOptions options = scenario.options;
    options.max_steps = limit;
    const Outcome outcome = run(scenario, options);
    EXPECT_EQ(outcome.stop.reason, StopReason::step_limit) << limit;
    EXPECT_EQ(outcome.steps, limit);
  }
}

TEST(WorkGroups, AFaultNamesItsWave) {
  const Outcome outcome =
      run_text(kernel("  s_barrier\n  s_cmp_eq_u32 s3, 128\n  s_cbranch_scc0 .Lgood\n"
                      "  s_mov_b32 s5, 0x7000\n  s_load_dword s6, s[4:5], 0x0\n.Lgood:\n  s_barrier\n"
                      "  s_endpgm",
                      "workgroup_size: 256, grid_size: 256, waves: all"));
  EXPECT_EQ(outcome.stop.reason, StopReason::unmapped_memory);
  EXPECT_THAT(outcome.stop.detail, HasSubstr("wave 2 of work-group [0, 0, 0]: "));
  EXPECT_EQ(outcome.state.file[3], 128U);
}

TEST(WorkGroups, StepsOfTheTraceCountAllWaves) {
  const Scenario scenario =
      load_good(kernel(mirror, "workgroup_size: 128, grid_size: 128, waves: all", "schedule: {slice: 4}\n"));
  RunOptions options = scenario.options;
  std::vector<u64> steps;
  std::vector<u64> waves;
  options.trace = [&](const TraceEvent& event) {
    steps.push_back(event.step);
    waves.push_back(event.wave);
  };
  EXPECT_EQ(run(scenario, options).steps, 26U);
  for (u64 i = 0; i < steps.size(); ++i) EXPECT_EQ(steps[i], i + 1);
  EXPECT_THAT(waves, ElementsAre(0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 1));
}

TEST(WorkGroups, UndefinedBitsPassThroughSharedMemory) {
  // The first wave stores an undefined register to LDS; the second one branches on what it reads.
  const std::string leak =
      "  s_cmp_lg_u32 s3, 0\n  s_cbranch_scc1 .Lmeet\n  ds_write_b32 v1, v9\n  s_waitcnt lgkmcnt(0)\n.Lmeet:\n"
      "  s_barrier\n  v_mov_b32_e32 v5, 0\n  ds_read_b32 v6, v5\n  s_waitcnt lgkmcnt(0)\n  v_readfirstlane_b32 s8, v6\n"
      "  s_cmp_eq_u32 s8, 1\n  s_cbranch_scc1 .Lend2\n.Lend2:\n  s_endpgm";
  const Outcome outcome =
      run_text(kernel(leak, "workgroup_size: 128, grid_size: 128, waves: all", "checks: [undefined]\n"));
  ASSERT_EQ(outcome.warnings.size(), 1U);
  EXPECT_EQ(outcome.warnings[0].kind, WarningKind::undefined_read);
  ASSERT_TRUE(outcome.warnings[0].undefined);
  EXPECT_EQ(outcome.warnings[0].undefined->origin, "never written");
  // Without the store, what is read is shared memory that no wave has written.
  std::string unset = leak;
  unset.replace(unset.find("ds_write_b32 v1, v9"), 19, "s_nop 0");
  const Outcome other =
      run_text(kernel(unset, "workgroup_size: 128, grid_size: 128, waves: all", "checks: [undefined]\n"));
  ASSERT_EQ(other.warnings.size(), 1U);
  EXPECT_EQ(other.warnings[0].undefined->origin, "uninitialised memory");
  // What a wave stored before the barrier is defined for the others.
  EXPECT_TRUE(run_text(kernel(mirror, "workgroup_size: 256, grid_size: 256, waves: all", "checks: [undefined]\n"))
                  .warnings.empty());
}

TEST(WorkGroups, TheScheduleIsChecked) {
  const auto fail = [](const std::string& schedule) {
    return load_bad(kernel(mirror, "workgroup_size: 64, waves: all", "schedule: " + schedule + "\n")).message;
  };
  EXPECT_EQ(fail("{order: random}"), "`order:` must be `ids`; use `seed:` for a random order");
  EXPECT_EQ(fail("{order: ids, seed: 1}"), "`order: ids` contradicts `seed:`; omit one of them");
  EXPECT_EQ(fail("{slice: 0}"), "`slice:` must be at least 1");
  EXPECT_EQ(fail("{groups: mixed}"), "`groups:` must be `in_turn` or `concurrent`");
  EXPECT_THAT(fail("{sed: 1}"), HasSubstr("unknown key `sed`"));
  EXPECT_EQ(load_bad(with("schedule: {seed: 1}\n")).message,
            "`schedule:` orders the waves of work-groups, which `kernel:` or `work_groups:` starts");
}

}  // namespace
}  // namespace salu::test
