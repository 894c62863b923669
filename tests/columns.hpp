#pragma once

#include <salu/target.hpp>

#include <cstddef>

namespace salu::test {

/// The generation whose column of tests/data/isa/*.tsv tells of this one: its own, but for those whose scalar
/// instructions are an older one's.
constexpr Generation column_of(Generation generation) {
  return generation == Generation::cdna4 ? Generation::cdna3 : generation;
}

/// How many such columns stand before that one.
inline std::size_t column_index(Generation generation) {
  std::size_t index = 0;
  for (const Generation each : all_generations()) {
    if (each < column_of(generation) && column_of(each) == each) ++index;
  }
  return index;
}

}  // namespace salu::test
