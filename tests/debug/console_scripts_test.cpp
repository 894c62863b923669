#include <gmock/gmock.h>

#include <map>

#include "debug/consoles.hpp"

// Printed values, commands of breakpoints, and scripts. The numbers are those of debug/programs.hpp.
namespace salu::debug {
namespace {

using testing::HasSubstr;
using testing::Not;

class ConsoleScripts : public ConsoleTest {
 protected:
  ConsoleScripts() {
    ConsoleHost host;
    host.read_file = [this](const std::string& path) -> Result<std::string> {
      const auto found = files_.find(path);
      if (found == files_.end()) return Error{ErrorCode::io, {}, "cannot read `" + path + "`", {}};
      return found->second;
    };
    host.write_file = [this](const std::string& path, std::string_view text) -> std::string {
      if (path == "full") return "no room";
      files_[path] = std::string(text);
      return "";
    };
    host.ask = [this](std::string_view question) {
      asked_ += question;
      return agrees_;
    };
    start_with(std::move(host));
  }

  std::map<std::string, std::string> files_;
  std::string asked_;
  bool agrees_ = false;
};

TEST_F(ConsoleScripts, PrintSetsFirst) {
  EXPECT_EQ(run("p s0=5"), "s0 = 0x00000005\n");
  EXPECT_EQ(run("call/d s1 = s0 + 2"), "s1 = 7\n");
  EXPECT_EQ(run("print s0 == 5"), "s0 == 5 = 0x1\n");
  EXPECT_EQ(run("print s0 <= 4"), "s0 <= 4 = 0x0\n");
  // An edit is not a change of the next step.
  EXPECT_EQ(run("stepi"), "[1] 0x1004 <loop+0x4>: s_cbranch_scc1 done    // test.yaml:6\n");
  EXPECT_THAT(problem("print s0 + 1 = 5"), HasSubstr("is not a register or memory"));
  EXPECT_THAT(problem("print s0 = "), HasSubstr("expected a register"));
}

TEST_F(ConsoleScripts, ValuesAreUsedAgain) {
  EXPECT_THAT(problem("print $"), HasSubstr("`$` is not a printed value: 0 so far"));
  EXPECT_EQ(run("info values"), "Nothing has been printed.\n");
  (void)run("print s0");
  (void)run("print i32(0 - 1)");
  (void)run("print 7");
  EXPECT_EQ(run("print $1"), "$1 = 0x42f (1071)\n");
  EXPECT_EQ(run("print $$2 + 1"), "$$2 + 1 = 0\n");
  EXPECT_EQ(run("print $$"), "$$ = 0x42f (1071)\n");
  EXPECT_EQ(run("print $"), "$ = 0x42f (1071)\n");
  EXPECT_THAT(problem("print $8"), HasSubstr("7 so far"));
  EXPECT_THAT(problem("print $0"), HasSubstr("7 so far"));
  EXPECT_THAT(run("info values"), HasSubstr("$2 = -1\n$3 = 0x7\n"));
  // A condition keeps the value at its creation.
  (void)run("break loop if s0 == $1 - 462");
  (void)run("print 0");
  EXPECT_THAT(run("continue"), HasSubstr("s0=0x00000261"));
}

TEST_F(ConsoleScripts, WhatHasNoValueIsAnError) {
  EXPECT_EQ(problem("print 1/0"), "error: division by 0\n");
  EXPECT_EQ(problem("print s0 % (s1 - 462)"), "error: division by 0\n");
  EXPECT_EQ(problem("x 1/0"), "error: division by 0\n");
  EXPECT_EQ(problem("set s0 = 1/0"), "error: division by 0\n");
  EXPECT_EQ(problem("set s0 = [0x99990000]"), "error: the memory at 0x99990000 is not mapped\n");
  EXPECT_EQ(run("display 1/s9"), "1: 1/s9 = division by 0\n");
  // Short-circuit evaluation, as in C.
  EXPECT_EQ(run("print s9 != 0 && 1/s9 == 1"), "s9 != 0 && 1/s9 == 1 = 0x0\n");
  EXPECT_EQ(run("print s9 == 0 || [0x99990000]"), "s9 == 0 || [0x99990000] = 0x1\n");
}

TEST_F(ConsoleScripts, BreakpointsHaveCommands) {
  (void)run("break first_is_larger if s0 < 100");
  EXPECT_EQ(run("commands"), "");
  EXPECT_TRUE(console_->is_collecting());
  for (const char* line : {"silent", "print/d s0", "", "continue", "print 99"}) EXPECT_EQ(run(line), "");
  EXPECT_EQ(run("end"), "");
  EXPECT_FALSE(console_->is_collecting());
  EXPECT_THAT(run("info breakpoints"), HasSubstr("never hit\n        silent\n        print/d s0\n        continue\n"));
  // 84, 63 and 42; commands after one that continues are skipped.
  EXPECT_EQ(run("continue"),
            "s0 = 84\ns0 = 63\ns0 = 42\n  s0=0x00000015  s1=0x00000015  scc=1\n"
            "The program has ended after 69 instructions: end_program at 0x1020 <done>\n");
  (void)run("run");
  (void)run("commands 1");
  (void)run("end");
  EXPECT_THAT(run("continue"), HasSubstr("Breakpoint 1\n"));
}

TEST_F(ConsoleScripts, CommandsOfABreakpointThatIsGone) {
  (void)run("tbreak first_is_larger");
  (void)run("commands");
  (void)run("print s1");
  (void)run("end");
  EXPECT_THAT(run("c"), testing::EndsWith("s1 = 0x000001ce (462)\n"));
  EXPECT_THAT(run("c"), HasSubstr("The program has ended"));
}

TEST_F(ConsoleScripts, CommandsThatNeverEndAreStopped) {
  start_with({}, "target: gfx900\ncode: {asm: \"loop: s_branch loop\"}\nlimits: {steps: 100}\n");
  (void)run("break loop");
  for (const char* line : {"commands", "silent", "continue", "end"}) (void)run(line);
  EXPECT_EQ(run("continue"),
            "Stopped at the limit of instructions for one command; the commands of the breakpoint are skipped.\n");
  EXPECT_EQ(session_->run().position(), 101U);
}

TEST_F(ConsoleScripts, ListsInLists) {
  (void)run("break loop");
  for (const char* line : {"commands", "tbreak done", "commands", "print 77", "end", "end"}) (void)run(line);
  EXPECT_FALSE(console_->is_collecting());
  (void)run("continue");
  (void)run("delete 1");
  EXPECT_THAT(run("continue"), HasSubstr("77 = 0x4d (77)\n"));
}

TEST_F(ConsoleScripts, FilesThatBreakpointsWantMayLeadToTheNextOne) {
  start_with(console_host_, "target: gfx900\ncode: {asm: \"loop: s_branch loop\"}\nlimits: {steps: 100}\n");
  files_["g"] = "continue\n";
  (void)run("break loop");
  for (const char* line : {"commands", "silent", "source g", "end"}) (void)run(line);
  files_["h"] = "continue\n";
  // After an odd and an even number of others.
  EXPECT_THAT(problem("continue"), HasSubstr("nested more than 32 deep"));
  EXPECT_THAT(problem("source h"), HasSubstr("nested more than 32 deep"));
}

TEST_F(ConsoleScripts, ListsInListsMayBeginWithAnyBeginning) {
  (void)run("break loop");
  for (const char* line : {"commands", "tbreak done", "com", "print 77", "end", "end"}) (void)run(line);
  EXPECT_FALSE(console_->is_collecting());
}

TEST_F(ConsoleScripts, ProblemsOfCommands) {
  EXPECT_THAT(problem("commands"), HasSubstr("no breakpoint for these commands"));
  (void)run("break loop");
  EXPECT_THAT(problem("commands 2"), HasSubstr("no breakpoint `2`"));
  (void)run("dprintf done, here");
  EXPECT_EQ(problem("commands 2"), "error: breakpoint 2 is a dprintf: it does not stop, and takes no commands\n");
  (void)run("delete 2");
  for (const char* line : {"commands", "frobnicate", "print 5", "end"}) (void)run(line);
  const std::string text = problem("continue");
  EXPECT_THAT(text, HasSubstr("error: unknown command `frobnicate`"));
  EXPECT_THAT(text, Not(HasSubstr("5 = ")));
}

TEST_F(ConsoleScripts, FilesOfCommands) {
  files_["a"] = "# first\n\n  print 1\nsource b\nbreak done\ncommands\nprint 3\nend\ncontinue\n";
  files_["b"] = "print 2";
  EXPECT_THAT(run("source a"), testing::MatchesRegex("1 = 0x1\n2 = 0x2\nBreakpoint 1: (.|\n)*3 = 0x3\n"));
  EXPECT_TRUE(good_);
  files_["c"] = "print 1\nprint nothing\nprint 2\n";
  const std::string text = problem("source c");
  EXPECT_THAT(text, HasSubstr("`nothing` is not a register"));
  EXPECT_THAT(text, HasSubstr("error: c:2: the command `print nothing` failed\n"));
  EXPECT_THAT(text, Not(HasSubstr("2 = ")));
  files_["d"] = "source d\n";
  EXPECT_THAT(problem("source d"), HasSubstr("nested more than 32 deep"));
  files_["e"] = "commands\nprint 1\n";
  EXPECT_THAT(problem("source e"), HasSubstr("e:2: `commands` without `end`"));
  EXPECT_FALSE(console_->is_collecting());
  EXPECT_THAT(problem("source nowhere"), HasSubstr("cannot read `nowhere`"));
  EXPECT_THAT(problem("source"), HasSubstr("expected a file of commands"));
  // Scripts do not ask questions, and an empty line repeats the last typed command.
  files_["f"] = "delete\n";
  EXPECT_EQ(run("source f"), "");
  EXPECT_EQ(asked_, "");
}

TEST_F(ConsoleScripts, BreakpointsAreSaved) {
  for (const char* line :
       {"break loop if s0 == 147", "commands", "silent", "print 1", "end", "tbreak 12", "watch s1 if s1 < 9",
        "rwatch s0", "dprintf done, \"at {s0}, the end\"", "ignore 1 3", "disable 2", "break s_sub_*"})
    (void)run(line);
  const std::string before = run("info breakpoints");
  EXPECT_THAT(run("save breakpoints stops"), HasSubstr("Saved 6 breakpoints to `stops`"));
  EXPECT_THAT(files_["stops"], HasSubstr("tbreak test.yaml:12\ndisable $bpnum\n"));
  start_with(console_host_);
  EXPECT_TRUE((run("source stops"), good_));
  std::string again = run("info breakpoints");
  // A line is saved with its file.
  const std::size_t file = again.find("test.yaml:");
  ASSERT_NE(file, std::string::npos);
  EXPECT_EQ(again.erase(file, 10), before);
  EXPECT_EQ(problem("save breakpoints full"), "error: no room\n");
  EXPECT_THAT(problem("save breakpoints"), HasSubstr("expected `breakpoints` and a file"));
  EXPECT_THAT(problem("save registers x"), HasSubstr("expected `breakpoints` and a file"));
  (void)run("source nothing");
  agrees_ = true;
  (void)run("delete");
  EXPECT_THAT(problem("save breakpoints stops"), HasSubstr("no breakpoints"));
}

TEST_F(ConsoleScripts, DeletingAllIsAskedAbout) {
  (void)run("delete");
  EXPECT_EQ(asked_, "");
  (void)run("break loop");
  (void)run("delete");
  EXPECT_EQ(asked_, "Delete all breakpoints and watchpoints?");
  EXPECT_EQ(session_->breakpoints().size(), 1U);
  (void)run("break done");
  (void)run("delete 1");
  EXPECT_EQ(session_->breakpoints().size(), 1U);
  agrees_ = true;
  (void)run("delete");
  EXPECT_EQ(session_->breakpoints().size(), 0U);
}

TEST_F(ConsoleScripts, FilesAreOutOfReachWhereNobodyLendsThem) {
  start_with({});
  (void)run("break loop");
  EXPECT_EQ(problem("source a"), "error: files cannot be read here\n");
  EXPECT_EQ(problem("save breakpoints a"), "error: files cannot be written here\n");
}

TEST_F(ConsoleScripts, LayoutIsForTerminals) {
  EXPECT_EQ(problem("layout"), "error: `layout` needs a terminal\n");
  ConsoleHost host;
  u32 cleared = 0;
  u32 rows = 30;
  host.screen = [&rows]() -> std::optional<ScreenSize> { return ScreenSize{rows, 60}; };
  host.clear_screen = [&cleared] { ++cleared; };
  start_with(std::move(host));
  EXPECT_THAT(problem("layout nothing"), HasSubstr("`layout` takes `off`, `src`"));
  (void)run("layout");
  EXPECT_EQ(cleared, 1U);
  const std::string text = run("stepi 5");
  EXPECT_EQ(cleared, 2U);
  for (const char* part :
       {"-- source ---", "=>  0x101c  s_branch loop", "-- registers ---", "s0  0x00000261*", "s1  0x000001ce",
        "-- lanes ---", "-- control stack ---", "The control stack is empty", "[5] 0x101c"})
    EXPECT_THAT(text, HasSubstr(part));
  // Nothing is wider than the window, and rows are left for commands.
  std::size_t lines = 0;
  for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1, ++lines)
    EXPECT_TRUE(end - at <= 60 || text.substr(at, 1) == "[") << text.substr(at, end - at);
  EXPECT_LT(lines, 30U);
  EXPECT_THAT(run("layout asm"), HasSubstr("-- instructions ---"));
  EXPECT_THAT(run("stepi"), Not(HasSubstr("registers")));
  // A window that is too small has no panes.
  rows = 11;
  EXPECT_THAT(run("stepi"), Not(HasSubstr("--")));
  rows = 30;
  (void)run("layout off");
  EXPECT_THAT(run("stepi"), Not(HasSubstr("--")));
}

}  // namespace
}  // namespace salu::debug
