#pragma once

#include "isa/vector/decode.hpp"
#include "observe/accesses.hpp"

namespace salu::observe {

/// Adds what a vector instruction touches that is executed.
void find_accesses(const core::Machine& machine, const isa::vector::Instruction& instruction, Accesses& result);

/// What the instruction touches that runs next; nothing where there is none.
Accesses find_next_accesses(const core::Machine& machine);

}  // namespace salu::observe
