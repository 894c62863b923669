#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "run_scenario.hpp"

namespace salu::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

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
                                             {"run", ""},
                                             {"run", "--check=false", "-"},
                                             {"test", "--list", "--stats", "-"},
                                             {"run", "--symbol", "f", "--set", "pc=0x1000", "-"},
                                             {"run", "--symbol", "f", "--state", "x", "-"},
                                             {"run", "--mcpu", "", "-"},
                                             {"run", "--case", "", "-"},
                                             {"run", "--state", "", "-"},
                                             {"test", ""},
                                             {"equiv", "", "-"},
                                             {"debug", "--dap", ""},
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

TEST(RunUsage, MessagesHaveTheExpectedValues) {
  const auto message = [](const std::vector<std::string>& arguments) { return run_tool(arguments, "x").err; };
  EXPECT_EQ(message({"frobnicate"}),
            "error: unknown command `frobnicate`; expected `run`, `test`, `equiv`, `prove`, `sweep`, `debug`, "
            "`report`, `why`, "
            "`asm`, `dis`, `info`, `targets`, `completion`, `version` or `help`\n"
            "See `salu --help`\n");
  EXPECT_THAT(message({"rum"}), HasSubstr("unknown command `rum`; did you mean `run`?"));
  EXPECT_THAT(
      message({}),
      HasSubstr(
          "no command; expected `run`, `test`, `equiv`, `prove`, `sweep`, `debug`, `report`, `why`, `asm`, `dis`, "
          "`info`, `targets`, `completion`, `version` or `help`"));
  EXPECT_THAT(message({"--halp"}), HasSubstr("unknown option `--halp`; did you mean `--help`?"));
  EXPECT_EQ(message({"run", "--format", "xml", "-"}),
            "error: --format: unknown value `xml`; expected `text`, `yaml` or `json`\nSee `salu run --help`\n");
  EXPECT_THAT(message({"asm", "--mcpu", "gfx900", "--format", "hex", "-"}),
              HasSubstr("--format: unknown value `hex`; expected `words` or `bin`"));
  EXPECT_THAT(message({"run", "--chek", "-"}), HasSubstr("unknown option `--chek`; did you mean `--check`?"));
  EXPECT_THAT(message({"targets", "extra"}), HasSubstr("unexpected argument `extra`"));
  EXPECT_THAT(message({"run", "--max-steps", "-1", "-"}), HasSubstr("--max-steps -1: expected a number"));
  EXPECT_EQ(message({"run", "--max-steps", "1.5", "-"}),
            "error: --max-steps 1.5: expected a number of instructions, 0 to 2^63 - 1\n");
  EXPECT_EQ(message({"run", "--max-memory", "1.5MiB", "-"}),
            "error: --max-memory 1.5MiB: expected a number of bytes, KiB, MiB or GiB below 2^63, as in 64MiB\n");
  EXPECT_EQ(message({"run", "--mcpu", "", "-"}), "error: --mcpu: expected a value, found ``\nSee `salu run --help`\n");
  EXPECT_EQ(message({"run", "--check-undefined=all", "-"}),
            "error: --check-undefined: unknown value `all`; expected `bits` or `reads`\nSee `salu run --help`\n");
  EXPECT_EQ(message({"run", "--check=no", "-"}), "error: --check: takes no value\nSee `salu run --help`\n");
  EXPECT_THAT(message({"test", "-j", "-1", "."}),
              HasSubstr("--jobs: expected a number from 1 to 4294967295, found -1"));
  EXPECT_THAT(message({"run", "--root", "", "-"}), HasSubstr("--root: expected a directory name, found ``"));
  EXPECT_THAT(message({"asm", "--mcpu", "gfx900", "-I", "", "-"}),
              HasSubstr("--include: expected a directory name, found ``"));
  EXPECT_THAT(message({"test", "-k", "", "."}), HasSubstr("-k: expected a value, found ``"));
  for (const char* const list : {"s0,,s1", ",", "s0,", ""}) {
    EXPECT_THAT(message({"equiv", "a.s", "b.s", "--inputs", list}),
                HasSubstr("--inputs: expected comma-separated values, found `" + std::string(list) + "`"));
  }
  EXPECT_THAT(message({"run", "--trace-only", "s_add_u32,", "a.s"}), HasSubstr("found `s_add_u32,`"));
  for (const char* const command : {"equiv", "prove"}) {
    EXPECT_THAT(message({command, "a.s", "b.s", "--format", "json", "-o", "-"}),
                HasSubstr("--output -: the scenarios would be mixed with the JSON"));
  }
  EXPECT_THAT(message({"prove", "a.s", "--cover", "-"}), HasSubstr("--cover: expected a file name, found `-`"));
  EXPECT_THAT(message({"info", "--scenario", "f", "--format", "json", "a.o"}), HasSubstr("a scenario is YAML"));
  EXPECT_THAT(message({"dis", "--xnack", "on", "a.o"}), HasSubstr("--xnack: only with --check-hazards"));
  EXPECT_THAT(message({"prove", "a.s", "b.s", "--rounds", "99999999999"}),
              HasSubstr("--rounds: expected a number from 1 to 4294967295, found 99999999999"));
  EXPECT_THAT(message({"why", "a.s", "s0", "--depth", "99999999999"}), HasSubstr("--depth: expected 1 to 4294967295"));
  EXPECT_EQ(message({"run", ""}), "error: FILE: expected a file name, found ``\nSee `salu run --help`\n");
  EXPECT_THAT(message({"asm", "--mcpu", "gfx900"}), HasSubstr("FILE is required"));
}

// A program with the sanitizers cannot start with such a small stack.
TEST(RunUsage, ATooSmallStackIsReported) {
  if (SALU_TEST_WORK_DIVISOR != 1) GTEST_SKIP() << "the sanitizers need more of the stack themselves";
  const ToolRun run = run_shell("ulimit -s 64; salu targets", ".");
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, "error: the stack limit is 64 KiB, and salu needs 256 KiB; raise it with `ulimit -s`\n");
  EXPECT_EQ(run_shell("ulimit -s 256; salu targets", ".").exit_code, 0);
}

TEST(RunUsage, NumbersOfStepsMayBeWrittenAsInAScenario) {
  EXPECT_THAT(run_scenario("      s_branch start\n", "", {"--max-steps", "1_000"}).out, HasSubstr("after 1000 steps"));
  EXPECT_THAT(run_scenario("      s_branch start\n", "", {"--max-steps=0x20"}).out, HasSubstr("after 32 steps"));
}

TEST(RunUsage, HelpAndVersionAreGood) {
  const ToolRun version = run_tool({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_THAT(version.out, StartsWith("salu "));
  EXPECT_EQ(run_tool({"version"}).out, version.out);
  const ToolRun help = run_tool({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* name : {"run", "asm", "dis", "targets"}) {
    EXPECT_THAT(help.out, HasSubstr(name));
    const ToolRun own = run_tool({name, "--help"});
    EXPECT_EQ(own.exit_code, 0);
    EXPECT_THAT(own.out, HasSubstr("Examples:"));
    EXPECT_THAT(own.out, HasSubstr(std::string("salu ") + name));
    EXPECT_EQ(own.err, "");
    EXPECT_EQ(run_tool({"help", name}).out, own.out);
  }
  EXPECT_EQ(run_tool({"help"}).out, help.out);
  const ToolRun unknown = run_tool({"help", "rum"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, StartsWith("error: unknown command `rum`; did you mean `run`?"));
}

TEST(RunUsage, HelpFitsAHundredColumnsAndNamesItsValues) {
  constexpr std::size_t most_columns = 100;
  for (const std::string name : {"", "run", "test", "equiv", "prove", "sweep", "debug", "report", "why", "asm", "dis",
                                 "info", "targets", "completion", "version", "help"}) {
    const ToolRun help = name.empty() ? run_tool({"help"}) : run_tool({"help", name});
    EXPECT_EQ(help.exit_code, 0) << name;
    std::istringstream lines(help.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), most_columns) << name << ": " << line;
    for (const char* const type : {"TEXT", "UINT", "FLOAT", "REQUIRED"}) EXPECT_THAT(help.out, Not(HasSubstr(type)));
    // Colours are for terminals.
    EXPECT_THAT(help.out, Not(HasSubstr("\x1b")));
  }
}

TEST(RunUsage, UnsupportedProcessorsAreNamed) {
  const auto message = [](const std::string& target) { return run_tool({"run", "--mcpu", target, "-"}, "x").err; };
  EXPECT_EQ(
      message("gfx1030"),
      "error: --mcpu: `gfx1030` is RDNA 2, which salu does not support; supported: gfx600 to gfx950 (GCN and CDNA), "
      "see `salu targets`\n");
  EXPECT_THAT(message("gfx1100:xnack-"), HasSubstr("is RDNA 3, which salu does not support"));
  EXPECT_THAT(message("rdna2"), HasSubstr("`rdna2` is RDNA 2, which"));
  EXPECT_THAT(message("cypress"), HasSubstr("`cypress` is TeraScale, which"));
  EXPECT_THAT(message("gfx999"), HasSubstr("unknown target `gfx999`; did you mean `gfx90"));
  EXPECT_THAT(message("pentium"), HasSubstr("unknown target `pentium`; see `salu targets`"));
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

TEST(RunOptions, SettingsHoldAgainstARow) {
  const Workspace workspace;
  const std::string table = workspace.write(
      "table.yaml", scenario("      s_add_u32 s2, s0, s1\n      s_endpgm\n", "cases: [{name: a, s0: 5, s1: 1}]\n"));
  const std::vector<std::string> settings = {"--case", "a", "--set", "s0=9", table};
  const auto with = [&](const std::string& command, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {command};
    arguments.insert(arguments.end(), settings.begin(), settings.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_tool(arguments, "print s0\n");
  };
  EXPECT_THAT(with("run", {"--format", "yaml"}).out, HasSubstr("s2: 0x0000000a"));
  EXPECT_THAT(with("why", {"s2"}).out, HasSubstr("from s0 = 0x00000009"));
  EXPECT_THAT(with("debug", {}).out, HasSubstr("s0 = 0x00000009"));
  const ToolRun equiv = run_tool({"equiv", "--set", "s0=9", table, table});
  EXPECT_EQ(equiv.exit_code, 2);
  EXPECT_EQ(equiv.err, "--set s0=9: error: rows of `cases:` set `s0`; remove one of them\n");
}

TEST(RunOptions, ATargetOfAnotherGenerationIsAnError) {
  const std::string text = scenario("      s_endpgm\n");
  const ToolRun other = run_tool({"run", "-", "--mcpu", "gfx600"}, text);
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_THAT(other.err, HasSubstr("<stdin>:1:9: error: the scenario is for gfx900 (gcn1.4), but --mcpu is gfx600"));
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
  EXPECT_THAT(
      run.out,
      HasSubstr("fork: push entry 0 {exec=0x000000000000ff00, pc=0x1004}, continue with exec=0x00000000000000ff"));
  EXPECT_THAT(
      run.out,
      HasSubstr("join: pop entry 0 {exec=0x000000000000ff00, pc=0x1004}, continue with exec=0x000000000000ff00"));
}

TEST(RunOptions, UndefinedReadsAreWarnedOf) {
  const ToolRun run = run_scenario("      s_mov_b32 s0, s1\n      s_endpgm\n", "", {"--check-undefined=reads"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, HasSubstr("warning: undefined_read at 0x1000"));
  EXPECT_EQ(
      run_scenario("      s_mov_b32 s0, s1\n      s_endpgm\n", "", {"--check-undefined=reads", "--strict"}).exit_code,
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
  // Ten iterations of three instructions and the end are 31 steps.
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
