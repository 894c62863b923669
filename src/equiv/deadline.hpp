#pragma once

#include <salu/integer.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <utility>

namespace salu::equiv {

/// A deadline for work, with an optional cancel function.
class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  /// Makes a deadline that is never reached.
  Deadline() = default;
  /// Makes a deadline `seconds` from now.
  explicit Deadline(double seconds) : end_(Clock::now() + to_duration(seconds)) {}
  /// Makes a deadline `seconds` from now, if set, that is also reached when `is_cancelled()` returns true.
  Deadline(const std::optional<double>& seconds, std::function<bool()> is_cancelled)
      : is_cancelled_(std::move(is_cancelled)) {
    if (seconds) end_ = Clock::now() + to_duration(*seconds);
  }

  static Deadline later_of(const Deadline& left, const Deadline& right) {
    return !left.end_ || (right.end_ && *right.end_ < *left.end_) ? left : right;
  }

  [[nodiscard]] bool is_over() const { return (end_ && Clock::now() >= *end_) || (is_cancelled_ && is_cancelled_()); }
  /// True if there is time for work of `seconds`.
  [[nodiscard]] bool leaves(double seconds) const { return !end_ || Clock::now() + to_duration(seconds) <= *end_; }
  /// True if it is over, for loops with short iterations, of which this one executed `steps` steps. Reads the clock
  /// only from time to time.
  bool is_over_after(u64 steps) {
    // Reading the clock costs about as much as this number of steps.
    constexpr u64 steps_of_a_round = 100;
    constexpr u64 steps_between_looks = 50'000;
    steps_ += steps + steps_of_a_round;
    if (steps_ < steps_between_looks) return false;
    steps_ = 0;
    return is_over();
  }

 private:
  static Clock::duration to_duration(double seconds) {
    constexpr double most_seconds = 1e9;
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(seconds, most_seconds)));
  }

  std::optional<Clock::time_point> end_;
  std::function<bool()> is_cancelled_;
  u64 steps_ = 0;
};

}  // namespace salu::equiv
