#pragma once

#include <salu/target.hpp>

namespace salu::test {

/// The generation whose column of tests/data/isa/*.tsv tells of this one: its own, but for those whose scalar
/// instructions are an older one's.
constexpr Generation column_of(Generation generation) {
  return generation == Generation::cdna4 ? Generation::cdna3 : generation;
}

}  // namespace salu::test
