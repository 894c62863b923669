#pragma once

#include <salu/integer.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <utility>

namespace salu::core {

/// The wall-clock limit of a run and its cancellation. Both are checked between slices of the run.
class TimeLimit {
 public:
  explicit TimeLimit(std::optional<double> seconds, std::function<bool()> is_cancelled = {})
      : seconds_(seconds), is_cancelled_(std::move(is_cancelled)), start_(Clock::now()) {}

  [[nodiscard]] bool has_passed() const {
    if (is_cancelled_ && is_cancelled_()) return true;
    return seconds_ && std::chrono::duration<double>(Clock::now() - start_).count() >= *seconds_;
  }

  /// Runs up to `max_steps` instructions with `run(steps)`, and returns how many were executed in total. `run` returns
  /// how many it has executed; it executes fewer than requested only at an end.
  template <class Run>
  u64 run(u64 max_steps, u64 slice_steps, const Run& run_slice) const {
    if (!seconds_ && !is_cancelled_) return run_slice(max_steps);
    u64 steps = 0;
    while (steps < max_steps && !has_passed()) {
      const u64 slice = std::min(max_steps - steps, slice_steps);
      const u64 executed = run_slice(slice);
      steps += executed;
      if (executed < slice) break;
    }
    return steps;
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::optional<double> seconds_;
  std::function<bool()> is_cancelled_;
  Clock::time_point start_;
};

/// A slice of this many instructions takes less than a hundredth of a second, at full speed or observed.
inline constexpr u64 fast_slice_steps = u64{1} << 20;
inline constexpr u64 observed_slice_steps = u64{1} << 12;

}  // namespace salu::core
