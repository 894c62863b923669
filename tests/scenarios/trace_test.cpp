#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tool.hpp"

// The options of `salu run` for traces: destinations, filters, and invalid values.
namespace salu::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* rounds =
    "name: rounds\ntarget: gfx900\ncode:\n  asm: |\n    loop:\n      s_sub_u32 s0, s0, 1\n      s_cmp_lg_u32 s0, 0\n"
    "      s_cbranch_scc1 loop\n      s_endpgm\nregisters: {s0: 3}\n";

ToolRun trace(std::vector<std::string> options, const std::string& text = rounds) {
  options.insert(options.begin(), "run");
  options.emplace_back("-");
  return run_tool(options, text);
}

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(TraceOptions, AnyOfThemMakesATrace) {
  EXPECT_THAT(trace({}).out, StartsWith("rounds on gfx900: end_program"));
  EXPECT_THAT(trace({"--trace"}).out, StartsWith("      1  0x1000: s_sub_u32 s0, s0, 1 "));
  EXPECT_THAT(trace({"--trace-only", "s_cbranch_*"}).out, StartsWith("      3  0x1008: s_cbranch_scc1 loop "));
  EXPECT_THAT(trace({"--trace-steps", "2"}).out, StartsWith("      2  0x1004: s_cmp_lg_u32 s0, 0 "));
  EXPECT_THAT(trace({"--trace-words"}).out, StartsWith("      1  0x1000: 80808100 "));
}

TEST(TraceOptions, FileTakesTheTraceAndLeavesTheResult) {
  const Workspace workspace;
  const std::string path = workspace.path("trace.txt");
  const ToolRun run = trace({"--trace-file", path, "--format", "json"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(lines_in(run.out), 1U);
  const std::string text = read_text(path);
  EXPECT_THAT(text, StartsWith("; rounds on gfx900\n      1  0x1000: s_sub_u32 s0, s0, 1 "));
  EXPECT_EQ(lines_in(text), 1 + 3 * 3 + 1U);
  // Repeated runs have the same trace, independent of time and machine.
  EXPECT_EQ(trace({"--trace-file", path, "-q"}).out, "");
  EXPECT_EQ(read_text(path), text);
}

TEST(TraceOptions, NoNewFileIsLeftIfTheRunDoesNotStart) {
  const Workspace workspace;
  const std::string scenario = workspace.write("bad.yaml", "target: gfx900\ncode: {asm: s_bogus s0}\n");
  const std::string path = workspace.path("trace.txt");
  EXPECT_EQ(run_tool({"run", scenario, "--trace-file", path}).exit_code, 3);
  EXPECT_FALSE(std::filesystem::exists(path));
  (void)workspace.write("trace.txt", "old");
  EXPECT_EQ(run_tool({"run", scenario, "--trace-file", path}).exit_code, 3);
  EXPECT_EQ(read_text(path), "old");
}

TEST(TraceOptions, DashIsStandardOutput) {
  const std::string among_results = trace({"--trace"}).out;
  EXPECT_EQ(trace({"--trace-file", "-"}).out, among_results);
  const ToolRun lines = trace({"--trace-file", "-", "--trace-format", "jsonl", "-q"});
  EXPECT_EQ(lines.exit_code, 0);
  EXPECT_EQ(lines_in(lines.out), 3 * 3 + 1 + 2U);
  EXPECT_EQ(trace({"--trace-format", "jsonl", "--quiet"}).out, lines.out);
  EXPECT_TRUE(json::accept(trace({"--trace-format", "perfetto", "-q"}).out));
}

TEST(TraceOptions, MachineReadableTracesAndResultsStayApart) {
  for (const std::vector<std::string>& options : {std::vector<std::string>{"--trace-format", "jsonl"},
                                                  {"--trace-format", "perfetto", "--trace-file", "-"},
                                                  {"--trace-format", "jsonl", "--format", "json"},
                                                  {"--trace-file", "-", "--format", "json"}}) {
    const ToolRun run = trace(options);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err,
              "error: the trace would be mixed with the results; write it to a file (--trace-file FILE), or omit the "
              "results (-q)\n");
  }
}

TEST(TraceOptions, AFileHoldsAllRuns) {
  const Workspace workspace;
  const std::string two = std::string("---\n") + rounds + "---\n" + rounds;
  EXPECT_EQ(trace({"--trace-file", workspace.path("t.json"), "--trace-format", "perfetto", "-q"}, two).exit_code, 0);
  const json events = json::parse(read_text(workspace.path("t.json")))["traceEvents"];
  EXPECT_EQ(events.front()["pid"], 1);
  EXPECT_EQ(events.back()["pid"], 2);
  EXPECT_EQ(trace({"--trace-file", workspace.path("t.txt"), "-q"}, two).exit_code, 0);
  EXPECT_THAT(read_text(workspace.path("t.txt")), HasSubstr("s_endpgm\n\n; rounds on gfx900\n"));
}

TEST(TraceOptions, ACutIsReported) {
  const ToolRun run = trace({"--trace", "--trace-limit", "4"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out,
              HasSubstr("\n; the trace ends before step 5, at its limit of 4 records; 6 instructions are missing"));
  EXPECT_THAT(run.err, StartsWith("rounds: warning: the trace ends before step 5"));
  EXPECT_THAT(run.out, HasSubstr("after 10 steps"));
  // With -q, the trace still reports that it was cut.
  const ToolRun quiet = trace({"--trace", "--trace-limit", "4", "-q"});
  EXPECT_THAT(quiet.out, HasSubstr("; the trace ends before step 5"));
  EXPECT_EQ(quiet.err, "");
  EXPECT_THAT(trace({"--trace", "--trace-limit", "0"}).out, Not(HasSubstr("trace ends")));
}

TEST(TraceOptions, AnEmptyTraceIsReported) {
  const ToolRun run = trace({"--trace", "--trace-steps", "100.."});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "rounds: warning: the trace is empty: none of the 10 instructions executed matches the filters\n");
  EXPECT_EQ(trace({"--trace", "--trace-steps", "100..", "-q"}).err, "");
  EXPECT_EQ(trace({"--trace", "--trace-steps", "10.."}).err, "");
}

TEST(TraceOptions, ErrorsNameTheOption) {
  const auto error = [](const std::vector<std::string>& options) {
    const ToolRun run = trace(options);
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_EQ(run.out, "");
    return run.err;
  };
  EXPECT_EQ(
      error({"--trace-at", "lopo"}),
      "--trace-at lopo: error: `lopo` is not an address, label or symbol of this program; did you mean `loop`?\n");
  EXPECT_THAT(error({"--trace-writes", "s0,sss"}), StartsWith("--trace-writes sss: error: "));
  EXPECT_EQ(error({"--trace-writes", "s200"}),
            "--trace-writes s200: error: unknown register `s200` on gcn1.4; did you mean `s20` or `s100`?\n");
  EXPECT_THAT(error({"--trace-only", "s_jump"}), HasSubstr("no scalar instruction of gcn1.4 has the name `s_jump`"));
  EXPECT_THAT(error({"--trace-steps", "7..3"}), HasSubstr("--trace-steps 7..3: expected a first step"));
  EXPECT_THAT(error({"--trace-steps", "..0"}), HasSubstr("a first step of at least 1"));
  EXPECT_THAT(error({"--trace-steps", ".."}), HasSubstr("expected FIRST..LAST"));
  EXPECT_THAT(error({"--trace-steps", "x"}), HasSubstr("--trace-steps x: expected the number of the first step"));
  EXPECT_THAT(error({"--trace-limit=-1"}), HasSubstr("--trace-limit -1: expected a number of records"));
  EXPECT_THAT(error({"--trace-format", "xml"}),
              HasSubstr("unknown value `xml`; expected `text`, `jsonl` or `perfetto`"));
  EXPECT_THAT(error({"--trace-words", "--trace-format", "jsonl", "-q"}), HasSubstr("--trace-words"));
}

TEST(TraceOptions, AFileThatCannotBeWrittenIsAnError) {
  const ToolRun run = trace({"--trace-file", "/no/such/folder/trace.txt"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_THAT(run.err, HasSubstr("/no/such/folder/trace.txt: error: cannot write the file: No such file or directory"));
  const ToolRun full = trace({"--trace-file", "/dev/full", "-q"});
  EXPECT_EQ(full.exit_code, 3);
  EXPECT_EQ(full.err, "/dev/full: error: cannot write the file: No space left on device\n");
}

// A selection that fits only one of several programs is an error for the others, and the rest run.
TEST(TraceOptions, EachProgramIsSelectedFromAnew) {
  const std::string other = "---\nname: other\ntarget: gfx900\ncode: {asm: s_endpgm}\n";
  const ToolRun run = trace({"--trace-at", "loop"}, std::string("---\n") + rounds + other);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.out, HasSubstr("rounds on gfx900: end_program"));
  EXPECT_THAT(run.err, HasSubstr("--trace-at loop: error: `loop` is not an address"));
}

}  // namespace
}  // namespace salu::test
