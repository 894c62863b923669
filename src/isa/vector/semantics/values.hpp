#pragma once

#include <salu/integer.hpp>

#include <limits>
#include <type_traits>

/// What a semantic function of one lane may ask for and what it may return.
///
/// As in isa/semantics/values.hpp a function is pure and constexpr, and its signature is the whole contract: integer
/// parameters are the sources in the order of assembly, of 16, 32 or 64 bits; what is implicit is asked for by type.
/// The executor calls it once for each lane that is on.
namespace salu::isa::vector {

// ---- implicit inputs ----

/// The lane's bit of the mask that is read: VCC, or a pair of SGPRs in VOP3.
struct MaskBit {
  bool value;
};
/// The number of the lane.
struct Lane {
  u32 value;
};
/// The modifier `clamp`: a result that does not fit becomes the nearest one that does.
struct Clamp {
  bool value;
};

/// The old value of the destination.
struct Destination {
  u32 value;
};
/// The modifier `op_sel`: a bit a source.
struct OpSel {
  u8 bits;
};
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

// ---- results; a plain integer is written to the destination, a bool is the lane's bit of the mask ----

/// A result, and the lane's bit of the mask that is written.
template <class T>
struct WithCarry {
  T value;
  bool carry;
  friend constexpr bool operator==(const WithCarry&, const WithCarry&) = default;
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
/// No effect.
struct Nothing {};

// ---- tools ----

/// The nearest value of an integer type, if asked for, else the low bits.
template <class T>
constexpr T saturate(i64 value, Clamp clamp) {
  if (!clamp.value) return static_cast<T>(value);
  constexpr i64 least = std::numeric_limits<T>::min();
  constexpr i64 greatest = std::numeric_limits<T>::max();
  return static_cast<T>(value < least ? least : value > greatest ? greatest : value);
}

/// The low 24 bits, extended by zeros or by their sign.
constexpr u32 zero_extend24(u32 value) { return value & 0xff'ffff; }
constexpr i32 sign_extend24(u32 value) { return static_cast<i32>(value << 8) >> 8; }

}  // namespace salu::isa::vector
