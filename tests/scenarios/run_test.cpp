#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "run_scenario.hpp"

namespace salu::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// ---- exit codes by stop reason ----

TEST(RunExit, RegularEndsAreGood) {
  EXPECT_EQ(run_scenario("      s_endpgm\n").exit_code, 0);
  EXPECT_EQ(run_scenario("      s_setkill 1\n      s_endpgm\n").exit_code, 0);
  const ToolRun run = run_scenario("      s_setkill 1\n");
  EXPECT_THAT(run.out, StartsWith("<stdin> on gfx900: killed at 0x1000"));
  EXPECT_EQ(run.err, "");
}

TEST(RunExit, FaultsAre4) {
  const ToolRun outside = run_scenario("      s_nop 0\n");
  EXPECT_EQ(outside.exit_code, 4);
  EXPECT_THAT(outside.out, HasSubstr("pc_outside_code at 0x1004"));
  const ToolRun jump = run_scenario("      s_setpc_b64 s[0:1]\n", "registers: {\"s[0:1]\": 0x123450}\n");
  EXPECT_EQ(jump.exit_code, 4);
  EXPECT_THAT(jump.out, HasSubstr("pc_outside_code at 0x123450"));
  const ToolRun start = run_scenario("      s_endpgm\n", "registers: {pc: 0x4000}\n");
  EXPECT_EQ(start.exit_code, 4);
  EXPECT_THAT(start.out, HasSubstr("pc_outside_code at 0x4000"));
  const ToolRun illegal = run_tool({"run", "-"}, "target: gfx900\ncode: {words: [0xffffffff]}\n");
  EXPECT_EQ(illegal.exit_code, 4);
  EXPECT_THAT(illegal.out, HasSubstr("illegal_instruction at 0x1000"));
  // s_mov_b64 s[1:2], s[0:1], which no assembler emits.
  const ToolRun odd = run_tool({"run", "-"}, "target: gfx900\ncode: {words: [0xbe810100, 0xbf810000]}\n");
  EXPECT_EQ(odd.exit_code, 4);
  EXPECT_THAT(odd.out, HasSubstr("misaligned_register at 0x1000"));
}

TEST(RunExit, AnEndlessLoopIs5) {
  const ToolRun run = run_scenario("      s_branch start\n", "limits: {steps: 1000}\n");
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_THAT(run.out, HasSubstr("step_limit at 0x1000 (start, <stdin>:5) after 1000 steps"));
  EXPECT_EQ(run_scenario("      s_branch start\n", "", {"--max-steps", "10"}).exit_code, 5);
  // The default limit: ten million.
  EXPECT_THAT(run_scenario("      s_branch start\n").out, HasSubstr("after 10000000 steps"));
}

TEST(RunExit, UnsupportedInstructionsAre6) {
  const std::string text = "target: gfx900\ncode: {words: [0x7e006f01, 0xbf810000]}\n";  // v_screen_partition_4se_b32
  const ToolRun stop = run_tool({"run", "-"}, text);
  EXPECT_EQ(stop.exit_code, 6);
  EXPECT_THAT(stop.out, HasSubstr("vector_instruction at 0x1000"));
  const ToolRun skip = run_tool({"run", "-"}, text + "on_vector: skip\n");
  EXPECT_EQ(skip.exit_code, 0);
  EXPECT_THAT(skip.out, HasSubstr("1 vector instruction skipped"));
  const Workspace workspace;
  const std::string path = workspace.write("code.hex", "7e006f01 bf810000\n");
  EXPECT_EQ(run_tool({"run", "--mcpu", "gfx900", path}).exit_code, 6);
  EXPECT_EQ(run_tool({"run", "--mcpu", "gfx900", "--on-vector", "skip", path}).exit_code, 0);
  EXPECT_EQ(run_tool({"run", "--on-vector", "stop", "-"}, text + "on_vector: skip\n").exit_code, 6);
  const std::string known = "target: gfx900\ncode: {words: [0x7e000201, 0xbf810000]}\n";  // v_mov_b32 v0, v1
  EXPECT_EQ(run_tool({"run", "-"}, known).exit_code, 0);
  EXPECT_EQ(run_tool({"run", "--on-vector", "stop", "-"}, known).exit_code, 6);
}

TEST(RunExit, StopsAre7) {
  EXPECT_EQ(run_scenario("      s_sethalt 1\n").exit_code, 7);
  EXPECT_EQ(run_scenario("      s_trap 1\n      s_endpgm\n", "registers: {trap_en: 1}\n").exit_code, 7);
  EXPECT_EQ(run_scenario("      s_trap 1\n      s_endpgm\n").exit_code, 0);
  const ToolRun strict = run_scenario("      s_trap 1\n      s_endpgm\n", "", {"--strict"});
  EXPECT_EQ(strict.exit_code, 7);
  EXPECT_THAT(strict.out, HasSubstr("trap_ignored at 0x1000"));
}

TEST(RunExit, TheLargestOfSeveralCounts) {
  const std::string good = scenario("      s_endpgm\n");
  const std::string loop = scenario("      s_branch start\n", "limits: {steps: 5}\n");
  EXPECT_EQ(run_tool({"run", "-"}, good + "---\n" + loop + "---\n" + good).exit_code, 5);
  EXPECT_EQ(run_tool({"run", "-"}, good + "---\na: [b\n---\n" + good).exit_code, 3);
  const Workspace workspace;
  EXPECT_EQ(run_tool({"run", workspace.write("a.yaml", good), workspace.write("b.yaml", loop)}).exit_code, 5);
  EXPECT_EQ(run_tool({"run", workspace.path("a.yaml"), workspace.path("none.yaml")}).exit_code, 3);
}

// ---- --check ----

TEST(RunCheck, ExpectationsDecide) {
  const std::string add = "      s_add_u32 s0, s0, 1\n      s_endpgm\n";
  EXPECT_EQ(run_scenario(add, "registers: {s0: 1}\nexpect: {registers: {s0: 2}}\n", {"--check"}).exit_code, 0);
  const ToolRun wrong = run_scenario(add, "registers: {s0: 1}\nexpect: {registers: {s0: 3}}\n", {"--check"});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.out, HasSubstr("expectation failed: s0: expected 0x00000003, got 0x00000002 (<stdin>:8)"));
  // Without --check an expectation is ignored.
  EXPECT_EQ(run_scenario(add, "registers: {s0: 1}\nexpect: {registers: {s0: 3}}\n").exit_code, 0);
  // Without an expectation, nothing is checked, and the text output says so.
  const ToolRun unchecked = run_scenario(add, "", {"--check"});
  EXPECT_EQ(unchecked.exit_code, 0);
  EXPECT_THAT(unchecked.out, HasSubstr("nothing to check"));
  EXPECT_THAT(run_scenario(add, "", {"--check", "--format", "json"}).out, Not(HasSubstr("nothing to check")));
  EXPECT_THAT(run_scenario(add).out, Not(HasSubstr("nothing to check")));
}

TEST(RunCheck, AStopThatIsNamedAndHoldsIsGood) {
  EXPECT_EQ(run_scenario("      s_sethalt 1\n", "expect: {stop: halt}\n", {"--check"}).exit_code, 0);
  EXPECT_EQ(run_scenario("      s_sethalt 1\n", "expect: {stop: halt}\n").exit_code, 7);
  EXPECT_EQ(run_scenario("      s_nop 0\n", "expect: {stop: pc_outside_code}\n", {"--check"}).exit_code, 0);
  EXPECT_EQ(
      run_scenario("      s_branch start\n", "limits: {steps: 9}\nexpect: {stop: step_limit}\n", {"--check"}).exit_code,
      0);
  EXPECT_EQ(run_scenario("      s_trap 1\n", "expect: {stop: trap_ignored}\n", {"--check", "--strict"}).exit_code, 0);
  // Expected, but the run stopped for another reason: the larger of the two exit codes.
  EXPECT_EQ(run_scenario("      s_endpgm\n", "expect: {stop: halt}\n", {"--check"}).exit_code, 1);
  EXPECT_EQ(run_scenario("      s_nop 0\n", "expect: {stop: halt}\n", {"--check"}).exit_code, 4);
  // Without an expected reason, only a regular end passes.
  EXPECT_EQ(run_scenario("      s_sethalt 1\n", "expect: {registers: {}}\n", {"--check"}).exit_code, 7);
  // The expected reason, but a register differs.
  EXPECT_EQ(run_scenario("      s_sethalt 1\n", "expect: {stop: halt, registers: {s0: 1}}\n", {"--check"}).exit_code,
            1);
}
}  // namespace
}  // namespace salu::test
