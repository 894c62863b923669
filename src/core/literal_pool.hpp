#pragma once

#include <array>
#include <vector>

#include "core/wave.hpp"

namespace salu::core {

/// The literals of decoded code in the slots of a wave: one pair of slots for each value. The low slot of a pair is the
/// 32-bit literal, the pair is its extension to 64 bits.
class LiteralPool {
 public:
  /// The wave must outlive the pool.
  explicit LiteralPool(Wave& wave) : wave_(wave) {}

  /// The first slot of a value; a new value takes a free pair. `no_slot` if all pairs are in use.
  u16 find_or_add(u64 value);
  /// Frees all slots.
  void clear();

 private:
  static constexpr std::size_t bucket_count = 64;

  Wave& wave_;
  std::vector<u16> next_;                    ///< by number: 1 + the number of the next literal in its bucket, or 0
  std::array<u16, bucket_count> buckets_{};  ///< 1 + the number of a literal, or 0
};

}  // namespace salu::core
