#include <gmock/gmock.h>

#include "debug/consoles.hpp"

// Expectations at the end of a run, and warnings on the way.
namespace salu::debug {
namespace {

using testing::HasSubstr;
using testing::Not;

/// s0 ends as 5 + 2 = 7.
constexpr std::string_view adds =
    "target: gfx900\n"
    "code:\n"
    "  asm: |\n"
    "    s_mov_b32 s0, 5\n"
    "    s_add_u32 s0, s0, s1\n"
    "    s_store_dword s0, s[4:5], 0x0\n"
    "    s_endpgm\n"
    "registers: {s1: 2, s4: 0x10000, s5: 0}\n"
    "memory: [{at: 0x10000, size: 4}]\n";

std::string expecting(const std::string& text) { return std::string(adds) + "expect: {" + text + "}\n"; }

class ConsoleExpectations : public ConsoleTest {};

TEST_F(ConsoleExpectations, FailuresAreReportedAtTheEnd) {
  start(expecting("registers: {s0: 8, s1: 2}, memory: [{at: 0x10000, words: [9]}], max_steps: 3"));
  const std::string s0 = "Expectation failed: s0: expected 0x00000008, got 0x00000007 (test.yaml:10)\n";
  const std::string memory = "Expectation failed: memory 0x10000: expected 0x00000009, got 0x00000007 (test.yaml:10)\n";
  const std::string steps = "Expectation failed: steps: expected at most 3, got 4 (test.yaml:10)\n";
  EXPECT_THAT(run("info expectations"), HasSubstr("checked at the end of the program"));
  EXPECT_THAT(run("si 3"), Not(HasSubstr("xpectation")));
  EXPECT_EQ(console_->last_end(), nullptr);
  for (const std::string move : {"continue", "goto end", "si", "next 100", "until"}) {
    EXPECT_THAT(run(move), HasSubstr(s0 + memory + steps)) << move;
    EXPECT_EQ(run("info expectations"), s0 + memory + steps);
    ASSERT_NE(console_->last_end(), nullptr);
    EXPECT_EQ(console_->last_end()->failed.size(), 3U);
    EXPECT_THAT(run("reverse-stepi"), Not(HasSubstr("xpectation"))) << move;
  }
}

TEST_F(ConsoleExpectations, ChangesOfTheRunCount) {
  start(expecting("registers: {s0: 8}"));
  (void)run("goto 1");
  (void)run("set s1 = 3");
  EXPECT_THAT(run("continue"), Not(HasSubstr("xpectation")));
  EXPECT_EQ(run("info expectations"), "All expectations hold.\n");
  EXPECT_TRUE(console_->last_end()->failed.empty());
  (void)run("goto 1");
  (void)run("set s1 = 4");
  EXPECT_THAT(run("continue"), HasSubstr("Expectation failed: s0: expected 0x00000008, got 0x00000009"));
}

TEST_F(ConsoleExpectations, AnEndIsExpected) {
  start(expecting("stop: halt"));
  EXPECT_THAT(run("c"), HasSubstr("Expectation failed: stop: expected halt, got end_program (test.yaml:10)\n"));
  start("target: gfx900\ncode: {asm: \"s_load_dword s0, s[4:5], 0x0\"}\nregisters: {s4: 0, s5: 0}\nexpect: {}\n");
  EXPECT_THAT(run("c"),
              HasSubstr("Expectation failed: stop: expected end_program, returned or killed, got unmapped_memory"));
}

TEST_F(ConsoleExpectations, NothingIsSaidWhereNothingIsExpected) {
  start(adds);
  EXPECT_THAT(run("c"), Not(HasSubstr("xpectation")));
  EXPECT_THAT(run("info expectations"), HasSubstr("The scenario has no `expect:`"));
  EXPECT_TRUE(console_->last_end()->failed.empty());
}

/// Two loads; steps 3 and 5 read their results without a wait.
constexpr std::string_view two_hazards =
    "target: gfx900\n"
    "code:\n"
    "  asm: |\n"
    "    s_load_dword s4, s[0:1], 0x0\n"
    "    s_load_dword s7, s[0:1], 0x0\n"
    "    s_add_u32 s5, s4, 1\n"
    "    s_nop 0\n"
    "    s_add_u32 s6, s7, 2\n"
    "    s_endpgm\n"
    "registers: {s0: 0x20000, s1: 0}\n"
    "memory: [{at: 0x20000, words: [30]}]\n";

class ConsoleWarnings : public ConsoleTest {
 protected:
  /// A console on a program that is checked for hazards.
  void start_checked(std::string_view text, CheckUndefined undefined = CheckUndefined::off) {
    console_.reset();
    session_.reset();
    scenario_ = std::make_unique<Scenario>(test::load_good(text));
    scenario_->options.check_hazards = undefined == CheckUndefined::off;
    HistoryOptions options;
    options.check_undefined = undefined;
    session_ = std::make_unique<Session>(*scenario_, options);
    console_ = std::make_unique<Console>(*session_, [this](std::string_view line) { output_ += line; }, false);
  }
  u64 position_after(std::string_view command) {
    run(command);
    EXPECT_TRUE(good_) << output_;
    return session_->run().position();
  }
};

TEST_F(ConsoleWarnings, HazardsStopTheRun) {
  start_checked(two_hazards);
  EXPECT_EQ(run("catch"), "Stops at warnings: hazard.\n");
  EXPECT_EQ(position_after("continue"), 3U);
  EXPECT_THAT(output_, HasSubstr("Warning: hazard at 0x1010: "));
  EXPECT_EQ(position_after("continue"), 5U);
  EXPECT_THAT(output_, HasSubstr("Warning: hazard at 0x1018: "));
  EXPECT_THAT(output_, Not(HasSubstr("0x1010: ")));
  EXPECT_EQ(position_after("continue"), 6U);
  EXPECT_THAT(output_, HasSubstr("The program has ended"));
  EXPECT_THAT(output_, Not(HasSubstr("Warning")));
  // Again, by every command that continues.
  for (const std::string move : {"continue", "stepi 6", "next 6", "until 9", "step 6"}) {
    EXPECT_EQ(position_after("goto 0"), 0U);
    EXPECT_EQ(position_after(move), 3U) << move;
    EXPECT_THAT(output_, HasSubstr("Warning: hazard at 0x1010: ")) << move;
  }
  EXPECT_EQ(position_after("goto 2"), 2U);
  EXPECT_EQ(position_after("stepi"), 3U);
  EXPECT_THAT(output_, HasSubstr("Warning: hazard at 0x1010: "));
}

TEST_F(ConsoleWarnings, PassedOverTheyAreReported) {
  start_checked(two_hazards);
  EXPECT_EQ(position_after("goto end"), 6U);
  EXPECT_THAT(output_, HasSubstr("Warning: hazard at 0x1010: "));
  EXPECT_THAT(output_, HasSubstr("Warning: hazard at 0x1018: "));
  EXPECT_EQ(position_after("reverse-continue"), 0U);
  EXPECT_EQ(run("catch off"), "Stops at no warnings.\n");
  EXPECT_EQ(position_after("continue"), 6U);
  EXPECT_THAT(output_, HasSubstr("Warning: hazard at 0x1018: "));
}

TEST_F(ConsoleWarnings, UndefinedReadsStopTheRun) {
  constexpr std::string_view text =
      "target: gfx900\n"
      "code: {asm: \"s_mov_b32 s0, 1\\ns_cmp_eq_u32 s7, 1\\ns_cbranch_scc1 end\\nend: s_endpgm\"}\n";
  start_checked(text, CheckUndefined::reads);
  EXPECT_EQ(run("catch"), "Stops at warnings: undefined_read.\n");
  EXPECT_EQ(position_after("continue"), 2U);
  EXPECT_THAT(output_, HasSubstr("Warning: undefined_read at 0x1004: "));
  start_checked(text, CheckUndefined::bits);
  EXPECT_EQ(position_after("continue"), 3U);
  EXPECT_THAT(output_, HasSubstr("Warning: undefined_read at 0x1008: "));
}

TEST_F(ConsoleWarnings, AnyKindIsCaughtOnDemand) {
  // TBA is read-only without STATUS.PRIV: the write is dropped.
  constexpr std::string_view text =
      "target: gfx803\n"
      "code: {asm: \"s_mov_b32 s0, 1\\ns_mov_b32 tba_lo, s0\\ns_mov_b32 s0, 2\\ns_endpgm\"}\n";
  start(text);
  EXPECT_EQ(run("catch"), "Stops at no warnings.\n");
  EXPECT_THAT(run("continue"), HasSubstr("has ended"));
  (void)run("goto 0");
  EXPECT_EQ(run("catch dropped_write"), "Stops at warnings: dropped_write.\n");
  EXPECT_THAT(run("continue"), HasSubstr("Warning: dropped_write at 0x1004: "));
  EXPECT_EQ(session_->run().position(), 2U);
  (void)run("goto 0");
  EXPECT_THAT(run("catch hazard"), HasSubstr("hazard"));
  EXPECT_THAT(run("continue"), HasSubstr("has ended"));
  (void)run("goto 0");
  EXPECT_THAT(run("catch warning"), HasSubstr("dropped_write, trap_ignored"));
  EXPECT_THAT(run("continue"), HasSubstr("Warning: dropped_write at 0x1004: "));
  EXPECT_THAT(problem("catch dropped_writes"), HasSubstr("did you mean `dropped_write`?"));
  EXPECT_THAT(problem("catch xyzzy"), HasSubstr("unknown kind of warning `xyzzy`"));
}

TEST_F(ConsoleWarnings, BreakpointsAtTheSamePlaceCount) {
  start_checked(two_hazards);
  (void)run("break *0x1014");
  EXPECT_EQ(position_after("continue"), 3U);
  EXPECT_THAT(output_, HasSubstr("Breakpoint 1\nWarning: hazard at 0x1010: "));
  EXPECT_EQ(position_after("continue"), 5U);
}

}  // namespace
}  // namespace salu::debug
