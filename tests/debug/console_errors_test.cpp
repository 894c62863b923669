#include <gmock/gmock.h>

#include <vector>

#include "debug/consoles.hpp"

// Wrong commands: each is refused with a message, and the session continues.
namespace salu::debug {
namespace {

using testing::HasSubstr;
using testing::Not;

class ConsoleErrors : public ConsoleTest {
 protected:
  void TearDown() override { EXPECT_THAT(run("info program"), HasSubstr("on gfx900")); }
};

TEST_F(ConsoleErrors, Counts) {
  for (const char* count : {"0", "-1", "99999999999999999999", "1e3", "0x", "1 2", "18446744073709551616"}) {
    for (const char* command : {"step ", "stepi ", "next ", "nexti ", "reverse-step ", "rsi ", "rn ", "rni ", "c "})
      EXPECT_THAT(problem(std::string(command) + count), HasSubstr("expected a count of at least 1"));
  }
  EXPECT_THAT(run("stepi 18446744073709551615"), HasSubstr("The program has ended after 69"));
  EXPECT_THAT(run("rsi 18446744073709551615"), HasSubstr("This is the start of the run."));
  EXPECT_THAT(run("next 18446744073709551615"), HasSubstr("The program has ended after 69"));
  EXPECT_THAT(run("rni 18446744073709551615"), HasSubstr("This is the start of the run."));
  EXPECT_THAT(problem("goto 18446744073709551615"), HasSubstr("is more than 10000000 instructions beyond"));
  EXPECT_THAT(problem("goto -1"), HasSubstr("expected a position"));
  EXPECT_THAT(problem("goto 99999999999999999999"), HasSubstr("expected a position"));
  EXPECT_THAT(problem("history s0 18446744073709551615"), HasSubstr("at most 100000"));
  EXPECT_THAT(problem("disassemble loop 0"), HasSubstr("expected a count"));
  EXPECT_THAT(run("disassemble loop 18446744073709551615"), HasSubstr("0x1020  s_endpgm"));
}

TEST_F(ConsoleErrors, BreakpointNumbers) {
  (void)run("break loop");
  // 2 to the 32nd, and 1.
  for (const char* number : {"4294967297", "-1", "x", "99999999999999999999", "2"}) {
    for (const char* command : {"delete ", "enable ", "disable "})
      EXPECT_THAT(problem(std::string(command) + number), HasSubstr("no breakpoint `" + std::string(number) + "`"));
  }
  EXPECT_THAT(problem("condition 4294967297 s0"), HasSubstr("no breakpoint"));
  EXPECT_THAT(problem("ignore 4294967297 1"), HasSubstr("no breakpoint"));
  EXPECT_THAT(problem("ignore 1 -1"), HasSubstr("a count, as in `ignore 1 3`"));
  EXPECT_EQ(session_->breakpoints().size(), 1U);
  EXPECT_EQ(run("ignore 1 18446744073709551615"), "");
  EXPECT_THAT(run("c"), HasSubstr("The program has ended"));
}

TEST_F(ConsoleErrors, TooManyAtATime) {
  for (int i = 0; i < 10'000; ++i) ASSERT_TRUE(session_->break_at(std::vector{session_->address()}, "here"));
  for (const char* command : {"break loop", "tbreak loop", "watch s0", "dprintf loop, \"here\""})
    EXPECT_THAT(problem(command), HasSubstr("the limit of 10000 breakpoints is reached: delete some"));
  EXPECT_EQ(run("delete 5000"), "");
  EXPECT_THAT(run("watch s0"), HasSubstr("10001"));
  EXPECT_THAT(problem("break loop"), HasSubstr("the limit of 10000 breakpoints"));

  for (int i = 0; i < 1'000; ++i) (void)run("display s0");
  EXPECT_THAT(problem("display s0"), HasSubstr("the limit of 1000 displays is reached: undisplay some"));
  EXPECT_EQ(run("undisplay 7"), "");
  EXPECT_THAT(run("display s1"), HasSubstr("1001: s1 = "));
}

TEST_F(ConsoleErrors, Addresses) {
  EXPECT_THAT(problem("x/4096 0xffffffffffffffff"), HasSubstr("the memory at 0xffffffffffffffff is not mapped"));
  EXPECT_THAT(problem("x/4097 0x1000"), HasSubstr("a count of at most 4096"));
  EXPECT_THAT(problem("x/0 0x1000"), HasSubstr("expected a count of at least 1"));
  EXPECT_THAT(problem("x/-1 0x1000"), HasSubstr("is not a format"));
  EXPECT_THAT(problem("x/99999999999999999999 0x1000"), HasSubstr("expected a count of at least 1"));
  EXPECT_THAT(problem("x"), HasSubstr("expected an address"));
  EXPECT_THAT(problem("x/i 0xfffffffffffffffc"), HasSubstr("no instruction at 0xfffffffffffffffc"));
  EXPECT_THAT(problem("print [0xffffffffffffffff:8]"), HasSubstr("memory at 0xffffffffffffffff is not mapped"));
  EXPECT_THAT(problem("print 1 + [0x7000]"), HasSubstr("memory at 0x7000 is not mapped"));
  EXPECT_THAT(problem("disassemble 0xfffffffffffffffc"), HasSubstr("no instruction at 0xfffffffffffffffc"));
  EXPECT_THAT(problem("disassemble 0x1002"), HasSubstr("no instruction at 0x1002"));
  EXPECT_THAT(problem("list 0xfffffffffffffffc"), HasSubstr("no instruction at"));
  EXPECT_THAT(problem("info line 0xfffffffffffffffc"), HasSubstr("no instruction at"));
  EXPECT_THAT(problem("break 0x100000000000000000"), HasSubstr("is not an address, label or source line"));
  EXPECT_THAT(problem("set [0xffffffffffffffff:8] = 1"), HasSubstr("not mapped"));
  EXPECT_THAT(run("watch [0xffffffffffffffff:8]"), HasSubstr("Watchpoint 1"));
  EXPECT_THAT(run("c"), HasSubstr("was never hit"));
}

TEST_F(ConsoleErrors, PcOutsideTheCode) {
  for (const char* pc : {"3", "0", "0x1024", "0xffffffffffffffff", "0xfffffffffffffffc"})
    EXPECT_THAT(problem("set pc = " + std::string(pc)), HasSubstr("no instruction at 0x"));
  // A program may jump there.
  start("target: gfx900\ncode: {asm: \"s_nop 0\\ns_setpc_b64 s[0:1]\"}\nregisters: {\"s[0:1]\": 0x8000}\n");
  EXPECT_THAT(run("goto end"), HasSubstr("pc_outside_code at 0x8000"));
  for (const char* command : {"step", "next", "stepi", "nexti", "until", "continue"})
    EXPECT_THAT(run(command), HasSubstr("The program has ended after 2 instructions")) << command;
  EXPECT_THAT(problem("finish"), HasSubstr("outermost function"));
  EXPECT_THAT(problem("rfin"), HasSubstr("outermost function"));
  EXPECT_THAT(problem("disassemble"), HasSubstr("no code at 0x8000"));
  EXPECT_THAT(problem("list"), HasSubstr("no source line is known for 0x8000"));
  EXPECT_THAT(problem("info line"), HasSubstr("no source line is known for 0x8000"));
  EXPECT_THAT(run("bt"), HasSubstr("#0  0x8000\n"));
  EXPECT_THAT(run("rsi"), HasSubstr("[1] 0x1004"));
}

TEST_F(ConsoleErrors, DeepAndLongExpressions) {
  constexpr std::size_t many = 30'000;
  EXPECT_THAT(problem("print " + std::string(many, '(') + "1" + std::string(many, ')')),
              HasSubstr("nested too deeply"));
  EXPECT_THAT(problem("print " + std::string(many, '(')), HasSubstr("nested too deeply"));
  EXPECT_THAT(problem("print " + std::string(many, '[')), HasSubstr("nested too deeply"));
  EXPECT_THAT(problem("print " + std::string(many, '-') + "1"), HasSubstr("nested too deeply"));
  EXPECT_THAT(problem("print " + std::string(many, '!')), HasSubstr("nested too deeply"));
  std::string sum = "print 1";
  for (std::size_t i = 0; i < many / 2; ++i) sum += "+1";
  EXPECT_THAT(problem(sum), HasSubstr("more than 1000 operators"));
  std::string calls = "print ";
  for (std::size_t i = 0; i < many / 5; ++i) calls += "bcnt(";
  EXPECT_THAT(problem(calls), HasSubstr("nested too deeply"));
  EXPECT_THAT(problem(std::string(1 << 20, 'a')), HasSubstr("a command of 1048576 bytes; the longest has 65536"));
  // Quotations are shortened.
  EXPECT_LT(problem(std::string(60'000, 'a')).size(), 600U);
  EXPECT_LT(problem("break " + std::string(60'000, 'a')).size(), 1000U);
}

TEST_F(ConsoleErrors, Bytes) {
  using namespace std::string_view_literals;
  EXPECT_THAT(problem("\x00\x01\x02"sv), Not(HasSubstr("\x01")));
  EXPECT_THAT(problem("print s0\x00 + 1"sv), HasSubstr("error: "));
  EXPECT_THAT(problem("break \x1b[2Jloop"sv), Not(HasSubstr("\x1b")));
  EXPECT_THAT(problem("\x7f\xff\xfe"sv), HasSubstr("unknown command"));
  EXPECT_THAT(problem("/"), HasSubstr("expected a command"));
  EXPECT_THAT(problem("/x s0"), HasSubstr("expected a command"));
  EXPECT_THAT(problem("quit/x"), HasSubstr("`quit` takes no arguments"));
  EXPECT_EQ(run("# \x01\x02"), "");
  EXPECT_EQ(run("\t  "), "");
}

// A condition may read unmapped memory: its value is 0, and the breakpoint stays.
TEST_F(ConsoleErrors, ConditionsThatMeanNothing) {
  EXPECT_THAT(run("break loop if [s[0:1]] == 1 / 0 && s0 == 609"), HasSubstr("Breakpoint 1"));
  EXPECT_THAT(run("c"), HasSubstr("Breakpoint 1\n"));
  EXPECT_EQ(session_->run().position(), 6U);
  EXPECT_THAT(problem("condition 1 [s0"), HasSubstr("expected `]`"));
  EXPECT_THAT(problem("condition 1 s102"), HasSubstr("is not a register"));
  EXPECT_THAT(run("i b"), HasSubstr("if [s[0:1]] == 1 / 0 && s0 == 609"));
  EXPECT_EQ(run("condition 1"), "");
  EXPECT_THAT(run("i b"), Not(HasSubstr(" if ")));
}

TEST_F(ConsoleErrors, Topics) {
  EXPECT_THAT(problem("info"), HasSubstr("`info` shows `breakpoints`, `display`"));
  EXPECT_THAT(problem("info stack now"), HasSubstr("`info stack` takes no arguments, found `now`"));
  EXPECT_THAT(problem("info registers s0 nothing"), HasSubstr("`nothing` is not a register"));
  EXPECT_THAT(problem("brek loop"), HasSubstr("did you mean `break`?"));
  EXPECT_THAT(problem("lanes exec nothing"), HasSubstr("`nothing` is not a register"));
}

}  // namespace
}  // namespace salu::debug
