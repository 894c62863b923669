#pragma once

#include <salu/integer.hpp>

#include <limits>

#include "isa/semantics/words.hpp"

/// What a semantic function of one lane may ask for and what it may return, over the machine's integers.
namespace salu::isa::vector {

template <class T>
inline constexpr i64 least_of = std::numeric_limits<T>::min();  // NOLINT(bugprone-signed-char-misuse): a number
template <class T>
inline constexpr i64 greatest_of = std::numeric_limits<T>::max();

#include "isa/vector/semantics/values.inc"

// ---- what is no word of one lane ----

/// M0, for registers that are chosen when the instruction runs.
struct Index {
  u32 value;
};
/// All lanes of a source.
struct AllLanes {
  const u32* lanes;
};
/// EXEC: a bit a lane.
struct Exec {
  u64 value;
};
/// A value for the scalar register that is the destination.
struct ToScalar {
  u32 value;
};
/// A value for one lane of the destination, whether it is on or not.
struct ToLane {
  u32 lane;
  u32 value;
};
/// What the destination and the first source exchange.
struct Swapped {
  u32 destination;
  u32 source;
};
/// Registers beside those that are named: how far away the first source and the destination are.
struct Relative {
  u32 source;
  u32 destination;
};
/// Lanes that the first source and the destination exchange: one of the source with the one that is so many above it in
/// the destination.
struct Exchange {
  u32 distance;
};
/// No effect.
struct Nothing {};

}  // namespace salu::isa::vector
