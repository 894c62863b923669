#pragma once

#include "isa/vector/decode.hpp"
#include "observe/accesses.hpp"

namespace salu::observe {

/// Adds what a vector instruction touches that is executed.
void find_accesses(const core::Machine& machine, const isa::vector::Instruction& instruction, Accesses& result);
/// The same with memory in rows where each lane's dword lies beside that of the lane before, which is less to look at.
void find_accesses_in_rows(const core::Machine& machine, const isa::vector::Instruction& instruction, Accesses& result);

/// Whether a vector instruction may write a place, as far as its words tell. `moves`: M0 may move the registers that it
/// names (MODE.GPR_IDX_EN).
bool may_write(Generation generation, const isa::vector::Instruction& instruction, const Location& place, bool moves);

/// Whether it may in a run from this state: something in the code may set that mode.
bool may_move_vectors(const core::Machine& machine, const WaveState& start);

/// What the instruction touches that runs next; nothing where there is none.
Accesses find_next_accesses(const core::Machine& machine);

/// Whether EXEC, MODE and STATUS say what an instruction touches, where MODE does not move registers by M0.
bool has_settled_accesses(const isa::vector::Instruction& instruction);

}  // namespace salu::observe
