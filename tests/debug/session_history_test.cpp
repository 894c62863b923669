#include <gmock/gmock.h>

#include "debug/programs.hpp"
#include "debug/sessions.hpp"

// The history of values, and edits.
namespace salu::debug {
namespace {

using test::first_is_larger;
using test::gcd;
using test::gcd_steps;
using testing::HasSubstr;
using Reason = Pause::Reason;

class SessionHistory : public Sessions {};

TEST_P(SessionHistory, ChangeTheRun) {
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
  EXPECT_THAT(session.set("s0 + 1", "1").error().message, HasSubstr("is not a register or memory"));
  EXPECT_THAT(session.set("s0", "0x100000000").error().message, HasSubstr("does not fit in the 32 bits"));
  EXPECT_THAT(session.set("s0", "-0x80000001").error().message, HasSubstr("does not fit in the 32 bits"));
  EXPECT_EQ(session.set("s0", "-1")->bits, 0xffffffffU);
  EXPECT_THAT(session.set("pc", "0x8000").error().message, HasSubstr("no instruction at 0x8000"));
  EXPECT_THAT(session.set("[0x8000]", "1").error().message, HasSubstr("not mapped"));
}

TEST_P(SessionHistory, KnowWhoWrote) {
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

TEST_P(SessionHistory, KnowAllValues) {
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

// An edit is not attributed to an instruction, even if the instruction before it accesses the value.
TEST_P(SessionHistory, TellWhatWasSetFromWhatWasComputed) {
  Session& session = start(gcd);
  const expr::Expression s0 = *session.parse("s0");
  // Position 5 is after the subtraction 1071 - 462, 8 after a comparison.
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

TEST_P(SessionHistory, RefuseWhatHardwareWouldNotKeep) {
  Session& session = start(gcd);
  EXPECT_THAT(session.set("status", "0xffffffff").error().message, HasSubstr("some bits cannot be set"));
  EXPECT_TRUE(session.set("s0", "0xffffffff").has_value());
}

TEST_P(SessionHistory, SayWhenASearchWasInterrupted) {
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

INSTANTIATE_TEST_SUITE_P(Checkpoints, SessionHistory, checkpoint_intervals);

}  // namespace
}  // namespace salu::debug
