#include "support/per_thread.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <new>
#include <thread>

// Data of each thread, without a `thread_local` that has a destructor.
namespace salu::support {
namespace {

TEST(PerThread, IsOnesOwnAndStays) {
  struct Number {
    int value = 7;
  };
  EXPECT_EQ(PerThread<Number>::find(), nullptr);
  Number& here = PerThread<Number>::get();
  EXPECT_EQ(here.value, 7);
  here.value = 8;
  std::thread([&here] {
    EXPECT_EQ(PerThread<Number>::find(), nullptr);
    Number& there = PerThread<Number>::get();
    EXPECT_NE(&there, &here);
    EXPECT_EQ(there.value, 7);
    EXPECT_EQ(PerThread<Number>::find(), &there);
  }).join();
  EXPECT_EQ(&PerThread<Number>::get(), &here);
  EXPECT_EQ(PerThread<Number>::find(), &here);
  EXPECT_EQ(here.value, 8);
}

std::atomic<int> alive = 0;

TEST(PerThread, GoesWithItsThread) {
  struct Counted {
    Counted() { ++alive; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    // Accesses the data during destruction.
    ~Counted() { alive -= PerThread<Counted>::find() == nullptr ? 1 : 100; }
  };
  for (int i = 0; i < 3; ++i) {
    std::thread([] {
      PerThread<Counted>::get();
      EXPECT_EQ(alive, 1);
    }).join();
    EXPECT_EQ(alive, 0);
  }
}

// If its allocation fails, it can be requested again.
TEST(PerThread, ReportsMissingMemory) {
  static bool is_there = false;
  struct Large {
    static void* operator new(std::size_t size) {
      if (!is_there) throw std::bad_alloc();
      return ::operator new(size);
    }
    static void operator delete(void* memory) { ::operator delete(memory); }
  };
  EXPECT_THROW(PerThread<Large>::get(), std::bad_alloc);
  EXPECT_EQ(PerThread<Large>::find(), nullptr);
  is_there = true;
  Large& made = PerThread<Large>::get();
  EXPECT_EQ(PerThread<Large>::find(), &made);
}

}  // namespace
}  // namespace salu::support
