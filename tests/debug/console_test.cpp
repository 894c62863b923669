#include "debug/console.hpp"

#include <gmock/gmock.h>

#include "debug/consoles.hpp"
#include "debug/verb.hpp"

// The commands of `salu debug`.
namespace salu::debug {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Consoles : public ConsoleTest {};

TEST_F(Consoles, StepsAndShowsWhatChanged) {
  EXPECT_EQ(run("stepi"), "[1] 0x1004 <loop+0x4>: s_cbranch_scc1 done    // test.yaml:6\n");
  EXPECT_EQ(run("si 3"), "  scc=1\n[4] 0x1018 <first_is_larger>: s_sub_u32 s0, s0, s1    // test.yaml:12\n");
  EXPECT_EQ(run("step"),
            "  s0=0x00000261  scc=0\n[5] 0x101c <first_is_larger+0x4>: s_branch loop    // test.yaml:13\n");
  EXPECT_EQ(run("rsi"),
            "  s0=0x0000042f  scc=1\n[4] 0x1018 <first_is_larger>: s_sub_u32 s0, s0, s1    // test.yaml:12\n");
  // An empty line repeats the command.
  EXPECT_THAT(run(""), HasSubstr("[3] "));
  EXPECT_THAT(run("reverse-stepi 10"), HasSubstr("This is the start of the run.\n"));
  EXPECT_EQ(run("goto end"),
            "  s0=0x00000015  s1=0x00000015  scc=1\n"
            "The program has ended after 69 instructions: end_program at 0x1020 <done>\n");
  EXPECT_EQ(run("print s0"), "s0 = 0x00000015 (21)\n");
  EXPECT_EQ(run("bt"), "#0  0x1020 <done>    // test.yaml:15\n");
  EXPECT_EQ(run("run"),
            "  s0=0x0000042f  s1=0x000001ce  scc=0\n[0] 0x1000 <loop>: s_cmp_eq_u32 s0, s1    // test.yaml:5\n");
}

TEST_F(Consoles, Breaks) {
  EXPECT_EQ(run("b first_is_larger if s0 < 100"),
            "Breakpoint 1: 0x1018 <first_is_larger>: s_sub_u32 s0, s0, s1    // test.yaml:12\n");
  EXPECT_EQ(run("break s_endpgm"), "Breakpoint 2: every s_endpgm\n");
  EXPECT_EQ(run("c"),
            "Breakpoint 1\n"
            "  s0=0x00000054  s1=0x00000015  scc=1\n"
            "[52] 0x1018 <first_is_larger>: s_sub_u32 s0, s0, s1    // test.yaml:12\n");
  EXPECT_EQ(run("info breakpoints"),
            "1  break first_is_larger if s0 < 100  0x1018 <first_is_larger>, hit 1 time\n"
            "2  break s_endpgm, never hit\n");
  EXPECT_THAT(run("disassemble"), HasSubstr("first_is_larger:\n=>* 0x1018  s_sub_u32 s0, s0, s1"));
  EXPECT_EQ(run("disassemble loop 1"), "loop:\n    0x1000  s_cmp_eq_u32 s0, s1    // test.yaml:5\n");
  EXPECT_THAT(run("continue 2"), HasSubstr("[64] "));
  EXPECT_EQ(run("disable 1"), "");
  EXPECT_THAT(run("rc"), HasSubstr("This is the start of the run.\n"));
  EXPECT_EQ(run("delete"), "");
  EXPECT_EQ(run("i b"), "No breakpoints or watchpoints.\n");
}

// Line 4 of the scenario is the label of the loop, without code of its own.
TEST_F(Consoles, BreaksWhereOneDoesNotSay) {
  (void)run("goto 4");
  EXPECT_EQ(run("break"), "Breakpoint 1: 0x1018 <first_is_larger>: s_sub_u32 s0, s0, s1    // test.yaml:12\n");
  EXPECT_THAT(run("c"), HasSubstr("[10] "));
  EXPECT_EQ(run("break if(s0 < 100)"),
            "Breakpoint 2: 0x1018 <first_is_larger>: s_sub_u32 s0, s0, s1    // test.yaml:12\n");
  EXPECT_EQ(run("tb 4"), "Breakpoint 3: 0x1000 <loop>: s_cmp_eq_u32 s0, s1    // test.yaml:5\n");
  EXPECT_EQ(run("info b"),
            "1  break 0x1018  0x1018 <first_is_larger>, hit 1 time\n"
            "2  break 0x1018 if (s0 < 100)  0x1018 <first_is_larger>, never hit\n"
            "3  tbreak 4  0x1000 <loop>, never hit\n");
  EXPECT_THAT(problem("break 16"), HasSubstr("no code at line 16 or after it"));
  (void)run("delete");
  EXPECT_THAT(run("advance done"), HasSubstr("[68] "));
  EXPECT_THAT(problem("advance"), HasSubstr("expected a place"));
  EXPECT_EQ(run("where"), "#0  0x1020 <done>    // test.yaml:15\n");
  EXPECT_THAT(run("goto end"), HasSubstr("has ended"));
  EXPECT_THAT(problem("break"), HasSubstr("the program has ended"));
  EXPECT_THAT(problem("ru"), HasSubstr("expected a place"));
}

TEST_F(Consoles, CountsForWhatStopsOnly) {
  (void)run("b first_is_larger");
  (void)run("c");
  (void)run("disable 1");
  EXPECT_THAT(run("c 3"), HasSubstr("the count is ignored"));
  (void)run("enable 1");
  (void)run("rc");
  (void)run("delete");
  EXPECT_THAT(run("c 3"), HasSubstr("the count is ignored"));
}

TEST_F(Consoles, Says) {
  EXPECT_EQ(run("dprintf first_is_larger if s0 < 100, s0 is {s0}, {bcnt(exec)} lanes"),
            "Breakpoint 1: 0x1018 <first_is_larger>: s_sub_u32 s0, s0, s1    // test.yaml:12\n");
  EXPECT_EQ(run("dprintf done, \"and that is all\""), "Breakpoint 2: 0x1020 <done>: s_endpgm    // test.yaml:15\n");
  EXPECT_EQ(run("c"),
            "s0 is 0x00000054, 0x40 lanes\n"
            "s0 is 0x0000003f, 0x40 lanes\n"
            "s0 is 0x0000002a, 0x40 lanes\n"
            "and that is all\n"
            "  s0=0x00000015  s1=0x00000015  scc=1\n"
            "The program has ended after 69 instructions: end_program at 0x1020 <done>\n");
  EXPECT_EQ(
      run("info b"),
      "1  dprintf first_is_larger if s0 < 100  0x1018 <first_is_larger>, says \"s0 is {s0}, {bcnt(exec)} lanes\", "
      "hit 3 times\n"
      "2  dprintf done  0x1020 <done>, says \"and that is all\", hit 1 time\n");
  EXPECT_THAT(run("rc"), testing::StartsWith("and that is all\ns0 is 0x0000002a, 0x40 lanes\n"));
  EXPECT_THAT(problem("dprintf done"), HasSubstr("expected a place, a comma and a message"));
  EXPECT_THAT(problem("dprintf done,"), HasSubstr("expected a place, a comma and a message"));
  EXPECT_THAT(problem("dprintf done, s0 is {s0"), HasSubstr("missing `}` after `{s0`"));
  (void)run("delete");
  (void)run("run");
  EXPECT_THAT(run("dprintf s_endpgm if lane(exec, 5), {[0x99990000]}"), HasSubstr("every s_endpgm"));
  EXPECT_THAT(run("dprintf , here"), HasSubstr("Breakpoint 4: 0x1000 <loop>"));
  (void)run("delete 4");
  EXPECT_THAT(run("c"), testing::StartsWith("(the memory at 0x99990000 is not mapped)\n"));
  EXPECT_THAT(problem("dprintf done, {s0 +}"), HasSubstr("in {} of the message: expected"));
  EXPECT_THAT(problem("dprintf nowhere, here"), HasSubstr("is not an address, label or source line"));
}

TEST_F(Consoles, Watches) {
  EXPECT_EQ(run("watch s1"), "Watchpoint 1: s1 = 0x000001ce\n");
  EXPECT_EQ(run("watch vcc"), "Watchpoint 2: vcc = 0x0000000000000000\n");
  EXPECT_EQ(run("c"),
            "Watchpoint 1: s1: 0x000001ce -> 0x0000013b by 0x1010 <loop+0x10>: s_sub_u32 s1, s1, s0\n"
            "  s0=0x00000093  s1=0x0000013b\n"
            "[17] 0x1014 <loop+0x14>: s_branch loop    // test.yaml:10\n");
  EXPECT_EQ(run("delete 1"), "");
  EXPECT_THAT(run("c"), HasSubstr("Watchpoint 2 (vcc) was never hit.\n"));
  EXPECT_EQ(run("who s0"),
            "step 65: 0x1018 <first_is_larger>: s_sub_u32 s0, s0, s1: 0x0000002a -> 0x00000015    // test.yaml:12\n");
  EXPECT_EQ(run("changed scc"), "step 67: 0x1000 <loop>: s_cmp_eq_u32 s0, s1: 0 -> 1    // test.yaml:5\n");
  EXPECT_EQ(run("who s9"), "No instruction has written s9 so far.\n");
  EXPECT_EQ(run("history s1"),
            "position 0: 0x000001ce\n"
            "step 17: 0x0000013b  0x1010 <loop+0x10>: s_sub_u32 s1, s1, s0\n"
            "step 23: 0x000000a8  0x1010 <loop+0x10>: s_sub_u32 s1, s1, s0\n"
            "step 29: 0x00000015  0x1010 <loop+0x10>: s_sub_u32 s1, s1, s0\n");
  EXPECT_EQ(run("history s1 1"),
            "position 0: 0x000001ce\n"
            "... earlier changes are omitted\n"
            "step 29: 0x00000015  0x1010 <loop+0x10>: s_sub_u32 s1, s1, s0\n");
}

TEST_F(Consoles, Changes) {
  (void)run("goto 48");
  EXPECT_EQ(run("set s0 = s1"), "  s0=0x00000015\n");
  EXPECT_THAT(run("c"), HasSubstr("The program has ended after 51 instructions"));
  (void)run("goto 40");
  EXPECT_THAT(run("set scc = 0"), HasSubstr("The 11 instructions after this position are discarded.\n"));
  EXPECT_THAT(run("info program"), HasSubstr("gcd on gfx900, 40 instructions executed, 40 at most so far\n"));
  EXPECT_EQ(run("info registers s0 csp"), "s0=0x0000007e*\ncsp=0\n");
}

TEST_F(Consoles, SayWhereTheRunIsWhenThePcIsSet) {
  EXPECT_EQ(run("set pc = done"), "[0] 0x1020 <done>: s_endpgm    // test.yaml:15\n");
  EXPECT_EQ(run("print pc = loop"),
            "[0] 0x1000 <loop>: s_cmp_eq_u32 s0, s1    // test.yaml:5\npc = 0x0000000000001000 "
            "(4096) <loop>\n");
}

TEST_F(Consoles, CountOneChange) {
  (void)run("goto end");
  EXPECT_THAT(run("history s0 8"), Not(HasSubstr("omitted")));
  start(test::recursion(21) + "limits: {steps: 2000}\n");
  (void)run("goto end");
  EXPECT_THAT(run("history s0"), HasSubstr("... 1 change is omitted\n"));
}

TEST_F(Consoles, SayWhatIsWrong) {
  EXPECT_EQ(problem("frobnicate"), "error: unknown command `frobnicate`; `help` lists them\n");
  EXPECT_EQ(problem("con"), "error: `con` may be `continue` or `condition`\n");
  EXPECT_THAT(problem("step x"), HasSubstr("expected a count"));
  EXPECT_THAT(problem("stepi 0"), HasSubstr("expected a count"));
  EXPECT_THAT(problem("finish now"), HasSubstr("`finish` takes no arguments"));
  EXPECT_THAT(problem("finish"), HasSubstr("outermost function"));
  EXPECT_THAT(problem("until nowhere"), HasSubstr("is not an address, label or source line"));
  EXPECT_THAT(problem("break loop if"), HasSubstr("expected a condition after `if`"));
  EXPECT_THAT(problem("watch"), HasSubstr("expected a register"));
  EXPECT_THAT(problem("delete 7"), HasSubstr("no breakpoint `7`"));
  EXPECT_THAT(problem("enable"), HasSubstr("expected the number"));
  EXPECT_THAT(problem("condition x"), HasSubstr("expected the number"));
  EXPECT_THAT(problem("ignore 1 1"), HasSubstr("no breakpoint `1`"));
  EXPECT_THAT(problem("info nothing"), HasSubstr("`info` shows `breakpoints`, `display`"));
  EXPECT_THAT(problem("print s0 +"), HasSubstr("(column 5)"));
  EXPECT_THAT(problem("x/0 0x1000"), HasSubstr("expected a count of at least 1"));
  EXPECT_THAT(problem("set s0"), HasSubstr("expected PLACE = VALUE"));
  EXPECT_THAT(problem("goto there"), HasSubstr("expected a position"));
  EXPECT_THAT(problem("help me"), HasSubstr("unknown command `me`"));
  EXPECT_THAT(problem("who s0 + 1"), HasSubstr("neither a register nor memory"));
}

TEST_F(Consoles, HelpKnowsEveryCommand) {
  const std::string all = run("help all");
  for (const Verb& command : all_verbs()) {
    EXPECT_THAT(all, HasSubstr("\n    " + std::string(command.help) + "\n"));
    const std::string one = run("help " + std::string(command.name));
    EXPECT_TRUE(one.starts_with(command.name)) << one;
    EXPECT_THAT(one, HasSubstr(command.help));
    if (command.short_name.empty()) continue;
    EXPECT_EQ(run("help " + std::string(command.short_name)), one);
  }
  EXPECT_FALSE(console_->wants_to_quit());
  EXPECT_EQ(run("quit"), "");
  EXPECT_TRUE(console_->wants_to_quit());
}

TEST_F(Consoles, Complete) {
  EXPECT_THAT(console_->complete("dis"), ElementsAre("disable", "disassemble", "display"));
  EXPECT_THAT(console_->complete("info s"), ElementsAre("stack", "symbols"));
  EXPECT_THAT(console_->complete("info w"), ElementsAre("warnings", "watchpoints", "waves"));
  EXPECT_THAT(console_->complete("break fi"), ElementsAre("first_is_larger"));
  EXPECT_THAT(console_->complete("print s10 + s1"), testing::Contains("s101"));
  EXPECT_THAT(console_->complete("print vcc"), ElementsAre("vcc", "vcc_hi", "vcc_lo"));
  EXPECT_THAT(console_->complete("help reverse-c"), ElementsAre("reverse-continue"));
  EXPECT_THAT(console_->complete("print nothing"), ElementsAre());
  // Places for arguments that are places.
  EXPECT_THAT(console_->complete("b "),
              ElementsAre("done", "first_is_larger", "loop", "s_branch", "s_cbranch_scc1", "s_cmp_eq_u32",
                          "s_cmp_gt_u32", "s_endpgm", "s_sub_u32", "test.yaml:"));
  EXPECT_THAT(console_->complete("until "), ElementsAre("done", "first_is_larger", "loop", "test.yaml:"));
  EXPECT_THAT(console_->complete("b loop if ex"), ElementsAre("exec", "exec_hi", "exec_lo"));
  EXPECT_THAT(console_->complete("delete "), ElementsAre());
  (void)run("break loop");
  EXPECT_THAT(console_->complete("delete "), ElementsAre("1"));
  EXPECT_THAT(console_->complete("condition 1 ex"), ElementsAre("exec", "exec_hi", "exec_lo"));
  EXPECT_THAT(console_->complete("info registers vcc_l"), ElementsAre("vcc_lo"));
  EXPECT_THAT(console_->complete("stepi "), ElementsAre());
  EXPECT_THAT(console_->complete("help brea"), ElementsAre("break", "breakpoints"));
}

TEST_F(Consoles, HelpHasGroups) {
  const std::string groups = run("help");
  for (const HelpGroup& group : help_groups()) {
    EXPECT_THAT(groups, HasSubstr(std::string(group.name) + ": " + std::string(group.title) + "\n    "));
    EXPECT_NE(group.name, "others");
  }
  for (const Verb& verb : all_verbs()) EXPECT_THAT(groups, HasSubstr(std::string(verb.name)));
  EXPECT_THAT(run("help changes"), HasSubstr("who PLACE\n    Shows the last instruction that wrote"));
  EXPECT_THAT(run("help changes"), Not(HasSubstr("print")));
}

}  // namespace
}  // namespace salu::debug
