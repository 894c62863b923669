#pragma once

#include <span>
#include <vector>

#include "equiv/place.hpp"

namespace salu::equiv {

/// Values for inputs: edges more often than chance would have them, the same for the same seed everywhere.
class Draw {
 public:
  /// `constants`: values that the programs name, worth a try with their neighbours.
  Draw(u64 seed, std::vector<u64> constants) : state_(seed), constants_(std::move(constants)) {}

  /// Fills in the values of the state with this number, from 0: first the simplest ones, the same for every input.
  void fill(std::span<const Input> inputs, u64 number, std::span<u64> values);

 private:
  u64 next();
  u64 below(u64 limit) { return next() % limit; }
  u64 edge(u32 bits);
  u64 value(u32 bits, std::span<const u64> before);

  u64 state_;
  std::vector<u64> constants_;
};

/// Every combination of the values of some inputs.
class Combinations {
 public:
  explicit Combinations(std::span<const Input> inputs);
  /// How many; 0 when they are more than `limit`.
  [[nodiscard]] u64 count() const { return count_; }
  static constexpr u64 limit = u64{1} << 32;
  /// The values of the combination with this number; the last input changes fastest.
  void fill(u64 number, std::span<u64> values) const;

  /// What an input goes through.
  struct Range {
    u64 first = 0;
    u64 count = 0;   ///< values
    u64 period = 1;  ///< combinations with each of them
    u32 bits = 32;

    [[nodiscard]] u64 value(u64 index) const { return (first + index) & low_bits(bits); }
  };
  [[nodiscard]] const Range& range(std::size_t input) const { return ranges_[input]; }

 private:
  std::vector<Range> ranges_;
  u64 count_ = 1;
};

}  // namespace salu::equiv
