#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tool.hpp"

namespace salu::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string scenario(const std::string& assembly, const std::string& more = {}) {
  return "target: gfx900\ncode:\n  asm: |\n    start:\n" + assembly + more;
}

ToolRun run_scenario(const std::string& assembly, const std::string& more = {},
                     std::vector<std::string> arguments = {}) {
  arguments.insert(arguments.begin(), {"run", "-"});
  return run_tool(arguments, scenario(assembly, more));
}

// ---- exit codes of how a run ends ----

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
  // Without a limit of its own: ten million.
  EXPECT_THAT(run_scenario("      s_branch start\n").out, HasSubstr("after 10000000 steps"));
}

TEST(RunExit, WhatIsNotExecutedHereIs6) {
  const std::string text = "target: gfx900\ncode: {words: [0x7e000201, 0xbf810000]}\n";  // v_mov_b32 v0, v1
  const ToolRun stop = run_tool({"run", "-"}, text);
  EXPECT_EQ(stop.exit_code, 6);
  EXPECT_THAT(stop.out, HasSubstr("vector_instruction at 0x1000"));
  const ToolRun skip = run_tool({"run", "-"}, text + "on_vector: skip\n");
  EXPECT_EQ(skip.exit_code, 0);
  EXPECT_THAT(skip.out, HasSubstr("1 vector instruction skipped"));
  const Workspace workspace;
  const std::string path = workspace.write("code.hex", "7e000201 bf810000\n");
  EXPECT_EQ(run_tool({"run", "--mcpu", "gfx900", path}).exit_code, 6);
  EXPECT_EQ(run_tool({"run", "--mcpu", "gfx900", "--on-vector", "skip", path}).exit_code, 0);
  EXPECT_EQ(run_tool({"run", "--on-vector", "stop", "-"}, text + "on_vector: skip\n").exit_code, 6);
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
  EXPECT_THAT(wrong.out, HasSubstr("expectation failed: s0: expected 0x00000003, found 0x00000002 (<stdin>:8)"));
  // Without --check an expectation is ignored.
  EXPECT_EQ(run_scenario(add, "registers: {s0: 1}\nexpect: {registers: {s0: 3}}\n").exit_code, 0);
  // Without an expectation there is nothing to check, and text says so.
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
  // Named, but another one came: the larger of "does not hold" and what happened.
  EXPECT_EQ(run_scenario("      s_endpgm\n", "expect: {stop: halt}\n", {"--check"}).exit_code, 1);
  EXPECT_EQ(run_scenario("      s_nop 0\n", "expect: {stop: halt}\n", {"--check"}).exit_code, 4);
  // Not named: only a regular end holds.
  EXPECT_EQ(run_scenario("      s_sethalt 1\n", "expect: {registers: {}}\n", {"--check"}).exit_code, 7);
  // As named, but a register differs.
  EXPECT_EQ(run_scenario("      s_sethalt 1\n", "expect: {stop: halt, registers: {s0: 1}}\n", {"--check"}).exit_code,
            1);
}

// ---- bad input ----

void expect_bad(const ToolRun& run, const std::string& message) {
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.err, HasSubstr(message));
  EXPECT_EQ(run.out, "");
}

TEST(RunBadInput, Is3WithAMessageOnStandardError) {
  const Workspace workspace;
  const auto run = [&](const std::string& name, const std::string& contents, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"run", workspace.write(name, contents)});
    return run_tool(more);
  };
  expect_bad(run("empty.yaml", ""), "empty.yaml: error: there is no scenario in it");
  expect_bad(run("truncated.yaml", "target: gfx900\ncode: {asm: \"s_en"), "truncated.yaml:");
  expect_bad(run("garbage.yaml", std::string("\x7f\x01\x00\xff\xfe", 5)), "not a text file");
  expect_bad(run("types.yaml", scenario("      s_endpgm\n", "registers: [1]\n")),
             "types.yaml:6:12: error: `registers:` has to be a map");
  expect_bad(run("keys.yaml", scenario("      s_endpgm\n", "regsters: {}\n")),
             "keys.yaml:6:1: error: unknown key `regsters` in a scenario; did you mean `registers`?");
  expect_bad(run("twice.yaml", scenario("      s_endpgm\n", "name: a\nname: b\n")),
             "twice.yaml:7:1: error: the key `name` appears twice");
  expect_bad(run("fit.yaml", scenario("      s_endpgm\n", "registers: {s0: 0x100000000}\n")),
             "fit.yaml:6:17: error: `s0`: `0x100000000` does not fit in 32 bits");
  expect_bad(run("pair.yaml", scenario("      s_endpgm\n", "registers: {\"s[1:2]\": 0}\n")),
             "pair.yaml:6:13: error: `s[1:2]` is an odd register pair");
  expect_bad(run("odd.yaml", scenario("      s_mov_b64 s[1:2], 0\n")), "odd.yaml:5:");
  expect_bad(run("symbol.yaml", scenario("      s_endpgm\n"), {"--symbol", "strat"}),
             "there is no symbol `strat`; did you mean `start`?");
  expect_bad(run("x86.o", std::string("\177ELF\2\1\1") + std::string(9, '\0') + std::string("\1\0\76\0\1\0\0\0", 8) +
                              std::string(40, '\0')),
             "for another machine");
  expect_bad(run("text.o", "hello"), "not an ELF file");
  constexpr const char* kinds = "(files other than .s, .hex, .bin and ELF are read as scenarios)";
  expect_bad(run("notes.txt", "f: 1\n"), kinds);
  expect_bad(run("notes.txt", "hello there\n"), kinds);
  expect_bad(run("notes.txt", std::string("\0\1", 2)), kinds);
  EXPECT_THAT(run("scenario.txt", scenario("      s_wrong\n")).err, Not(HasSubstr(kinds)));
  EXPECT_THAT(run("keys.yaml", "f: 1\n").err, Not(HasSubstr(kinds)));
  expect_bad(run("code.s", "s_endpgm\n"), "code.s: error: no target");
  expect_bad(run("code.hex", "xyz\n", {"--mcpu", "gfx900"}), "code.hex:1:1: error: `xyz` is no hexadecimal word");
  expect_bad(run("code.bin", "12345", {"--mcpu", "gfx900"}),
             "code.bin+0x4: error: the size of 5 bytes is no multiple of 4");
  expect_bad(run_tool({"run", workspace.path("none.yaml")}),
             "none.yaml: error: cannot read the file: No such file or directory");
  expect_bad(run_tool({"run", workspace.path("")}), "it is a directory");
  expect_bad(run("good.yaml", scenario("      s_endpgm\n"), {"--state", workspace.path("none.yaml")}),
             "cannot read the file");
}

TEST(RunBadInput, EveryErrorOfAnAssemblyIsShown) {
  const ToolRun run = run_scenario("      s_wrong\n      s_mov_b64 s[0:1], -17\n      s_worse\n");
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.err, HasSubstr("<stdin>:5:7: error: unknown instruction 's_wrong'"));
  EXPECT_THAT(run.err, HasSubstr("<stdin>:6:25: warning: "));
  EXPECT_THAT(run.err, HasSubstr("<stdin>:7:7: error: unknown instruction 's_worse'"));
  const ToolRun quiet = run_scenario("      s_wrong\n      s_mov_b64 s[0:1], -17\n      s_worse\n", "", {"--quiet"});
  EXPECT_THAT(quiet.err, HasSubstr("s_worse"));
  EXPECT_THAT(quiet.err, Not(HasSubstr("warning")));
}

TEST(RunBadInput, CaretsPointIntoTheYaml) {
  const ToolRun run = run_scenario("      s_add_u32 s0, s1\n");
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.err, ContainsRegex("<stdin>:5:[0-9]+: error: .*\n      s_add_u32 s0, s1\n +\\^\n"));
}

TEST(RunBadInput, HugeFilesAreRefusedAtOnce) {
  const Workspace workspace;
  const std::string path = workspace.write("huge.s", "");
  std::filesystem::resize_file(path, 100'000'000);
  expect_bad(run_tool({"run", path}), "the limit is 64 MiB");
  const std::string smaller = workspace.write("large.yaml", "");
  std::filesystem::resize_file(smaller, 40'000'000);
  expect_bad(run_tool({"run", smaller}), "the limit is 16 MiB");
}

TEST(RunStream, IsAsLongAsItLikes) {
  // 24 MiB, most of which are comments.
  const std::string comment = "# " + std::string(std::size_t{1} << 19, '-') + "\n";
  const std::string one = scenario("      s_mov_b32 s0, 7\n      s_endpgm\n", "expect: {registers: {s0: 7}}\n");
  std::string stream;
  u32 lines = 0;
  for (int i = 0; i < 48; ++i) {
    const std::string document = (i == 0 ? "" : "---\n") + comment + one;
    stream += document;
    lines += static_cast<u32>(std::ranges::count(document, '\n'));
  }
  stream += "---\ncode: 5\n";
  const ToolRun run = run_tool({"run", "--check", "--format", "json", "-"}, stream);
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.out, HasSubstr("\"name\":\"<stdin>#48\""));
  EXPECT_THAT(run.out, HasSubstr("\"<stdin>\",\"line\":" + std::to_string(lines + 2)));
}

TEST(RunStream, ADocumentHasALimit) {
  const std::string one = scenario("      s_endpgm\n");
  std::string stream = one + "---\n";
  for (int i = 0; i < 17; ++i) stream += "# " + std::string(std::size_t{1} << 20, '-').substr(8) + "\n";
  const ToolRun run = run_tool({"run", "-"}, stream + one);
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.out, HasSubstr("end_program"));
  EXPECT_THAT(run.err, HasSubstr("too large for a YAML document: the limit is 16 MiB"));
}

TEST(RunBadInput, JsonReportsErrorsAsLinesAndGoesOn) {
  const std::string good = scenario("      s_endpgm\n");
  const ToolRun run = run_tool({"run", "--format", "json", "-", "none.yaml"},
                               good + "---\ntarget: gfx900\ncode: {asm: s_x}\n---\n" + good);
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_EQ(run.err, "");
  std::istringstream lines(run.out);
  std::vector<nlohmann::json> objects;
  for (std::string line; std::getline(lines, line);) objects.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(objects.size(), 4U);
  EXPECT_EQ(objects[0]["stop"]["reason"], "end_program");
  EXPECT_EQ(objects[1]["error"]["code"], "assembly");
  EXPECT_EQ(objects[1]["error"]["file"], "<stdin>");
  EXPECT_EQ(objects[1]["error"]["line"], 8);
  EXPECT_EQ(objects[1]["error"]["column"], 13);
  EXPECT_FALSE(objects[1]["error"]["message"].get<std::string>().empty());
  EXPECT_EQ(objects[2]["stop"]["reason"], "end_program");
  EXPECT_EQ(objects[3]["error"]["code"], "io");
}

// ---- usage ----

TEST(RunUsage, WrongUseIs2) {
  const std::string good = scenario("      s_endpgm\n");
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{},
                                             {"frobnicate"},
                                             {"run"},
                                             {"run", "--no-such-option", "-"},
                                             {"run", "--format", "xml", "-"},
                                             {"run", "--max-steps", "many", "-"},
                                             {"run", "--max-steps", "-1", "-"},
                                             {"run", "--max-steps", "", "-"},
                                             {"run", "--max-steps", "1.5", "-"},
                                             {"run", "--max-steps", "0x8000000000000000", "-"},
                                             {"run", "--max-steps", "99999999999999999999999", "-"},
                                             {"run", "--on-vector", "jump", "-"},
                                             {"--frobnicate"},
                                             {"dis", "--mcpu", "gfx900"},
                                             {"run", "--mcpu", "gfx99", "-"},
                                             {"run", "--set", "s0", "-"},
                                             {"run", "--set", "s0=", "-"},
                                             {"run", "--set", "s0=12x", "-"},
                                             {"run", "--set", "s999=1", "-"},
                                             {"run", "--dispatch", "slow", "-"},
                                             {"run", "--color", "blue", "-"},
                                             {"run", "-", "-"},
                                             {"asm", "-"},
                                             {"asm", "--mcpu", "gfx900"},
                                             {"asm", "--mcpu", "nothing", "-"},
                                             {"dis", "--mcpu", "nothing", "-"},
                                             {"dis", "--each-line", "-"},
                                             {"targets", "extra"}}) {
    const ToolRun run = run_tool(arguments, good);
    EXPECT_EQ(run.exit_code, 2) << testing::PrintToString(arguments);
    EXPECT_THAT(run.err, HasSubstr("error: ")) << testing::PrintToString(arguments);
    EXPECT_EQ(run.out, "") << testing::PrintToString(arguments);
  }
}

TEST(RunUsage, MessagesSayWhatWasExpected) {
  const auto message = [](const std::vector<std::string>& arguments) { return run_tool(arguments, "x").err; };
  EXPECT_EQ(message({"frobnicate"}),
            "error: unknown command `frobnicate`; expected `run`, `test`, `equiv`, `debug`, `report`, `asm`, `dis` or "
            "`targets`\n"
            "`salu --help` tells more\n");
  EXPECT_THAT(message({"rum"}), HasSubstr("unknown command `rum`; did you mean `run`?"));
  EXPECT_THAT(message({}),
              HasSubstr("no command; expected `run`, `test`, `equiv`, `debug`, `report`, `asm`, `dis` or `targets`"));
  EXPECT_THAT(message({"--halp"}), HasSubstr("unknown option `--halp`; did you mean `--help`?"));
  EXPECT_EQ(message({"run", "--format", "xml", "-"}),
            "error: --format: `xml` is not known; expected `text`, `yaml` or `json`\n`salu run --help` tells more\n");
  EXPECT_THAT(message({"asm", "--mcpu", "gfx900", "--format", "hex", "-"}),
              HasSubstr("--format: `hex` is not known; expected `words` or `bin`"));
  EXPECT_THAT(message({"run", "--chek", "-"}), HasSubstr("unknown option `--chek`; did you mean `--check`?"));
  EXPECT_THAT(message({"targets", "extra"}), HasSubstr("unexpected argument `extra`"));
  EXPECT_THAT(message({"run", "--max-steps", "-1", "-"}), HasSubstr("--max-steps -1: expected a number"));
  EXPECT_THAT(message({"asm", "--mcpu", "gfx900"}), HasSubstr("FILE is required"));
}

TEST(RunUsage, NumbersOfStepsMayBeWrittenAsInAScenario) {
  EXPECT_THAT(run_scenario("      s_branch start\n", "", {"--max-steps", "1_000"}).out, HasSubstr("after 1000 steps"));
  EXPECT_THAT(run_scenario("      s_branch start\n", "", {"--max-steps=0x20"}).out, HasSubstr("after 32 steps"));
}

TEST(RunUsage, HelpAndVersionAreGood) {
  const ToolRun version = run_tool({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_THAT(version.out, StartsWith("salu "));
  const ToolRun help = run_tool({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* name : {"run", "asm", "dis", "targets"}) {
    EXPECT_THAT(help.out, HasSubstr(name));
    const ToolRun own = run_tool({name, "--help"});
    EXPECT_EQ(own.exit_code, 0);
    EXPECT_THAT(own.out, HasSubstr("Examples:"));
    EXPECT_THAT(own.out, HasSubstr(std::string("salu ") + name));
    EXPECT_EQ(own.err, "");
  }
}

// ---- options ----

TEST(RunOptions, SetMcpuSymbolAndDispatch) {
  const std::string text = "code:\n  asm: |\n    one: s_endpgm\n    two: s_add_u32 s0, s1, 1\n    s_endpgm\n";
  for (const char* dispatch : {"best", "switch", "goto"}) {
    const ToolRun run =
        run_tool({"run", "-", "--mcpu", "tahiti", "--symbol", "two", "--set", "s1=41", "--dispatch", dispatch}, text);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("s[0:3]        0x0000002a*  0x00000029"));
  }
}

TEST(RunOptions, SettingsMayStandAnywhere) {
  const Workspace workspace;
  const std::string path = workspace.write("a.yaml", scenario("      s_endpgm\n"));
  const ToolRun run = run_tool({"run", "--set", "s0=-3", path, "--set", "s1={f32: 1.5}", "--set=s2=start"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("s[0:3]        0xfffffffd   0x3fc00000   0x00001000   -"));
}

TEST(RunOptions, ATargetOfAnotherGenerationIsAnError) {
  const std::string text = scenario("      s_endpgm\n");
  const ToolRun other = run_tool({"run", "-", "--mcpu", "gfx600"}, text);
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_THAT(other.err, HasSubstr("<stdin>:1:9: error: the scenario is for gfx900 (gcn1.4), but --mcpu says gfx600"));
  EXPECT_THAT(run_tool({"run", "-", "--mcpu", "gfx906"}, text).out, StartsWith("<stdin> on gfx906"));
}

TEST(RunOptions, OutputAndErrorsAreInOrder) {
  const std::string good = scenario("      s_endpgm\n");
  const std::string wrong = "---\ntarget: gfx900\ncode: {asm: s_x}\n---\n";
  const ToolRun run = run_tool_together({"run", "-"}, "name: first\n" + good + wrong + "name: last\n" + good);
  const std::size_t first = run.out.find("first on gfx900");
  const std::size_t error = run.out.find("<stdin>:9:13: error: ");
  const std::size_t last = run.out.find("last on gfx900");
  EXPECT_LT(first, error) << run.out;
  EXPECT_LT(error, last) << run.out;
  EXPECT_NE(last, std::string::npos) << run.out;
}

TEST(RunOptions, TraceIsALineAnInstruction) {
  const std::string assembly = "      s_add_u32 s0, s1, s2\n      s_endpgm\n";
  const std::string registers = "registers: {s1: 7, s2: 3}\n";
  const ToolRun text = run_scenario(assembly, registers, {"--trace"});
  EXPECT_THAT(text.out, StartsWith("      1  0x1000: s_add_u32 s0, s1, s2  "));
  EXPECT_THAT(
      text.out,
      HasSubstr("s1=0x00000007 s2=0x00000003 -> s0=0x0000000a scc=0\n      2  0x1004: s_endpgm\n\n<stdin> on gfx900: "
                "end_program"));
  const ToolRun json = run_scenario(assembly, registers, {"--trace", "--format", "json"});
  EXPECT_THAT(json.out, StartsWith("{\"schema\":\"salu-state-v1\""));
  EXPECT_THAT(json.err, StartsWith("      1  0x1000: s_add_u32 s0, s1, s2  "));
}

TEST(RunOptions, TraceTellsOfForksAndJoins) {
  const ToolRun run = run_scenario(
      "      s_cbranch_i_fork s[40:41], far\n      s_branch end\n    far:\n      s_nop 0\n    end:\n      "
      "s_cbranch_join s42\n      s_endpgm\n",
      "registers: {\"s[40:41]\": 0xff, exec: 0xffff, s42: 0}\n", {"--trace"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  // A tie: the passing lanes go first, the others wait with the next instruction's address.
  EXPECT_THAT(run.out,
              HasSubstr("fork: push entry 0 {exec=0x000000000000ff00, pc=0x1004}, go on with exec=0x00000000000000ff"));
  EXPECT_THAT(run.out,
              HasSubstr("join: pop entry 0 {exec=0x000000000000ff00, pc=0x1004}, go on with exec=0x000000000000ff00"));
}

TEST(RunOptions, UndefinedReadsAreWarnedOf) {
  const ToolRun run = run_scenario("      s_mov_b32 s0, s1\n      s_endpgm\n", "", {"--check-undefined"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, HasSubstr("warning: undefined_read at 0x1000"));
  EXPECT_EQ(run_scenario("      s_mov_b32 s0, s1\n      s_endpgm\n", "", {"--check-undefined", "--strict"}).exit_code,
            7);
  EXPECT_THAT(run_scenario("      s_mov_b32 s0, s1\n      s_endpgm\n").out, Not(HasSubstr("undefined_read")));
}

TEST(RunOptions, ColourIsForTerminals) {
  EXPECT_THAT(run_scenario("      s_endpgm\n").out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(run_scenario("      s_endpgm\n", "", {"--color=always"}).out, HasSubstr("\x1b["));
  EXPECT_THAT(run_scenario("      s_endpgm\n", "", {"--color", "never"}).out, Not(HasSubstr("\x1b")));
}

TEST(RunOptions, QuietLeavesTheExitCode) {
  const ToolRun run = run_scenario("      s_nop 0\n", "", {"--quiet"});
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_EQ(run.out + run.err, "");
}

TEST(RunOptions, AStateGoesOnWhereARunStopped) {
  const Workspace workspace;
  const std::string path = workspace.write(
      "count.yaml",
      scenario("      s_add_u32 s0, s0, 1\n      s_cmp_lt_u32 s0, 10\n      s_cbranch_scc1 start\n      s_endpgm\n",
               "registers: {s0: 0}\nmemory: [{at: 0x10000, words: [1, 2]}]\n"));
  const ToolRun half = run_tool({"run", path, "--max-steps", "10", "--format", "yaml"});
  EXPECT_EQ(half.exit_code, 5);
  const ToolRun rest = run_tool({"run", path, "--state", workspace.write("half.yaml", half.out)});
  EXPECT_EQ(rest.exit_code, 0);
  // Ten rounds of three instructions and the end are 31 steps.
  EXPECT_THAT(rest.out, HasSubstr("after 21 steps"));
  EXPECT_THAT(rest.out, HasSubstr("s[0:3]        0x0000000a*"));
}

TEST(RunOptions, SeveralYamlStatesAreOneStream) {
  const std::string good = scenario("      s_endpgm\n");
  const ToolRun run = run_tool({"run", "-", "--format", "yaml"}, good + "---\n" + good);
  EXPECT_EQ(run.exit_code, 0);
  std::size_t starts = 0;
  for (std::size_t i = run.out.find("---\n"); i != std::string::npos; i = run.out.find("---\n", i + 1)) ++starts;
  EXPECT_EQ(starts, 2U);
}

TEST(RunOptions, AssemblyRemarksGoToStandardError) {
  const ToolRun run = run_scenario("      s_mov_b64 s[0:1], -17\n      s_endpgm\n");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.err, ContainsRegex("<stdin>:5:[0-9]+: warning: "));
}

}  // namespace
}  // namespace salu::test
