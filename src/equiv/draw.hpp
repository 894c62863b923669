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

}  // namespace salu::equiv
