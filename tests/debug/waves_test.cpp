#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "debug/consoles.hpp"
#include "debug/session.hpp"
#include "debug/sessions.hpp"
#include "repetitions.hpp"
#include "support/numbers.hpp"
#include "unit/loader_helpers.hpp"
#include "work_group_kernels.hpp"

// Sessions over the waves of work-groups. Without `schedule:` each wave runs to its next barrier or end, in order of
// their numbers.
namespace salu::debug {
namespace {

using test::kernel;
using test::small_mirror;
using testing::ElementsAre;
using testing::HasSubstr;
using Reason = Pause::Reason;
using Status = RunHistory::Wave::Status;

const std::string one_group = "workgroup_size: 128, grid_size: 128, waves: all";
const std::string two_groups = "workgroup_size: 128, grid_size: 256, waves: all";

/// The positions of `small_mirror` in `two_groups`: 0 to 7 wave 0 up to its barrier, 8 to 15 wave 1; 16 to 20 and 21 to
/// 25 the same waves up to their ends; then waves 2 and 3 from 26 to 33, 34 to 41, 42 to 46, 47 to 51.
constexpr u64 mirror_end = 52;

/// Calls a function with a barrier before and after another barrier. The positions in `one_group`: 0 to 4 start, 5
/// call, 6 7 body of wave 0 up to the barrier, 8 to 15 wave 1; 16 body, 17 return, 18 barrier, 19 to 21 wave 1; 22
/// call, 23 24 body, 25 to 27 wave 1; 28 body, 29 return, 30 end, 31 to 33 wave 1.
constexpr const char* calls =
    "  s_call_b64 s[30:31], .Lf\n  s_barrier\n  s_call_b64 s[30:31], .Lf\n  s_endpgm\n.Lf:\n"
    "  s_add_u32 s6, s6, 1\n  s_barrier\n  s_add_u32 s6, s6, 1\n  s_setpc_b64 s[30:31]";

/// A dword of LDS.
std::string shared_dword(u64 index) { return "[" + support::hex(shared_memory_base + 4 * index) + "]"; }

class Waves : public Sessions {
 protected:
  [[nodiscard]] u64 selected() const { return session_->wave().number; }
  /// The position and the selected wave.
  [[nodiscard]] std::pair<u64, u64> place() const { return {position(), selected()}; }
  /// The places at which a repeated move stops.
  std::vector<std::pair<u64, u64>> places(const std::function<Pause()>& move, Reason reason) {
    std::vector<std::pair<u64, u64>> found;
    while (move().reason == reason && found.size() < 100) found.push_back(place());
    return found;
  }
};

using Place = std::pair<u64, u64>;

TEST_P(Waves, AStepAtABarrierEndsWhenTheWaveHasPassedIt) {
  Session& session = start(kernel(small_mirror, two_groups));
  EXPECT_EQ(session.step(7).reason, Reason::step);
  EXPECT_EQ(place(), Place(7, 0));
  EXPECT_EQ(session.step().reason, Reason::step);
  EXPECT_EQ(place(), Place(16, 0));
  EXPECT_EQ(session.step_back().reason, Reason::step);
  EXPECT_EQ(place(), Place(7, 0));
  // Wave 1 executes nothing before position 8.
  ASSERT_FALSE(session.choose_wave(1));
  EXPECT_EQ(session.step_back().reason, Reason::start);
  EXPECT_EQ(place(), Place(7, 1));
  EXPECT_EQ(session.step().reason, Reason::step);
  EXPECT_EQ(place(), Place(9, 1));
  EXPECT_EQ(session.step(6).reason, Reason::step);
  EXPECT_EQ(place(), Place(15, 1));
  // All other waves wait: the barrier is passed at once.
  EXPECT_EQ(session.step().reason, Reason::step);
  EXPECT_EQ(place(), Place(16, 1));
  EXPECT_EQ(session.wave().status, Status::ready);
  EXPECT_EQ(session.step().reason, Reason::step);
  EXPECT_EQ(place(), Place(22, 1));
  EXPECT_EQ(session.step_back(2).reason, Reason::step);
  EXPECT_EQ(place(), Place(15, 1));
}

TEST_P(Waves, StepsContinueInTheNextWorkGroup) {
  Session& session = start(kernel(small_mirror, two_groups));
  ASSERT_EQ(session.go_to(25).reason, Reason::step);
  ASSERT_FALSE(session.choose_wave(1));
  EXPECT_EQ(session.step().reason, Reason::step);
  EXPECT_EQ(place(), Place(26, 2));
  EXPECT_THAT(session.choose_wave(1)->message, HasSubstr("no wave 1 here: the work-group that runs has waves 2 to 3"));
  ASSERT_TRUE(session.set("s20", "5").has_value());
  EXPECT_EQ(session.step().reason, Reason::step);
  EXPECT_EQ(place(), Place(27, 2));
  EXPECT_EQ(value("s20"), 5U);
  EXPECT_EQ(session.step_back().reason, Reason::step);
  EXPECT_EQ(session.step_back().reason, Reason::start);
  EXPECT_EQ(place(), Place(26, 2));
  EXPECT_EQ(session.step_line_back(true).reason, Reason::start);
  EXPECT_EQ(place(), Place(26, 2));
  EXPECT_EQ(session.go_to(25).reason, Reason::step);
  EXPECT_EQ(place(), Place(25, 1));
  EXPECT_EQ(session.step_line(true).reason, Reason::step);
  EXPECT_EQ(place(), Place(26, 2));
}

TEST_P(Waves, MovesOfAWaveThatHasEndedAreThoseOfTheNextWave) {
  Session& session = start(kernel(small_mirror, two_groups));
  for (const bool by_line : {false, true}) {
    (void)session.go_to(20);
    ASSERT_FALSE(session.choose_wave(0));
    const auto step = [&] { return by_line ? session.step_line(true) : session.next(); };
    EXPECT_EQ(step().reason, Reason::step);
    EXPECT_EQ(place(), Place(21, 0));
    EXPECT_TRUE(session.wave_ended());
    EXPECT_THAT(session.set("s0", "1").error().message, HasSubstr("wave 0 has ended"));
    EXPECT_EQ(step().reason, Reason::step);
    EXPECT_EQ(place(), Place(22, 1));
    ASSERT_FALSE(session.choose_wave(0));
    EXPECT_EQ((by_line ? session.step_line_back(true) : session.step_back()).reason, Reason::step);
    EXPECT_EQ(place(), Place(20, 0));
  }
}

TEST_P(Waves, TheEndIsThatOfTheLastWave) {
  Session& session = start(kernel(small_mirror, two_groups));
  EXPECT_EQ(session.go_on().reason, Reason::ended);
  EXPECT_EQ(place(), Place(mirror_end, 3));
  EXPECT_EQ(session.step().reason, Reason::ended);
  ASSERT_FALSE(session.choose_wave(2));
  EXPECT_EQ(value("v3[0]"), 127U);
  EXPECT_EQ(session.step_back().reason, Reason::step);
  EXPECT_EQ(place(), Place(46, 2));
  EXPECT_EQ(session.go_back().reason, Reason::start);
  EXPECT_EQ(place(), Place(0, 0));
}

TEST_P(Waves, ABreakpointInAnyWaveSelectsIt) {
  Session& session = start(kernel(small_mirror, two_groups));
  ASSERT_TRUE(session.break_at("0x1028").has_value());
  const std::vector<Place> there = places([&] { return session.go_on(); }, Reason::breakpoint);
  EXPECT_THAT(there, ElementsAre(Place(16, 0), Place(21, 1), Place(42, 2), Place(47, 3)));
  std::vector<Place> back = places([&] { return session.go_back(); }, Reason::breakpoint);
  std::ranges::reverse(back);
  EXPECT_EQ(back, there);
  EXPECT_EQ(session.find_breakpoint(1)->hits, 8U);
  // The first work-item of the waves 1 and 3 is 64.
  ASSERT_TRUE(session.set_condition(1, "s3 == 64").has_value());
  EXPECT_THAT(places([&] { return session.go_on(); }, Reason::breakpoint), ElementsAre(Place(21, 1), Place(47, 3)));
  EXPECT_THAT(places([&] { return session.go_back(); }, Reason::breakpoint), ElementsAre(Place(47, 3), Place(21, 1)));
  ASSERT_TRUE(session.set_condition(1, "").has_value());
  session.find_breakpoint(1)->hits = 0;
  session.find_breakpoint(1)->hit_condition = *HitCondition::parse("% 2");
  EXPECT_THAT(places([&] { return session.go_on(); }, Reason::breakpoint), ElementsAre(Place(21, 1), Place(47, 3)));
  session.find_breakpoint(1)->hit_condition.reset();
  session.find_breakpoint(1)->log = *LogMessage::parse("wave of {s3}", session.program());
  std::vector<std::string> messages;
  session.set_log([&](const std::string& message) { messages.push_back(message); });
  EXPECT_EQ(session.go_back().reason, Reason::start);
  EXPECT_THAT(messages,
              ElementsAre("wave of 0x00000040", "wave of 0x00000000", "wave of 0x00000040", "wave of 0x00000000"));
}

TEST_P(Waves, StepsStopAtBreakpointsOfOtherWavesInBothDirections) {
  Session& session = start(kernel(small_mirror, two_groups));
  ASSERT_TRUE(session.break_at("0x1020").has_value());
  session.find_breakpoint(1)->wave = 1;
  (void)session.go_to(7);
  EXPECT_EQ(session.step().reason, Reason::breakpoint);
  EXPECT_EQ(place(), Place(14, 1));
  (void)session.go_to(16);
  ASSERT_FALSE(session.choose_wave(0));
  EXPECT_EQ(session.step_back().reason, Reason::breakpoint);
  EXPECT_EQ(place(), Place(14, 1));
  // The breakpoint of a wave that has not been selected is hit at once.
  (void)session.go_to(13);
  (void)session.step();
  ASSERT_EQ(place(), Place(14, 1));
  ASSERT_FALSE(session.choose_wave(0));
  EXPECT_EQ(session.step().reason, Reason::step);
  EXPECT_EQ(place(), Place(17, 0));
}

TEST_P(Waves, AWaveThatIsSelectedAfterAMoveStopsAtItsBreakpoint) {
  Session& session = start(kernel(small_mirror, two_groups));
  ASSERT_TRUE(session.break_at("0x1028", "s3 == 0").has_value());
  ASSERT_FALSE(session.choose_wave(1));
  (void)session.step(8);
  ASSERT_EQ(place(), Place(16, 1));
  // Wave 0 executes next.
  ASSERT_FALSE(session.choose_wave(0));
  EXPECT_EQ(session.go_on().reason, Reason::breakpoint);
  EXPECT_EQ(place(), Place(16, 0));
  EXPECT_EQ(session.go_on().reason, Reason::breakpoint);
  EXPECT_EQ(place(), Place(42, 2));
}

TEST_P(Waves, AWatchpointOfMemorySeesTheStoresOfAllWaves) {
  Session& session = start(kernel(small_mirror, two_groups));
  const std::string shared = shared_dword(65);
  ASSERT_TRUE(session.watch(shared, WatchKind::change).has_value());
  Pause pause = session.go_on();
  EXPECT_EQ(pause.reason, Reason::watchpoint);
  EXPECT_EQ(place(), Place(14, 1));
  EXPECT_EQ(pause.watches.front().wave, 1U);
  EXPECT_EQ(pause.watches.front().before.bits, 0U);
  EXPECT_EQ(pause.watches.front().after.bits, 65U);
  EXPECT_EQ(session.go_on().reason, Reason::watchpoint);
  EXPECT_EQ(place(), Place(40, 3));
  EXPECT_EQ(session.go_back().reason, Reason::watchpoint);
  EXPECT_EQ(place(), Place(39, 3));
  EXPECT_EQ(session.go_back().reason, Reason::watchpoint);
  EXPECT_EQ(place(), Place(13, 1));
  // Wave 0 reads the dwords 64 to 127.
  ASSERT_TRUE(session.remove_breakpoint(1));
  (void)session.go_to(0);
  ASSERT_TRUE(session.watch(shared_dword(100), WatchKind::read).has_value());
  EXPECT_EQ(session.go_on().reason, Reason::watchpoint);
  EXPECT_EQ(place(), Place(18, 0));
}

TEST_P(Waves, AWatchpointOfARegisterBelongsToItsWave) {
  Session& session = start(kernel(small_mirror, two_groups));
  ASSERT_FALSE(session.choose_wave(1));
  ASSERT_TRUE(session.watch("s3", WatchKind::change).has_value());
  // A register and memory: LDS of the wave.
  ASSERT_TRUE(session.watch(shared_dword(2) + " + s3", WatchKind::change).has_value());
  ASSERT_FALSE(session.choose_wave(0));
  EXPECT_EQ(session.go_on().reason, Reason::watchpoint);
  EXPECT_EQ(place(), Place(6, 0));
  Pause pause = session.go_on();
  EXPECT_EQ(pause.reason, Reason::watchpoint);
  EXPECT_EQ(pause.watches.size(), 2U);
  EXPECT_EQ(place(), Place(10, 1));
  EXPECT_EQ(session.go_on().reason, Reason::ended);
  EXPECT_EQ(session.go_back().reason, Reason::watchpoint);
  EXPECT_EQ(place(), Place(9, 1));
  EXPECT_EQ(session.go_back().reason, Reason::watchpoint);
  EXPECT_EQ(place(), Place(5, 0));
  EXPECT_EQ(session.go_back().reason, Reason::start);
}

TEST_P(Waves, CallsOfAWaveEndWhileOthersRun) {
  Session& session = start(kernel(calls, one_group));
  (void)session.step(5);
  EXPECT_EQ(session.next().reason, Reason::step);
  EXPECT_EQ(place(), Place(18, 0));
  EXPECT_EQ(session.next_back().reason, Reason::step);
  EXPECT_EQ(place(), Place(5, 0));
  EXPECT_EQ(session.step_line(true).reason, Reason::step);
  EXPECT_EQ(place(), Place(18, 0));
  EXPECT_EQ(session.step_line_back(true).reason, Reason::step);
  EXPECT_EQ(place(), Place(5, 0));
  EXPECT_EQ(session.next(2).reason, Reason::step);
  EXPECT_EQ(place(), Place(22, 0));
  EXPECT_EQ(session.step_line_back(false).reason, Reason::step);
  EXPECT_EQ(place(), Place(18, 0));
  EXPECT_EQ(session.step_line_back(false).reason, Reason::step);
  EXPECT_EQ(place(), Place(17, 0));
  ASSERT_FALSE(session.choose_wave(1));
  EXPECT_EQ(session.calls().depth(), 1U);
  EXPECT_EQ(session.finish()->reason, Reason::step);
  EXPECT_EQ(place(), Place(21, 1));
  EXPECT_EQ(session.finish().error().message, "this is the outermost function: its caller is not part of this run");
  (void)session.go_to(30);
  ASSERT_FALSE(session.choose_wave(1));
  EXPECT_EQ(session.finish_back()->reason, Reason::step);
  EXPECT_EQ(place(), Place(25, 1));
}

TEST_P(Waves, MovesToPlacesEndWithTheirWave) {
  Session& session = start(kernel(calls, one_group));
  const u64 start_address = 0x1000;
  const u64 nowhere = 0x3000;
  (void)session.step(2);
  EXPECT_EQ(session.run_to({start_address}).reason, Reason::step);
  EXPECT_EQ(place(), Place(31, 0));
  EXPECT_TRUE(session.wave_ended());
  // From here on for wave 1, which ends the run.
  EXPECT_EQ(session.run_to({start_address}).reason, Reason::ended);
  EXPECT_EQ(place(), Place(34, 1));
  EXPECT_EQ(session.run_back_to({nowhere}).reason, Reason::start);
  EXPECT_EQ(place(), Place(8, 1));
  EXPECT_EQ(session.run_to({start_address + 8}).reason, Reason::step);
  EXPECT_EQ(place(), Place(9, 1));
  (void)session.go_to(33);
  ASSERT_FALSE(session.choose_wave(1));
  EXPECT_EQ(session.run_back_to({start_address}).reason, Reason::step);
  EXPECT_EQ(place(), Place(8, 1));
}

TEST_P(Waves, UntilIsOfTheSelectedWave) {
  Session& session = start(kernel(small_mirror, two_groups));
  (void)session.step(7);
  EXPECT_EQ(session.run_to_later().reason, Reason::step);
  EXPECT_EQ(place(), Place(16, 0));
  (void)session.go_to(20);
  EXPECT_EQ(session.run_to_later().reason, Reason::step);
  EXPECT_EQ(place(), Place(21, 0));
  EXPECT_TRUE(session.wave_ended());
}

TEST_P(Waves, EditsBelongToTheirWave) {
  Session& session = start(kernel(small_mirror, two_groups));
  (void)session.go_to(3);
  ASSERT_FALSE(session.choose_wave(1));
  ASSERT_TRUE(session.set("s20", "0x77").has_value());
  ASSERT_TRUE(session.set(shared_dword(300), "9").has_value());
  for (const u64 target : {12, 3, 40, 30, 10}) {
    (void)session.go_to(target);
    if (target > 26) {
      EXPECT_EQ(session.evaluate(shared_dword(300))->bits, 0U);
      continue;
    }
    ASSERT_FALSE(session.choose_wave(0));
    EXPECT_EQ(value("s20"), 0U);
    ASSERT_FALSE(session.choose_wave(1));
    EXPECT_EQ(value("s20"), 0x77U);
    EXPECT_EQ(value(shared_dword(300)), 9U);
  }
  const std::optional<ValueChange> change = session.last_change(*session.parse("s20"));
  ASSERT_TRUE(change.has_value());
  EXPECT_TRUE(change->is_edit);
  EXPECT_EQ(change->wave, 1U);
  EXPECT_EQ(change->position, 3U);
}

TEST_P(Waves, ADeadlockEndsTheRun) {
  const std::string waits =
      "  s_cmp_lg_u32 s3, 0\n  s_cbranch_scc1 .Lmeet\n.Lwait:\n  s_load_dword s7, s[4:5], 0x8 glc\n"
      "  s_waitcnt lgkmcnt(0)\n  s_cmp_eq_u32 s7, 0\n  s_cbranch_scc1 .Lwait\n.Lmeet:\n  s_barrier\n  s_endpgm";
  Session& session = start(kernel(waits, one_group, "schedule: {slice: 40}\n"));
  EXPECT_EQ(session.go_on().reason, Reason::ended);
  EXPECT_EQ(session.run().stop().reason, StopReason::deadlock);
  const u64 end = position();
  EXPECT_EQ(selected(), 0U);
  ASSERT_FALSE(session.choose_wave(1));
  EXPECT_EQ(session.wave().status, Status::waits);
  EXPECT_EQ(session.step_back().reason, Reason::step);
  EXPECT_EQ(selected(), 1U);
  EXPECT_EQ(session.machine().code().text_at(session.address()), "s_barrier");
  (void)session.go_to_end();
  ASSERT_FALSE(session.choose_wave(1));
  EXPECT_EQ(session.next_back(2).reason, Reason::step);
  EXPECT_EQ(selected(), 1U);
  EXPECT_EQ(session.next().reason, Reason::step);
  EXPECT_EQ(session.step().reason, Reason::ended);
  EXPECT_EQ(place(), Place(end, 0));
  // A store of the user ends the wait.
  (void)session.go_to(60);
  ASSERT_TRUE(session.set("[0x200000008]", "1").has_value());
  EXPECT_EQ(session.go_on().reason, Reason::ended);
  EXPECT_EQ(session.run().stop().reason, StopReason::end_program);
}

TEST_P(Waves, TheSelectedWaveOfABarrierKernelIsReported) {
  Session& session =
      start(kernel(small_mirror, "workgroup_size: 128, grid_size: 256, workgroup_id: [1, 0, 0], wave: 1"));
  EXPECT_EQ(place(), Place(0, 1));
  EXPECT_EQ(session.step().reason, Reason::step);
  EXPECT_EQ(place(), Place(9, 1));
  (void)session.go_on();
  EXPECT_EQ(place(), Place(26, 1));
  EXPECT_EQ(session.outcome().state.file[3], 64U);
}

TEST_P(Waves, RacesAreFoundAgainAfterGoingBackAndChanges) {
  // Without a barrier.
  const std::string races =
      "  ds_write_b32 v1, v0\n  s_waitcnt lgkmcnt(0)\n  v_sub_u32_e32 v2, 508, v1\n  ds_read_b32 v3, v2\n"
      "  s_waitcnt lgkmcnt(0)\n  s_endpgm";
  Session& session = start(kernel(races, one_group, "checks: [races]\n"));
  // Wave 1 stores, at position 16, what wave 0 has read.
  EXPECT_EQ(session.go_on().reason, Reason::warning);
  EXPECT_EQ(place(), Place(17, 1));
  EXPECT_EQ(session.run().warnings().size(), 1U);
  (void)session.go_to(13);
  EXPECT_EQ(session.run().warnings().size(), 0U);
  ASSERT_FALSE(session.choose_wave(1));
  ASSERT_TRUE(session.set("s20", "1").has_value());
  (void)session.go_to(15);
  (void)session.go_to(14);
  EXPECT_EQ(value("s20"), 1U);
  EXPECT_EQ(session.go_on().reason, Reason::warning);
  EXPECT_EQ(place(), Place(17, 1));
}

TEST_P(Waves, WavesThatMeetAtDifferentBarriersAreAWarning) {
  const std::string barriers =
      "  s_cmp_eq_u32 s3, 0\n  s_cbranch_scc1 .Lfirst\n  s_barrier\n  s_branch .Lmet\n.Lfirst:\n  s_barrier\n.Lmet:\n"
      "  s_endpgm";
  Session& session = start(kernel(barriers, one_group, "checks: [races]\n"));
  // 0 to 7 wave 0, 8 to 15 wave 1.
  EXPECT_EQ(session.go_on().reason, Reason::warning);
  EXPECT_EQ(place(), Place(16, 1));
  EXPECT_EQ(session.go_on().reason, Reason::ended);
}

TEST_P(Waves, AWarningOfSeveralWavesStopsOnce) {
  // s7 is read too early.
  const std::string hazard =
      "  s_load_dword s7, s[4:5], 0x8\n  s_add_u32 s8, s7, 1\n  s_waitcnt lgkmcnt(0)\n  s_endpgm";
  Session& session = start(kernel(hazard, two_groups, "checks: [hazards]\n"));
  EXPECT_EQ(session.go_on().reason, Reason::warning);
  EXPECT_EQ(place(), Place(7, 0));
  EXPECT_EQ(session.go_on().reason, Reason::ended);
  EXPECT_EQ(session.run().warnings().size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Checkpoints, Waves, checkpoint_intervals);

TEST_F(ConsoleTest, StartOfAWave) {
  start(kernel(small_mirror, two_groups));
  (void)run("goto 30");
  EXPECT_THAT(run("reverse-step 10"), HasSubstr("This is the start of wave 2.\n"));
  EXPECT_THAT(run("reverse-continue"), HasSubstr("This is the start of the run.\n"));
}

// ---- random moves ----

/// A change by the user.
struct UserEdit {
  u64 position = 0;
  u64 wave = 0;
  std::string place;
  std::string value;
};

/// The state of a run that must not depend on the moves that led to it.
void expect_same(Session& session, Session& fresh) {
  ASSERT_EQ(session.run().position(), fresh.run().position());
  ASSERT_EQ(session.run().ended(), fresh.run().ended());
  if (session.run().ended()) {
    EXPECT_EQ(session.run().stop().detail, fresh.run().stop().detail);
  }
  EXPECT_EQ(session.run().wave().number, fresh.run().wave().number);
  const auto numbers = [](const Session& of) {
    std::vector<u64> all;
    for (const RunHistory::Wave* const wave : of.run().waves()) all.push_back(wave->number);
    return all;
  };
  ASSERT_EQ(numbers(session), numbers(fresh));
  for (const u64 number : numbers(fresh)) {
    const RunHistory::Wave& expected = *fresh.run().look_at_wave(number);
    const Memory memory = expected.machine.memory_now();
    const RunHistory::Wave& wave = *session.run().look_at_wave(number);
    EXPECT_TRUE(wave.machine.memory_now() == memory) << number;
    EXPECT_TRUE(wave.machine.state() == expected.machine.state()) << number;
    EXPECT_EQ(wave.machine.pc(), expected.machine.pc());
    EXPECT_EQ(wave.status, expected.status);
    EXPECT_EQ(wave.name, expected.name);
    EXPECT_EQ(wave.observed->missing(), expected.observed->missing());
    EXPECT_EQ(session.run().calls(number).depth(), fresh.run().calls(number).depth());
  }
  const auto warnings = [](const Session& of) {
    std::vector<std::string> texts;
    for (const Warning& warning : of.run().warnings())
      texts.push_back(std::string(warning_kind_name(warning.kind)) + " " + std::to_string(warning.pc) + warning.detail);
    return texts;
  };
  EXPECT_EQ(warnings(session), warnings(fresh));
}

struct RandomCase {
  const char* name;
  std::string text;
};

/// Loops, calls, LDS, and waves that end at different times.
const std::string mixed =
    "  s_lshr_b32 s8, s3, 6\n  s_add_u32 s8, s8, 2\n.Lloop:\n  ds_add_u32 v1, v0\n  s_call_b64 s[30:31], .Lf\n"
    "  s_sub_u32 s8, s8, 1\n  s_cmp_lg_u32 s8, 0\n  s_cbranch_scc1 .Lloop\n  s_barrier\n  s_cmp_eq_u32 s3, 64\n"
    "  s_cbranch_scc1 .Lend_early\n  v_mov_b32_e32 v7, v6\n  ds_read_b32 v6, v1\n  s_waitcnt lgkmcnt(0)\n"
    "  global_atomic_add v1, v6, s[4:5]\n  s_barrier\n  s_call_b64 s[30:31], .Lf\n.Lend_early:\n  s_endpgm\n.Lf:\n"
    "  s_add_u32 s6, s6, 1\n  s_xor_b32 s9, s6, s3\n  s_setpc_b64 s[30:31]";

std::vector<RandomCase> random_cases() {
  const std::string launch = "workgroup_size: 192, grid_size: 576, waves: all";
  return {{"order of ids", kernel(mixed, launch)},
          {"slices", kernel(mixed, launch, "schedule: {slice: 3}\n")},
          {"seed", kernel(mixed, launch, "schedule: {seed: 5, slice: 9}\n")},
          {"concurrent", kernel(mixed, launch, "schedule: {groups: concurrent, slice: 7}\n")},
          {"concurrent and random", kernel(mixed, launch, "schedule: {groups: concurrent, seed: 8, slice: 20}\n")},
          {"undefined bits", kernel(mixed, launch, "schedule: {slice: 11}\nchecks: [undefined]\n")},
          {"hazards", kernel(mixed, launch, "checks: [hazards]\n")},
          {"races", kernel(mixed, launch, "schedule: {seed: 2, slice: 5}\nchecks: [races]\n")},
          {"skipped vector instructions", kernel(mixed, launch, "schedule: {slice: 6}\non_vector: skip\n")},
          {"one of a work-group", kernel(mixed, "workgroup_size: 192, grid_size: 192, wave: 1")}};
}

class RandomMoves {
 public:
  RandomMoves(const Scenario& scenario, u64 seed)
      : scenario_(scenario), random_(seed), session_(scenario, {.checkpoint_interval = 1 + random_() % 40}) {
    session_.set_limit(2000);
  }

  void make_move() {
    const u64 before = session_.run().position();
    const bool had_ended = session_.run().ended();
    switch (below(16)) {
      case 0:
        return expect_forward(before, session_.step(1 + below(4)));
      case 1:
        return expect_backward(before, session_.step_back(1 + below(4)));
      case 2:
        return expect_forward(before, session_.next(1 + below(3)));
      case 3:
        return expect_backward(before, session_.next_back(1 + below(3)));
      case 4:
        return expect_forward(before, session_.step_line(below(2) == 0));
      case 5:
        return expect_backward(before, session_.step_line_back(below(2) == 0));
      case 6:
        if (const Result<Pause> pause = session_.finish()) expect_forward(before, *pause);
        return;
      case 7:
        if (const Result<Pause> pause = session_.finish_back()) expect_backward(before, *pause);
        return;
      case 8:
        return expect_forward(before, session_.go_on());
      case 9:
        return expect_backward(before, session_.go_back());
      case 10:
        return below(2) == 0 ? expect_forward(before, session_.run_to({address()}))
                             : expect_backward(before, session_.run_back_to({address()}));
      case 11:
        return expect_forward(before, session_.run_to_later());
      case 12:
        (void)session_.go_to(below(400));
        return;
      case 13:
        (void)session_.choose_wave(below(9));
        return;
      case 14:
        change_breakpoints();
        return;
      default:
        if (!had_ended && !session_.wave_ended()) edit();
        return;
    }
  }

  /// Compares with a session that has only moved forwards.
  void check() {
    ASSERT_NE(session_.run().look_at_wave(session_.wave().number), nullptr);
    const u64 here = session_.run().position();
    Session fresh(scenario_);
    for (const UserEdit& edit : edits_) {
      if (edit.position > here) break;
      (void)fresh.go_to(edit.position);
      ASSERT_FALSE(fresh.choose_wave(edit.wave));
      ASSERT_TRUE(fresh.set(edit.place, edit.value).has_value());
    }
    (void)fresh.go_to(here);
    expect_same(session_, fresh);
  }

 private:
  u64 below(u64 end) { return random_() % end; }
  u64 address() {
    const CodeBlock& block = scenario_.program.code.front();
    const u64 address = block.base + below(block.words.size()) * 4;
    return address;
  }
  void expect_forward(u64 before, const Pause& pause) {
    EXPECT_GE(session_.run().position(), before);
    EXPECT_EQ(pause.reason == Reason::ended, session_.run().ended() && pause.watches.empty());
  }
  void expect_backward(u64 before, const Pause& pause) {
    EXPECT_LE(session_.run().position(), before);
    EXPECT_NE(pause.reason, Reason::ended);
  }
  void change_breakpoints() {
    if (session_.breakpoints().size() >= 2) {
      session_.remove_breakpoint(session_.breakpoints().front().id);
      return;
    }
    if (below(2) == 0) {
      (void)session_.break_at(support::hex(address()), below(2) == 0 ? "s3 == 64" : "");
    } else {
      static constexpr std::array places = {"s6", "s9", "[0x200000004]", "v6[3]"};
      (void)session_.watch(below(4) == 0 ? shared_dword(below(192)) : places[below(places.size())],
                           below(2) == 0 ? WatchKind::change : WatchKind::access);
    }
  }
  void edit() {
    UserEdit edit{session_.run().position(), session_.wave().number, "s9", std::to_string(below(100))};
    if (below(3) == 0) edit.place = below(2) == 0 ? shared_dword(below(192)) : "[0x200000010]";
    ASSERT_TRUE(session_.set(edit.place, edit.value).has_value());
    std::erase_if(edits_, [&](const UserEdit& each) { return each.position > edit.position; });
    edits_.push_back(std::move(edit));
  }

  const Scenario& scenario_;
  std::mt19937_64 random_;
  Session session_;
  std::vector<UserEdit> edits_;
};

TEST(WavesProperty, MovesInAnyOrderGiveTheStateOfTheForwardRun) {
  for (const RandomCase& each : random_cases()) {
    const Scenario scenario = test::load_good(each.text);
    for (u64 seed = 0; seed < static_cast<u64>(test::repetitions(12)); ++seed) {
      SCOPED_TRACE(std::string(each.name) + ", seed " + std::to_string(seed));
      RandomMoves moves(scenario, seed);
      for (u64 i = 0; i < 40 && !testing::Test::HasFailure(); ++i) {
        moves.make_move();
        moves.check();
      }
      if (testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace salu::debug
