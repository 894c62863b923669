#pragma once

#include <optional>

#include "isa/decode.hpp"

/// Where an instruction may go on, as far as its words alone tell.
namespace salu::isa {

/// How an instruction decides where the wave goes on; `next` for what is no scalar instruction.
Flow flow_of(const Instruction& instruction);

/// True for what never goes on to the next instruction: unconditional branches and jumps, ends of the program. A call
/// comes back.
bool never_falls_through(const Instruction& instruction);

/// The target of the direct branch, fork or call at an address, not masked; nothing for every other instruction.
std::optional<u64> branch_target(const Instruction& instruction, u64 address);

}  // namespace salu::isa
