#pragma once

#include <salu/integer.hpp>

#include <chrono>
#include <string>

namespace salu::app {

/// A progress line on the terminal, with the speed and the time left. Prints nothing for short computations, or if
/// standard error is not a terminal.
class Progress {
 public:
  /// `things`: the counted objects, in plural.
  explicit Progress(std::string things);

  void show(u64 done, u64 count);
  /// Prints a last line with the total time.
  void finish(u64 done);

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  std::string things_;
  bool is_on_;
  Clock::time_point start_ = Clock::now();
  double shown_at_ = 0;  ///< seconds after the start; 0: not shown yet
};

}  // namespace salu::app
