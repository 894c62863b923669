#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "debug/session.hpp"
#include "unit/loader_helpers.hpp"

// Steps by source line, forwards and backwards, in a program whose positions are listed here.
namespace salu::debug {
namespace {

using testing::ElementsAre;
using Reason = Pause::Reason;

/// Positions: 0, 1 of line 1; 2 the call in line 2, 3 line 10, 4 and 5 line 11, 6 line 2 again; 7, 8 line 3; the same
/// once more from 9 to 15; 16 is line 4, and the program ends at 17.
constexpr std::string_view calling_loop =
    "target: gfx900\n"
    "code:\n"
    "  asm: |\n"
    "    s_mov_b32 s0, 2\n"
    "    s_mov_b32 s1, 0\n"
    "    loop:\n"
    "    s_call_b64 s[30:31], add\n"
    "    s_sub_u32 s0, s0, 1\n"
    "    s_cmp_lg_u32 s0, 0\n"
    "    s_cbranch_scc1 loop\n"
    "    s_endpgm\n"
    "    add:\n"
    "    s_add_u32 s1, s1, s0\n"
    "    s_add_u32 s1, s1, 1\n"
    "    s_setpc_b64 s[30:31]\n";
constexpr std::array<u32, 10> lines_of_code = {1, 1, 2, 2, 3, 3, 4, 10, 11, 11};

class Lines : public testing::TestWithParam<u64> {
 protected:
  /// Assigns lines to instructions; those from `end` on are without a line.
  Session& start(u32 end = 100) {
    scenario_ = std::make_unique<Scenario>(test::load_good(calling_loop));
    Program& program = scenario_->program;
    program.files = {"loop.c"};
    program.lines.clear();
    u64 address = program.code.front().base;
    for (const u32 line : lines_of_code) {
      if (line < end) program.lines.push_back({address, 0, line});
      address += 4;
    }
    session_ = std::make_unique<Session>(*scenario_, HistoryOptions{.checkpoint_interval = GetParam()});
    return *session_;
  }
  /// The positions of repeated moves, and the reason of their end.
  template <class Move>
  std::vector<u64> positions(const Move& move, Reason end) {
    std::vector<u64> result;
    Pause pause = move();
    for (; pause.reason == Reason::step && result.size() < 50; pause = move())
      result.push_back(session_->run().position());
    EXPECT_EQ(pause.reason, end);
    return result;
  }

  std::unique_ptr<Scenario> scenario_;
  std::unique_ptr<Session> session_;
};

TEST_P(Lines, StepIntoCalls) {
  Session& session = start();
  EXPECT_THAT(positions([&] { return session.step_line(false); }, Reason::ended),
              ElementsAre(2, 3, 4, 6, 7, 9, 10, 11, 13, 14, 16));
  EXPECT_THAT(positions([&] { return session.step_line_back(false); }, Reason::start),
              ElementsAre(16, 14, 13, 11, 10, 9, 7, 6, 4, 3, 2, 0));
}

TEST_P(Lines, StepOverCalls) {
  Session& session = start();
  EXPECT_THAT(positions([&] { return session.step_line(true); }, Reason::ended), ElementsAre(2, 7, 9, 14, 16));
  EXPECT_THAT(positions([&] { return session.step_line_back(true); }, Reason::start), ElementsAre(16, 14, 9, 7, 2, 0));
}

TEST_P(Lines, GoBackFromTheMiddleOfALineToItsStart) {
  Session& session = start();
  (void)session.go_to(13);
  EXPECT_EQ(session.step_line_back(true).reason, Reason::step);
  EXPECT_EQ(session.run().position(), 9U);
  (void)session.go_to(5);
  EXPECT_EQ(session.step_line_back(true).reason, Reason::step);
  EXPECT_EQ(session.run().position(), 4U);
}

TEST_P(Lines, PassOverWhatHasNone) {
  Session& session = start(10);
  EXPECT_THAT(positions([&] { return session.step_line(false); }, Reason::ended), ElementsAre(2, 7, 9, 14, 16));
  EXPECT_THAT(positions([&] { return session.step_line_back(false); }, Reason::start), ElementsAre(16, 14, 9, 7, 2, 0));
}

TEST_P(Lines, StopAtBreakpointsOnTheWay) {
  Session& session = start();
  ASSERT_TRUE(session.break_at("add").has_value());
  (void)session.go_to(2);
  EXPECT_EQ(session.step_line(true).reason, Reason::breakpoint);
  EXPECT_EQ(session.run().position(), 3U);
  (void)session.go_to(14);
  EXPECT_EQ(session.step_line_back(true).reason, Reason::breakpoint);
  EXPECT_EQ(session.run().position(), 10U);
}

// Position 6, before line 3, changes s0: such changes are ignored when the move goes back to the start of the line.
TEST_P(Lines, ComeByNothingInFrontOfTheLine) {
  Session& session = start();
  ASSERT_TRUE(session.break_at("0x100c").has_value());
  ASSERT_TRUE(session.watch("s0", WatchKind::change).has_value());
  (void)session.go_to(8);
  EXPECT_EQ(session.step_line_back(true).reason, Reason::step);
  EXPECT_EQ(session.run().position(), 7U);
  for (const Breakpoint& each : session.breakpoints()) EXPECT_EQ(each.hits, 0U);
  // From there, the change is on the way.
  const Pause pause = session.step_line_back(true);
  EXPECT_EQ(pause.reason, Reason::breakpoint);
  EXPECT_EQ(pause.watches.size(), 1U);
  EXPECT_EQ(session.run().position(), 6U);
}

TEST_P(Lines, AreOfTheFileThatTheRunIsIn) {
  Session& session = start();
  Program& program = scenario_->program;
  program.files = {"a/one.s", "b/two.s", "b/one.s"};
  program.lines = {{0x1000, 0, 5}, {0x1004, 0, 8}, {0x1008, 1, 6}, {0x100c, 1, 20}, {0x1010, 2, 7}, {0x1014, 2, 0}};
  const auto places = [&](const char* place) { return *session.find_place(place); };
  EXPECT_THAT(places("7"), ElementsAre(0x1004));
  EXPECT_THAT(places("20"), ElementsAre(0x100c));
  EXPECT_FALSE(session.find_place("10").has_value());
  EXPECT_THAT(places("one.s:6"), ElementsAre(0x1004, 0x1010));
  EXPECT_THAT(places("two.s:7"), ElementsAre(0x100c));
  EXPECT_FALSE(session.find_place("two.s:21").has_value());
  (void)session.go_to(2);
  EXPECT_THAT(places("7"), ElementsAre(0x100c));
}

INSTANTIATE_TEST_SUITE_P(Checkpoints, Lines, testing::Values(1, 3, 65536));

}  // namespace
}  // namespace salu::debug
