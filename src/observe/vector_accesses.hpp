#pragma once

#include "isa/vector/decode.hpp"
#include "observe/accesses.hpp"

namespace salu::observe {

/// Adds the accesses of an executed vector instruction.
void find_accesses(const core::Machine& machine, const isa::vector::Instruction& instruction, Accesses& result);
/// The same, but with memory as rows if the dwords of the lanes are contiguous, which is faster to process.
void find_accesses_in_rows(const core::Machine& machine, const isa::vector::Instruction& instruction, Accesses& result);

/// True if a vector instruction may write a place, as far as its words determine it. `moves`: M0 may move its registers
/// (MODE.GPR_IDX_EN).
bool may_write(Generation generation, const isa::vector::Instruction& instruction, const Location& place, bool moves);

/// True if M0 may move registers in a run from this state: an instruction in the code may set that mode.
bool may_move_vectors(const core::Machine& machine, const WaveState& start);

/// The accesses of the next instruction; empty if none exists.
Accesses find_next_accesses(const core::Machine& machine);

/// True if EXEC, MODE and STATUS determine the accesses of an instruction, provided that MODE does not move registers
/// by M0.
bool has_settled_accesses(const isa::vector::Instruction& instruction);

}  // namespace salu::observe
