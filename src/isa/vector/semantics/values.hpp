#pragma once

#include <salu/integer.hpp>

#include <limits>

#include "isa/semantics/words.hpp"

/// The inputs and results of a semantic function of one lane, over the machine's integers.
namespace salu::isa::vector {

template <class T>
inline constexpr i64 least_of = std::numeric_limits<T>::min();  // NOLINT(bugprone-signed-char-misuse): a number
template <class T>
inline constexpr i64 greatest_of = std::numeric_limits<T>::max();

#include "isa/vector/semantics/values.inc"

// ---- values other than words of one lane ----

/// M0, for registers that are selected at run time.
struct Index {
  u32 value;
};
/// All lanes of a source.
struct AllLanes {
  const u32* lanes;
};
/// The old value of a destination of 64 bits.
struct WideDestination {
  u64 value;
};
/// EXEC: one bit per lane.
struct Exec {
  u64 value;
};
/// A value for the scalar destination.
struct ToScalar {
  u32 value;
};
/// A value for one lane of the destination, active or not.
struct ToLane {
  u32 lane;
  u32 value;
};
/// The new values of the destination and the first source.
struct Swapped {
  u32 destination;
  u32 source;
};
/// Distances of the actual first source and destination from the encoded registers.
struct Relative {
  u32 source;
  u32 destination;
};
/// Exchanges lanes of the first source and the destination: a lane of the source with the lane of the destination that
/// is `distance` above it.
struct Exchange {
  u32 distance;
};
/// No effect.
struct Nothing {};

}  // namespace salu::isa::vector
