#include <gmock/gmock.h>

#include "debug/programs.hpp"
#include "debug/sessions.hpp"

// Watchpoints of a session, forwards and backwards.
namespace salu::debug {
namespace {

using test::gcd;
using test::recursion;
using testing::HasSubstr;
using Reason = Pause::Reason;

class SessionWatchpoints : public Sessions {};

TEST_P(SessionWatchpoints, WatchValues) {
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

  // Backwards, it stops at the previous value.
  pause = session.go_back();
  ASSERT_EQ(pause.reason, Reason::watchpoint);
  EXPECT_EQ(position(), 28U);
  EXPECT_EQ(value("s1"), 168U);
  EXPECT_EQ(pause.watches[0].after.bits, 21U);
  (void)session.go_back();
  EXPECT_EQ(position(), 22U);
}

// The instruction at position 4 changes s0.
// Bits of STATUS follow SCC, EXEC and VCC.
TEST_P(SessionWatchpoints, WatchStatus) {
  Session& session = start(
      "target: gfx900\nregisters: {s0: 3, vcc: 1}\ncode:\n  asm: |\n"
      "    s_cmp_eq_u32 s0, 3\n    s_mov_b32 s1, 5\n    s_cmp_eq_u32 s1, 6\n    s_mov_b64 vcc, 0\n"
      "    s_mov_b64 exec, 0\n    s_endpgm\n");
  ASSERT_TRUE(session.watch("status", WatchKind::change).has_value());
  for (const u64 behind : {1U, 3U, 4U, 5U}) {
    ASSERT_EQ(session.go_on().reason, Reason::watchpoint) << behind;
    EXPECT_EQ(position(), behind);
  }
  EXPECT_EQ(session.go_on().reason, Reason::ended);
}

TEST_P(SessionWatchpoints, StopOneInstructionsOnTheWayBack) {
  Session& session = start(gcd);
  ASSERT_TRUE(session.watch("s0", WatchKind::change).has_value());
  (void)session.go_to(6);
  EXPECT_EQ(session.step_back().reason, Reason::step);
  EXPECT_EQ(session.step_back().reason, Reason::watchpoint);
  EXPECT_EQ(position(), 4U);
  (void)session.go_to(5);
  EXPECT_EQ(session.next_back().reason, Reason::watchpoint);
  EXPECT_EQ(session.breakpoints().front().hits, 2U);
}

TEST_P(SessionWatchpoints, WatchExpressionsWithConditions) {
  Session& session = start(gcd);
  ASSERT_TRUE(session.watch("s0 < s1", WatchKind::change).has_value());
  EXPECT_EQ(session.go_on().reason, Reason::watchpoint);
  EXPECT_EQ(position(), 11U);  // s0 becomes 147
  session.remove_breakpoint(1);
  ASSERT_TRUE(session.watch("s0", WatchKind::change, "s0 % 2 == 0").has_value());
  EXPECT_EQ(session.go_on().reason, Reason::watchpoint);
  EXPECT_EQ(value("s0"), 126U);
}

TEST_P(SessionWatchpoints, WatchReadsAndWrites) {
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
  // An instruction that writes the same value.
  ASSERT_TRUE(session.watch("scc", WatchKind::access).has_value());
  pause = session.go_on();
  EXPECT_EQ(position(), 4U);  // s_cbranch_scc1 reads
  pause = session.go_on();
  EXPECT_EQ(position(), 5U);  // s_sub_u32 writes
  EXPECT_TRUE(pause.watches[0].written);
}

TEST_P(SessionWatchpoints, WatchFieldsAndMemory) {
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

TEST_P(SessionWatchpoints, RefuseWhatCannotBeWatched) {
  Session& session = start(gcd);
  EXPECT_THAT(session.watch("1 + 2", WatchKind::change).error().message, HasSubstr("never changes"));
  EXPECT_THAT(session.watch("s0 + s1", WatchKind::read).error().message, HasSubstr("is not a register or memory"));
  EXPECT_THAT(session.watch("pc", WatchKind::access).error().message, HasSubstr("is not a register or memory"));
  EXPECT_THAT(session.break_at("s_frobnicate").error().message, HasSubstr("has the name `s_frobnicate`"));
  EXPECT_THAT(session.break_at("nowhere").error().message, HasSubstr("is not an address, label or source line"));
  EXPECT_THAT(session.break_at("0x5000").error().message, HasSubstr("no instruction at 0x5000"));
  EXPECT_THAT(session.break_at("0x1002").error().message, HasSubstr("no instruction at 0x1002"));
  EXPECT_THAT(session.break_at("99").error().message, HasSubstr("no code at line 99"));
  EXPECT_THAT(session.break_at("other.s:4").error().message, HasSubstr("no code is from a file with this name"));
  EXPECT_TRUE(session.breakpoints().empty());
}

// A read of memory is not a read of the address register.
TEST_P(SessionWatchpoints, WatchAPlaceInMemoryWhereItIs) {
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
  // The address has changed, and its memory was not written.
  EXPECT_FALSE(session.last_write(*session.parse("[s[4:5]]")).has_value());
  EXPECT_EQ(session.last_write(*session.parse("[0x100000]"))->position, 1U);
}

INSTANTIATE_TEST_SUITE_P(Checkpoints, SessionWatchpoints, checkpoint_intervals);

}  // namespace
}  // namespace salu::debug
