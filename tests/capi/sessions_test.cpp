#include <array>
#include <chrono>
#include <thread>
#include <vector>

#include "capi/capi_test.hpp"
#include "work_group_kernels.hpp"

// A run with reverse execution through the C interface.
namespace salu::capi_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CapiSessions : public CapiTest {
 protected:
  /// A session from a text; the scenario is freed immediately.
  salu_session* open(const std::string& text) {
    salu_scenario* const scenario = assembled(text);
    salu_session* session = nullptr;
    EXPECT_EQ(salu_session_open(scenario, &session), SALU_OK) << salu_error_message();
    EXPECT_EQ(salu_scenario_free(scenario), SALU_OK);
    pause_.struct_size = sizeof pause_;
    return session;
  }
  static std::uint64_t get(salu_session* session, const char* expression) {
    std::uint64_t value = 0;
    EXPECT_EQ(salu_session_get(session, expression, &value), SALU_OK) << salu_error_message();
    return value;
  }

  salu_pause pause_ = {};
};

/// Five iterations: s0 counts down, s1 is the sum.
const std::string counting =
    "s_mov_b32 s0, 5\ns_mov_b32 s1, 0\nloop:\ns_add_u32 s1, s1, s0\ns_sub_u32 s0, s0, 1\ns_cmp_lg_u32 s0, 0\n"
    "s_cbranch_scc1 loop\ndone:\ns_endpgm\n";

TEST_F(CapiSessions, StepsGoBothWays) {
  salu_session* const session = open(counting);
  EXPECT_EQ(salu_session_step(session, 4, &pause_), SALU_OK);
  EXPECT_EQ(pause_.position, 4U);
  EXPECT_EQ(get(session, "s0"), 4U);
  EXPECT_EQ(get(session, "s1"), 5U);
  EXPECT_EQ(salu_session_step_back(session, 2, &pause_), SALU_OK);
  EXPECT_EQ(pause_.position, 2U);
  EXPECT_EQ(get(session, "s1"), 0U);
  EXPECT_EQ(salu_session_step_back(session, 100, &pause_), SALU_OK);
  EXPECT_EQ(pause_.position, 0U);
  EXPECT_EQ(pause_.reason, static_cast<std::uint32_t>(SALU_PAUSE_START));
  EXPECT_EQ(salu_session_run(session, &pause_), SALU_OK);
  EXPECT_EQ(pause_.reason, static_cast<std::uint32_t>(SALU_PAUSE_ENDED));
  EXPECT_EQ(pause_.position, 2 + 5 * 4 + 1U);
  EXPECT_EQ(get(session, "s1"), 15U);
  EXPECT_EQ(salu_session_go_to(session, 10, &pause_), SALU_OK);
  EXPECT_EQ(get(session, "s1"), 5U + 4U);
  EXPECT_EQ(salu_session_free(session), SALU_OK);
}

TEST_F(CapiSessions, BreakpointsHoldBothWays) {
  salu_session* const session = open(counting);
  std::uint32_t loop = 0;
  ASSERT_EQ(salu_session_break(session, "loop", "s0 == 3", &loop), SALU_OK) << salu_error_message();
  EXPECT_EQ(salu_session_run(session, &pause_), SALU_OK);
  EXPECT_EQ(pause_.reason, static_cast<std::uint32_t>(SALU_PAUSE_BREAKPOINT));
  EXPECT_EQ(pause_.breakpoint, loop);
  EXPECT_EQ(pause_.position, 2 + 2 * 4U);
  EXPECT_EQ(salu_session_run(session, &pause_), SALU_OK);
  EXPECT_EQ(pause_.reason, static_cast<std::uint32_t>(SALU_PAUSE_ENDED));
  EXPECT_EQ(salu_session_run_back(session, &pause_), SALU_OK);
  EXPECT_EQ(pause_.position, 2 + 2 * 4U);
  EXPECT_EQ(salu_session_remove(session, loop), SALU_OK);
  EXPECT_EQ(salu_session_remove(session, loop), SALU_NOT_FOUND);
  std::uint32_t watch = 0;
  ASSERT_EQ(salu_session_watch(session, "s1", "s1 > 12", &watch), SALU_OK) << salu_error_message();
  EXPECT_EQ(salu_session_run(session, &pause_), SALU_OK);
  EXPECT_EQ(pause_.reason, static_cast<std::uint32_t>(SALU_PAUSE_WATCHPOINT));
  EXPECT_EQ(pause_.breakpoint, watch);
  EXPECT_EQ(get(session, "s1"), 14U);
  EXPECT_EQ(salu_session_remove(session, watch), SALU_OK);
  EXPECT_EQ(salu_session_run_to(session, "done", &pause_), SALU_OK);
  EXPECT_EQ(pause_.position, 22U);
  EXPECT_EQ(salu_session_run_back_to(session, "loop", &pause_), SALU_OK);
  EXPECT_EQ(pause_.position, 2 + 4 * 4U);
  EXPECT_EQ(salu_session_run_to(session, "nowhere", &pause_), SALU_NOT_FOUND);
  EXPECT_EQ(pause_.position, 2 + 4 * 4U);
  EXPECT_EQ(salu_session_free(session), SALU_OK);
}

TEST_F(CapiSessions, WavesAreSelected) {
  // Each wave has 8 instructions before its barrier, and 5 after it.
  const std::string text = test::kernel(test::small_mirror, "workgroup_size: 128, grid_size: 256, waves: all");
  salu_scenario* const scenario = loaded(text);
  salu_session* session = nullptr;
  ASSERT_EQ(salu_session_open(scenario, &session), SALU_OK) << salu_error_message();
  EXPECT_EQ(salu_scenario_free(scenario), SALU_OK);
  pause_.struct_size = sizeof pause_;
  EXPECT_EQ(salu_session_step(session, 8, &pause_), SALU_OK);
  EXPECT_EQ(pause_.position, 16U);
  std::uint64_t number = 9;
  EXPECT_EQ(salu_session_wave(session, &number), SALU_OK);
  EXPECT_EQ(number, 0U);
  EXPECT_EQ(salu_session_select_wave(session, 1), SALU_OK) << salu_error_message();
  EXPECT_EQ(get(session, "s3"), 64U);
  EXPECT_EQ(salu_session_select_wave(session, 2), SALU_NOT_FOUND);
  EXPECT_THAT(salu_error_message(), HasSubstr("no wave 2 here"));
  EXPECT_EQ(salu_session_step(session, 5, &pause_), SALU_OK);
  EXPECT_EQ(pause_.position, 26U);
  EXPECT_EQ(salu_session_wave(session, &number), SALU_OK);
  EXPECT_EQ(number, 2U);
  salu_wave wave = {};
  salu_text* name = nullptr;
  EXPECT_EQ(salu_session_wave_at(session, 1, &wave, &name), SALU_INVALID_ARGUMENT);
  wave.struct_size = sizeof wave;
  ASSERT_EQ(salu_session_wave_at(session, 1, &wave, &name), SALU_OK) << salu_error_message();
  EXPECT_EQ(wave.number, 3U);
  EXPECT_EQ(wave.pc, 0x1000U);
  EXPECT_EQ(wave.status, static_cast<std::uint32_t>(SALU_WAVE_READY));
  EXPECT_EQ(taken(name), "wave 1 of work-group [1, 0, 0]");
  EXPECT_EQ(salu_session_wave_at(session, 2, &wave, nullptr), SALU_NOT_FOUND);
  EXPECT_EQ(salu_session_free(session), SALU_OK);
}

int note_link(void* user, const salu_why_link* link) {
  static_cast<std::vector<std::uint64_t>*>(user)->push_back(link->step);
  return 0;
}

TEST_F(CapiSessions, WhyListsTheWriters) {
  salu_session* const session = open("s_mov_b32 s0, 5\ns_mov_b32 s9, 1\ns_add_u32 s1, s0, 2\ns_endpgm");
  EXPECT_EQ(salu_session_run(session, nullptr), SALU_OK);
  std::vector<std::uint64_t> steps;
  salu_text* text = nullptr;
  ASSERT_EQ(salu_session_why(session, "s1", 0, note_link, &steps, &text), SALU_OK) << salu_error_message();
  EXPECT_THAT(steps, ElementsAre(3, 1));
  EXPECT_THAT(taken(text), HasSubstr("s_add_u32 s1, s0, 2"));
  steps.clear();
  ASSERT_EQ(salu_session_why(session, "s0@2", 0, note_link, &steps, nullptr), SALU_OK) << salu_error_message();
  EXPECT_THAT(steps, ElementsAre(1));
  EXPECT_EQ(salu_session_why(session, "s0@99", 0, note_link, &steps, nullptr), SALU_NOT_FOUND);
  EXPECT_EQ(salu_session_interrupt(session), SALU_OK);
  EXPECT_EQ(salu_session_why(session, "s0@2", 0, note_link, &steps, nullptr), SALU_CANCELLED);
  EXPECT_EQ(salu_session_why(session, "s0@x", 0, note_link, &steps, nullptr), SALU_BAD_USAGE);
  EXPECT_EQ(salu_session_free(session), SALU_OK);
}

TEST_F(CapiSessions, EditsArePartOfTheRun) {
  salu_session* const session = open(counting);
  EXPECT_EQ(salu_session_step(session, 2, nullptr), SALU_OK);
  EXPECT_EQ(salu_session_set(session, "s0", "1 + 1"), SALU_OK) << salu_error_message();
  EXPECT_EQ(salu_session_run(session, &pause_), SALU_OK);
  EXPECT_EQ(get(session, "s1"), 3U);
  EXPECT_EQ(get(session, "s1 + 4 * 2"), 11U);
  std::uint64_t value = 0;
  EXPECT_EQ(salu_session_get(session, "[0x500000]", &value), SALU_NOT_FOUND);
  salu_text* text = nullptr;
  ASSERT_EQ(salu_session_instruction(session, &text), SALU_OK);
  EXPECT_THAT(taken(text), HasSubstr("s_endpgm"));
  ASSERT_EQ(salu_session_command(session, "print s1", &text), SALU_OK) << salu_error_message();
  EXPECT_THAT(taken(text), HasSubstr("3"));
  EXPECT_EQ(salu_session_command(session, "frobnicate", &text), SALU_BAD_USAGE);
  EXPECT_THAT(salu_error_message(), testing::StartsWith("error: unknown command `frobnicate`"));
  // A call that does not move the session keeps the reason of its stop.
  EXPECT_EQ(salu_session_where(session, &pause_), SALU_OK);
  EXPECT_EQ(pause_.reason, SALU_PAUSE_ENDED);
  std::array<std::uint32_t, 64> lanes{};
  EXPECT_EQ(salu_session_lanes(session, 0, lanes.data(), nullptr), SALU_OK);
  EXPECT_EQ(salu_session_free(session), SALU_OK);
}

TEST_F(CapiSessions, AnInterruptIsHeard) {
  salu_session* const session = open("loop:\ns_add_u32 s0, s0, 1\ns_branch loop\n");
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(salu_session_interrupt(session), SALU_OK);
  });
  // Without this, the move would end at its limit.
  EXPECT_EQ(salu_session_go_to(session, 1ULL << 60, &pause_), SALU_OK) << salu_error_message();
  other.join();
  EXPECT_EQ(pause_.reason, static_cast<std::uint32_t>(SALU_PAUSE_INTERRUPTED));
  EXPECT_EQ(salu_session_free(session), SALU_OK);
}

}  // namespace
}  // namespace salu::capi_test
