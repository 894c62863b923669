#pragma once

#include <salu/integer.hpp>

#include <array>
#include <span>

namespace salu {

/// The state index: one number for each dword of a wave's state. It identifies register names, operands of
/// instructions, undefined bits, watchpoints, table columns, and the places that pages and comparisons follow.
///
/// 0 to 127 are the registers of `WaveState::file`, at the operand encodings of the generation except M0, which has one
/// place on every generation. TBA and TMA have separate indices on every generation, so 108 to 111 are unused on
/// generations that encode TBA and TMA there (`register_index`).
namespace state_index {
inline constexpr u32 vcc = 106;  ///< two dwords
inline constexpr u32 m0 = 124;
inline constexpr u32 null = 125;           ///< always 0: NULL of RDNA
inline constexpr u32 exec = 126;           ///< two dwords
inline constexpr u32 tba = 128;            ///< two dwords
inline constexpr u32 tma = 130;            ///< two dwords
inline constexpr u32 scc = 132;            ///< 0 or 1
inline constexpr u32 defined_count = 133;  ///< indices below it can be undefined: `WaveState::defined`
inline constexpr u32 mode = 133;
inline constexpr u32 status = 134;  ///< live bits included
inline constexpr u32 pc = 135;      ///< two dwords
inline constexpr u32 hwregs = 192;  ///< plus the id: the hardware registers except MODE and STATUS
inline constexpr u32 scalar_count = hwregs + 64;
inline constexpr u32 lanes = 64;            ///< places of a vector register; those of a wave of 32 lanes are the first
inline constexpr u32 vgprs = scalar_count;  ///< lane l of v[n] is at `vgprs + lanes * n + l`
inline constexpr u32 agprs = vgprs + 256 * lanes;   ///< lane l of a[n] is at `agprs + lanes * n + l`
inline constexpr u32 memory = agprs + 256 * lanes;  ///< not part of the wave: memory at an address

/// True if the index is a lane of a vector register.
constexpr bool is_lane(u32 index) { return index >= vgprs && index < memory; }
/// The number of the vector register that a lane belongs to; a0 is number 256.
constexpr u32 vector_of(u32 index) { return (index - vgprs) / lanes; }
/// The number of a lane in its vector register.
constexpr u32 lane_of(u32 index) { return (index - vgprs) % lanes; }
}  // namespace state_index

/// A piece of a wave's state, or of memory, that an instruction reads or writes: consecutive dwords.
struct Location {
  u32 index = 0;  ///< `state_index` of the first dword
  u32 dwords = 1;
  u64 address = 0;  ///< of memory: address of the first byte

  /// A number of dwords of memory from an address on.
  static constexpr Location in_memory(u64 address, u32 dwords = 1) { return {state_index::memory, dwords, address}; }

  [[nodiscard]] constexpr bool is_memory() const { return index == state_index::memory; }
  /// True for the register file: SGPRs and the other registers with operand encodings.
  [[nodiscard]] constexpr bool is_in_file() const { return index < state_index::tba; }
  /// True if a dword of the wave's state is part of this location.
  [[nodiscard]] constexpr bool holds(u32 dword_index) const { return !is_memory() && dword_index - index < dwords; }

  friend constexpr bool operator==(const Location&, const Location&) = default;
};

/// True if two locations share a dword of the state or a byte of memory.
constexpr bool overlap(const Location& left, const Location& right) {
  if (left.is_memory() != right.is_memory()) return false;
  if (!left.is_memory()) return left.index < right.index + right.dwords && right.index < left.index + left.dwords;
  return left.address < right.address + u64{right.dwords} * 4 && right.address < left.address + u64{left.dwords} * 4;
}

/// A dword of the state or of memory as one number: the state index, or a number above all state indices for memory.
using Cell = u64;
constexpr Cell cell_of(const Location& location, u32 dword) {
  constexpr Cell first_in_memory = Cell{1} << 62;
  return (location.is_memory() ? first_in_memory + location.address / 4 : location.index) + dword;
}

/// A location with its value: before the instruction that reads it, or after the instruction that writes it.
struct LocationValue {
  Location location;
  std::array<u32, 16> dwords{};  ///< the first `location.dwords` are used, lowest first; the rest are 0

  /// The used dwords.
  [[nodiscard]] constexpr std::span<const u32> values() const { return std::span(dwords).first(location.dwords); }
  friend constexpr bool operator==(const LocationValue&, const LocationValue&) = default;
};

}  // namespace salu
