#pragma once

#include <salu/integer.hpp>
#include <salu/location.hpp>
#include <salu/state.hpp>

#include <string>
#include <vector>

#include "core/machine.hpp"
#include "isa/decode.hpp"

namespace salu::core {

/// What one instruction touches, computed before it runs from its declaration and the state: relative addressing,
/// conditional moves, registers beyond the allocation, dropped writes and the place of the control stack are resolved;
/// an instruction with an illegal operand touches nothing. A fork lists the stack entry whether it will push or not.
struct Accesses {
  std::vector<Location> reads;
  std::vector<Location> writes;
};
Accesses find_accesses(const Machine& machine, const isa::Instruction& instruction);

/// `s[2:3]=0x0000000000000007`, `scc=1`, `mode=0x...`: a location with its current value.
std::string describe(const Machine& machine, const Location& location);

/// Indices into `WaveState::defined` of a location; nothing for what always counts as defined.
std::vector<u32> defined_indices(Generation generation, const Location& location);

}  // namespace salu::core
