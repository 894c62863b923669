#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "needs.hpp"
#include "tool.hpp"

// `salu debug` with invalid files and scripts.
namespace salu::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view program = "target: gfx900\ncode:\n  asm: |\n    s_mov_b32 s0, 5\n    s_endpgm\n";

class DebugCommand : public testing::Test {
 protected:
  DebugCommand() { write("good.yaml", program); }

  void write(const std::string& name, std::string_view contents) { (void)workspace_.write(name, contents); }

  ToolRun debug(const std::string& arguments, std::string_view script = {}) {
    write("script", script);
    return run_shell("salu debug " + arguments + " < script", workspace_.path(""));
  }

  /// A file that cannot be debugged: only the reason is printed.
  void expect_refused(const std::string& arguments, int exit_code, const std::string& message) {
    const ToolRun run = debug(arguments, "stepi\n");
    EXPECT_EQ(run.exit_code, exit_code) << arguments << ": " << run.err;
    EXPECT_THAT(run.err, HasSubstr("error: ")) << arguments;
    EXPECT_THAT(run.err, HasSubstr(message)) << arguments;
    EXPECT_THAT(run.out, IsEmpty()) << arguments;
  }

  Workspace workspace_;
};

TEST_F(DebugCommand, RefusesFiles) {
  using namespace std::string_literals;
  for (const char* name : {"empty.yaml", "empty.o", "empty.s", "empty.hex", "empty.bin"}) write(name, "");
  write("garbage.yaml", std::string("\x01\x02\xff\xfe: [", 6));
  write("truncated.o", "\x7f"s + "ELF\x02\x01\x01\x40"s + std::string(40, '\0'));
  write("two.yaml", std::string(program) + "---\n" + std::string(program));
  write("table.yaml", std::string(program) + "cases:\n  - {name: one, s1: 1}\n  - {name: two, s1: 2}\n");
  expect_refused("nowhere.yaml", 3, "nowhere.yaml");
  expect_refused(".", 3, "");
  for (const char* name : {"empty.yaml", "garbage.yaml", "empty.o", "truncated.o"}) expect_refused(name, 3, name);
  for (const char* name : {"empty.s --mcpu gfx900", "empty.hex --mcpu gfx900", "empty.bin --mcpu gfx900"})
    expect_refused(name, 3, "empty.");
  expect_refused("two.yaml", 2, "the file contains 2 scenarios; select one by number or name with --document");
  expect_refused("table.yaml", 2, "select one by number or name with --case");
  expect_refused("table.yaml --case three", 2, "--case three: no such row");
  expect_refused("good.yaml --case 1", 2, "the scenario has no `cases:`");
  expect_refused("good.yaml --wave 1", 2,
                 "no wave 1: only `kernel:` with `waves: all`, and `work_groups:`, have several");
  expect_refused("good.yaml --wave -1", 2, "--wave: expected a number, 0 or more, found -1");
  expect_refused("good.yaml --command nowhere", 3, "cannot read the commands: No such file or directory");
  expect_refused("good.yaml --command .", 3, "cannot read the commands: it is a directory");
  expect_refused("good.yaml --history-memory 0", 2, "expected 1 to 65536 MiB");

  expect_refused("two.yaml --document 3", 2, "--document 3");
  EXPECT_EQ(debug("two.yaml --document 2", "stepi\n").exit_code, 0);
  const ToolRun row = debug("table.yaml --case two", "print s1\n");
  EXPECT_EQ(row.exit_code, 0);
  EXPECT_EQ(row.out, "s1 = 0x00000002\n");
}

TEST_F(DebugCommand, FailedExpectationsAreAnExitCode) {
  write("fails.yaml", std::string(program) + "expect: {registers: {s0: 6}}\n");
  write("holds.yaml", std::string(program) + "expect: {registers: {s0: 5}}\n");
  write("faults.yaml", "target: gfx900\ncode: {asm: \"s_load_dword s0, s[4:5], 0\"}\nregisters: {s4: 0, s5: 0}\n");
  const std::string failure = "Expectation failed: s0: expected 0x00000006, got 0x00000005 (fails.yaml:6)\n";
  const ToolRun run = debug("fails.yaml", "continue\n");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, HasSubstr("The program has ended after 2 instructions: end_program at 0x1004\n" + failure));
  // Also if the script goes back from there, with --command, and after going backwards and forwards.
  EXPECT_EQ(debug("fails.yaml", "continue\nrsi\nprint s0\n").exit_code, 1);
  EXPECT_EQ(debug("fails.yaml", "c\nrc\nc\n").exit_code, 1);
  write("commands", "goto end\ninfo expectations\nquit\n");
  EXPECT_EQ(debug("fails.yaml --command commands").exit_code, 1);
  // A failed command has priority; a run that did not end, or was changed, does not fail expectations.
  EXPECT_EQ(debug("fails.yaml", "continue\nnonsense\n").exit_code, 2);
  EXPECT_EQ(debug("fails.yaml", "stepi\n").exit_code, 0);
  EXPECT_EQ(debug("fails.yaml", "c\ngoto 1\nset s0 = 6\nc\n").exit_code, 0);
  const ToolRun good = debug("holds.yaml", "continue\n");
  EXPECT_EQ(good.exit_code, 0);
  EXPECT_THAT(good.out, Not(HasSubstr("xpectation")));
  // A fault without expectations may be what the script examines; with expectations the exit code is that of `salu run
  // --check`.
  EXPECT_EQ(debug("faults.yaml", "continue\n").exit_code, 0);
  write("faults.yaml", read_text(workspace_.path("faults.yaml")) + "expect: {}\n");
  EXPECT_EQ(debug("faults.yaml", "continue\n").exit_code, 4);
}

TEST_F(DebugCommand, SavesBreakpointsAndTakesThemBack) {
  EXPECT_EQ(debug("good.yaml", "break s_endpgm\ncommands\nprint 5\nend\nsave breakpoints stops\n").exit_code, 0);
  EXPECT_EQ(read_text(workspace_.path("stops")), "break s_endpgm\ncommands\nprint 5\nend\n");
  EXPECT_THAT(debug("good.yaml", "source stops\ncontinue\n").out, HasSubstr("Breakpoint 1\n"));
  // Input files of the run are never overwritten.
  for (const char* file : {"good.yaml", "./good.yaml"}) {
    const ToolRun run = debug("good.yaml", std::string("break s_endpgm\nsave breakpoints ") + file + "\n");
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.out, HasSubstr("the output would overwrite the input good.yaml"));
  }
  EXPECT_EQ(read_text(workspace_.path("good.yaml")), program);
  EXPECT_THAT(debug("good.yaml", "source nowhere\n").out, HasSubstr("`nowhere`: No such file or directory"));
  EXPECT_THAT(debug("good.yaml", "break s_endpgm\ncommands\nprint 1\n").err, HasSubstr("`commands` without `end`"));
}

// Files that are read are not written, by whatever path.
TEST_F(DebugCommand, SavesOverNothingThatIsRead) {
  SALU_NEEDS(SALU_LLVM_MC, "llvm-mc-19");
  const std::map<std::string, std::string> files = {
      {"rows.csv", "s1\n1\n2\n"},
      {"data.bin", "12345678"},
      {"code.s", "s_mov_b32 s0, 5\n.include \"more.s\"\ns_endpgm\n"},
      {"more.s", "s_nop 0\n.incbin \"nop.bin\"\n"},
      {"nop.bin", {"\0\0\x80\xbf", 4}},
      {"stops", "break s_endpgm\n"},
      {"state.yaml", "schema: salu-state-v1\ntarget: gfx900\nmemory: [{at: 0x20000, file: left.bin}]\n"},
      {"left.bin", "abcd"},
      {"table.yaml",
       "target: gfx900\ncode: {file: code.s}\nmemory: [{at: 0x10000, file: data.bin}]\ncases: {file: rows.csv}\n"},
  };
  for (const auto& [name, contents] : files) write(name, contents);
  for (const auto& [name, contents] : files) {
    const ToolRun run =
        debug("table.yaml --case 1 --state state.yaml", "source stops\nsave breakpoints " + name + "\n");
    EXPECT_EQ(run.exit_code, 2) << name;
    EXPECT_THAT(run.out, HasSubstr("save " + name + ": the output would overwrite the input")) << run.err;
    EXPECT_EQ(read_text(workspace_.path(name)), contents);
  }
  for (const std::string name : {"code.s", "more.s", "nop.bin"}) {
    const ToolRun run =
        debug("code.s --mcpu gfx900 --assembler llvm", "break s_endpgm\nsave breakpoints " + name + "\n");
    EXPECT_EQ(run.exit_code, 2) << name;
    EXPECT_THAT(run.out, HasSubstr("the output would overwrite the input " + name)) << run.err;
    EXPECT_EQ(read_text(workspace_.path(name)), files.at(name));
  }
  const ToolRun run = debug("good.yaml", "break s_endpgm\nsave breakpoints script\n");
  EXPECT_THAT(run.out, HasSubstr("save script: the output would overwrite the input"));
}

TEST_F(DebugCommand, NamesTheLineThatWasAskedFor) {
  EXPECT_THAT(debug("good.yaml", "list 99999\n").out, HasSubstr("lines: no line 99999\n"));
}

TEST_F(DebugCommand, ScriptsEndAtTheFirstError) {
  using namespace std::string_literals;
  const ToolRun run = debug("good.yaml", "stepi\nfrobnicate\nprint s0\n");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out,
            "  s0=0x00000005\n[1] 0x1004: s_endpgm    // good.yaml:5\n"
            "error: unknown command `frobnicate`; `help` lists them\n");
  EXPECT_THAT(run.err, HasSubstr("<stdin>:2: error: the command `frobnicate` failed"));

  const ToolRun bytes = debug("good.yaml", "print s0\0\x01\x1b[2J\n"s);
  EXPECT_EQ(bytes.exit_code, 2);
  EXPECT_THAT(bytes.out + bytes.err, Not(HasSubstr("\x1b")));
  const ToolRun longest = debug("good.yaml", std::string(1 << 20, 'x') + "\n");
  EXPECT_EQ(longest.exit_code, 2);
  EXPECT_LT(longest.out.size() + longest.err.size(), 500U);
}

TEST_F(DebugCommand, ScriptsHaveBounds) {
  using namespace std::string_literals;
  const auto run = [&](const std::string& line) {
    // The sanitizers reserve more memory than available.
    const std::string limit = SALU_TEST_WORK_DIVISOR == 1 ? "ulimit -v 4000000; " : "";
    return run_shell(limit + line, workspace_.path(""));
  };
  const ToolRun zeros = run("salu debug good.yaml --command /dev/zero");
  EXPECT_EQ(zeros.exit_code, 2);
  EXPECT_EQ(zeros.err, "/dev/zero:1: error: the command is longer than 65536 bytes\n");
  const ToolRun endless = run("tr '\\0' x </dev/zero | salu debug good.yaml");
  EXPECT_EQ(endless.exit_code, 2);
  EXPECT_EQ(endless.err, "<stdin>:1: error: the command is longer than 65536 bytes\n");
  const ToolRun lines = run("yes $(printf '#%01000d' 0) | salu debug good.yaml --command /dev/stdin");
  EXPECT_EQ(lines.exit_code, 3);
  EXPECT_EQ(lines.err, "/dev/stdin: error: too large for a script: the limit is 64 MiB\n");
  EXPECT_EQ(debug("good.yaml", "#" + std::string(65'535, 'x') + "\nprint 4\n").out, "4 = 0x4\n");
  for (const std::string& bytes : {"print 1\0"s, "print \xff"s, "# caf\xe9"s, "\xc0\xaf"s}) {
    const ToolRun none = debug("good.yaml", "print 4\n" + bytes + "\nprint 5\n");
    EXPECT_EQ(none.exit_code, 2);
    EXPECT_EQ(none.out, "4 = 0x4\n");
    EXPECT_EQ(none.err, "<stdin>:2: error: the command is not text\n");
  }
}

TEST_F(DebugCommand, ReportsUnreadableCommands) {
  for (const auto& [from, reason] : {std::pair{"<&-", "Bad file descriptor"}, std::pair{"<.", "Is a directory"}}) {
    const ToolRun run = run_shell(std::string("salu debug good.yaml ") + from, workspace_.path(""));
    EXPECT_EQ(run.exit_code, 3) << from;
    EXPECT_EQ(run.err, std::string("<stdin>: error: cannot read the commands: ") + reason + "\n");
  }
  EXPECT_EQ(run_shell("salu debug good.yaml </dev/null", workspace_.path("")).exit_code, 0);
}

TEST_F(DebugCommand, EndsIfItsOutputIsClosed) {
  write("endless.yaml", "target: gfx900\ncode: {asm: \"loop: s_add_u32 s0, s0, 1\\ns_branch loop\"}\n");
  const std::string message = "error: cannot write to standard output: ";
  // With and without a signal for broken pipes.
  for (const char* before : {"", "trap '' PIPE; "}) {
    for (const char* script : {"yes stepi", "yes 'print 4'", "(echo 'dprintf loop, s0 is {s0}'; echo continue)"}) {
      const ToolRun run = run_shell(std::string(before) + script +
                                        " | (timeout 60 salu debug endless.yaml --max-steps 1000000000000; " +
                                        "echo $? >code) | head -1 >first; cat code",
                                    workspace_.path(""));
      EXPECT_EQ(run.out, "3\n") << before << script;
      EXPECT_THAT(run.err, HasSubstr(message)) << before << script;
    }
  }
  const ToolRun full = run_shell("yes stepi | timeout 60 salu debug endless.yaml >/dev/full", workspace_.path(""));
  EXPECT_EQ(full.exit_code, 3);
  EXPECT_THAT(full.err, HasSubstr(message + "No space left on device"));
}

TEST_F(DebugCommand, ScriptsMayComeFromElsewhere) {
  EXPECT_EQ(debug("good.yaml", "# nothing\r\n\r\nstepi\r\nprint s0").out,
            "  s0=0x00000005\n[1] 0x1004: s_endpgm    // good.yaml:5\ns0 = 0x00000005\n");
  EXPECT_EQ(debug("good.yaml", "quit\nfrobnicate\n").exit_code, 0);
  EXPECT_EQ(debug("good.yaml").out, "");
}

}  // namespace
}  // namespace salu::test
