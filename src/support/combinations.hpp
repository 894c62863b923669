#pragma once

#include <salu/integer.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "support/numbers.hpp"

namespace salu::support {

/// Values with a constant distance `step`, modulo 2^`bits`.
struct ValueRange {
  u64 first = 0;
  u64 last_index = 0;  ///< number of values minus one
  u64 step = 1;
  u32 bits = 32;

  [[nodiscard]] u64 value(u64 index) const { return (first + index * step) & ones(bits); }
};

/// All combinations of the values of some ranges; the value of the last range changes fastest.
class Combinations {
 public:
  explicit Combinations(std::span<const ValueRange> ranges);

  /// The number of combinations; 0 if it exceeds `limit`. Without ranges it is 1.
  [[nodiscard]] u64 count() const { return count_; }
  static constexpr u64 limit = u64{1} << 32;
  /// The number of combinations as text, without a limit: `65536`, `2^70`, `about 10^21`.
  [[nodiscard]] std::string count_text() const { return count_text_; }

  /// The value of a range in the combination with this number.
  [[nodiscard]] u64 value(std::size_t range, u64 number) const {
    const Wheel& wheel = wheels_[range];
    return wheel.range.value(number / wheel.period % wheel.count);
  }
  /// Stores the values of all ranges in the combination with this number.
  void fill(u64 number, std::span<u64> values) const;
  /// Stores the values of one range in the combinations from `number` on.
  template <class T>
  void fill_column(std::size_t range, u64 number, std::span<T> values) const {
    const Wheel& wheel = wheels_[range];
    u64 index = number / wheel.period % wheel.count;
    if (wheel.period == 1) {
      for (std::size_t done = 0; done < values.size(); index = 0) {
        const std::size_t end =
            done + static_cast<std::size_t>(std::min<u64>(values.size() - done, wheel.count - index));
        const u64 first = wheel.range.first + (index - done) * wheel.range.step;
        for (; done < end; ++done)
          values[done] = static_cast<T>((first + done * wheel.range.step) & ones(wheel.range.bits));
      }
      return;
    }
    u64 in_period = number % wheel.period;
    for (std::size_t done = 0; done < values.size(); in_period = 0, index = index + 1 == wheel.count ? 0 : index + 1) {
      const auto same = static_cast<std::size_t>(std::min<u64>(values.size() - done, wheel.period - in_period));
      std::ranges::fill(values.subspan(done, same), static_cast<T>(wheel.range.value(index)));
      done += same;
    }
  }

 private:
  /// A range and its period.
  struct Wheel {
    ValueRange range;
    u64 count = 0;   ///< values
    u64 period = 1;  ///< consecutive combinations with the same value
  };

  std::vector<Wheel> wheels_;
  u64 count_ = 1;
  std::string count_text_;
};

}  // namespace salu::support
