#include <gmock/gmock.h>

#include "debug/console_forks.hpp"

// Reports about programs that lose lanes.
namespace salu::debug {
namespace {

using testing::HasSubstr;
using testing::Not;

class ConsoleMisuse : public ConsoleForks {};

TEST_F(ConsoleMisuse, JoinThatNoForkPushed) {
  // CSP is 0 and s40 is 1: the join pops the entry below entry 0, which wraps around to entry 7 in s[28:31].
  start(
      "target: gfx900\n"
      "code:\n"
      "  asm: |\n"
      "    s_cbranch_join s40\n"
      "    there: s_endpgm\n"
      "registers: {\"s[28:29]\": 0xf, \"s[30:31]\": 0x1004, s40: 1}\n");
  const std::string misuse = "Misuse: step 1: 0x1000: the join pops entry 7, which no fork of this run pushed\n";
  EXPECT_THAT(run("si"), HasSubstr(misuse));
  // Reported once.
  EXPECT_THAT(run("si"), Not(HasSubstr("Misuse")));
  EXPECT_THAT(run("forks"), HasSubstr(misuse));
  (void)run("goto 1");
  EXPECT_THAT(run("info stack"),
              HasSubstr("6  s[24:27]  0 lanes (0x0000000000000000) wait, to continue at 0x0, not pushed by a fork\n"));
}

TEST_F(ConsoleMisuse, OverwrittenEntry) {
  start_fork("s_mov_b32 s0, 5");
  // The mask that waited was 0xffffffffffffff00; its low half becomes 5.
  const std::string write =
      "Misuse: step 2: 0x100c <then>: writes s0, while 56 lanes wait in entry 0 (s[0:3]) of the control stack\n";
  const std::string pop =
      "Misuse: step 3: 0x1010 <join>: entry 0 is not what the fork pushed: it pushed exec=0xffffffffffffff00, "
      "pc=0x1004; "
      "its SGPRs were overwritten since\n";
  EXPECT_THAT(run("goto 2"), HasSubstr(write));
  EXPECT_THAT(run("info stack"),
              HasSubstr("34 lanes (0xffffffff00000005) wait, to continue at 0x1004, overwritten by step 2: "
                        "0x100c <then>: s_mov_b32 s0, 5\n"));
  EXPECT_THAT(run("forks"), HasSubstr(write));
  EXPECT_THAT(run("si"), HasSubstr(pop));
  EXPECT_THAT(run("forks"), HasSubstr(write + pop));
}

TEST_F(ConsoleMisuse, EntryOverwrittenFromOutside) {
  start_fork("s_nop 1");
  (void)run("goto 1");
  (void)run("set s0 = 5");
  EXPECT_THAT(run("info stack"), HasSubstr("to continue at 0x1004, set from outside the program at position 1\n"));
  EXPECT_THAT(run("goto end"),
              HasSubstr("Misuse: step 3: 0x1010 <join>: entry 0 is not what the fork pushed: it pushed "
                        "exec=0xffffffffffffff00, pc=0x1004; its SGPRs were overwritten since\n"));
}

// The same text as from `salu run`, complete at its first report.
TEST_F(ConsoleMisuse, WarningsNameTheCulprit) {
  const std::string start_of_warning =
      "control_stack_misuse at 0x1010 <join>: entry 0 (s[0:3]) is not what the fork at 0x1000 pushed: "
      "exec=0xffffffffffffff00, pc=0x1004; ";
  const std::string warning = start_of_warning + "s_mov_b32 s0, 5 at 0x100c overwrote it\n";
  start_fork("s_mov_b32 s0, 5");
  (void)run("goto 2");
  EXPECT_EQ(run("info warnings"), "No warnings so far.\n");
  (void)run("si");
  EXPECT_EQ(run("info warnings"), warning);
  (void)run("goto 1");
  EXPECT_EQ(run("info warnings"), "No warnings so far.\n");
  (void)run("goto end");
  EXPECT_EQ(run("info warnings"), warning);
  // An edit at position 1 is not attributed to an instruction.
  start_fork("s_nop 1");
  (void)run("goto 1");
  (void)run("set s0 = 5");
  (void)run("goto end");
  EXPECT_EQ(run("info warnings"), start_of_warning + "it was overwritten from outside the program\n");
  EXPECT_FALSE(session_->machine().warnings().at(0).culprit_pc);
  EXPECT_EQ(session_->machine().warnings().at(0).victim_pc, 0x1010U);
}

// CSP set by the user counts entries set by the user.
TEST_F(ConsoleMisuse, EntriesByHand) {
  start(
      "target: gfx900\n"
      "code:\n"
      "  asm: |\n"
      "    s_nop 0\n"
      "    s_cbranch_join s40\n"
      "    there: s_endpgm\n"
      "registers: {\"s[0:1]\": 0xf, \"s[2:3]\": there, s40: 0}\n");
  (void)run("si");
  (void)run("set csp = 1");
  EXPECT_THAT(run("goto end"), Not(HasSubstr("Misuse")));
  EXPECT_THAT(run("forks"), Not(HasSubstr("Misuse")));
  EXPECT_EQ(run("info warnings"), "No warnings so far.\n");
}

// In the last of 20,000 rounds of nine instructions the entry is overwritten: too far for a look at every fork.
TEST_F(ConsoleMisuse, LongRuns) {
  start(
      "target: gfx900\n"
      "code:\n"
      "  asm: |\n"
      "    loop: s_cbranch_i_fork s[32:33], then\n"  // 1000
      "    s_branch join\n"
      "    then: s_cmp_lg_u32 s50, 1\n"
      "    s_cbranch_scc1 join\n"
      "    s_mov_b32 s1, 5\n"           // 1010
      "    join: s_cbranch_join s40\n"  // 1014
      "    s_mov_b64 exec, -1\n"
      "    s_sub_u32 s50, s50, 1\n"
      "    s_cmp_lg_u32 s50, 0\n"
      "    s_cbranch_scc1 loop\n"
      "    s_endpgm\n"
      "registers: {\"s[32:33]\": 0xff, s40: 0, s50: 20000}\n");
  const std::string misuse =
      "Misuse: 0x1014 <join>: entry 0 (s[0:3]) is not what the fork at 0x1000 pushed: exec=0xffffffffffffff00, "
      "pc=0x1004; s_mov_b32 s1, 5 at 0x1010 overwrote it\n";
  EXPECT_THAT(run("continue"), HasSubstr(misuse));
  EXPECT_THAT(run("reverse-stepi"), Not(HasSubstr("Misuse")));
  (void)run("goto 150000");
  EXPECT_THAT(run("goto end"), HasSubstr(misuse));
}

TEST_F(ConsoleMisuse, EntryThatIsPutBack) {
  // 0xffffff00, the low half of the waiting mask, is removed and restored.
  start_fork("s_mov_b32 s50, s0\n    s_mov_b32 s0, 5\n    s_mov_b32 s0, s50");
  (void)run("goto end");
  EXPECT_THAT(run("forks"), Not(HasSubstr("writes s0")));
}

TEST_F(ConsoleMisuse, StackOverLiveRegisters) {
  start_fork("s_add_u32 s50, s2, 1", ", s2: 0x77");
  (void)run("goto end");
  EXPECT_THAT(run("forks"), HasSubstr("Misuse: step 2: 0x100c <then>: reads s2, in which the fork at 0x1000 (step 1) "
                                      "has overwritten 0x00000077\n"));
  // s3 was never written.
  start_fork("s_add_u32 s50, s3, 1", ", s2: 0x77");
  (void)run("goto end");
  EXPECT_THAT(run("forks"), Not(HasSubstr("Misuse")));
}

TEST_F(ConsoleMisuse, CspSetByTheProgram) {
  start_fork("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 29, 3), 0");
  const std::string misuse =
      "Misuse: step 2: 0x100c <then>: an instruction other than a fork or join sets CSP to 0: the 56 lanes waiting "
      "in "
      "entry 0 (s[0:3]) will not be resumed unless CSP is set back\n";
  (void)run("goto 1");
  EXPECT_THAT(run("si"), HasSubstr(misuse));
  const std::string log = run("forks");
  EXPECT_THAT(log, HasSubstr("step 2: 0x100c <then>: CSP is set from 1 to 0 by s_setreg_imm32_b32 "));
  EXPECT_THAT(log, HasSubstr(misuse));
}

TEST_F(ConsoleMisuse, CspSetByHand) {
  start_fork("s_nop 1");
  (void)run("goto 1");
  (void)run("set csp = 0");
  EXPECT_THAT(
      run("forks"),
      HasSubstr("position 1: 0x100c <then>: since the last fork or join CSP was set from 1 to 0 from "
                "outside the program\nMisuse: position 1: 0x100c <then>: CSP was set from outside the "
                "program to 0: the 56 lanes waiting in entry 0 (s[0:3]) will not be resumed unless CSP is set back\n"));
  // The join finds CSP as it was before the fork.
  (void)run("goto end");
  const std::string log = run("forks");
  EXPECT_THAT(log, HasSubstr("56 lanes (0xffffffffffffff00) wait for 0x1004; no join so far\n"));
  EXPECT_THAT(log,
              HasSubstr("step 3: 0x1010 <join>: join: both sides have arrived, 8 lanes (0x00000000000000ff) go on\n"));
}

TEST_F(ConsoleMisuse, EndWithLanesThatWait) {
  // 8 lanes go to `then`, which skips the join; `forks` and the stop report that the other 56 lanes never continued.
  start_fork("s_endpgm");
  const std::string misuse =
      "Misuse: step 2: 0x100c <then>: ends the program, while 56 lanes wait in entry 0 (s[0:3]) for 0x1004 since the "
      "fork "
      "at 0x1000 (step 1)\n";
  EXPECT_THAT(run("goto 1"), Not(HasSubstr("Misuse")));
  EXPECT_THAT(run("goto end"), HasSubstr(misuse));
  EXPECT_THAT(run("forks"), HasSubstr(misuse));
}

TEST_F(ConsoleMisuse, EndWithTwoEntries) {
  // Of 64 lanes 8 pass the first fork, of these one passes the second. The smaller side goes first.
  start(
      "target: gfx900\n"
      "code:\n"
      "  asm: |\n"
      "    s_cbranch_i_fork s[32:33], then\n"
      "    s_nop 0\n"
      "    then: s_cbranch_i_fork s[34:35], end\n"
      "    s_nop 0\n"
      "    end: s_endpgm\n"
      "registers: {\"s[32:33]\": 0xff, \"s[34:35]\": 0x7f}\n");
  const std::string log = run("goto end");
  EXPECT_THAT(log, HasSubstr("ends the program, while 56 lanes wait in entry 0 (s[0:3]) for 0x1004 since the fork at "
                             "0x1000 (step 1)\n"));
  // The lane of 8 whose bit in s[34:35] is 0 continues after the fork; 7 wait for `end`.
  EXPECT_THAT(log, HasSubstr("ends the program, while 7 lanes wait in entry 1 (s[4:7]) for 0x1010 since the fork at "
                             "0x1008 (step 2)\n"));
}

// A function that saves the control stack, forks on an empty one, and restores it.
TEST_F(ConsoleMisuse, StackThatIsSavedAndRestored) {
  const auto body = [](const std::string& restore) {
    return "s_mov_b64 s[60:61], s[0:1]\n"
           "    s_mov_b64 s[62:63], s[2:3]\n"
           "    s_getreg_b32 s50, hwreg(HW_REG_MODE, 29, 3)\n"
           "    s_setreg_imm32_b32 hwreg(HW_REG_MODE, 29, 3), 0\n"
           "    s_cbranch_i_fork s[34:35], inner\n"
           "    s_nop 0\n"
           "    inner: s_cbranch_join s51\n" +
           restore +
           "    s_setreg_b32 hwreg(HW_REG_MODE, 29, 3), s50\n"
           "    s_mov_b64 exec, 0xff\n";
  };
  const std::string registers = ", \"s[34:35]\": 3, s51: 0";
  start_fork(body("    s_mov_b64 s[0:1], s[60:61]\n    s_mov_b64 s[2:3], s[62:63]\n"), registers);
  EXPECT_THAT(run("goto end"), Not(HasSubstr("Misuse")));
  EXPECT_THAT(run("forks"), Not(HasSubstr("Misuse")));
  // Half of it: the entry has the mask of the inner fork, 6 lanes of 8, instead of the 56 lanes.
  start_fork(body("    s_mov_b64 s[2:3], s[62:63]\n"), registers);
  EXPECT_THAT(run("goto end"), HasSubstr("entry 0 is not what the fork pushed: it pushed exec=0xffffffffffffff00, "));
}

TEST_F(ConsoleMisuse, EntryThatIsCopied) {
  // s2 was 0x77; copies and stores use the entry, an addition uses the 0x77.
  const std::string registers = ", \"s[48:49]\": 0x10000, s2: 0x77";
  const std::string copies = "s_mov_b64 s[60:61], s[2:3]\n    s_mov_b32 s62, s2\n";
  start_fork(copies, registers);
  (void)run("goto end");
  EXPECT_THAT(run("forks"), Not(HasSubstr("Misuse")));
  start_fork(copies + "    s_add_u32 s63, s2, 1\n", registers);
  (void)run("goto end");
  EXPECT_THAT(run("forks"),
              HasSubstr("Misuse: step 4: 0x1014 <then+0x8>: reads s2, in which the fork at 0x1000 (step 1) has "
                        "overwritten 0x00000077\n"));
}

TEST_F(ConsoleMisuse, EntryThatIsSpilled) {
  start(
      "target: gfx900\n"
      "code:\n"
      "  asm: |\n"
      "    s_mov_b32 s0, 1\n"
      "    s_cbranch_i_fork s[32:33], then\n"
      "    s_nop 0\n"
      "    then: s_store_dwordx4 s[0:3], s[48:49], 0\n"
      "    s_mov_b32 s0, 0\n"
      "    s_load_dwordx4 s[0:3], s[48:49], 0\n"
      "    join: s_cbranch_join s40\n"
      "    s_endpgm\n"
      "registers: {\"s[32:33]\": 0xff, \"s[48:49]\": 0x10000, s40: 0}\n"
      "memory: [{at: 0x10000, size: 64}]\n");
  // s0 was 1 before the fork overwrote it; the store writes the entry, and the load restores it.
  (void)run("goto end");
  EXPECT_THAT(run("forks"), Not(HasSubstr("Misuse")));
}

TEST_F(ConsoleMisuse, RegisterThatIsSetFromOutside) {
  // s0 was lost in the fork and is set again before it is read.
  const std::string program =
      "target: gfx900\n"
      "code:\n"
      "  asm: |\n"
      "    s_cbranch_i_fork s[32:33], join\n"
      "    s_nop 0\n"
      "    join: s_cbranch_join s40\n"
      "    there: s_add_u32 s5, s0, 1\n"
      "    s_endpgm\n"
      "registers: {\"s[32:33]\": 0xff, s40: 0, s0: 5}\n";
  start(program);
  (void)run("until there");
  (void)run("set s0 = 5");
  EXPECT_THAT(run("goto end"), Not(HasSubstr("Misuse")));
  EXPECT_THAT(run("forks"), Not(HasSubstr("Misuse")));
  start(program);
  EXPECT_THAT(run("goto end"),
              HasSubstr("reads s0, in which the fork at 0x1000 (step 1) has overwritten 0x00000005\n"));
}

TEST_F(ConsoleMisuse, TheSameInALoop) {
  // Eight rounds, six instructions and two for the side that runs second: the addition at 0x1014 is the seventh.
  start(
      "target: gfx900\n"
      "code:\n"
      "  asm: |\n"
      "    loop: s_mov_b32 s0, 5\n"
      "    s_cbranch_i_fork s[32:33], join\n"
      "    s_nop 0\n"
      "    join: s_cbranch_join s40\n"
      "    s_mov_b64 exec, -1\n"
      "    s_add_u32 s5, s0, 1\n"
      "    s_sub_u32 s20, s20, 1\n"
      "    s_cmp_eq_u32 s20, 0\n"
      "    s_cbranch_scc0 loop\n"
      "    s_endpgm\n"
      "registers: {\"s[32:33]\": 0xff, s40: 0, s20: 8}\n");
  // 0 mov, 1 fork, 2 join, 3 nop, 4 join, 5 mov, 6 add
  const std::string misuse =
      "Misuse: step 7: 0x1014 <join+0x8>: reads s0, in which the fork at 0x1004 (step 2) has overwritten 0x00000005 (8 "
      "times)\n";
  const std::string end = run("goto end");
  EXPECT_THAT(end, HasSubstr(misuse));
  EXPECT_EQ(end.find("Misuse"), end.rfind("Misuse"));
  const std::string log = run("forks");
  EXPECT_EQ(log.find("Misuse"), log.rfind("Misuse"));
}

TEST_F(ConsoleMisuse, MisuseIsToldAgainAfterGoingBack) {
  start_fork("s_mov_b32 s0, 5");
  const std::string pop = "step 3: 0x1010 <join>: entry 0 is not what the fork pushed";
  (void)run("goto 2");
  EXPECT_THAT(run("si"), HasSubstr(pop));
  EXPECT_THAT(run("goto end"), Not(HasSubstr(pop)));
  // The position is before the join, but after the instruction that wrote to the entry, so this instruction is known.
  EXPECT_THAT(run("goto 2"), Not(HasSubstr("writes s0")));
  const std::string again = run("si");
  EXPECT_THAT(again, HasSubstr(pop));
  EXPECT_THAT(again, Not(HasSubstr("writes s0")));
  // The run differs from here on.
  (void)run("goto 1");
  (void)run("set s50 = 1");
  EXPECT_THAT(run("goto 3"), HasSubstr("writes s0"));
}

}  // namespace
}  // namespace salu::debug
