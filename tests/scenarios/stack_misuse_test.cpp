#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tool.hpp"

// Misuse of the control stack, as every command that runs programs reports it.
namespace salu::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

// 0x1000: 8 of 64 lanes go to 0x100c, which overwrites the entry in which the other lanes wait; the join is at 0x1010.
constexpr const char* overwritten =
    "name: overwritten\n"
    "target: gfx900\n"
    "code:\n"
    "  asm: |\n"
    "    s_cbranch_i_fork s[32:33], then\n"
    "    s_nop 0\n"
    "    s_branch join\n"
    "    then: s_mov_b32 s0, 5\n"
    "    join: s_cbranch_join s40\n"
    "    s_endpgm\n"
    "registers: {\"s[32:33]\": 0xff, s40: 0}\n";

constexpr const char* detail =
    "entry 0 (s[0:3]) is not what the fork at 0x1000 pushed: exec=0xffffffffffffff00, pc=0x1004; "
    "s_mov_b32 s0, 5 at 0x100c overwrote it";

TEST(StackMisuse, IsAWarningOfRun) {
  const ToolRun text = run_tool({"run", "-"}, overwritten);
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_THAT(text.out, HasSubstr(std::string("warning: control_stack_misuse at 0x1010 (join, <stdin>:9): "
                                              "s_cbranch_join s40\n  ") +
                                  detail + "\n"));
  const json state = json::parse(run_tool({"run", "--format", "json", "-"}, overwritten).out);
  ASSERT_EQ(state["warnings"].size(), 1U);
  EXPECT_EQ(state["warnings"][0], json::parse(R"({"kind": "control_stack_misuse", "pc": "0x0000000000001010",
      "instruction": "s_cbranch_join s40", "detail": ")" +
                                              std::string(detail) + R"(",
      "culprit_pc": "0x000000000000100c", "victim_pc": "0x0000000000001010"})"));
  // A strict run ends with the first warning: fork, move, join.
  const ToolRun strict = run_tool({"run", "--strict", "-"}, overwritten);
  EXPECT_EQ(strict.exit_code, 7);
  EXPECT_THAT(strict.out, HasSubstr("control_stack_misuse at 0x1010 (join, <stdin>:9) after 3 steps: "));
}

TEST(StackMisuse, IsInStatesThatLoadAgain) {
  const Workspace workspace;
  const ToolRun yaml = run_tool({"run", "--format", "yaml", "-"}, overwritten);
  EXPECT_THAT(yaml.out, HasSubstr(", culprit_pc: 0x100c, victim_pc: 0x1010}\n"));
  const std::string state = workspace.write("state.yaml", yaml.out);
  const std::string again = "target: gfx900\ncode: {asm: s_endpgm}\n";
  EXPECT_EQ(run_tool({"run", "--set", "pc=0x1000", "--state", state, "-"}, again).exit_code, 0);
}

TEST(StackMisuse, IsExpectedOrFails) {
  const std::string expected = std::string(overwritten) + "expect: {warnings: [control_stack_misuse]}\n";
  const std::string not_expected = std::string(overwritten) + "expect: {warnings: []}\n";
  EXPECT_EQ(run_tool({"run", "--check", "-"}, expected).exit_code, 0);
  EXPECT_EQ(run_tool({"run", "--check", "-"}, not_expected).exit_code, 1);
  const Workspace workspace;
  EXPECT_EQ(run_tool({"test", workspace.write("a.yaml", expected)}).exit_code, 0);
  const ToolRun failed = run_tool({"test", workspace.write("b.yaml", not_expected)});
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_THAT(failed.out + failed.err, HasSubstr("control_stack_misuse"));
  const ToolRun strict = run_tool({"test", "--strict", workspace.write("c.yaml", overwritten)});
  EXPECT_EQ(strict.exit_code, 1);
  EXPECT_THAT(strict.out + strict.err, HasSubstr("control_stack_misuse"));
  const std::string stop = std::string(overwritten) + "expect: {stop: control_stack_misuse}\n";
  EXPECT_EQ(run_tool({"test", "--strict", workspace.write("d.yaml", stop)}).exit_code, 0);
}

TEST(StackMisuse, IsInTraces) {
  const std::string note = std::string("; control_stack_misuse: ") + detail;
  EXPECT_THAT(run_tool({"run", "--trace", "-"}, overwritten).out, HasSubstr(note + "\n"));
  EXPECT_THAT(run_tool({"run", "--trace-format", "jsonl", "-q", "-"}, overwritten).out, HasSubstr(note + "\""));
  EXPECT_THAT(run_tool({"run", "--trace-format", "perfetto", "-q", "-"}, overwritten).out, HasSubstr(note));
}

TEST(StackMisuse, IsReportedByTheDebugger) {
  const Workspace workspace;
  const ToolRun run = run_tool({"debug", workspace.write("a.yaml", overwritten)}, "continue\ninfo warnings\n");
  EXPECT_THAT(run.out, HasSubstr(std::string("control_stack_misuse at 0x1010 <join>: ") + detail + "\n"));
}

TEST(StackMisuse, IsNotInWellBehavedPrograms) {
  for (const char* const name : {"divergent_loop", "fork_join", "fork_orders", "saveexec"}) {
    const ToolRun run = run_tool({"run", "--strict", "--check", std::string(SALU_PROGRAMS_DIR) + "/" + name + ".yaml"});
    EXPECT_EQ(run.exit_code, 0) << run.out;
    EXPECT_THAT(run.out, Not(HasSubstr("control_stack")));
  }
}

}  // namespace
}  // namespace salu::test
