#pragma once

namespace salu::test {

/// How often a test with random input repeats itself: so many times, or fewer in a build in which everything takes ten
/// times as long and what is looked for is seen in any of them.
constexpr int repetitions(int full) {
  return full < SALU_TEST_REPETITION_DIVISOR ? 1 : full / SALU_TEST_REPETITION_DIVISOR;
}

/// How much a test about time has to do: a tenth of it takes as long where sanitizers look on.
constexpr int work(int full) { return full / SALU_TEST_WORK_DIVISOR; }

}  // namespace salu::test
