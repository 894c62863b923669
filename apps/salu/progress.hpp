#pragma once

#include <salu/integer.hpp>

#include <chrono>
#include <string>

namespace salu::app {

/// A line on a terminal that says how far a long computation is, how fast it goes and how long it will take. Prints
/// nothing where standard error is no terminal, or the computation is a short one.
class Progress {
 public:
  /// `things`: what is counted, in plural.
  explicit Progress(std::string things);

  void show(u64 done, u64 count);
  /// Leaves a last line that says how long it took.
  void finish(u64 done);

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  std::string things_;
  bool is_on_;
  Clock::time_point start_ = Clock::now();
  double shown_at_ = 0;  ///< seconds after the start; 0: not yet
};

}  // namespace salu::app
