#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/pages.hpp"
#include "scenarios/tool.hpp"
#include "sweep/sweeps.hpp"

// The command `salu sweep`.
namespace salu::test {
namespace {

using sweep_test::little_endian;
using sweep_test::npy;
using testing::HasSubstr;
using testing::StartsWith;

class SweepTool : public testing::Test {
 protected:
  SweepTool() { sum_ = workspace_.write("sum.s", "s_add_u32 s2, s0, s1\ns_endpgm\n"); }

  [[nodiscard]] ToolRun sweep(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"sweep", sum_, "--mcpu", "gfx900"});
    return run_tool(arguments);
  }
  [[nodiscard]] std::string problem(const std::vector<std::string>& arguments, int exit_code = 2) const {
    const ToolRun run = sweep(arguments);
    EXPECT_EQ(run.exit_code, exit_code);
    EXPECT_EQ(run.out, "");
    return run.err;
  }

  Workspace workspace_;
  std::string sum_;
};

TEST_F(SweepTool, WithoutAQuestionItSumsUp) {
  const ToolRun run = sweep({"--vary", "s0=1..3", "--set", "s1=0xfffffffe"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  // 0xffffffff * 1 + 0 * 3 + 1 * 5, and for SCC 0 * 1 + 1 * 3 + 1 * 5.
  EXPECT_EQ(run.out,
            "3 states: end_program 3\n\n  varied    s0\n"
            "  outputs   s2, scc (the scalar registers that the code may write; use --outputs to choose others)\n\n"
            "s2\n  minimum   0x00000000 first at state 1\n  maximum   0xffffffff first at state 0\n"
            "  checksum  0x0000000100000004\n\n"
            "scc\n  minimum   0x0 first at state 0\n  maximum   0x1 first at state 1\n"
            "  checksum  0x0000000000000008\n");
}

TEST_F(SweepTool, EachQuestionHasItsAnswer) {
  const std::vector<std::string> states = {"--vary", "s0=0..3", "--outputs", "s2"};
  const auto asked = [&](std::vector<std::string> more) {
    more.insert(more.begin(), states.begin(), states.end());
    const ToolRun run = sweep(more);
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.err, "");
    return run.out;
  };
  const std::string counts = "4 states: end_program 4\n\n  varied    s0\n  outputs   s2\n\ns2\n";
  EXPECT_EQ(asked({"--checksum"}), counts + "  checksum  0x0000000000000022\n");
  EXPECT_EQ(asked({"--minmax"}),
            counts + "  minimum   0x00000000 first at state 0\n  maximum   0x00000003 first at state 3\n");
  EXPECT_EQ(asked({"--histogram"}), counts + "  0x00000000  1\n  0x00000001  1\n  0x00000002  1\n  0x00000003  1\n");
  EXPECT_EQ(asked({"--checksum", "--format", "json"}),
            "{\"schema\":\"salu-sweep-v1\",\"states\":4,\"count\":4,\"cancelled\":false,\"stops\":{\"end_program\":4},"
            "\"warned\":0,\"skipped_vector\":0,\"inputs\":[\"s0\"],\"outputs\":[{\"name\":\"s2\",\"checksum\":34}]}\n");
  for (const char* engine : {"batch", "scalar", "lanes"}) {
    EXPECT_EQ(asked({"--format", "csv", "--engine", engine, "-j", "1"}),
              "s0,expect.s2,expect.stop\n0,0,end_program\n1,1,end_program\n2,2,end_program\n3,3,end_program\n")
        << engine;
  }
  EXPECT_EQ(sweep({"--vary", "s0=0..3", "--engine", "lane"}).err,
            "error: --engine: unknown value `lane`; expected `batch` or `scalar`\nSee `salu sweep --help`\n");
  EXPECT_EQ(asked({"--where", "s2 > 1", "--first", "1"}), "s0,expect.s2,expect.stop\n2,2,end_program\n");
}

// An invalid row ends the sweep: the file then has its old contents, or complete rows.
TEST_F(SweepTool, AWrongRowLeavesAFileThatCanBeRead) {
  constexpr std::size_t many = 100'000;
  std::vector<u64> numbers(many, 1);
  numbers.back() = u64{1} << 33;
  const std::string late = workspace_.write("late.npy", npy("'<u8'", "(100000,)", little_endian(numbers, 8)));
  const std::string early = workspace_.write("early.npy", npy("'<u8'", "(1,)", little_endian({u64{1} << 33}, 8)));
  for (const std::string format : {"csv", "json", "jsonl", "npy"}) {
    const std::string out = workspace_.write("out", "what was there");
    const auto write = [&](const std::string& rows) {
      const ToolRun run = sweep({"--rows", rows, "--columns", "s0", "--outputs", "s2", "--format", format, "-o", out});
      EXPECT_EQ(run.exit_code, 3) << format;
      EXPECT_THAT(run.err, HasSubstr("8589934592 does not fit")) << format;
      return read_text(out);
    };
    EXPECT_EQ(write(early), "what was there") << format;
    const std::string text = write(late);
    if (format == "json") {
      EXPECT_GT(nlohmann::json::parse(text).size(), 0U);
      continue;
    }
    const std::string again = workspace_.write("again." + format, text);
    EXPECT_EQ(sweep({"--rows", again, "--format", "csv"}).exit_code, 0) << format;
  }
}

TEST_F(SweepTool, RowsGoToAFileAndComeBack) {
  const std::string csv = workspace_.path("rows.csv");
  const std::string array = workspace_.path("rows.npy");
  const std::vector<std::string> vary = {"--vary", "s0=0..999", "--vary", "s1=1..2", "--format"};
  const auto write = [&](const std::string& format, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = vary;
    arguments.push_back(format);
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ToolRun run = sweep(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.out;
  };
  const std::string rows = write("csv", {});
  EXPECT_EQ(write("csv", {"-o", csv}), "");
  EXPECT_EQ(read_text(csv), rows);
  EXPECT_EQ(sweep({"--rows", csv, "--format", "csv"}).out, rows);
  EXPECT_EQ(write("npy", {"-o", array}), "");
  EXPECT_EQ(write("npy", {}), read_text(array));
  EXPECT_EQ(sweep({"--rows", array, "--format", "csv"}).out, rows);
  // The header has the number of rows, which is only known at the end.
  EXPECT_EQ(write("npy", {"-o", array, "--where", "s2 == 500"}), "");
  EXPECT_EQ(sweep({"--rows", array, "--format", "csv"}).out,
            "s0,s1,expect.s2,expect.scc,expect.stop\n498,2,500,0,end_program\n499,1,500,0,end_program\n");
  // The rows are cases that pass.
  const std::string table =
      workspace_.write("table.yaml", "target: gfx900\ncode: {file: sum.s}\ncases: {file: rows.csv}\n");
  EXPECT_THAT(run_tool({"test", table}).out, HasSubstr("1 passed"));
}

TEST_F(SweepTool, TheExitCodeIsThatOfTheWorstRun) {
  const std::string loads = workspace_.write("loads.s", "s_load_dword s1, s[2:3], 0x0\ns_endpgm\n");
  const ToolRun fault = run_tool({"sweep", loads, "--mcpu", "gfx900", "--vary", "s2=0..1", "--outputs", "s1"});
  EXPECT_EQ(fault.exit_code, 4);
  EXPECT_THAT(fault.out, StartsWith("2 states: unmapped_memory 2\n"));
  const std::string loops = workspace_.write("loops.s", "loop:\ns_branch loop\n");
  EXPECT_EQ(run_tool({"sweep", loops, "--mcpu", "gfx900", "--vary", "s2=0..1", "--max-steps", "9"}).exit_code, 5);
}

TEST_F(SweepTool, WrongUseIsExplained) {
  EXPECT_THAT(problem({}), HasSubstr("missing states: give ranges"));
  EXPECT_THAT(problem({"--vary", "s0=5..2"}), HasSubstr("--vary s0=5..2: error: the range is empty"));
  EXPECT_THAT(problem({"--vary", "s[0:1]=0..0xffffffffffffffff", "--vary", "s2=0..63"}), HasSubstr("2^70 states"));
  EXPECT_THAT(problem({"--vary", "s0=0..9", "--where", "s2 +"}), HasSubstr("--where:1:5: error: "));
  EXPECT_THAT(problem({"--vary", "s0=0..9", "--where", "1", "--checksum"}), HasSubstr("omit one of them"));
  EXPECT_THAT(problem({"--vary", "s0=0..9", "--where", "1", "--first", "0"}),
              HasSubstr("expected a number of rows above 0"));
  EXPECT_THAT(problem({"--vary", "s0=0..9", "--where", "1", "--format", "npy"}),
              HasSubstr("write it to a regular file"));
  EXPECT_THAT(problem({"--vary", "s0=0..9", "--where", "1", "--format", "npy", "-o", "/dev/null"}),
              HasSubstr("write it to a regular file"));
  EXPECT_THAT(problem({"--vary", "s0=0..9", "--first", "3"}), HasSubstr("--first: only with --where"));
  EXPECT_THAT(problem({"--vary", "s0=0..9", "--checksum", "--format", "csv"}), HasSubstr("printed as text or json"));
  EXPECT_THAT(problem({"--vary", "s0=0..9", "-j", "0"}), HasSubstr("expected a number from 1 to"));
  EXPECT_THAT(problem({"--vary", "s0=0..9", "--format", "csv", "-o", sum_}), HasSubstr("would overwrite the input"));
  const std::string rows = workspace_.write("rows.csv", "s0\n1\n");
  EXPECT_THAT(problem({"--rows", rows, "--format", "csv", "-o", rows}), HasSubstr("would overwrite the input"));
  EXPECT_EQ(read_text(rows), "s0\n1\n");
  EXPECT_THAT(problem({"--rows", workspace_.write("bad.csv", "s0\nx\n")}, 3), HasSubstr("bad.csv:2:1: error: "));
  // An error leaves the output file unchanged.
  const std::string kept = workspace_.write("kept.csv", "kept\n");
  EXPECT_THAT(problem({"--vary", "s0=9..0", "--format", "csv", "-o", kept}), HasSubstr("the range is empty"));
  EXPECT_EQ(read_text(kept), "kept\n");
}

TEST_F(SweepTool, AnInterruptEndsItWithPartialResults) {
  const std::string loops = workspace_.write("loops.s", "s_mov_b32 s1, 5\nloop:\ns_branch loop\n");
  const ToolRun run = run_shell(
      "timeout --preserve-status -s INT 2 "
      "salu sweep loops.s --mcpu gfx900 --vary s0=0..0xffffffff --outputs s1 --max-steps 3000 -j 1 > out 2> err",
      workspace_.path(""));
  EXPECT_EQ(run.exit_code, 130);
  EXPECT_THAT(read_text(workspace_.path("out")), StartsWith("cancelled after "));
  EXPECT_THAT(read_text(workspace_.path("out")), HasSubstr("maximum   0x00000005 first at state 0"));
  EXPECT_THAT(read_text(workspace_.path("err")), HasSubstr("error: interrupted: "));
}

// However the sweep ends, the current row and the end of the format are written.
TEST_F(SweepTool, FilesAreCompleteAfterASignal) {
  const std::string loops = workspace_.write("loops.s", "s_mov_b32 s1, 5\nloop:\ns_branch loop\n");
  for (const auto& [name, number] : {std::pair("INT", SIGINT), std::pair("TERM", SIGTERM), std::pair("HUP", SIGHUP)}) {
    const std::string command = fmt::format(
        "timeout --preserve-status -s {} 1 salu sweep {} --mcpu gfx900 --vary s0=0..0xffffffff --outputs s1 "
        "--max-steps 200000 -j 1 --format json -o rows.json",
        name, loops);
    EXPECT_EQ(run_shell(command, workspace_.path("")).exit_code, 128 + number) << name;
    const auto rows = nlohmann::json::parse(read_text(workspace_.path("rows.json")), nullptr, false);
    ASSERT_TRUE(rows.is_array()) << name;
    EXPECT_FALSE(rows.empty()) << name;
  }
}

// Every sweep on the page is shown with its actual output.
TEST_F(SweepTool, SweepsAreShownAsTheyAre) {
  std::filesystem::create_directory_symlink(SALU_PROGRAMS_DIR, workspace_.path("programs"));
  EXPECT_GE(expect_shown("docs/how-to/sweep.md", workspace_.path("")), 3U);
}

}  // namespace
}  // namespace salu::test
