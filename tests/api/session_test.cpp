#include <gmock/gmock.h>
#include <salu/session.hpp>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "api/api_test.hpp"
#include "work_group_kernels.hpp"

// A run that goes in both directions. The positions are worked out by hand.
namespace salu::api_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Session session_of(Scenario scenario, const SessionOptions& options = {}) {
  Result<Session> session = Session::open(std::move(scenario), options);
  EXPECT_TRUE(session.has_value());
  return std::move(session).value();
}

u64 value_of(const Session& session, std::string_view expression) {
  const Result<u64> value = session.evaluate(expression);
  EXPECT_TRUE(value.has_value()) << value.error().message;
  return value ? *value : 0;
}

TEST(ApiSession, StepsInBothDirections) {
  Session session = session_of(assembled(counting));
  EXPECT_EQ(session.where().reason, PauseReason::start);
  EXPECT_EQ(session.step(4).position, 4U);
  EXPECT_EQ(value_of(session, "s0"), 4U);
  EXPECT_EQ(value_of(session, "s1"), 5U);
  const Pause back = session.reverse_step(2);
  EXPECT_EQ(back.position, 2U);
  EXPECT_EQ(back.reason, PauseReason::step);
  EXPECT_EQ(value_of(session, "s1"), 0U);
  EXPECT_EQ(session.reverse_step(100).reason, PauseReason::start);
  EXPECT_EQ(session.position(), 0U);
  const Pause end = session.continue_();
  EXPECT_EQ(end.reason, PauseReason::ended);
  EXPECT_EQ(end.position, 23U);
  EXPECT_EQ(session.furthest(), 23U);
  EXPECT_EQ(session.stop()->reason, StopReason::end_program);
  EXPECT_EQ(session.outcome()->steps, 23U);
  session.go_to(10);
  EXPECT_EQ(value_of(session, "s1"), 5U + 4U);
  EXPECT_FALSE(session.stop().has_value());
  EXPECT_EQ(session.where().position, 10U);
  EXPECT_EQ(session.where().pc, session.pc());
  EXPECT_EQ(session.go_to_end().reason, PauseReason::ended);
  session.set_limit(5);
  session.go_to(0);
  EXPECT_EQ(session.continue_().reason, PauseReason::limit);
  EXPECT_EQ(session.position(), 5U);
}

TEST(ApiSession, BreakpointsHoldInBothDirections) {
  Session session = session_of(assembled(counting));
  const Result<u32> loop = session.break_at("loop", "s0 == 3");
  ASSERT_TRUE(loop.has_value()) << loop.error().message;
  Pause pause = session.continue_();
  EXPECT_EQ(pause.reason, PauseReason::breakpoint);
  EXPECT_EQ(pause.hit(), *loop);
  EXPECT_EQ(pause.position, 2 + 2 * 4U);
  EXPECT_THAT(session.instruction(), HasSubstr("<loop>: s_add_u32 s1, s1, s0"));
  EXPECT_EQ(session.continue_().reason, PauseReason::ended);
  EXPECT_EQ(session.reverse_continue().position, 2 + 2 * 4U);
  ASSERT_EQ(session.breakpoints().size(), 1U);
  EXPECT_EQ(session.breakpoints().front().condition, "s0 == 3");
  EXPECT_FALSE(session.breakpoints().front().watch.has_value());
  ASSERT_TRUE(session.set_condition(*loop, "s0 == 1").has_value());
  EXPECT_EQ(session.continue_().position, 2 + 4 * 4U);
  EXPECT_TRUE(session.set_enabled(*loop, false));
  EXPECT_EQ(session.reverse_continue().reason, PauseReason::start);
  EXPECT_TRUE(session.remove(*loop));
  EXPECT_FALSE(session.remove(*loop));
  EXPECT_FALSE(session.set_enabled(*loop, true));
  EXPECT_FALSE(session.set_ignore(*loop, 1));
  EXPECT_FALSE(session.set_condition(*loop, "").has_value());
  const Result<u32> subtractions = session.break_at("s_sub_*");
  ASSERT_TRUE(session.set_ignore(*subtractions, 2));
  EXPECT_EQ(session.continue_().position, 2 + 2 * 4 + 1U);
}

TEST(ApiSession, WatchpointsHaveTheValues) {
  Session session = session_of(assembled(counting));
  const Result<u32> watch = session.watch("s1", WatchKind::change, "s1 > 12");
  ASSERT_TRUE(watch.has_value()) << watch.error().message;
  const Pause pause = session.continue_();
  EXPECT_EQ(pause.reason, PauseReason::watchpoint);
  EXPECT_EQ(pause.hit(), *watch);
  ASSERT_EQ(pause.watches.size(), 1U);
  EXPECT_EQ(pause.watches.front().before, 12U);
  EXPECT_EQ(pause.watches.front().after, 14U);
  EXPECT_EQ(session.breakpoints().front().watch, WatchKind::change);
  ASSERT_TRUE(session.remove(*watch));
  ASSERT_TRUE(session.watch("s0", WatchKind::read).has_value());
  session.go_to(0);
  const Pause read = session.continue_();
  EXPECT_EQ(read.position, 3U);
  EXPECT_TRUE(read.watches.front().read);
  EXPECT_FALSE(read.watches.front().written);
}

TEST(ApiSession, GoesToPlaces) {
  Session session = session_of(assembled(counting));
  EXPECT_EQ(session.run_to("done")->position, 22U);
  EXPECT_EQ(session.reverse_run_to("loop+4")->position, 19U);
  EXPECT_THAT(message_of(session.run_to("nowhere")), HasSubstr("nowhere"));
  EXPECT_FALSE(session.reverse_run_to("0x3").has_value());
  EXPECT_FALSE(session.finish().has_value());
  EXPECT_FALSE(session.reverse_finish().has_value());
  EXPECT_EQ(session.position(), 19U);
}

TEST(ApiSession, StepsOverCalls) {
  // 0 getpc, 1 add, 2 addc, 3 swappc, 4 mov, 5 setpc, 6 nop, 7 endpgm.
  Session session = session_of(assembled(
      "s_getpc_b64 s[4:5]\ns_add_u32 s4, s4, 0x14\ns_addc_u32 s5, s5, 0\ns_swappc_b64 s[30:31], s[4:5]\ns_nop "
      "0\ns_endpgm\nf:\ns_mov_b32 s0, 1\ns_setpc_b64 s[30:31]"));
  ASSERT_EQ(session.step(3).reason, PauseReason::step);
  EXPECT_EQ(session.next().position, 6U);
  EXPECT_EQ(value_of(session, "s0"), 1U);
  EXPECT_EQ(session.reverse_next().position, 3U);
  session.step(2);
  EXPECT_EQ(session.finish()->position, 6U);
  session.go_to(5);
  EXPECT_EQ(session.reverse_finish()->position, 3U);
}

TEST(ApiSession, SettingBeginsAnotherRun) {
  Session session = session_of(assembled(counting));
  session.go_to_end();
  EXPECT_THAT(message_of(session.set("s0", 1)), HasSubstr("has ended"));
  session.go_to(2);
  EXPECT_EQ(*session.set("s0", 2), 2U);
  EXPECT_EQ(session.furthest(), 2U);
  EXPECT_EQ(session.continue_().position, 2 + 2 * 4 + 1U);
  EXPECT_EQ(value_of(session, "s1"), 3U);
  EXPECT_FALSE(session.set("s0 + 1", 1).has_value());
  session.go_to(2);
  EXPECT_EQ(*session.set("s1", "s0 * 10"), 20U);
  EXPECT_FALSE(session.evaluate("[0x50000]").has_value());
  EXPECT_THAT(message_of(session.evaluate("s0 +")), HasSubstr("expected"));
}

TEST(ApiSession, SettingDefines) {
  const std::string lines = "s_cmp_eq_u32 s5, 7\ns_cbranch_scc1 equal\ns_nop 0\nequal:\ns_endpgm";
  for (const bool is_set : {false, true}) {
    Session session = session_of(assembled(lines), {.check_undefined = CheckUndefined::bits});
    if (is_set) {
      ASSERT_TRUE(session.set("s5", 7).has_value());
    }
    const Pause pause = session.continue_();
    EXPECT_EQ(pause.reason, is_set ? PauseReason::ended : PauseReason::warning);
    EXPECT_EQ(pause.warnings.size(), is_set ? 0U : 1U);
    EXPECT_EQ(session.warnings().size(), is_set ? 0U : 1U);
  }
  Session session = session_of(assembled(lines), {.check_undefined = CheckUndefined::bits});
  session.catch_warnings({});
  EXPECT_EQ(session.continue_().reason, PauseReason::ended);
}

TEST(ApiSession, ReadsMemoryAndState) {
  Session session = session_of(assembled("s_mov_b32 s4, 5\ns_endpgm", "memory: [{at: 0x10000, words: [1, 2]}]\n"));
  EXPECT_EQ(*session.read(0x10004, 4), (std::vector<u8>{2, 0, 0, 0}));
  EXPECT_FALSE(session.read(0x10008, 4).has_value());
  const Memory before = session.memory();
  ASSERT_TRUE(session.set("[0x10000]", 8).has_value());
  EXPECT_EQ(before.read_dword(0x10000), 1U);
  EXPECT_EQ(session.memory().read_dword(0x10000), 8U);
  session.step();
  EXPECT_EQ(session.state().file[4], 5U);
}

TEST(ApiSession, SaysWhy) {
  Session session = session_of(assembled(counting));
  session.go_to_end();
  const Result<WhyAnswer> why = session.why("s1", 2);
  ASSERT_TRUE(why.has_value()) << why.error().message;
  ASSERT_EQ(why->steps.size(), 2U);
  EXPECT_EQ(why->steps[0].text, "s_add_u32 s1, s1, s0");
  EXPECT_EQ(why->steps[0].step, 19U);
  EXPECT_EQ(why->steps[1].text, "s_sub_u32 s0, s0, 1");
  EXPECT_TRUE(why->is_cut);
  EXPECT_THAT(why->text, HasSubstr("s_add_u32"));
  EXPECT_EQ(session.why("s1@3")->steps.front().step, 3U);
  EXPECT_THAT(message_of(session.why("s1@99")), HasSubstr("step 23"));
  EXPECT_FALSE(session.why("nothing").has_value());
  EXPECT_FALSE(session.was_interrupted());
}

TEST(ApiSession, ExpectationsAndOutcomes) {
  Session session = session_of(assembled(counting, "expect: {registers: {s1: 16}}\n"));
  EXPECT_THAT(message_of(session.failed_expectations()), HasSubstr("has not ended"));
  EXPECT_FALSE(session.outcome().has_value());
  session.continue_();
  const Result<std::vector<Mismatch>> failed = session.failed_expectations();
  ASSERT_EQ(failed->size(), 1U);
  EXPECT_EQ(failed->front().what, "s1");
}

TEST(ApiSession, ExecutesCommandsOfTheDebugger) {
  Session session = session_of(assembled(counting));
  const Result<std::string> printed = session.command("print s0 + 1");
  ASSERT_TRUE(printed.has_value());
  EXPECT_THAT(*printed, HasSubstr("1"));
  ASSERT_TRUE(session.command("step 3").has_value());
  EXPECT_EQ(session.where().position, 3U);
  EXPECT_THAT(message_of(session.command("frobnicate")), HasSubstr("frobnicate"));
}

TEST(ApiSession, LoadsFilesAndMoves) {
  Result<Session> loaded = Session::load(programs + "/gcd.yaml");
  ASSERT_TRUE(loaded.has_value()) << loaded.error().to_string();
  Session session = std::move(loaded).value();
  ASSERT_TRUE(session.command("step").has_value());
  Session other = std::move(session);
  EXPECT_EQ(other.continue_().position, 69U);
  ASSERT_TRUE(other.command("reverse-step").has_value());
  EXPECT_EQ(other.position(), 68U);
  EXPECT_EQ(other.scenario().name, "greatest common divisor");
  EXPECT_FALSE(Session::load(programs + "/nowhere.yaml").has_value());
  Scenario grid = assembled("s_endpgm");
  grid.waves = std::make_shared<const DispatchedWaves>();
  EXPECT_THAT(message_of(Session::open(std::move(grid))), HasSubstr("`waves` of the scenario is empty"));
}

TEST(ApiSession, IsInterruptedFromAnotherThread) {
  Session session = session_of(assembled("loop:\ns_branch loop", "limits: {steps: 1000000000000}\n"));
  std::atomic<bool> is_done = false;
  std::thread other([&] {
    while (!is_done) {
      session.interrupt();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  const Pause pause = session.continue_();
  is_done = true;
  other.join();
  EXPECT_EQ(pause.reason, PauseReason::interrupted);
  session.clear_interrupt();
  const u64 position = session.position();
  EXPECT_EQ(session.step(3).position, position + 3);
}

/// `small_mirror` in two work-groups of two waves: each wave has 8 instructions before its barrier and 5 after it.
Session session_of_waves() {
  return session_of(scenario_of(test::kernel(test::small_mirror, "workgroup_size: 128, grid_size: 256, waves: all")));
}

TEST(ApiSession, RunsTheWavesOfWorkGroups) {
  Session session = session_of_waves();
  EXPECT_EQ(session.wave(), 0U);
  EXPECT_EQ(session.step(8).position, 16U);
  std::vector<SessionWave> waves = session.waves();
  ASSERT_EQ(waves.size(), 2U);
  EXPECT_EQ(waves[1].number, 1U);
  EXPECT_EQ(waves[1].name, "wave 1 of work-group [0, 0, 0]");
  EXPECT_EQ(waves[1].status, WaveStatus::ready);
  EXPECT_EQ(waves[1].pc, 0x1028U);
  EXPECT_EQ(session.reverse_step().position, 7U);
  EXPECT_EQ(session.select_wave(1).value(), 1U);
  EXPECT_EQ(session.where().wave, 1U);
  EXPECT_EQ(session.where().pc, 0x1000U);
  EXPECT_EQ(session.step(2).position, 10U);
  EXPECT_EQ(value_of(session, "s3"), 64U);
  EXPECT_EQ(session.waves()[0].status, WaveStatus::waits);
  EXPECT_THAT(message_of(session.select_wave(2)), HasSubstr("no wave 2 here"));
  ASSERT_TRUE(session.set("s20", 3).has_value());
  EXPECT_EQ(session.select_wave(0).value(), 0U);
  EXPECT_EQ(value_of(session, "s20"), 0U);
}

TEST(ApiSession, StopsSelectAWave) {
  Session session = session_of_waves();
  ASSERT_TRUE(session.watch("[0xffff00000104]").has_value());
  Pause pause = session.continue_();
  EXPECT_EQ(pause.reason, PauseReason::watchpoint);
  EXPECT_EQ(pause.wave, 1U);
  EXPECT_EQ(pause.watches.front().wave, 1U);
  EXPECT_EQ(pause.position, 14U);
  ASSERT_TRUE(session.remove(1));
  ASSERT_TRUE(session.break_at("0x1028", "s2 == 1").has_value());
  EXPECT_EQ(session.continue_().wave, 2U);
  EXPECT_EQ(session.continue_().wave, 3U);
  EXPECT_EQ(session.reverse_continue().wave, 2U);
  ASSERT_TRUE(session.command("wave 3").has_value());
  EXPECT_EQ(session.wave(), 3U);
  EXPECT_EQ(session.where().wave, 3U);
  pause = session.go_to_end();
  EXPECT_EQ(pause.position, 52U);
  EXPECT_EQ(session.waves()[0].status, WaveStatus::ended);
  EXPECT_EQ(session.outcome()->steps, 52U);
  EXPECT_EQ(session.outcome()->memory.read_dword(test::out), 127U);
}

TEST(ApiSession, ReasonsHaveNames) {
  EXPECT_EQ(wave_status_name(WaveStatus::ready), "ready");
  EXPECT_EQ(wave_status_name(WaveStatus::ended), "ended");
  EXPECT_EQ(pause_reason_name(PauseReason::start), "start");
  EXPECT_EQ(pause_reason_name(PauseReason::warning), "warning");
}

}  // namespace
}  // namespace salu::api_test
