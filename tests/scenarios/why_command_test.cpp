#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tool.hpp"

// The command `salu why`.
namespace salu::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string programs = SALU_PROGRAMS_DIR;

/// Adds 2 to 3 and stores the sum.
constexpr std::string_view sum =
    "target: gfx900\n"
    "code: {asm: \"s_mov_b32 s0, 2\\ns_add_u32 s1, s0, 3\\ns_endpgm\"}\n";

TEST(WhyCommand, AnswersInThreeForms) {
  const ToolRun text = run_tool({"why", "-", "s1"}, sum);
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_EQ(text.err, "");
  EXPECT_EQ(text.out,
            "s1 = 0x00000005 at position 3: step 2\n"
            "\n"
            "step 2: s_add_u32 s1, s0, 3\n"
            "    at 0x1004\n"
            "  s1 = 0x00000005\n"
            "    from s0 = 0x00000002: step 1\n"
            "\n"
            "step 1: s_mov_b32 s0, 2\n"
            "    at 0x1000\n"
            "  s0 = 0x00000002\n"
            "    from the instruction alone\n");
  EXPECT_EQ(run_tool({"why", "--format", "json", "-", "s1@2"}, sum).out,
            R"({"schema":"salu-why-v1","place":"s1","position":2,"asked":[{"name":"s1","bits":"0xffffffff",)"
            R"("value":"0x00000005","origin":"link","link":0}]})"
            "\n"
            R"({"link":0,"step":2,"pc":"0x0000000000001004","instruction":"s_add_u32 s1, s0, 3",)"
            R"("depth":1,"writes":[{"name":"s1","bits":"0xffffffff",)"
            R"("value":"0x00000005"}],"inputs":[{"name":"s0","bits":"0xffffffff","value":"0x00000002","role":"value",)"
            R"("origin":"link","link":1}]})"
            "\n"
            R"({"link":1,"step":1,"pc":"0x0000000000001000","instruction":"s_mov_b32 s0, 2",)"
            R"("depth":2,"writes":[{"name":"s0","bits":"0xffffffff",)"
            R"("value":"0x00000002"}],"inputs":[]})"
            "\n"
            R"({"links":2,"cut":false})"
            "\n");
  const std::string dot = run_tool({"why", "--format", "dot", "-", "s1"}, sum).out;
  EXPECT_THAT(dot, HasSubstr("link1 -> link0 [label=\"s0 = 0x00000002\"]"));
  EXPECT_THAT(dot, HasSubstr("link0 -> asked"));
  EXPECT_THAT(run_tool({"why", "--slice", "-", "s1"}, sum).out,
              testing::MatchesRegex("1  0x1000: s_mov_b32 s0, 2\n2  0x1004: s_add_u32 s1, s0, 3\n"));
}

TEST(WhyCommand, LimitsAndRoles) {
  const std::string gcd = programs + "/gcd.yaml";
  EXPECT_THAT(run_tool({"why", gcd, "s0", "--links", "2"}).out, HasSubstr("There is more;"));
  EXPECT_THAT(run_tool({"why", gcd, "s0", "--depth", "2"}).out, HasSubstr("There is more;"));
  EXPECT_THAT(run_tool({"why", gcd, "s0"}).out, Not(HasSubstr("There is more;")));
  constexpr std::string_view load =
      "target: gfx900\n"
      "code: {asm: \"s_mov_b32 s2, 0x10000\\ns_load_dword s0, s[2:3], 0x0\\ns_waitcnt lgkmcnt(0)\\ns_endpgm\"}\n"
      "registers: {s3: 0}\n"
      "memory: [{at: 0x10000, words: [7]}]\n";
  EXPECT_THAT(run_tool({"why", "-", "s0"}, load).out, Not(HasSubstr("s_mov_b32")));
  EXPECT_THAT(run_tool({"why", "-", "s0", "--addresses"}, load).out, HasSubstr("step 1: s_mov_b32 s2, 0x10000"));
  constexpr std::string_view lane =
      "target: gfx900\n"
      "code: {asm: \"s_mov_b64 exec, 2\\nv_mov_b32 v0, 5\\ns_endpgm\"}\n";
  EXPECT_THAT(run_tool({"why", "-", "v0[1]"}, lane).out, HasSubstr("let by exec[1] = 1\n"));
  EXPECT_THAT(run_tool({"why", "-", "v0[1]", "--lanes"}, lane).out, HasSubstr("let by exec[1] = 1: step 1\n"));
}

TEST(WhyCommand, WrongUseAndWrongPlaces) {
  struct Case {
    std::vector<std::string> arguments;
    int code;
    std::string message;
  };
  const std::vector<Case> cases = {
      {{"why", "-"}, 2, "PLACE"},
      {{"why", "-", "s0", "--links", "0"}, 2, "--links: expected 1 to"},
      {{"why", "-", "s0", "--depth", "0"}, 2, "--depth: expected 1 to 4294967295"},
      {{"why", "-", "s0", "--slice", "--format", "json"}, 2, "--slice: only with --format text"},
      {{"why", "-", "s0", "--format", "svg"}, 2, "svg"},
      {{"why", "-", "exek"}, 3, "did you mean `exec`"},
      {{"why", "-", "s1[32]"}, 3, "expected bits 0 to 31"},
      {{"why", "-", "s1@4"}, 3, "the run has only 3 steps"},
      {{"why", "-", "s1@"}, 3, "expected the number of a step"},
      {{"why", "-", "s0 + 1"}, 3, "is not a register, field, lane or memory"},
      {{"why", "no-such-file.yaml", "s0"}, 3, "no-such-file.yaml"},
  };
  for (const Case& wrong : cases) {
    const ToolRun run = run_tool(wrong.arguments, sum);
    EXPECT_EQ(run.exit_code, wrong.code) << wrong.message << run.err;
    EXPECT_THAT(run.err, HasSubstr(wrong.message));
    EXPECT_EQ(run.out, "");
  }
}

TEST(WhyCommand, AFailedExpectationHasItsFirstLinks) {
  const Workspace workspace;
  const std::string file = workspace.write("wrong.yaml", std::string(sum) + "expect: {registers: {s1: 4}}\n");
  const ToolRun run = run_shell("salu test wrong.yaml --junit out.xml", workspace.path(""));
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\n      from s0[0] = 0, written in step 1 by `s_mov_b32 s0, 2` at 0x1000"));
  EXPECT_THAT(read_text(workspace.path("out.xml")), HasSubstr("from s0[0] = 0, written in step 1 by"));
}

TEST(WhyCommand, AFailedExpectationNamesTheWriterOfTheStack) {
  const ToolRun run = run_shell("salu test levels.yaml", std::string(SALU_SOURCE_DIR) + "/examples/missing-lane");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, HasSubstr("from s4[3] = 0, written in step 9 by `s_cselect_b32 s4, 8, 4` at 0x1030"));
  EXPECT_THAT(run.out,
              HasSubstr("it overwrote entry 1 of the control stack, pushed by `s_cbranch_i_fork s[34:35], lowest`"));
}

}  // namespace
}  // namespace salu::test
