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

/// How far a direct branch or call goes, in bytes from the next instruction; nothing for every other instruction.
std::optional<i64> branch_distance_bytes(const Instruction& instruction);

}  // namespace salu::isa
