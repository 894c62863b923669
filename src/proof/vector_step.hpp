#pragma once

#include "isa/vector/decode.hpp"
#include "proof/instruction_step.hpp"

namespace salu::proof {

/// Computes a vector instruction on integers in all lanes. False where it is none.
bool step_lanes(Terms& terms, SymbolicState& state, const core::Wave& wave,
                const isa::vector::Instruction& instruction);

/// Executes a vector instruction of memory. `next`: where it goes on.
NextStep step_lane_memory(Terms& terms, SymbolicState& state, const core::Wave& wave,
                          const isa::vector::Instruction& instruction, NextStep next);

}  // namespace salu::proof
