#pragma once

#include <salu/integer.hpp>

#include <array>
#include <span>

namespace salu {

/// A piece of a wave's state, or of memory, that an instruction reads or writes.
struct Location {
  enum class Kind : u8 { registers, scc, mode, status, hwreg, memory };
  Kind kind = Kind::registers;
  u8 first = 0;     ///< `registers`: operand code (`WaveState::file`); `hwreg`: the hardware register's id
  u8 dwords = 1;    ///< `registers` and `memory`
  u64 address = 0;  ///< `memory`: of the first byte

  friend constexpr bool operator==(const Location&, const Location&) = default;
};

/// Whether two places share a dword. MODE, STATUS and SCC are one dword each.
constexpr bool overlap(const Location& left, const Location& right) {
  if (left.kind != right.kind) return false;
  switch (left.kind) {
    case Location::Kind::registers:
      return left.first < u32{right.first} + right.dwords && right.first < u32{left.first} + left.dwords;
    case Location::Kind::memory:
      return left.address < right.address + u64{right.dwords} * 4 &&
             right.address < left.address + u64{left.dwords} * 4;
    case Location::Kind::hwreg:
      return left.first == right.first;
    default:
      return true;
  }
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
