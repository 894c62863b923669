#include "suite/work_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <set>
#include <stdexcept>
#include <string>

// Threads that share the parts of a job.
namespace salu::suite {
namespace {

TEST(WorkPool, DoesEveryPartOnce) {
  for (const u32 threads : {0U, 1U, 2U, 7U}) {
    WorkPool pool(threads);
    for (const std::size_t count : {0U, 1U, 2U, 1000U}) {
      std::vector<std::atomic<int>> done(count);
      pool.for_each(count, [&](std::size_t index) {
        ++done[index];
        return true;
      });
      for (const auto& times : done) EXPECT_EQ(times, 1);
    }
  }
}

// A part that waits until another one has begun: it ends only if a second thread helps.
TEST(WorkPool, PartsRunSideBySide) {
  WorkPool pool(2);
  std::atomic<int> begun = 0;
  pool.for_each(2, [&](std::size_t) {
    ++begun;
    while (begun < 2) std::this_thread::yield();
    return true;
  });
  EXPECT_EQ(begun, 2);
}

// A signal handler in one of the threads would not wait for the caller: a file would be left half written.
TEST(WorkPool, HandlersRunInTheCallersThread) {
  WorkPool pool(2);
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> begun = 0;
  std::atomic<int> held = 0;
  std::atomic<bool> is_held_by_caller = false;
  pool.for_each(2, [&](std::size_t) {
    ++begun;
    while (begun < 2) std::this_thread::yield();
    sigset_t signals{};
    pthread_sigmask(SIG_SETMASK, nullptr, &signals);
    const bool is_held = sigismember(&signals, SIGTERM) == 1 && sigismember(&signals, SIGINT) == 1;
    if (is_held) ++held;
    if (is_held && std::this_thread::get_id() == caller) is_held_by_caller = true;
    EXPECT_EQ(sigismember(&signals, SIGSEGV), 0);
    return true;
  });
  EXPECT_EQ(held, 1);
  EXPECT_FALSE(is_held_by_caller);
}

// An idle thread helps with the parts of a part, including the caller of the outermost job.
TEST(WorkPool, HelpsWithPartsOfParts) {
  WorkPool pool(3);
  for (const std::size_t busy : {0U, 1U, 2U}) {
    std::atomic<int> begun = 0;
    std::atomic<std::size_t> done = 0;
    pool.for_each(3, [&](std::size_t outer) {
      if (outer != busy) return true;
      pool.for_each(3, [&](std::size_t) {
        ++begun;
        while (begun < 3) std::this_thread::yield();
        ++done;
        return true;
      });
      return true;
    });
    EXPECT_EQ(done, 3U);
  }
}

TEST(WorkPool, BeginsNoPartAfterTheEnd) {
  for (const u32 threads : {1U, 4U}) {
    WorkPool pool(threads);
    std::size_t fewest = 1000;
    for (int i = 0; i < 50; ++i) {
      std::vector<std::atomic<int>> done(1000);
      pool.for_each(done.size(), [&](std::size_t index) {
        ++done[index];
        return index != 100 && index != 103;
      });
      for (std::size_t index = 0; index <= 100; ++index) ASSERT_EQ(done[index], 1);
      const auto begun =
          static_cast<std::size_t>(std::ranges::count_if(done, [](const auto& times) { return times == 1; }));
      ASSERT_TRUE(threads > 1 || begun == 101U) << begun;
      fewest = std::min(fewest, begun);
    }
    // The other threads continue until the result is published, however long the thread that has it is not scheduled;
    // but not every time.
    EXPECT_LT(fewest, 101U + 2 * threads);
  }
}

TEST(WorkPool, HandsOnTheFirstException) {
  for (const u32 threads : {1U, 2U, 8U}) {
    WorkPool pool(threads);
    for (int i = 0; i < 50; ++i) {
      std::string message;
      std::atomic<int> inside = 0;
      try {
        pool.for_each(100, [&](std::size_t index) {
          ++inside;
          if (index >= 20 && index % 2 == 0) {
            --inside;
            throw std::runtime_error(std::to_string(index));
          }
          --inside;
          return true;
        });
      } catch (const std::runtime_error& error) {
        message = error.what();
      }
      ASSERT_EQ(message, "20");
      ASSERT_EQ(inside, 0);
    }
  }
}

TEST(WorkPool, AnExceptionOfANestedPartPropagates) {
  WorkPool pool(4);
  std::set<std::size_t> ended;
  std::mutex mutex;
  EXPECT_THROW(pool.for_each(4,
                             [&](std::size_t outer) {
                               pool.for_each(10, [&](std::size_t inner) -> bool {
                                 if (outer == 2 && inner == 5) throw std::runtime_error("inner");
                                 return true;
                               });
                               const std::lock_guard lock(mutex);
                               ended.insert(outer);
                               return true;
                             }),
               std::runtime_error);
  EXPECT_EQ(ended.count(0), 1U);
  EXPECT_EQ(ended.count(1), 1U);
  EXPECT_EQ(ended.count(2), 0U);
}

}  // namespace
}  // namespace salu::suite
