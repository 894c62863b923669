#pragma once

namespace salu::test {

/// The number of repetitions of a test with random input: `full`, or fewer in slow builds such as those with
/// sanitizers, in which a few repetitions are enough to detect the errors that the build is for.
constexpr int repetitions(int full) {
  return full < SALU_TEST_REPETITION_DIVISOR ? 1 : full / SALU_TEST_REPETITION_DIVISOR;
}

/// The amount of work of a test that measures time: `full`, or a tenth of it in builds with sanitizers.
constexpr int work(int full) { return full / SALU_TEST_WORK_DIVISOR; }

}  // namespace salu::test
