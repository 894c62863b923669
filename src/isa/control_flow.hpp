#pragma once

#include <optional>

#include "isa/decode.hpp"

/// Control flow of an instruction as far as its words determine it.
namespace salu::isa {

/// The control flow of an instruction; `next` for instructions other than scalar ones.
Flow flow_of(const Instruction& instruction);

/// True for instructions that never continue at the next one: unconditional branches and jumps, ends of the program. A
/// call returns, so it is not one of them.
bool never_falls_through(const Instruction& instruction);

/// The unmasked target of the direct branch, fork or call at an address; nothing for other instructions.
std::optional<u64> branch_target(const Instruction& instruction, u64 address);

}  // namespace salu::isa
