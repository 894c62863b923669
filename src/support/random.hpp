#pragma once

#include <salu/integer.hpp>

namespace salu::support {

/// Random numbers: the same seed gives the same numbers on every system. SplitMix64 (Steele, Lea, Flood: Fast
/// Splittable Pseudorandom Number Generators, 2014).
class Random {
 public:
  explicit Random(u64 seed) : state_(seed) {}

  u64 next() {
    state_ += 0x9e3779b97f4a7c15;
    u64 value = state_;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
  }
  /// A number from 0 to `limit` - 1.
  u64 below(u64 limit) { return next() % limit; }

 private:
  u64 state_;
};

}  // namespace salu::support
