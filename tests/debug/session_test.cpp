#include "debug/session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "debug/programs.hpp"
#include "unit/loader_helpers.hpp"

// Stepping, breakpoints, watchpoints and history.
namespace salu::debug {
namespace {

using test::first_is_larger;
using test::gcd;
using test::gcd_steps;
using test::recursion;
using testing::ElementsAre;
using testing::HasSubstr;
using Reason = Pause::Reason;

class Sessions : public testing::TestWithParam<u64> {
 protected:
  /// A session whose checkpoints lie so many instructions apart: nothing may depend on that.
  Session& start(std::string_view text) {
    scenario_ = std::make_unique<Scenario>(test::load_good(text));
    session_ = std::make_unique<Session>(*scenario_, TimelineOptions{.checkpoint_interval = GetParam()});
    return *session_;
  }
  [[nodiscard]] u64 position() const { return session_->timeline().position(); }
  [[nodiscard]] u64 value(std::string_view expression) const { return session_->evaluate(expression)->bits; }

  std::unique_ptr<Scenario> scenario_;
  std::unique_ptr<Session> session_;
};

TEST_P(Sessions, StepsForwardsAndBackwards) {
  Session& session = start(gcd);
  EXPECT_EQ(session.step_back().reason, Reason::start);
  EXPECT_EQ(session.step().reason, Reason::step);
  EXPECT_EQ(position(), 1U);
  EXPECT_EQ(session.step(5).reason, Reason::step);
  EXPECT_EQ(position(), 6U);
  EXPECT_EQ(value("s0"), 609U);
  EXPECT_EQ(session.step_back(2).reason, Reason::step);
  EXPECT_EQ(position(), 4U);
  EXPECT_EQ(value("s0"), 1071U);
  EXPECT_EQ(value("pc"), first_is_larger);
  EXPECT_EQ(session.step(1000).reason, Reason::ended);
  EXPECT_EQ(position(), gcd_steps);
  EXPECT_EQ(session.step().reason, Reason::ended);
  EXPECT_EQ(session.step_back().reason, Reason::step);
  EXPECT_EQ(position(), gcd_steps - 1);
  EXPECT_EQ(session.step_back(1000).reason, Reason::start);
  EXPECT_EQ(position(), 0U);
  EXPECT_EQ(session.go_to(30).reason, Reason::step);
  EXPECT_EQ(position(), 30U);
}

TEST_P(Sessions, BreakInFrontOfAnAddress) {
  Session& session = start(gcd);
  ASSERT_TRUE(session.break_at("first_is_larger").has_value());
  std::vector<u64> positions;
  Pause pause = session.go_on();
  for (; pause.reason == Reason::breakpoint; pause = session.go_on()) {
    EXPECT_THAT(pause.breakpoints, ElementsAre(1));
    EXPECT_EQ(value("pc"), first_is_larger);
    positions.push_back(position());
  }
  EXPECT_EQ(pause.reason, Reason::ended);
  EXPECT_THAT(positions, ElementsAre(4, 10, 34, 40, 46, 52, 58, 64));
  EXPECT_EQ(session.breakpoints().front().hits, 8U);

  // The same backwards.
  std::vector<u64> back;
  for (pause = session.go_back(); pause.reason == Reason::breakpoint; pause = session.go_back())
    back.push_back(position());
  EXPECT_EQ(pause.reason, Reason::start);
  EXPECT_EQ(position(), 0U);
  EXPECT_THAT(back, ElementsAre(64, 58, 52, 46, 40, 34, 10, 4));
  EXPECT_EQ(session.breakpoints().front().hits, 16U);
}

TEST_P(Sessions, BreakpointsHaveConditionsAndCounts) {
  Session& session = start(gcd);
  ASSERT_TRUE(session.break_at("first_is_larger", "s0 < 100").has_value());
  EXPECT_EQ(session.go_on().reason, Reason::breakpoint);
  EXPECT_EQ(position(), 52U);
  EXPECT_EQ(value("s0"), 84U);
  EXPECT_EQ(session.breakpoints().front().hits, 1U);
  EXPECT_EQ(session.go_back().reason, Reason::start);

  ASSERT_TRUE(session.set_condition(1, "").has_value());
  session.find_breakpoint(1)->ignore = 2;
  EXPECT_EQ(session.go_on().reason, Reason::breakpoint);
  EXPECT_EQ(position(), 34U);
  session.find_breakpoint(1)->ignore = 1;
  EXPECT_EQ(session.go_back().reason, Reason::breakpoint);
  EXPECT_EQ(position(), 4U);

  session.find_breakpoint(1)->enabled = false;
  EXPECT_EQ(session.go_on().reason, Reason::ended);
  EXPECT_TRUE(session.remove_breakpoint(1));
  EXPECT_FALSE(session.remove_breakpoint(1));
  EXPECT_FALSE(session.set_condition(1, "scc").has_value());
}

TEST_P(Sessions, BreakOnMnemonicsAndLines) {
  Session& session = start(gcd);
  ASSERT_TRUE(session.break_on("s_sub_*", "s1 < 462").has_value());
  EXPECT_EQ(session.go_on().reason, Reason::breakpoint);
  EXPECT_EQ(position(), 22U);  // the fourth round subtracts from s1 = 315
  session.remove_breakpoint(1);
  // Line 9 of the scenario is the subtraction from s1.
  ASSERT_TRUE(session.break_at("test.yaml:9", {}, true).has_value());
  EXPECT_EQ(session.go_on().reason, Reason::breakpoint);
  EXPECT_EQ(position(), 28U);
  EXPECT_TRUE(session.breakpoints().empty());
  EXPECT_EQ(session.go_on().reason, Reason::ended);
}

TEST_P(Sessions, WatchValues) {
  Session& session = start(gcd);
  ASSERT_TRUE(session.watch("s1", WatchKind::change).has_value());
  Pause pause = session.go_on();
  ASSERT_EQ(pause.reason, Reason::watchpoint);
  EXPECT_EQ(position(), 17U);
  ASSERT_EQ(pause.watches.size(), 1U);
  EXPECT_EQ(pause.watches[0].before.bits, 462U);
  EXPECT_EQ(pause.watches[0].after.bits, 315U);
  EXPECT_EQ(pause.watches[0].pc, 0x1010U);
  (void)session.go_on();
  (void)session.go_on();
  EXPECT_EQ(position(), 29U);
  EXPECT_EQ(session.go_on().reason, Reason::ended);
  EXPECT_EQ(session.breakpoints().front().hits, 3U);

  // Backwards it stops where the value is the one before.
  pause = session.go_back();
  ASSERT_EQ(pause.reason, Reason::watchpoint);
  EXPECT_EQ(position(), 28U);
  EXPECT_EQ(value("s1"), 168U);
  EXPECT_EQ(pause.watches[0].after.bits, 21U);
  (void)session.go_back();
  EXPECT_EQ(position(), 22U);
}

TEST_P(Sessions, WatchExpressionsWithConditions) {
  Session& session = start(gcd);
  ASSERT_TRUE(session.watch("s0 < s1", WatchKind::change).has_value());
  EXPECT_EQ(session.go_on().reason, Reason::watchpoint);
  EXPECT_EQ(position(), 11U);  // s0 becomes 147
  session.remove_breakpoint(1);
  ASSERT_TRUE(session.watch("s0", WatchKind::change, "s0 % 2 == 0").has_value());
  EXPECT_EQ(session.go_on().reason, Reason::watchpoint);
  EXPECT_EQ(value("s0"), 126U);
}

TEST_P(Sessions, WatchReadsAndWrites) {
  Session& session = start(gcd);
  ASSERT_TRUE(session.watch("s1", WatchKind::read).has_value());
  Pause pause = session.go_on();
  ASSERT_EQ(pause.reason, Reason::watchpoint);
  EXPECT_EQ(position(), 1U);
  EXPECT_TRUE(pause.watches[0].read);
  EXPECT_FALSE(pause.watches[0].written);
  (void)session.go_on();
  EXPECT_EQ(position(), 3U);
  session.remove_breakpoint(1);
  // An instruction that writes the value that is there already.
  ASSERT_TRUE(session.watch("scc", WatchKind::access).has_value());
  pause = session.go_on();
  EXPECT_EQ(position(), 4U);  // s_cbranch_scc1 reads
  pause = session.go_on();
  EXPECT_EQ(position(), 5U);  // s_sub_u32 writes
  EXPECT_TRUE(pause.watches[0].written);
}

TEST_P(Sessions, WatchFieldsAndMemory) {
  Session& forks = start(
      "target: gfx900\n"
      "code: {asm: \"s_nop 0\\ns_cbranch_i_fork s[32:33], 1\\ns_nop 0\\ns_nop 0\\ns_cbranch_join s40\\ns_endpgm\"}\n"
      "registers: {\"s[32:33]\": 0xff, s40: 0}\n");
  ASSERT_TRUE(forks.watch("mode.csp", WatchKind::change).has_value());
  Pause pause = forks.go_on();
  ASSERT_EQ(pause.reason, Reason::watchpoint);
  EXPECT_EQ(position(), 2U);
  EXPECT_EQ(pause.watches[0].before.bits, 0U);
  EXPECT_EQ(pause.watches[0].after.bits, 1U);

  Session& calls = start(recursion(3));
  ASSERT_TRUE(calls.watch("[0x100008:8]", WatchKind::change).has_value());
  pause = calls.go_on();
  ASSERT_EQ(pause.reason, Reason::watchpoint);
  EXPECT_EQ(position(), 9U);
  EXPECT_EQ(pause.watches[0].before.bits, 0U);
  EXPECT_EQ(pause.watches[0].after.bits, value("done"));
  EXPECT_EQ(calls.go_on().reason, Reason::ended);
}

TEST_P(Sessions, RefuseWhatCannotBeWatched) {
  Session& session = start(gcd);
  EXPECT_THAT(session.watch("1 + 2", WatchKind::change).error().message, HasSubstr("never changes"));
  EXPECT_THAT(session.watch("s0 + s1", WatchKind::read).error().message, HasSubstr("no register and no memory"));
  EXPECT_THAT(session.watch("pc", WatchKind::access).error().message, HasSubstr("no register and no memory"));
  EXPECT_THAT(session.break_on("s_frobnicate").error().message, HasSubstr("is called `s_frobnicate`"));
  EXPECT_THAT(session.break_at("nowhere").error().message, HasSubstr("is no address, label or source line"));
  EXPECT_THAT(session.break_at("0x5000").error().message, HasSubstr("there is no instruction at 0x5000"));
  EXPECT_THAT(session.break_at("0x1002").error().message, HasSubstr("there is no instruction at 0x1002"));
  EXPECT_THAT(session.break_at("99").error().message, HasSubstr("no instruction comes from line 99"));
  EXPECT_THAT(session.break_at("other.s:4").error().message, HasSubstr("no code comes from a file of that name"));
  EXPECT_TRUE(session.breakpoints().empty());
}

TEST_P(Sessions, StepOverAndOutOfCalls) {
  Session& session = start(recursion(3));
  (void)session.step();
  EXPECT_EQ(session.next().reason, Reason::step);
  EXPECT_EQ(position(), 28U);
  EXPECT_EQ(value("s0"), 0U);
  EXPECT_EQ(session.next_back().reason, Reason::step);
  EXPECT_EQ(position(), 1U);

  (void)session.go_to(7);
  (void)session.next();
  EXPECT_EQ(position(), 25U);
  (void)session.next_back();
  EXPECT_EQ(position(), 7U);

  (void)session.go_to(16);
  ASSERT_TRUE(session.finish().has_value());
  EXPECT_EQ(position(), 22U);
  ASSERT_TRUE(session.finish().has_value());
  EXPECT_EQ(position(), 25U);
  (void)session.go_to(16);
  ASSERT_TRUE(session.finish_back().has_value());
  EXPECT_EQ(position(), 13U);
  (void)session.go_to(28);
  EXPECT_THAT(session.finish().error().message, HasSubstr("the outermost function"));
  EXPECT_FALSE(session.finish_back().has_value());

  // A breakpoint on the way stops.
  (void)session.go_to(1);
  ASSERT_TRUE(session.break_at("done").has_value());
  const Pause pause = session.next();
  EXPECT_EQ(pause.reason, Reason::breakpoint);
  EXPECT_EQ(position(), 19U);
  EXPECT_EQ(session.next_back(2).reason, Reason::step);
  EXPECT_EQ(position(), 17U);
}

TEST_P(Sessions, RunToAPlace) {
  Session& session = start(gcd);
  EXPECT_EQ(session.run_to(*session.find_place("done")).reason, Reason::step);
  EXPECT_EQ(position(), 68U);
  EXPECT_EQ(session.run_back_to(*session.find_place("*0x1010")).reason, Reason::step);
  EXPECT_EQ(position(), 28U);
  EXPECT_EQ(session.run_to(*session.find_place("loop+0x10")).reason, Reason::ended);
}

TEST_P(Sessions, StopAtTheLimit) {
  Session& session = start("target: gfx900\ncode: {asm: \"loop: s_add_u32 s0, s0, 1\\ns_branch loop\"}\n");
  session.set_limit(1000);
  EXPECT_EQ(session.go_on().reason, Reason::limit);
  EXPECT_EQ(position(), 1000U);
  EXPECT_EQ(session.go_on().reason, Reason::limit);
  EXPECT_EQ(position(), 2000U);
  EXPECT_EQ(value("s0"), 1000U);
}

TEST_P(Sessions, ChangeTheRun) {
  Session& session = start(gcd);
  (void)session.go_to(60);
  (void)session.go_to(48);
  ASSERT_TRUE(session.set("s0", "s1").has_value());
  EXPECT_EQ(session.go_on().reason, Reason::ended);
  EXPECT_EQ(position(), 51U);
  (void)session.go_to(47);
  EXPECT_EQ(value("s0"), 84U);
  (void)session.step();
  EXPECT_EQ(value("s0"), 21U);
  ASSERT_TRUE(session.set("pc", "done").has_value());
  EXPECT_EQ(session.go_on().reason, Reason::ended);
  EXPECT_EQ(position(), 49U);

  EXPECT_THAT(session.set("s0", "1").error().message, HasSubstr("the program has ended"));
  (void)session.go_to(3);
  EXPECT_THAT(session.set("s0 + 1", "1").error().message, HasSubstr("neither a register nor memory"));
  EXPECT_THAT(session.set("s0", "0x100000000").error().message, HasSubstr("does not fit in the 32 bits"));
  EXPECT_THAT(session.set("s0", "-0x80000001").error().message, HasSubstr("does not fit in the 32 bits"));
  EXPECT_EQ(session.set("s0", "-1")->bits, 0xffffffffU);
  EXPECT_THAT(session.set("pc", "0x8000").error().message, HasSubstr("no instruction at 0x8000"));
  EXPECT_THAT(session.set("[0x8000]", "1").error().message, HasSubstr("not mapped"));
}

TEST_P(Sessions, KnowWhoWrote) {
  Session& session = start(gcd);
  (void)session.go_to(gcd_steps);
  const auto change = session.last_change(*session.parse("s0"));
  ASSERT_TRUE(change.has_value());
  EXPECT_EQ(change->position, 64U);
  EXPECT_EQ(change->pc, first_is_larger);
  EXPECT_EQ(change->before.bits, 42U);
  EXPECT_EQ(change->after.bits, 21U);
  EXPECT_EQ(position(), gcd_steps);

  // The comparison that ended the loop, and before it the subtraction that wrote 0 over 0.
  auto write = session.last_write(*session.parse("scc"));
  ASSERT_TRUE(write.has_value());
  EXPECT_EQ(write->position, 66U);
  EXPECT_EQ(write->after.bits, 1U);
  (void)session.go_to(33);
  write = session.last_write(*session.parse("scc"));
  EXPECT_EQ(write->position, 32U);
  (void)session.go_to(1);
  EXPECT_FALSE(session.last_write(*session.parse("s0")).has_value());
  EXPECT_FALSE(session.last_change(*session.parse("s7")).has_value());
}

TEST_P(Sessions, KnowAllValues) {
  Session& session = start(gcd);
  (void)session.go_to(gcd_steps);
  const ValueHistory history = session.history(*session.parse("s0"), 3);
  EXPECT_EQ(history.first.bits, 1071U);
  EXPECT_EQ(history.count, 8U);
  ASSERT_EQ(history.changes.size(), 3U);
  EXPECT_EQ(history.changes[0].after.bits, 63U);
  EXPECT_EQ(history.changes[1].after.bits, 42U);
  EXPECT_EQ(history.changes[2].after.bits, 21U);
  EXPECT_EQ(history.changes[2].position, 64U);
  EXPECT_EQ(position(), gcd_steps);
  (void)session.go_to(20);
  EXPECT_EQ(session.history(*session.parse("s1"), 10).count, 1U);
}

// What was set by hand is no instruction's doing, whether the instruction before it touches the value or not.
TEST_P(Sessions, TellWhatWasSetFromWhatWasComputed) {
  Session& session = start(gcd);
  const Expression s0 = *session.parse("s0");
  // Position 5 is behind the subtraction 1071 - 462, 8 is behind a comparison.
  (void)session.go_to(5);
  ASSERT_TRUE(session.set("s0", "1000").has_value());
  (void)session.go_to(8);
  ASSERT_TRUE(session.set("s0", "900").has_value());
  (void)session.go_to(10);
  const ValueHistory history = session.history(s0, 10);
  EXPECT_EQ(history.first.bits, 1071U);
  ASSERT_EQ(history.changes.size(), 3U);
  EXPECT_EQ(history.changes[0].position, 4U);
  EXPECT_EQ(history.changes[0].after.bits, 609U);
  EXPECT_FALSE(history.changes[0].is_edit);
  EXPECT_EQ(history.changes[1].position, 5U);
  EXPECT_EQ(history.changes[1].before.bits, 609U);
  EXPECT_EQ(history.changes[1].after.bits, 1000U);
  EXPECT_TRUE(history.changes[1].is_edit);
  EXPECT_EQ(history.changes[2].position, 8U);
  EXPECT_EQ(history.changes[2].after.bits, 900U);
  EXPECT_TRUE(history.changes[2].is_edit);
  EXPECT_EQ(session.last_write(s0)->position, 8U);
  EXPECT_TRUE(session.last_change(s0)->is_edit);
  (void)session.go_to(7);
  EXPECT_EQ(session.last_write(s0)->position, 5U);
  EXPECT_TRUE(session.last_write(s0)->is_edit);
  EXPECT_EQ(position(), 7U);
}

// Position 4 is in front of the breakpoint: it counts however the run comes there, and once.
TEST_P(Sessions, StopAtABreakpointWhereAMoveEnds) {
  Session& session = start(gcd);
  ASSERT_TRUE(session.break_at("first_is_larger").has_value());
  const auto hits = [&] { return session.breakpoints().front().hits; };
  EXPECT_EQ(session.next(10).reason, Reason::breakpoint);
  EXPECT_EQ(position(), 4U);
  EXPECT_EQ(hits(), 1U);
  (void)session.go_to(3);
  EXPECT_EQ(session.step().reason, Reason::breakpoint);
  EXPECT_EQ(hits(), 2U);
  EXPECT_EQ(session.go_on().reason, Reason::breakpoint);
  EXPECT_EQ(position(), 10U);
  (void)session.go_to(11);
  EXPECT_EQ(session.step_back().reason, Reason::breakpoint);
  (void)session.go_to(12);
  EXPECT_EQ(session.next_back(5).reason, Reason::breakpoint);
  EXPECT_EQ(position(), 10U);
  // Behind a watched instruction: 1071 - 462 at position 4 leads to the branch.
  ASSERT_TRUE(session.break_at("0x101c").has_value());
  ASSERT_TRUE(session.watch("s0", WatchKind::change).has_value());
  (void)session.go_to(4);
  const Pause pause = session.go_on();
  EXPECT_EQ(pause.reason, Reason::watchpoint);
  EXPECT_THAT(pause.breakpoints, ElementsAre(2));
  EXPECT_EQ(position(), 5U);
}

TEST_P(Sessions, StopAtABreakpointBehindAFunction) {
  Session& session = start(recursion(3));
  (void)session.go_to(13);
  // Behind the innermost call lies `done`, at position 22.
  ASSERT_TRUE(session.break_at("done", {}, true).has_value());
  (void)session.go_to(21);
  EXPECT_EQ(session.finish()->reason, Reason::breakpoint);
  EXPECT_EQ(position(), 22U);
  EXPECT_TRUE(session.breakpoints().empty());
}

// A read of memory is none of the register that holds the address.
TEST_P(Sessions, WatchAPlaceInMemoryWhereItIs) {
  Session& session = start(
      "target: gfx900\n"
      "code:\n"
      "  asm: |\n"
      "    s_mov_b32 s0, 5\n"
      "    s_store_dword s0, s[4:5], 0x0\n"
      "    s_add_u32 s1, s4, 1\n"
      "    s_mov_b32 s4, 0x100010\n"
      "    s_mov_b32 s6, 0\n"
      "    s_endpgm\n"
      "registers: {\"s[4:5]\": 0x100000}\n"
      "memory: [{at: 0x100000, size: 0x100}]\n");
  ASSERT_TRUE(session.watch("[s[4:5]]", WatchKind::access).has_value());
  EXPECT_EQ(session.go_on().reason, Reason::watchpoint);
  EXPECT_EQ(position(), 2U);
  EXPECT_EQ(session.last_write(*session.parse("[s[4:5]]"))->position, 1U);
  EXPECT_EQ(session.go_on().reason, Reason::ended);
  // The address is another one now, and nothing has been written there.
  EXPECT_FALSE(session.last_write(*session.parse("[s[4:5]]")).has_value());
  EXPECT_EQ(session.last_write(*session.parse("[0x100000]"))->position, 1U);
}

// Recursion that comes by later addresses in what it calls: only those of this call count, or the return from it.
TEST_P(Sessions, RunToWhatLiesBehind) {
  Session& session = start(recursion(3));
  // The call at 7, with its two inner calls, returns to `done` at 22 in front of the instruction behind the call.
  (void)session.go_to(7);
  EXPECT_EQ(session.run_to_later().reason, Reason::step);
  EXPECT_EQ(position(), 25U);
  session.set_limit(3);
  (void)session.go_to(7);
  EXPECT_EQ(session.run_to_later().reason, Reason::limit);
  EXPECT_EQ(position(), 10U);
}

TEST_P(Sessions, RefuseWhatHardwareWouldNotKeep) {
  Session& session = start(gcd);
  EXPECT_THAT(session.set("status", "0xffffffff").error().message, HasSubstr("not all of its bits can be set"));
  EXPECT_TRUE(session.set("s0", "0xffffffff").has_value());
}

// A count of nothing does not move, and a limit does not get in the way of what is done when it is reached.
TEST_P(Sessions, CountWhatTheyAreTold) {
  Session& session = start(gcd);
  (void)session.go_to(10);
  EXPECT_EQ(session.step(0).reason, Reason::step);
  EXPECT_EQ(session.step_back(0).reason, Reason::step);
  EXPECT_EQ(session.next(0).reason, Reason::step);
  EXPECT_EQ(session.next_back(0).reason, Reason::step);
  EXPECT_EQ(position(), 10U);
  session.set_limit(5);
  EXPECT_EQ(session.step(5).reason, Reason::step);
  EXPECT_EQ(position(), 15U);
  EXPECT_EQ(session.step(6).reason, Reason::limit);
  EXPECT_EQ(position(), 20U);
  EXPECT_EQ(session.next(6).reason, Reason::limit);
  EXPECT_EQ(position(), 25U);
  EXPECT_EQ(session.next(5).reason, Reason::step);
  EXPECT_EQ(position(), 30U);
  // 34 is in front of `first_is_larger`.
  EXPECT_EQ(session.run_to({first_is_larger}).reason, Reason::step);
  EXPECT_EQ(position(), 34U);
  EXPECT_EQ(session.step(~u64{0}).reason, Reason::limit);
  EXPECT_EQ(position(), 39U);
  EXPECT_EQ(session.step_back(~u64{0}).reason, Reason::start);
}

// Where a breakpoint that is to be passed over stands at the very place that is looked for.
TEST_P(Sessions, ArriveWhereAnIgnoredBreakpointStands) {
  Session& session = start(recursion(3));
  (void)session.go_to(10);
  ASSERT_TRUE(session.break_on("s_call_b64").has_value());
  session.find_breakpoint(1)->ignore = 5;
  EXPECT_EQ(session.finish_back()->reason, Reason::step);
  EXPECT_EQ(position(), 7U);
  EXPECT_EQ(session.breakpoints().front().hits, 1U);
  (void)session.go_to(10);
  ASSERT_TRUE(session.break_at("0x1000").has_value());
  session.find_breakpoint(2)->ignore = 5;
  EXPECT_EQ(session.step_back(10).reason, Reason::step);
  EXPECT_EQ(position(), 0U);
}

// Jumps to where there is no code: every move ends there, and comes back from there.
TEST_P(Sessions, LeaveTheCodeAndComeBack) {
  Session& session = start(
      "target: gfx900\n"
      "code:\n"
      "  asm: |\n"
      "    s_call_b64 s[30:31], f\n"
      "    s_endpgm\n"
      "    f:\n"
      "    s_mov_b64 s[0:1], 0x500000\n"
      "    s_setpc_b64 s[0:1]\n");
  ASSERT_TRUE(session.watch("s[0:1]", WatchKind::access).has_value());
  session.find_breakpoint(1)->enabled = false;
  for (const bool watches : {false, true}) {
    session.find_breakpoint(1)->enabled = watches;
    (void)session.go_to(0);
    Pause pause = session.next();
    while (pause.reason == Reason::watchpoint) pause = session.go_on();
    EXPECT_EQ(pause.reason, Reason::ended);
    EXPECT_EQ(session.machine().pc(), 0x500000U);
    EXPECT_EQ(session.step().reason, Reason::ended);
    EXPECT_EQ(session.next().reason, Reason::ended);
    EXPECT_EQ(session.step_line(true).reason, Reason::ended);
    EXPECT_EQ(session.run_to({0x1000}).reason, Reason::ended);
    session.find_breakpoint(1)->enabled = false;
    EXPECT_EQ(session.finish_back()->reason, Reason::step);
    EXPECT_EQ(position(), 0U);
  }
}

TEST_P(Sessions, SayWhenASearchWasInterrupted) {
  Session& session = start(gcd);
  (void)session.go_to(60);
  EXPECT_TRUE(session.last_change(*session.parse("s1")).has_value());
  EXPECT_FALSE(session.was_interrupted());
  session.interrupt();
  EXPECT_FALSE(session.last_change(*session.parse("s1")).has_value());
  EXPECT_TRUE(session.was_interrupted());
  EXPECT_EQ(position(), 60U);
  session.interrupt();
  (void)session.history(*session.parse("s1"), 10);
  EXPECT_TRUE(session.was_interrupted());
  EXPECT_EQ(position(), 60U);
  session.interrupt();
  EXPECT_EQ(session.go_back().reason, Reason::interrupted);
  EXPECT_EQ(position(), 60U);
  session.interrupt();
  session.clear_interrupt();
  EXPECT_EQ(session.go_back().reason, Reason::start);
}

INSTANTIATE_TEST_SUITE_P(Checkpoints, Sessions, testing::Values(1, 2, 7, 65536));

}  // namespace
}  // namespace salu::debug
