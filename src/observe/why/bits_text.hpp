#pragma once

#include <salu/location.hpp>
#include <salu/target.hpp>

#include <span>
#include <string>
#include <vector>

#include "observe/why/why.hpp"

/// How bits of places are named: `s4`, `s4[7:0]`, `s[4:5]`, `exec[7]`, `v3[7]`, `csp`, `[0x10000]`.
namespace salu::observe {

/// Bits of one dword, or of a pair of registers.
struct BitRun {
  Location place;
  u64 mask = 0;
  u64 value = 0;           ///< of the whole place
  std::size_t number = 0;  ///< of the first source that is part of it

  /// `exec[7]`.
  [[nodiscard]] std::string name(Generation generation) const;
  /// The bits of the mask: `0` or `1` of one, moved to the right end where they follow each other.
  [[nodiscard]] std::string value_text() const;
};

/// Sources with halves of a pair, which come from the same link in the same role, as one.
std::vector<BitRun> runs_of(std::span<const WhySource> sources);
/// What a link wrote, likewise.
std::vector<BitRun> runs_of(const WhyLink& link);

}  // namespace salu::observe
