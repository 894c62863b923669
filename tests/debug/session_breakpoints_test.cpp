#include <gmock/gmock.h>

#include "debug/programs.hpp"
#include "debug/sessions.hpp"

// Breakpoints of a session, forwards and backwards.
namespace salu::debug {
namespace {

using test::first_is_larger;
using test::gcd;
using test::recursion;
using testing::ElementsAre;
using Reason = Pause::Reason;

class SessionBreakpoints : public Sessions {};

TEST_P(SessionBreakpoints, BreakInFrontOfAnAddress) {
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

TEST_P(SessionBreakpoints, BreakpointsHaveConditionsAndCounts) {
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

TEST_P(SessionBreakpoints, BreakOnMnemonicsAndLines) {
  Session& session = start(gcd);
  ASSERT_TRUE(session.break_at("s_sub_*", "s1 < 462").has_value());
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

// Position 4 is before the breakpoint: it counts once for any move there.
TEST_P(SessionBreakpoints, StopAtABreakpointWhereAMoveEnds) {
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
  // After a watched instruction: 1071 - 462 at position 4 is followed by the branch.
  ASSERT_TRUE(session.break_at("0x101c").has_value());
  ASSERT_TRUE(session.watch("s0", WatchKind::change).has_value());
  (void)session.go_to(4);
  const Pause pause = session.go_on();
  EXPECT_EQ(pause.reason, Reason::watchpoint);
  EXPECT_THAT(pause.breakpoints, ElementsAre(2));
  EXPECT_EQ(position(), 5U);
}

TEST_P(SessionBreakpoints, StopAtABreakpointBehindAFunction) {
  Session& session = start(recursion(3));
  (void)session.go_to(13);
  // The innermost call is followed by `done`, at position 22.
  ASSERT_TRUE(session.break_at("done", {}, true).has_value());
  (void)session.go_to(21);
  EXPECT_EQ(session.finish()->reason, Reason::breakpoint);
  EXPECT_EQ(position(), 22U);
  EXPECT_TRUE(session.breakpoints().empty());
}

// A skipped breakpoint at the goal of the move.
TEST_P(SessionBreakpoints, ArriveWhereAnIgnoredBreakpointStands) {
  Session& session = start(recursion(3));
  (void)session.go_to(10);
  ASSERT_TRUE(session.break_at("s_call_b64").has_value());
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

// Before `first_is_larger` at 4, 10, 34, 40, 46, 52, 58 and 64.
TEST_P(SessionBreakpoints, StopAtTheHitsThatAreWanted) {
  Session& session = start(gcd);
  ASSERT_TRUE(session.break_at("first_is_larger").has_value());
  session.find_breakpoint(1)->hit_condition = *HitCondition::parse("% 3");
  EXPECT_EQ(session.go_on().reason, Reason::breakpoint);
  EXPECT_EQ(position(), 34U);
  EXPECT_EQ(session.go_on().reason, Reason::breakpoint);
  EXPECT_EQ(position(), 52U);
  EXPECT_EQ(session.go_on().reason, Reason::ended);
  EXPECT_EQ(session.breakpoints().front().hits, 8U);
  // The ninth hit is the first on the way back.
  EXPECT_EQ(session.go_back().reason, Reason::breakpoint);
  EXPECT_EQ(position(), 64U);
  EXPECT_EQ(session.go_back().reason, Reason::breakpoint);
  EXPECT_EQ(position(), 46U);
  EXPECT_EQ(session.breakpoints().front().hits, 12U);
}

TEST_P(SessionBreakpoints, SayWhatTheyAreTold) {
  Session& session = start(gcd);
  std::vector<std::string> said;
  session.set_log([&](const std::string& message) { said.push_back(message); });
  ASSERT_TRUE(session.break_at("first_is_larger", "s0 < 100").has_value());
  session.find_breakpoint(1)->log = *LogMessage::parse("s0 is {s0}, {i32(s0) - i32(s1)} more", session.program());
  const std::string at_52 = "s0 is 0x00000054, 63 more";
  const std::string at_58 = "s0 is 0x0000003f, 42 more";
  const std::string at_64 = "s0 is 0x0000002a, 21 more";
  EXPECT_EQ(session.go_on().reason, Reason::ended);
  EXPECT_THAT(said, ElementsAre(at_52, at_58, at_64));
  said.clear();
  EXPECT_EQ(session.go_back().reason, Reason::start);
  EXPECT_THAT(said, ElementsAre(at_64, at_58, at_52));
  said.clear();
  // The move stops at a breakpoint, and those after it print nothing.
  ASSERT_TRUE(session.break_at("first_is_larger", "s0 == 63").has_value());
  (void)session.go_to_end();
  EXPECT_EQ(session.go_back().reason, Reason::breakpoint);
  EXPECT_EQ(position(), 58U);
  EXPECT_THAT(said, ElementsAre(at_64, at_58));
}

// More stops than are stored at a time.
TEST_P(SessionBreakpoints, PassOverManyHitsOnTheWayBack) {
  Session& session = start(
      "target: gfx900\n"
      "code: {asm: \"loop: s_sub_u32 s0, s0, 1\\n s_cmp_lg_u32 s0, 0\\n s_cbranch_scc1 loop\\n s_endpgm\\n\"}\n"
      "registers: {s0: 10000}\n");
  (void)session.go_to_end();
  EXPECT_EQ(position(), 30'001U);
  ASSERT_TRUE(session.break_at("loop").has_value());
  session.find_breakpoint(1)->ignore = 9000;
  // The rounds begin at 29,997, 29,994 and so on.
  EXPECT_EQ(session.go_back().reason, Reason::breakpoint);
  EXPECT_EQ(position(), 2997U);
  EXPECT_EQ(session.breakpoints().front().hits, 9001U);
  // The run starts before one, too.
  session.find_breakpoint(1)->ignore = 998;
  EXPECT_EQ(session.go_back().reason, Reason::breakpoint);
  EXPECT_EQ(position(), 0U);
}

TEST_P(SessionBreakpoints, CountWhereAMoveIsResumed) {
  Session& session = start(gcd);
  ASSERT_TRUE(session.break_at("first_is_larger").has_value());
  (void)session.go_to(4);
  EXPECT_EQ(session.resume().reason, Reason::breakpoint);
  EXPECT_EQ(position(), 4U);
  (void)session.go_to(11);
  EXPECT_EQ(session.resume().reason, Reason::breakpoint);
  EXPECT_EQ(position(), 34U);
}

TEST(HitConditions, AreCountsWithOperators) {
  const auto holding = [](std::string_view text) {
    std::vector<u64> hits;
    for (u64 i = 1; i <= 6; ++i) {
      if (HitCondition::parse(text)->holds(i)) hits.push_back(i);
    }
    return hits;
  };
  EXPECT_THAT(holding("3"), ElementsAre(3));
  EXPECT_THAT(holding(" == 3 "), ElementsAre(3));
  EXPECT_THAT(holding(">4"), ElementsAre(5, 6));
  EXPECT_THAT(holding(">= 4"), ElementsAre(4, 5, 6));
  EXPECT_THAT(holding("< 2"), ElementsAre(1));
  EXPECT_THAT(holding("<=2"), ElementsAre(1, 2));
  EXPECT_THAT(holding("% 2"), ElementsAre(2, 4, 6));
  for (const char* text : {"", "often", "% 0", ">", "3 4", "-1"})
    EXPECT_FALSE(HitCondition::parse(text).has_value()) << text;
}

INSTANTIATE_TEST_SUITE_P(Checkpoints, SessionBreakpoints, checkpoint_intervals);

}  // namespace
}  // namespace salu::debug
