#include <pthread.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "capi/capi_test.hpp"
#include "repetitions.hpp"

// Threads with their own handles, and with shared ones.
namespace salu::capi_test {
namespace {

class CapiThreads : public CapiTest {};

/// Loads, runs, steps and frees, and makes deliberate errors; numbers differ between threads.
void work(std::uint32_t number, int rounds) {
  const std::string text = "s_add_u32 s1, s0, " + std::to_string(number) + "\ns_endpgm";
  for (int round = 0; round < rounds; ++round) {
    salu_scenario* const scenario = assembled(text);
    ASSERT_EQ(salu_scenario_set(scenario, "s0", static_cast<std::uint64_t>(round)), SALU_OK);
    salu_outcome* const outcome = outcome_of(scenario);
    EXPECT_EQ(value_of(outcome, "s1"), number + static_cast<std::uint32_t>(round));
    salu_session* session = nullptr;
    ASSERT_EQ(salu_session_open(scenario, &session), SALU_OK);
    EXPECT_EQ(salu_session_run(session, nullptr), SALU_OK);
    EXPECT_EQ(salu_session_step_back(session, 1, nullptr), SALU_OK);
    // Errors belong to the thread.
    const std::string wrong = "label" + std::to_string(number);
    EXPECT_EQ(salu_session_run_to(session, wrong.c_str(), nullptr), SALU_NOT_FOUND);
    EXPECT_THAT(salu_error_message(), testing::HasSubstr(wrong));
    salu_session_free(session);
    salu_outcome_free(outcome);
    EXPECT_EQ(salu_scenario_free(scenario), SALU_OK);
    EXPECT_EQ(salu_scenario_free(scenario), SALU_INVALID_HANDLE);
  }
}

/// Repeats a call until the thread is cancelled.
template <class Call>
void end_in_the_middle_of(const Call& call) {
  for (int round = 0; round < test::repetitions(24); ++round) {
    std::atomic<bool> has_begun = false;
    struct Work {
      const Call& call;
      std::atomic<bool>& has_begun;
    } shared{call, has_begun};
    pthread_t thread{};
    const auto run = [](void* passed) -> void* {
      const Work& here = *static_cast<Work*>(passed);
      while (true) {
        here.call();
        here.has_begun = true;
        pthread_testcancel();
      }
    };
    ASSERT_EQ(pthread_create(&thread, nullptr, run, &shared), 0);
    while (!has_begun) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::microseconds(137 * round));
    ASSERT_EQ(pthread_cancel(thread), 0);
    void* result = nullptr;
    ASSERT_EQ(pthread_join(thread, &result), 0);
    EXPECT_EQ(result, PTHREAD_CANCELED);
  }
}

// Data for a thread is on its stack.
TEST_F(CapiThreads, EndOnceACallHasReturned) {
  salu_scenario* const scenario =
      assembled("s_mul_i32 s2, s0, s1\ns_mul_i32 s3, s2, s0\ns_add_u32 s0, s3, s2\ns_endpgm");
  salu_scenario* const other = assembled("s_mul_i32 s2, s0, s1\ns_add_u32 s0, s0, 1\ns_mul_i32 s0, s0, s2\ns_endpgm");
  constexpr std::size_t count = 100'000;
  std::vector<std::uint32_t> in(count, 3);
  std::vector<std::uint32_t> out(count);
  end_in_the_middle_of([&] {
    const salu_column input = {"s1", in.data(), 4, 4, 0};
    const salu_column result = {"s0", out.data(), 4, 4, 0};
    salu_sweep_options options = {};
    options.struct_size = sizeof options;
    options.threads = 2;
    EXPECT_EQ(salu_sweep(scenario, &input, 1, &result, 1, count, &options, nullptr), SALU_OK) << salu_error_message();
  });
  end_in_the_middle_of([&] {
    const char* const output = "s0";
    salu_compare_options options = {};
    options.struct_size = sizeof options;
    options.outputs = &output;
    options.output_count = 1;
    std::int32_t verdict = 0;
    salu_text* text = nullptr;
    EXPECT_EQ(salu_prove(scenario, other, &options, &verdict, &text, nullptr), SALU_OK) << salu_error_message();
    salu_text_free(text);
  });
  salu_scenario_free(scenario);
  salu_scenario_free(other);
}

TEST_F(CapiThreads, HandlesOfTheirOwn) {
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < 4; ++i) threads.emplace_back(work, i * 1000, test::repetitions(500));
  for (std::thread& thread : threads) thread.join();
}

/// One scenario, one outcome and one session that all threads use, change and finally free.
TEST_F(CapiThreads, TheSameHandles) {
  salu_scenario* const scenario = assembled("s_add_u32 s1, s0, 1\ns_add_u32 s2, s1, 1\ns_endpgm");
  salu_session* session = nullptr;
  ASSERT_EQ(salu_session_open(scenario, &session), SALU_OK);
  salu_outcome* const shared = outcome_of(scenario);
  std::atomic<int> freed = 0;
  const int rounds = test::repetitions(500);
  const auto use = [&](std::uint64_t value) {
    for (int round = 0; round < rounds; ++round) {
      EXPECT_EQ(salu_scenario_set(scenario, "s0", value), SALU_OK);
      salu_outcome* const outcome = outcome_of(scenario);
      // Whichever thread set it last: both sums have the same number.
      EXPECT_EQ(value_of(outcome, "s2"), value_of(outcome, "s0") + 2);
      EXPECT_STREQ(stop_of(shared).reason, "end_program");
      salu_outcome_free(outcome);
      EXPECT_EQ(salu_session_step(session, 1, nullptr), SALU_OK);
      EXPECT_EQ(salu_session_step_back(session, 1, nullptr), SALU_OK);
    }
    // While other threads use the session.
    if (salu_session_free(session) == SALU_OK) ++freed;
  };
  std::thread one([&] { use(10); });
  one.join();
  std::vector<std::thread> threads;
  ASSERT_EQ(salu_session_open(scenario, &session), SALU_OK);
  for (std::uint64_t i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < rounds; ++round) {
        EXPECT_EQ(salu_scenario_set(scenario, "s0", i), SALU_OK);
        salu_outcome* const outcome = outcome_of(scenario);
        EXPECT_EQ(value_of(outcome, "s2"), value_of(outcome, "s0") + 2);
        EXPECT_STREQ(stop_of(shared).reason, "end_program");
        salu_outcome_free(outcome);
        const salu_status status = salu_session_step(session, 1, nullptr);
        EXPECT_TRUE(status == SALU_OK || status == SALU_INVALID_HANDLE) << salu_error_message();
      }
      if (salu_session_free(session) == SALU_OK) ++freed;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(freed, 2);
  salu_outcome_free(shared);
  salu_scenario_free(scenario);
}

}  // namespace
}  // namespace salu::capi_test
