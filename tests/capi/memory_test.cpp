#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "capi_test.hpp"
#include "failing_operators.hpp"

// Calls in which an allocation fails at any point: they report it, and later calls are not affected.
namespace {

std::atomic<long> left = 0;         ///< allocations until one fails; 0: none fails
std::atomic<bool> goes_on = false;  ///< all later allocations fail as well

}  // namespace

namespace salu::test {

bool allocation_fails(std::size_t) {
  if (left <= 0 || --left != 0) return false;
  if (goes_on) left = 1;
  return true;
}

}  // namespace salu::test

namespace salu::capi_test {
namespace {

class CapiMemory : public CapiTest {
 protected:
  void TearDown() override {
    left = 0;
    CapiTest::TearDown();
  }

  /// Repeats a call so that each of its allocations fails once, alone or with all later ones, and checks for leaks.
  /// Returns the number of allocations.
  static long without_memory(const std::function<salu_status()>& call, const std::function<void(salu_status)>& look) {
    long count = 0;
    for (const bool all : {false, true}) {
      for (long at = 1;; ++at) {
        goes_on = all;
        left = at;
        const salu_status status = call();
        const bool was_last = left > 0 && (!all || status == SALU_OK);
        left = 0;
        EXPECT_THAT(status, testing::AnyOf(SALU_OK, SALU_NO_MEMORY)) << "allocation " << at;
        look(status);
        if (was_last || testing::Test::HasFailure()) break;
        count = at;
      }
    }
    return count;
  }
};

// Decoded ops of one program must not run as part of the next program on the thread.
TEST_F(CapiMemory, RunsAfterOneWithoutMemoryAreRight) {
  const std::string scalar = ".rept 300\ns_nop 0\n.endr\n";
  const std::string vector = ".rept 300\nv_mov_b32 v1, v2\n.endr\n";
  salu_scenario* const a = assembled(scalar + "s_branch n\nn: s_mov_b32 s0, 1\n" + vector + "s_endpgm");
  salu_scenario* const b = assembled(vector + "s_branch n\nn: s_mov_b32 s0, 2\n" + scalar + "s_endpgm");
  const long count = without_memory(
      [&] {
        salu_outcome* outcome = nullptr;
        const salu_status status = salu_run(a, nullptr, &outcome);
        if (status == SALU_OK) salu_outcome_free(outcome);
        return status;
      },
      [&](salu_status) {
        salu_outcome* const outcome = outcome_of(b);
        EXPECT_EQ(value_of(outcome, "s0"), 2U);
        const salu_stop stop = stop_of(outcome);
        EXPECT_STREQ(stop.reason, "end_program");
        EXPECT_EQ(stop.steps, 603U);
        salu_outcome_free(outcome);
      });
  EXPECT_GT(count, 10);
  salu_scenario_free(a);
  salu_scenario_free(b);
}

// A session is at the position that it reports, or refuses further requests.
TEST_F(CapiMemory, SessionsKeepTheirPosition) {
  salu_scenario* const scenario =
      assembled("s_mov_b32 s0, 0\nloop:\ns_add_u32 s0, s0, 1\ns_cmp_lt_u32 s0, 500\ns_cbranch_scc1 loop\ns_endpgm");
  salu_session* session = nullptr;
  const auto reopen = [&] {
    salu_session_free(session);
    session = nullptr;
    EXPECT_EQ(salu_session_open(scenario, &session), SALU_OK);
    EXPECT_EQ(salu_session_go_to(session, 700, nullptr), SALU_OK);
  };
  reopen();
  long torn = 0;
  without_memory(
      [&] {
        salu_status status = salu_session_set(session, "s0", "4");
        if (status == SALU_OK) status = salu_session_run(session, nullptr);
        if (status == SALU_OK) status = salu_session_go_to(session, 31, nullptr);
        return status;
      },
      [&](salu_status status) {
        std::uint64_t value = 0;
        EXPECT_EQ(salu_session_get(session, "s0", &value), status) << salu_error_message();
        // Ten iterations of three instructions after the first.
        EXPECT_EQ(value, status == SALU_OK ? 10U : 0U);
        EXPECT_EQ(salu_session_go_to(session, 703, nullptr), status);
        EXPECT_EQ(salu_session_get(session, "s0", &value), status) << salu_error_message();
        EXPECT_EQ(value, status == SALU_OK ? 5U : 0U);
        torn += status == SALU_NO_MEMORY ? 1 : 0;
        reopen();
      });
  EXPECT_GT(torn, 0);
  salu_session_free(session);
  salu_scenario_free(scenario);
}

// Threads that have been started already are not waited for.
TEST_F(CapiMemory, ThreadsEndWhereOneCannotBeMade) {
  salu_scenario* const scenario = assembled("s_add_u32 s1, s0, 1\ns_endpgm");
  const std::array<const char*, 1> ranges = {"s0=0..9999"};
  const std::array<const char*, 1> outputs = {"s1"};
  salu_sweep_options options = {};
  options.struct_size = sizeof options;
  options.threads = 4;
  for (long at = 1; at <= 60; ++at) {
    goes_on = false;
    left = at;
    salu_text* text = nullptr;
    const salu_status status = salu_sweep_ranges(scenario, ranges.data(), 1, outputs.data(), 1, &options, &text);
    left = 0;
    if (status == SALU_OK) {
      EXPECT_THAT(taken(text), testing::HasSubstr("10000"));
    } else {
      EXPECT_EQ(status, SALU_NO_MEMORY) << "allocation " << at << ": " << salu_error_message();
    }
  }
  salu_scenario_free(scenario);
}

TEST_F(CapiMemory, LoadingReportsMissingMemory) {
  const std::string text = "name: x\ntarget: gfx900\ncode: {asm: s_endpgm}\nregisters: {s0: 7}\n";
  const long count = without_memory(
      [&] {
        salu_scenario* scenario = nullptr;
        const salu_status status = salu_load_bytes(text.data(), text.size(), "test.yaml", nullptr, &scenario);
        if (status == SALU_OK) salu_scenario_free(scenario);
        return status;
      },
      [](salu_status) {});
  EXPECT_GT(count, 10);
}

TEST_F(CapiMemory, TextsOfAnOutcomeAreThereTheNextTime) {
  salu_scenario* const scenario = assembled("s_trap 1\ns_endpgm");
  salu_outcome* outcome = nullptr;
  without_memory(
      [&] {
        outcome = nullptr;
        const long at = left.exchange(0);
        outcome = outcome_of(scenario);
        left = at;
        salu_stop stop = {};
        stop.struct_size = sizeof stop;
        return salu_outcome_stop(outcome, &stop);
      },
      [&](salu_status) {
        EXPECT_STREQ(stop_of(outcome).reason, "end_program");
        salu_outcome_free(outcome);
      });
  salu_scenario_free(scenario);
}

}  // namespace
}  // namespace salu::capi_test
