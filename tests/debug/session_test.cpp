#include <gmock/gmock.h>

#include "debug/programs.hpp"
#include "debug/sessions.hpp"

// Moves of a session.
namespace salu::debug {
namespace {

using test::first_is_larger;
using test::gcd;
using test::gcd_steps;
using test::recursion;
using testing::HasSubstr;
using Reason = Pause::Reason;

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

// Recursion that passes later addresses in callees: only those of this call count, or its return.
TEST_P(Sessions, RunToWhatLiesBehind) {
  Session& session = start(recursion(3));
  // The call at 7, with its two inner calls, returns to `done` at 22 before the instruction after the call.
  (void)session.go_to(7);
  EXPECT_EQ(session.run_to_later().reason, Reason::step);
  EXPECT_EQ(position(), 25U);
  session.set_limit(3);
  (void)session.go_to(7);
  EXPECT_EQ(session.run_to_later().reason, Reason::limit);
  EXPECT_EQ(position(), 10U);
}

// Jumps to an address without code: every move ends there, and can go back.
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

// A count of 0 does not move, and a limit does not affect a move that is complete when it is reached.
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
  // 34 is before `first_is_larger`.
  EXPECT_EQ(session.run_to({first_is_larger}).reason, Reason::step);
  EXPECT_EQ(position(), 34U);
  EXPECT_EQ(session.step(~u64{0}).reason, Reason::limit);
  EXPECT_EQ(position(), 39U);
  EXPECT_EQ(session.step_back(~u64{0}).reason, Reason::start);
}

INSTANTIATE_TEST_SUITE_P(Checkpoints, Sessions, checkpoint_intervals);

}  // namespace
}  // namespace salu::debug
