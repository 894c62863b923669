#pragma once

#include <salu/location.hpp>
#include <salu/target.hpp>

#include <span>
#include <string>
#include <vector>

#include "observe/why/why.hpp"

/// Names of bits of places: `s4`, `s4[7:0]`, `s[4:5]`, `exec[7]`, `v3[7]`, `csp`, `[0x10000]`.
namespace salu::observe {

/// Bits of one dword, or of a pair of registers.
struct BitRun {
  Location place;
  u64 mask = 0;
  u64 value = 0;           ///< of the whole place
  std::size_t number = 0;  ///< of its first source

  /// `exec[7]`.
  [[nodiscard]] std::string name(Generation generation) const;
  /// The value of the bits in the mask: `0` or `1` for a single bit, right-aligned if they are contiguous.
  [[nodiscard]] std::string value_text() const;
};

/// The sources; halves of a pair with the same link and role are merged.
std::vector<BitRun> runs_of(std::span<const WhySource> sources);
/// The dwords that a link wrote, merged in the same way.
std::vector<BitRun> runs_of(const WhyLink& link);

}  // namespace salu::observe
