#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <salu/integer.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tool.hpp"
#include "work_group_kernels.hpp"

// The command `salu test`: its output, files and exit codes.
namespace salu::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view adds =
    "target: gfx900\n"
    "code:\n"
    "  asm: |\n"
    "    s_add_u32 s2, s0, s1\n"
    "    s_endpgm\n";

std::string good_test(const std::string& name) {
  return "name: " + name + "\n" + std::string(adds) + "registers: {s0: 5, s1: 6}\nexpect: {registers: {s2: 11}}\n";
}

class TestCommand : public testing::Test {
 protected:
  TestCommand() {
    (void)workspace_.write("good.yaml", good_test("five and six"));
    (void)workspace_.write("wrong.yaml",
                           std::string(adds) + "registers: {s0: 5}\nexpect:\n  registers:\n    s2: 0x06\n");
  }
  [[nodiscard]] ToolRun run(const std::string& arguments) const {
    return run_shell("salu test " + arguments, workspace_.path(""));
  }

  Workspace workspace_;
};

TEST_F(TestCommand, ReportsFailuresWithReasons) {
  const ToolRun all = run(".");
  EXPECT_EQ(all.exit_code, 1);
  EXPECT_EQ(all.err, "");
  EXPECT_EQ(all.out,
            "FAIL: ./wrong.yaml: s2: expected 0x00000006, got 0x00000005; written last by `s_add_u32 s2, s0, s1` at "
            "0x1000 (./wrong.yaml:4); expected in ./wrong.yaml:9\n"
            "2 tests: 1 passed, 1 failed\n");
  const ToolRun good = run("-v good.yaml");
  EXPECT_EQ(good.exit_code, 0);
  EXPECT_EQ(good.out, "PASS: good.yaml (five and six)\n1 test: 1 passed\n");
}

TEST_F(TestCommand, ADocumentIsSelectedByNumberOrName) {
  (void)workspace_.write("two.yaml", good_test("first") + "---\n" + good_test("second"));
  EXPECT_EQ(run("-v --document 2 two.yaml good.yaml").out, "PASS: two.yaml#2 (second)\n1 test: 1 passed\n");
  EXPECT_EQ(run("-v --document first two.yaml").out, "PASS: two.yaml#1 (first)\n1 test: 1 passed\n");
  EXPECT_EQ(run("-v --document 1 good.yaml").out, "PASS: good.yaml (five and six)\n1 test: 1 passed\n");
  const ToolRun none = run("--document third two.yaml");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("no test matches --document third"));
}

TEST_F(TestCommand, UpdateKeepsOtherDocuments) {
  const std::string wrong = std::string(adds) + "registers: {s0: 5}\nexpect:\n  registers:\n    s2: 0x06\n";
  const std::string file = workspace_.write("wrong_twice.yaml", wrong + "---\n" + wrong);
  EXPECT_EQ(run("--update --document 2 wrong_twice.yaml").exit_code, 0);
  EXPECT_EQ(run("--document 2 wrong_twice.yaml").exit_code, 0);
  EXPECT_EQ(run("--document 1 wrong_twice.yaml").exit_code, 1);
}

/// A kernel of two waves that store their numbers to the same place. The second one stores last, in order of ids.
std::string kernel_of_two_waves(const std::string& before_store,
                                const std::string& expect = "{memory: [{at: 0x200000000, words: [64]}]}") {
  return kernel(
      before_store + "  s_store_dword s3, s[4:5], 0x0\n  s_waitcnt lgkmcnt(0)\n.Lmeet:\n  s_barrier\n  s_endpgm",
      "workgroup_size: 128, grid_size: 128, waves: all", "name: two waves\nexpect: " + expect + "\n");
}

TEST_F(TestCommand, ResultsThatDependOnTheOrderOfWavesFail) {
  (void)workspace_.write("race.yaml", kernel_of_two_waves(""));
  (void)workspace_.write("ordered.yaml", kernel_of_two_waves("  s_cmp_eq_u32 s3, 0\n  s_cbranch_scc1 .Lmeet\n"));
  EXPECT_EQ(run("race.yaml ordered.yaml").exit_code, 0);
  EXPECT_EQ(run("--schedules 20 ordered.yaml good.yaml").exit_code, 0);
  const ToolRun race = run("--schedules 20 race.yaml");
  EXPECT_EQ(race.exit_code, 1);
  EXPECT_THAT(race.out, HasSubstr("FAIL: race.yaml (two waves): memory 0x200000000: expected "));
  EXPECT_THAT(race.out, HasSubstr("with the order of waves of `schedule: {seed: "));
  EXPECT_EQ(run("--schedules some race.yaml").exit_code, 2);
  // Memory that is not expected counts only if no memory is.
  (void)workspace_.write("stop.yaml", kernel_of_two_waves("", "{stop: end_program}"));
  (void)workspace_.write("other.yaml", kernel_of_two_waves("", "{memory: [{at: 0x200000010, words: [0]}]}"));
  EXPECT_EQ(run("--schedules 20 stop.yaml").exit_code, 1);
  EXPECT_EQ(run("--schedules 20 other.yaml").exit_code, 0);
}

TEST_F(TestCommand, TablesHaveFloats) {
  const std::string code = "target: gfx900\ncode:\n  asm: |\n    v_add_f32 v1, v0, v0\n    s_endpgm\n";
  (void)workspace_.write("sums.csv", "v0:f32,expect.v1:f32~1\n0.25,0.5\n0.1,0.20000002\n");
  (void)workspace_.write("sums.yaml", code + "cases: {file: sums.csv}\n");
  EXPECT_EQ(run("sums.yaml").exit_code, 0);
  (void)workspace_.write("sums.csv", "v0[0]:f32,expect.v1[0]:f32~1\n0.25,0.5\n0.1,0.2500000\n");
  const ToolRun wrong = run("sums.yaml");
  EXPECT_EQ(wrong.exit_code, 1);
  // 0x3e800000 - 0x3e4ccccd
  EXPECT_THAT(wrong.out, HasSubstr("FAIL: sums.yaml[2]: v1[0]: expected 0.25 (0x3e800000), got 0.2 (0x3e4ccccd), "
                                   "3355443 ulps apart; 1 allowed"));
  EXPECT_EQ(run("--update sums.yaml").exit_code, 0);
  EXPECT_EQ(read_text(workspace_.path("sums.csv")), "v0[0]:f32,expect.v1[0]:f32~1\n0.25,0.5\n0.1,0.2\n");
}

TEST_F(TestCommand, ResultsThatDependOnApproximationsFail) {
  const std::string code = "target: gfx900\ncode:\n  asm: |\n    v_rcp_f32 v1, v0\n    s_endpgm\n";
  (void)workspace_.write("third.yaml",
                         code + "registers: {v0: {f32: 3}}\nexpect:\n  registers: {v1: {f32: 0.33333334}}\n");
  (void)workspace_.write("half.yaml", code + "registers: {v0: {f32: 2}}\nexpect: {registers: {v1: {f32: 0.5}}}\n");
  (void)workspace_.write("close.yaml", code +
                                           "registers: {v0: {f32: 3}}\n"
                                           "expect: {registers: {v1: {f32: 0.33333334, ulps: 1}}}\n");
  (void)workspace_.write("rows.yaml", code +
                                          "cases:\n  columns: ['v0[0]', 'expect.v1[0]']\n  rows:\n"
                                          "    - [0x40000000, 0x3f000000]\n    - [0x40e00000, 0x3e124925]\n");
  EXPECT_EQ(run("third.yaml half.yaml close.yaml rows.yaml").exit_code, 0);
  EXPECT_EQ(run("--approximations high third.yaml").exit_code, 0);
  EXPECT_EQ(run("--approximations all half.yaml close.yaml good.yaml").exit_code, 0);
  const ToolRun low = run("--approximations low third.yaml");
  EXPECT_EQ(low.exit_code, 1);
  EXPECT_THAT(low.out, HasSubstr("v1[0]: expected 0.33333334 (0x3eaaaaab), got 0.3333333 (0x3eaaaaaa)"));
  EXPECT_THAT(low.out, Not(HasSubstr("approximations")));
  const ToolRun all = run("--approximations all third.yaml");
  EXPECT_EQ(all.exit_code, 1);
  EXPECT_THAT(all.out, HasSubstr("with `approximations: low`, written last by `v_rcp_f32_e32 v1, v0` at 0x1000"));
  EXPECT_THAT(run("--approximations all rows.yaml").out,
              HasSubstr("FAIL: rows.yaml[2]: v1[0]: expected 0x3e124925, got 0x3e124924; with `approximations: low`"));
  EXPECT_EQ(run("--approximations some third.yaml").exit_code, 2);
}

// Two work-groups of two waves: the first waves store 1, the second ones 2, each to its own place and to one of all.
std::string kernel_with_branches(const std::string& launch, const std::string& expect) {
  return kernel(
      "  s_cmp_eq_u32 s3, 0\n  s_cbranch_scc0 second\n  s_mov_b32 s6, 1\n  s_branch both\nsecond:\n"
      "  s_mov_b32 s6, 2\n  s_cmp_eq_u32 s2, 1\n  s_cbranch_scc0 both\n  s_mov_b32 s7, 3\nboth:\n"
      "  s_lshl_b32 s8, s2, 3\n  s_lshr_b32 s9, s3, 4\n  s_add_u32 s8, s8, s9\n  v_mov_b32 v2, s8\n  v_mov_b32 v3, s6\n"
      "  global_store_dword v2, v3, s[4:5]\n  s_barrier\n  s_endpgm",
      launch, "name: branches\nexpect: " + expect + "\n");
}

TEST_F(TestCommand, FailuresNameTheWave) {
  const std::string all = "workgroup_size: 128, grid_size: 256, waves: all";
  (void)workspace_.write("all.yaml", kernel_with_branches(all, "{memory: [{at: 0x200000000, words: [1, 2, 5, 2]}]}"));
  const ToolRun of_memory = run("--junit report.xml all.yaml");
  EXPECT_EQ(of_memory.exit_code, 1);
  EXPECT_THAT(of_memory.out, HasSubstr("memory 0x200000008: expected 0x00000005, got 0x00000001; "));
  EXPECT_THAT(of_memory.out, HasSubstr("written last by `global_store_dword v2, v3, s[4:5]`"));
  EXPECT_THAT(of_memory.out, HasSubstr(" in wave 0 of work-group [1, 0, 0]; expected in all.yaml:"));
  EXPECT_THAT(read_text(workspace_.path("report.xml")), HasSubstr(" in wave 0 of work-group [1, 0, 0])"));
  // The registers are those of the last wave; the others have written s6 as well.
  (void)workspace_.write("last.yaml", kernel_with_branches(all, "{registers: {s6: 7}}"));
  EXPECT_THAT(run("last.yaml").out, HasSubstr("`s_mov_b32 s6, 2` at "));
  EXPECT_THAT(run("last.yaml").out, HasSubstr(" in wave 1 of work-group [1, 0, 0]; expected in last.yaml:"));
  // One wave is selected, and another one of its work-group has written the memory.
  const std::string first = "workgroup_size: 128, grid_size: 256, wave: 0";
  (void)workspace_.write("one.yaml",
                         kernel_with_branches(first, "{registers: {s6: 7}, memory: [{at: 0x200000004, words: [9]}]}"));
  const std::string of_one = run("one.yaml").out;
  EXPECT_THAT(of_one, HasSubstr("s6: expected 0x00000007, got 0x00000001; written last by `s_mov_b32 s6, 1` at "));
  EXPECT_THAT(of_one, HasSubstr(" in wave 0 of work-group [0, 0, 0]; expected in one.yaml:"));
  EXPECT_THAT(of_one, HasSubstr(" in wave 1 of work-group [0, 0, 0]; expected in one.yaml:"));
  // A stop and a race.
  (void)workspace_.write("stop.yaml",
                         kernel("  s_cmp_eq_u32 s3, 64\n  s_cbranch_scc0 .Lok\n  s_trap 1\n.Lok:\n  s_endpgm",
                                "workgroup_size: 128, waves: all", "expect: {}\n"));
  EXPECT_THAT(run("stop.yaml").out, HasSubstr("got trap: wave 1 of work-group [0, 0, 0]"));
  (void)workspace_.write("race.yaml", kernel_of_two_waves(""));
  EXPECT_THAT(run("--check-races race.yaml").out, HasSubstr(" in wave 1 of work-group [0, 0, 0]"));
}

TEST_F(TestCommand, CoverageIsThatOfAllWaves) {
  // Each path is taken by some wave only: the first waves, the second ones, the second one of the second work-group.
  (void)workspace_.write(
      "all.yaml", kernel_with_branches("workgroup_size: 128, grid_size: 256, waves: all", "{stop: end_program}"));
  (void)workspace_.write("one.yaml",
                         kernel_with_branches("workgroup_size: 128, grid_size: 256, wave: 0", "{stop: end_program}"));
  const auto coverage = [&](const std::string& file) {
    EXPECT_EQ(run("--coverage lines.info " + file).exit_code, 0);
    return read_text(workspace_.path("lines.info"));
  };
  // 21 instructions in 21 lines. The work-group of one.yaml does not have the last path, of one instruction.
  EXPECT_THAT(coverage("all.yaml"), HasSubstr("LF:21\nLH:21\n"));
  EXPECT_THAT(coverage("one.yaml"), HasSubstr("LF:21\nLH:20\n"));
}

TEST_F(TestCommand, TheShippedProgramsHold) {
  const ToolRun all = run("'" SALU_PROGRAMS_DIR "'");
  EXPECT_EQ(all.exit_code, 0) << all.out;
  EXPECT_THAT(all.out, Not(HasSubstr("without `expect:`")));
}

TEST_F(TestCommand, ABrokenFileFailsAlone) {
  (void)workspace_.write("broken.yaml", "target: gfx900\ncode: {asm: s_endpgm}\nregisters: {s0: [1\n");
  const ToolRun all = run("broken.yaml good.yaml wrong.yaml");
  EXPECT_EQ(all.exit_code, 3);
  EXPECT_THAT(all.out, HasSubstr("ERROR: broken.yaml:"));
  EXPECT_THAT(all.out, HasSubstr("3 tests: 1 passed, 1 failed, 1 not loaded\n"));
}

TEST_F(TestCommand, ExitCodes) {
  EXPECT_EQ(run("good.yaml").exit_code, 0);
  EXPECT_EQ(run("wrong.yaml").exit_code, 1);
  EXPECT_EQ(run("").exit_code, 2);
  EXPECT_EQ(run("--shard 3/2 good.yaml").exit_code, 2);
  EXPECT_EQ(run("-j 0 good.yaml").exit_code, 2);
  EXPECT_EQ(run("--mcpu gfx901x good.yaml").exit_code, 2);
  EXPECT_EQ(run("--max-steps -1 good.yaml").exit_code, 2);
  EXPECT_EQ(run("nowhere").exit_code, 3);
  const ToolRun none = run("-k nothing good.yaml");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("no test matches nothing"));
}

TEST_F(TestCommand, ListsAndFilters) {
  EXPECT_EQ(run("--list .").out, "./good.yaml  five and six\n./wrong.yaml\n");
  EXPECT_EQ(run("--list -k five .").out, "./good.yaml  five and six\n");
  EXPECT_EQ(run("-k '!wrong' .").out, "1 test: 1 passed\n");
}

// The id that a failure prints selects the row, and a copy of the file can be cut down with it.
TEST_F(TestCommand, TheIdOfARowSelectsIt) {
  (void)workspace_.write(
      "table.yaml",
      std::string(adds) + "cases: [{name: two, s0: 1, s1: 1, expect: {s2: 3}}, {s0: 1, expect: {s2: 1}}]\n");
  const ToolRun all = run("table.yaml");
  ASSERT_THAT(all.out, HasSubstr("FAIL: table.yaml[two]: s2: "));
  const ToolRun one = run("-k 'table.yaml[two]' table.yaml");
  EXPECT_EQ(one.exit_code, 1);
  EXPECT_THAT(one.out, HasSubstr("1 test: 0 passed, 1 failed\n"));
  EXPECT_EQ(run("-k 'table.yaml[2]' table.yaml").exit_code, 0);
  EXPECT_EQ(run("--list table.yaml").out, "table.yaml (2 rows)\n");
  EXPECT_EQ(run("--list -k two table.yaml").out, "table.yaml (1 row)\n");
  EXPECT_THAT(run("'table.yaml[two]'").err, HasSubstr("`-k` selects a document or a row of a file"));
  EXPECT_THAT(run("-x table.yaml").out, HasSubstr("stopped at the first failure"));
}

// The destination registers of a skipped instruction are unknown.
TEST_F(TestCommand, DependenceOnSkippedInstructionsFails) {
  const std::string skips =
      "target: gfx900\non_vector: skip\nregisters: {v0: 7, v2: 3}\n"
      "code: {words: [0x7e040300, 0xbf810000]}\n";  // v_mov_b32 v2, v0
  (void)workspace_.write("skip.yaml", skips + "expect: {registers: {v2: 3, \"v0[5]\": 7}}\n");
  (void)workspace_.write("rows.yaml", skips + "cases: [{expect: {v2: 3}}, {v9: 1, expect: {v9: 0}}, {s0: 1}]\n");
  const ToolRun skip = run("skip.yaml");
  EXPECT_EQ(skip.exit_code, 1);
  EXPECT_THAT(skip.out, HasSubstr("v2[0]: expected 0x00000003, got undefined: depends on a skipped vector instruction, "
                                  "and 63 more lanes;"));
  EXPECT_THAT(skip.out, HasSubstr("v0[5]: expected 0x00000007, got undefined: "));
  const ToolRun rows = run("rows.yaml");
  EXPECT_THAT(rows.out, HasSubstr("rows.yaml[1]: v2[0]: expected 0x00000003, got undefined: "));
  EXPECT_THAT(rows.out, HasSubstr("rows.yaml[2]: v9[0]: expected 0x00000000, got undefined: "));
  EXPECT_THAT(rows.out, Not(HasSubstr("rows.yaml[3]")));
  const ToolRun update = run("skip.yaml --update");
  EXPECT_THAT(update.out + update.err, HasSubstr("`v2` is not rewritten: a skipped vector instruction decides it"));
}

TEST_F(TestCommand, LanesOfARowFailOnARegisterEach) {
  (void)workspace_.write("lanes.yaml",
                         "target: gfx900\n"
                         "code: {words: [0x68040300, 0xbf810000]}\n"  // v_add_u32 v2, v0, v1
                         "expect: {registers: {v2: [7]}}\n"
                         "cases:\n"
                         "  - {v0: [1, 2, 3], v1: 0x10, expect: {v2: [0x11, 0, 19]}}\n"
                         "  - {v0: {lane_ids: true}, v1: [7, 1], expect: {v2: {value: [7, 3], mask: 0xf}}}\n"
                         "  - {v0: 7, v1: [0, 1]}\n"
                         "  - {v0: 6, v1: [0, 1]}\n");
  (void)workspace_.write("commas.yaml",
                         "target: gfx900\ncode: {words: [0x68040300, 0xbf810000]}\ncases: {file: commas.csv}\n");
  (void)workspace_.write("commas.csv", "v0,v1,expect.v2\n1,2,3\n1,2,4\n");
  const ToolRun lanes = run("lanes.yaml");
  EXPECT_EQ(lanes.exit_code, 1);
  EXPECT_THAT(lanes.out,
              HasSubstr("FAIL: lanes.yaml[1]: v2[1]: expected 0x00000000, got 0x00000012; written last by "
                        "`v_add_u32_e32 v2, v0, v1` at 0x1000; expected in lanes.yaml:5\n"
                        "FAIL: lanes.yaml[2]: v2[1]: expected 0x00000003 (mask 0x0000000f), got 0x00000002;"));
  EXPECT_THAT(lanes.out, HasSubstr("FAIL: lanes.yaml[4]: v2[0]: expected 0x00000007, got 0x00000006;"));
  EXPECT_THAT(lanes.out, HasSubstr("\n1 test (4 runs): 0 passed, 1 failed\n"));
  const ToolRun commas = run("commas.yaml");
  EXPECT_THAT(commas.out,
              HasSubstr("FAIL: commas.yaml[2]: v2[0]: expected 0x00000004, got 0x00000003, and 63 more lanes;"));
  EXPECT_THAT(commas.out, Not(HasSubstr("v2[63]")));
  EXPECT_THAT(commas.out, HasSubstr("\n1 test (2 runs): 0 passed, 1 failed\n"));
}

// `--check` without a row would not check a table.
TEST_F(TestCommand, RunDoesNotCheckATableWithoutSayingSo) {
  (void)workspace_.write("table.yaml", std::string(adds) + "cases: [{s0: 1, expect: {s2: 1}}, {s0: 1}]\n");
  const auto check = [&](const std::string& arguments) {
    return run_shell("salu run -q --check " + arguments + " table.yaml", workspace_.path(""));
  };
  const ToolRun whole = check("");
  EXPECT_EQ(whole.exit_code, 2);
  EXPECT_THAT(whole.err,
              HasSubstr("table.yaml:6:8: error: --check: the rows of `cases:` are not run; check one of the"));
  EXPECT_EQ(check("--case 1").exit_code, 0);
  EXPECT_THAT(run_shell("salu run --check --case 2 table.yaml", workspace_.path("")).out,
              HasSubstr("nothing to check"));
}

TEST_F(TestCommand, NamesDoNotReachTheTerminalAsControl) {
  (void)workspace_.write("red.yaml", "name: \"a\\e[31m\\nb\"\n" + std::string(adds));
  EXPECT_EQ(run("--list red.yaml").out, "red.yaml  a\\x1b[31m\\x0ab\n");
  EXPECT_THAT(run("-v red.yaml").out, HasSubstr("PASS: red.yaml (a\\x1b[31m\\x0ab)\n"));
}

TEST_F(TestCommand, ATestWithoutExpectationsIsReported) {
  const std::string remark = "1 test without `expect:`: only a regular end of the run was checked\n";
  (void)workspace_.write("bare.yaml", adds);
  EXPECT_EQ(run("bare.yaml").out, "1 test: 1 passed\n" + remark);
  for (const std::string nothing : {"{}", "{registers: {}}", "{memory: []}"}) {
    (void)workspace_.write("bare.yaml", std::string(adds) + "expect: " + nothing + "\n");
    EXPECT_EQ(run("bare.yaml").out, "1 test: 1 passed\n" + remark);
  }
  (void)workspace_.write("bare.yaml", std::string(adds) + "expect: {warnings: []}\n");
  EXPECT_EQ(run("bare.yaml").out, "1 test: 1 passed\n");
}

TEST_F(TestCommand, Shards) {
  for (int i = 0; i < 6; ++i) (void)workspace_.write("many/" + std::to_string(i) + ".yaml", good_test("t"));
  EXPECT_THAT(run("--shard 2/4 many").out, HasSubstr("2 tests: 2 passed; shard 2 of 4\n"));
  const auto in_environment = [&](const std::string& variables) {
    return run_shell(variables + " salu test many", workspace_.path(""));
  };
  EXPECT_THAT(in_environment("TEST_TOTAL_SHARDS=4 TEST_SHARD_INDEX=3 TEST_SHARD_STATUS_FILE=status").out,
              HasSubstr("1 test: 1 passed; shard 4 of 4\n"));
  EXPECT_TRUE(std::filesystem::exists(workspace_.path("status")));
  EXPECT_THAT(in_environment("SLURM_ARRAY_TASK_ID=13 SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_COUNT=3 "
                             "SLURM_ARRAY_TASK_STEP=3")
                  .out,
              HasSubstr("2 tests: 2 passed; shard 2 of 3\n"));
  EXPECT_EQ(in_environment("SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_COUNT=3").exit_code, 2);
  // An array of one task is everything, unless it looks like one task of a larger array that runs again.
  for (const std::string id : {"0", "1"}) {
    EXPECT_EQ(
        in_environment("SLURM_ARRAY_TASK_ID=" + id + " SLURM_ARRAY_TASK_MIN=" + id + " SLURM_ARRAY_TASK_COUNT=1").out,
        "6 tests: 6 passed\n");
  }
  const std::string again = "SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_COUNT=1";
  const ToolRun alone = in_environment(again);
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_THAT(alone.err, HasSubstr("the only task of its job array; use --shard I/N"));
  EXPECT_THAT(run_shell(again + " salu test --shard 3/4 many", workspace_.path("")).out,
              HasSubstr("1 test: 1 passed; shard 3 of 4\n"));
  EXPECT_EQ(in_environment("TEST_TOTAL_SHARDS=4 TEST_SHARD_INDEX=4").exit_code, 2);
}

TEST_F(TestCommand, WritesReports) {
  EXPECT_EQ(run("--junit report.xml --coverage lines.info .").exit_code, 1);
  EXPECT_THAT(read_text(workspace_.path("report.xml")),
              HasSubstr("<testsuite name=\"salu\" tests=\"2\" failures=\"1\""));
  EXPECT_THAT(read_text(workspace_.path("lines.info")), HasSubstr("SF:./good.yaml\nDA:5,1\nDA:6,1\nLF:2\nLH:2\n"));
  // The report as an XML parser reads it.
  const ToolRun counted = run_shell(
      "python3 -c 'import xml.etree.ElementTree as t; print(len(t.parse(\"report.xml\").findall(\".//testcase\")))'",
      workspace_.path(""));
  EXPECT_EQ(counted.out, "2\n") << counted.err;
  EXPECT_EQ(run("--junit nowhere/report.xml good.yaml").exit_code, 3);
}

TEST_F(TestCommand, ReportsThatCannotBeWrittenAreKnownBeforeTheRun) {
  for (const std::string arguments : {"--junit .", "--junit none/a.xml", "--coverage none/a.info", "--junit -"}) {
    const ToolRun refused = run(arguments + " good.yaml");
    EXPECT_EQ(refused.exit_code, 3) << arguments;
    EXPECT_EQ(refused.out, "") << arguments;
    EXPECT_THAT(refused.err, HasSubstr(arguments.substr(0, arguments.find(' ')) + ": error: ")) << arguments;
  }
  EXPECT_EQ(run("--junit a --coverage a good.yaml").exit_code, 2);
  EXPECT_EQ(run("--list --junit a.xml good.yaml").exit_code, 2);
  EXPECT_EQ(run("--list --fidelity good.yaml").exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(workspace_.path("a.xml")));
  EXPECT_EQ(run("-j 4000000000 good.yaml").exit_code, 2);
}

// A file to which the shell redirects the output is not replaced by the report.
TEST_F(TestCommand, AReportMayGoToStandardOutput) {
  for (const std::string redirection : {"> out.txt", "| cat > out.txt"}) {
    EXPECT_EQ(run("--junit /dev/stdout good.yaml " + redirection).exit_code, 0);
    const std::string text = run_shell("cat out.txt", workspace_.path("")).out;
    EXPECT_THAT(text, HasSubstr("1 test: 1 passed\n<?xml"));
    EXPECT_THAT(text, HasSubstr("</testsuites>\n"));
  }
}

TEST_F(TestCommand, UpdatesExpectations) {
  const std::string scenario = "# about this\n" + std::string(adds) +
                               "registers: {s0: 5, s1: 6}\n"
                               "expect:\n"
                               "  stop: halt   # why\n"
                               "  max_steps: 1\n"
                               "  registers:\n"
                               "    s2: 0x0001     # eleven\n"
                               "    s0: {value: 0x4, mask: 0xf}\n"
                               "    \"s[4:7]\": [0, 0b1, 1, 0]\n"
                               "---\n" +
                               std::string(adds) +
                               "cases:\n"
                               "  - {s0: 1, s1: 2, expect: {s2: 4, scc: 0}}   # three\n"
                               "  - {s0: 0xffffffff, s1: -1, expect: {s2: -3, scc: '0'}}\n"
                               "---\n" +
                               std::string(adds) + "cases: {file: rows.csv}\n";
  (void)workspace_.write("u/u.yaml", scenario);
  (void)workspace_.write("u/rows.csv", "s0, s1, expect.s2\n1, 2, 0xABCDEF\n3, 4, 7\n# a remark\n5,6,2/0xf\n");
  const ToolRun run_of_update = run("--update u");
  EXPECT_EQ(run_of_update.exit_code, 0) << run_of_update.out;
  EXPECT_THAT(run_of_update.out, HasSubstr("updated u/u.yaml: 9 values\n"));
  EXPECT_THAT(run_of_update.out, HasSubstr("updated u/rows.csv: 2 values\n"));
  EXPECT_THAT(run_of_update.out, HasSubstr("Review the changes"));
  std::string expected = scenario;
  const auto replace = [&](const std::string& before, const std::string& after) {
    ASSERT_NE(expected.find(before), std::string::npos) << before;
    expected.replace(expected.find(before), before.size(), after);
  };
  replace("stop: halt ", "stop: end_program ");
  replace("max_steps: 1", "max_steps: 2");
  replace("0x0001 ", "0x000b ");
  replace("value: 0x4", "value: 0x5");
  replace("[0, 0b1, 1, 0]", "[0, 0b0, 0, 0]");
  replace("{s2: 4,", "{s2: 3,");
  replace("s2: -3, scc: '0'", "s2: -2, scc: '1'");
  EXPECT_EQ(read_text(workspace_.path("u/u.yaml")), expected);
  EXPECT_EQ(read_text(workspace_.path("u/rows.csv")),
            "s0, s1, expect.s2\n1, 2, 0x000003\n3, 4, 7\n# a remark\n5,6,11/0xf\n");
  EXPECT_EQ(run("u").exit_code, 0);
}

TEST_F(TestCommand, OneRowCanBeRun) {
  (void)workspace_.write("t.yaml", std::string(adds) +
                                       "cases:\n  - {s0: 1, s1: 2, expect: {s2: 3}}\n"
                                       "  - {name: off, s0: 1, s1: 2, expect: {s2: 4}}\n");
  const auto run_row = [&](const std::string& arguments) {
    return run_shell("salu run --check " + arguments + " t.yaml", workspace_.path(""));
  };
  EXPECT_EQ(run_row("--case 1").exit_code, 0);
  EXPECT_THAT(run_row("--case 1").out, HasSubstr("t.yaml[1] on gfx900"));
  for (const char* row : {"2", "off"}) {
    const ToolRun wrong = run_row(std::string("--case ") + row);
    EXPECT_EQ(wrong.exit_code, 1);
    EXPECT_THAT(wrong.out, HasSubstr("s2: expected 0x00000004, got 0x00000003 (t.yaml:8)"));
  }
  for (const char* row : {"0", "3", "on"}) {
    const ToolRun none = run_row(std::string("--case ") + row);
    EXPECT_EQ(none.exit_code, 2);
    EXPECT_THAT(none.err, HasSubstr(std::string("--case ") + row + ": no such row; `cases:` has 2 rows"));
  }
  EXPECT_THAT(run_shell("salu run t.yaml", workspace_.path("")).err,
              HasSubstr("t.yaml:7:3: warning: the rows of `cases:` are not run"));
  EXPECT_THAT(run_shell("salu run --case 1 good.yaml", workspace_.path("")).err, HasSubstr("has no `cases:`"));
}

TEST_F(TestCommand, UnchangedExpectationsAreReported) {
  (void)workspace_.write("u.yaml",
                         "target: gfx900\ncode: {asm: \"s_sethalt 1\\ns_nop 0\"}\nmemory: [{at: 0x10000, size: 4}]\n"
                         "expect: {memory: [{at: 0x10000, text: a}]}\n");
  const ToolRun updated = run("--update u.yaml");
  EXPECT_EQ(updated.exit_code, 1);
  EXPECT_THAT(updated.out, HasSubstr("not updated: u.yaml:4: the run does not end regularly; add `stop: halt`"));
  EXPECT_THAT(updated.out, HasSubstr("1 of the updated tests still fail"));
  (void)workspace_.write("m.yaml",
                         "target: gfx900\ncode: {asm: s_endpgm}\nmemory: [{at: 0x10000, size: 4}]\n"
                         "expect: {memory: [{at: 0x10000, text: a}]}\n");
  EXPECT_THAT(run("--update m.yaml").out,
              HasSubstr("not updated: m.yaml:4: expected memory is rewritten only if it is a list"));
  EXPECT_EQ(run("--update - < m.yaml").exit_code, 2);
}

// With an alias, one text is an input and an expectation: neither can be changed alone.
TEST_F(TestCommand, AnInputIsNotRewrittenThroughAnAlias) {
  const std::string text = std::string(adds) + "registers: &r {s0: 1, s1: 2, s2: 9}\nexpect: {registers: *r}\n";
  (void)workspace_.write("alias.yaml", text);
  const ToolRun updated = run("--update alias.yaml");
  EXPECT_EQ(updated.exit_code, 1);
  EXPECT_THAT(updated.out,
              HasSubstr("not updated: alias.yaml:6: `s2` is not rewritten: 3 would be wrong for something else"));
  EXPECT_EQ(read_text(workspace_.path("alias.yaml")), text);
}

// The results of an interrupted run are not used as expectations.
TEST_F(TestCommand, AFaultyRunIsNotExpected) {
  const std::string rows =
      "target: gfx900\ncode: {asm: \"s_mov_b32 s2, s0\\ns_load_dword s3, s[8:9], 0x0\\ns_mov_b32 s2, 7\\ns_endpgm\"}\n"
      "cases: [{s0: 1, expect: {s2: 7}}]\n";
  (void)workspace_.write("r.yaml", rows);
  const ToolRun updated = run("--update r.yaml");
  EXPECT_EQ(updated.exit_code, 1);
  EXPECT_THAT(updated.out, HasSubstr("not updated: r.yaml:3: the run of this row ends with `stop: unmapped_memory`"));
  EXPECT_EQ(read_text(workspace_.path("r.yaml")), rows);
}

// Two files may share a table: a passing one is also considered, whatever name of the table it uses.
TEST_F(TestCommand, APassingFileIsConsidered) {
  const std::string rows = "s0,s1,expect.s2\n5,1,4\n5,0,5\n";
  (void)workspace_.write("t/rows.csv", rows);
  (void)workspace_.write("t/a.yaml", std::string(adds) + "cases: {file: rows.csv}\n");
  (void)workspace_.write("t/b.yaml",
                         "target: gfx900\ncode: {asm: \"s_sub_u32 s2, s0, s1\\ns_endpgm\"}\n"
                         "cases: {file: ../t/rows.csv}\n");
  const ToolRun shared = run("--update t");
  EXPECT_EQ(shared.exit_code, 1);
  EXPECT_THAT(shared.out, HasSubstr("not updated: t/rows.csv:2: `expect.s2` is not rewritten: 6 would be wrong"));
  EXPECT_THAT(shared.out, Not(HasSubstr("\nupdated ")));
  EXPECT_EQ(read_text(workspace_.path("t/rows.csv")), rows);
  // A file that the selection excludes is not considered.
  EXPECT_EQ(run("--update -k '!b.yaml' t").exit_code, 0);
  EXPECT_EQ(read_text(workspace_.path("t/rows.csv")), "s0,s1,expect.s2\n5,1,6\n5,0,5\n");
}

// Standard input cannot be rewritten, because it is read more than once.
TEST_F(TestCommand, AnotherNameOfStandardInputIsNotUpdated) {
  (void)workspace_.write("bad.yaml",
                         "target: gfx900\ncode: {asm: s_endpgm}\nregisters: {s0: 1}\nexpect: {registers: {s0: 2}}\n");
  const std::string before = read_text(workspace_.path("bad.yaml"));
  const std::string fifo = workspace_.path("fifo.yaml");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  const ToolRun piped = run_tool({"test", "--update", fifo});
  EXPECT_EQ(piped.exit_code, 3);
  EXPECT_THAT(piped.out, HasSubstr("it is not a regular file"));
  std::filesystem::create_symlink("/dev/stdin", workspace_.path("link"));
  std::filesystem::create_symlink("link", workspace_.path("link_to_link"));
  std::filesystem::create_symlink("/dev/fd", workspace_.path("folder"));
  std::filesystem::create_symlink("folder/0", workspace_.path("link_by_folder"));
  for (const std::string name :
       {"/dev/stdin", "/proc/self/fd/0", "/dev/../dev/fd/0", "link", "link_to_link", "folder/0", "link_by_folder"}) {
    const ToolRun update = run_shell("salu test --update " + name + " < bad.yaml", workspace_.path(""));
    EXPECT_EQ(update.exit_code, 2) << name;
    EXPECT_THAT(update.err, HasSubstr("--update rewrites files, and " + name)) << name;
    EXPECT_EQ(read_text(workspace_.path("bad.yaml")), before) << name;
  }
}

// As with `docker run -v $PWD/t.yaml:/t.yaml`: the file cannot be replaced.
TEST_F(TestCommand, AFileThatIsMountedIsUpdated) {
  const std::string mount = "unshare --user --map-root-user --mount sh -c 'mount --bind wrong.yaml mounted.yaml";
  (void)workspace_.write("mounted.yaml", "");
  if (run_shell(mount + "'", workspace_.path("")).exit_code != 0) GTEST_SKIP() << "nothing can be mounted here";
  const ToolRun update = run_shell(mount + " && salu test --update mounted.yaml'", workspace_.path(""));
  EXPECT_EQ(update.exit_code, 0) << update.err;
  EXPECT_THAT(read_text(workspace_.path("wrong.yaml")), HasSubstr("s2: 0x05\n"));
  for (const auto& entry : std::filesystem::directory_iterator(workspace_.path("")))
    EXPECT_FALSE(entry.path().filename().string().starts_with(".salu-")) << entry.path();
}

// Shards that work on one table would overwrite each other's values.
TEST_F(TestCommand, OneShardUpdatesNothing) {
  const std::string before = read_text(workspace_.path("wrong.yaml"));
  const ToolRun shard = run("--update --shard 1/2 .");
  EXPECT_EQ(shard.exit_code, 2);
  EXPECT_EQ(shard.out, "");
  EXPECT_THAT(shard.err, HasSubstr("--update rewrites whole files, but this is shard 1 of 2 (--shard 1/2)"));
  const ToolRun task = run_shell("TEST_TOTAL_SHARDS=3 TEST_SHARD_INDEX=2 salu test --update .", workspace_.path(""));
  EXPECT_EQ(task.exit_code, 2);
  EXPECT_THAT(task.err, HasSubstr("this is shard 3 of 3 (set by the environment)"));
  EXPECT_EQ(read_text(workspace_.path("wrong.yaml")), before);
  EXPECT_EQ(run("--update --shard 1/1 .").exit_code, 0);
  EXPECT_THAT(read_text(workspace_.path("wrong.yaml")), HasSubstr("s2: 0x05\n"));
}

/// A table whose update is many times larger than a pipe buffer.
class LargeUpdate : public TestCommand {
 protected:
  LargeUpdate() {
    for (int i = 0; i < rows; ++i) {
      old_ += std::to_string(i) + ",1," + std::to_string(i) + "\n";
      new_ += std::to_string(i) + ",1," + std::to_string(i + 1) + "\n";
    }
    (void)workspace_.write("big/rows.csv", old_);
    (void)workspace_.write("big/big.yaml", std::string(adds) + "cases: {file: rows.csv}\n");
  }

  /// The names of the files next to the old ones.
  [[nodiscard]] std::vector<std::string> others() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(workspace_.path("big"))) {
      const std::string name = entry.path().filename().string();
      if (name != "rows.csv" && name != "big.yaml") names.push_back(name);
    }
    return names;
  }
  [[nodiscard]] std::string table() const { return read_text(workspace_.path("big/rows.csv")); }

  static constexpr int rows = 25'000;
  std::string old_ = "s0,s1,expect.s2\n";
  std::string new_ = "s0,s1,expect.s2\n";
};

// Files are limited to a number of 512-byte blocks, as on a full disk.
TEST_F(LargeUpdate, AFileThatCannotBeWrittenStays) {
  constexpr std::size_t block_bytes = 512;
  for (const std::size_t blocks : {std::size_t{1}, std::size_t{64}, new_.size() / block_bytes}) {
    // The output is also written to a file here.
    const std::string command = "ulimit -f " + std::to_string(blocks) + "; salu test --update big > /dev/null";
    const ToolRun full = run_shell(command, workspace_.path(""));
    EXPECT_EQ(full.exit_code, 3);
    EXPECT_THAT(full.err, HasSubstr("big/rows.csv: error: cannot write the file: File too large"));
    EXPECT_TRUE(table() == old_);
    EXPECT_THAT(others(), testing::IsEmpty());
  }
  // Files left by a killed run do not matter.
  (void)workspace_.write("big/.salu-0", "");
  EXPECT_EQ(run("--update big").exit_code, 0);
  EXPECT_TRUE(table() == new_);
  EXPECT_EQ(others(), std::vector<std::string>{".salu-0"});
}

// A report replaces the old one in the same way.
TEST_F(LargeUpdate, AReportThatCannotBeWrittenLeavesTheOldOne) {
  (void)workspace_.write("report.xml", "old");
  const ToolRun full =
      run_shell("ulimit -f 1; salu test --update --junit report.xml big > /dev/null", workspace_.path(""));
  EXPECT_EQ(full.exit_code, 3);
  EXPECT_THAT(full.err, HasSubstr("report.xml: error: cannot write the file: File too large"));
  EXPECT_EQ(read_text(workspace_.path("report.xml")), "old");
  EXPECT_TRUE(table() == old_);
}

// Standard output is not replaced.
TEST_F(LargeUpdate, AStreamThatCannotBeWrittenIsAnError) {
  const ToolRun full = run_shell("ulimit -f 1; salu test -v big > report", workspace_.path(""));
  EXPECT_EQ(full.exit_code, 3);
  EXPECT_EQ(full.err, "error: cannot write to standard output: File too large\n");
}

}  // namespace
}  // namespace salu::test
