#pragma once

#include <salu/target.hpp>

#include <cstddef>

namespace salu::test {

/// The generation whose column of tests/data/isa/*.tsv applies: its own, or for a generation with the scalar
/// instructions of an older one, that of the older one.
constexpr Generation column_of(Generation generation) {
  return generation == Generation::cdna4 ? Generation::cdna3 : generation;
}

/// The number of such columns before the column of a generation.
inline std::size_t column_index(Generation generation) {
  std::size_t index = 0;
  for (const Generation each : all_generations()) {
    if (each < column_of(generation) && column_of(each) == each) ++index;
  }
  return index;
}

}  // namespace salu::test
