#pragma once

#include <span>
#include <vector>

#include "equiv/place.hpp"
#include "support/random.hpp"

namespace salu::equiv {

/// Generates values for inputs. Edge cases are more frequent than random; the same seed gives the same values on every
/// system.
class Draw {
 public:
  /// `constants` are values in the programs, which are tried with their neighbours.
  Draw(u64 seed, std::vector<u64> constants) : random_(seed), constants_(std::move(constants)) {}

  /// Fills in the values of the state `number`, from 0. The first states have the simplest values, the same for every
  /// input.
  void fill(std::span<const Input> inputs, u64 number, std::span<u64> values);

 private:
  u64 next() { return random_.next(); }
  u64 below(u64 limit) { return random_.below(limit); }
  u64 edge(u32 bits);
  u64 value(u32 bits, std::span<const u64> before);

  support::Random random_;
  std::vector<u64> constants_;
};

}  // namespace salu::equiv
