#pragma once

#include <salu/integer.hpp>

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

}  // namespace salu
