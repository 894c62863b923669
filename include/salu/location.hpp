#pragma once

#include <salu/integer.hpp>

#include <array>
#include <span>

namespace salu {

/// The index of state: one number for each dword that a wave remembers. Names of registers, places that instructions
/// touch, undefined bits, watchpoints, columns of tables and what pages and comparisons follow are all said in it.
///
/// 0 to 127 are the registers of `WaveState::file`, at the operand encodings of the generation except M0, which has one
/// place on every generation. TBA and TMA have places of their own on every generation, so 108 to 111 are nothing on
/// those where they are their encodings (`register_index`).
namespace state_index {
inline constexpr u32 vcc = 106;  ///< two dwords
inline constexpr u32 m0 = 124;
inline constexpr u32 null = 125;           ///< always 0: NULL of RDNA
inline constexpr u32 exec = 126;           ///< two dwords
inline constexpr u32 tba = 128;            ///< two dwords
inline constexpr u32 tma = 130;            ///< two dwords
inline constexpr u32 scc = 132;            ///< 0 or 1
inline constexpr u32 defined_count = 133;  ///< those below it can be undefined: `WaveState::defined`
inline constexpr u32 mode = 133;
inline constexpr u32 status = 134;  ///< live bits included
inline constexpr u32 pc = 135;      ///< two dwords
inline constexpr u32 hwregs = 192;  ///< plus the id: the hardware registers but for MODE and STATUS
inline constexpr u32 scalar_count = hwregs + 64;
inline constexpr u32 lanes = 64;            ///< places of a vector register; those of a wave of 32 lanes are the first
inline constexpr u32 vgprs = scalar_count;  ///< lane l of v[n] is at `vgprs + lanes * n + l`
inline constexpr u32 agprs = vgprs + 256 * lanes;   ///< likewise
inline constexpr u32 memory = agprs + 256 * lanes;  ///< no dword of the wave: memory at an address

/// Whether it is a lane of a vector register.
constexpr bool is_lane(u32 index) { return index >= vgprs && index < memory; }
/// The vector register that a lane is of; a0 is number 256.
constexpr u32 vector_of(u32 index) { return (index - vgprs) / lanes; }
/// The number of a lane in its vector register.
constexpr u32 lane_of(u32 index) { return (index - vgprs) % lanes; }
}  // namespace state_index

/// A piece of a wave's state, or of memory, that an instruction reads or writes: dwords that follow each other.
struct Location {
  u32 index = 0;  ///< `state_index` of the first dword
  u32 dwords = 1;
  u64 address = 0;  ///< of memory: of the first byte

  /// So many dwords of memory.
  static constexpr Location in_memory(u64 address, u32 dwords = 1) { return {state_index::memory, dwords, address}; }

  [[nodiscard]] constexpr bool is_memory() const { return index == state_index::memory; }
  /// In the register file: SGPRs and what has operand encodings beside them.
  [[nodiscard]] constexpr bool is_in_file() const { return index < state_index::tba; }
  /// Whether a dword of the wave's state is part of it.
  [[nodiscard]] constexpr bool holds(u32 dword_index) const { return !is_memory() && dword_index - index < dwords; }

  friend constexpr bool operator==(const Location&, const Location&) = default;
};

/// Whether two places share a dword, or a byte of memory.
constexpr bool overlap(const Location& left, const Location& right) {
  if (left.is_memory() != right.is_memory()) return false;
  if (!left.is_memory()) return left.index < right.index + right.dwords && right.index < left.index + left.dwords;
  return left.address < right.address + u64{right.dwords} * 4 && right.address < left.address + u64{left.dwords} * 4;
}

/// A dword of the state or of memory as one number: the index of state, and dwords of memory behind all of those.
using Cell = u64;
constexpr Cell cell_of(const Location& location, u32 dword) {
  constexpr Cell first_in_memory = Cell{1} << 62;
  return (location.is_memory() ? first_in_memory + location.address / 4 : location.index) + dword;
}

/// A place with what it holds: before the instruction that reads it, after the one that writes it.
struct LocationValue {
  Location location;
  std::array<u32, 16> dwords{};  ///< `location.dwords` of them count, lowest first; the others are 0

  /// The dwords that count.
  [[nodiscard]] constexpr std::span<const u32> values() const { return std::span(dwords).first(location.dwords); }
  friend constexpr bool operator==(const LocationValue&, const LocationValue&) = default;
};

}  // namespace salu
