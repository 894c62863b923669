#pragma once

#include <salu/location.hpp>

#include "core/machine.hpp"
#include "isa/decode.hpp"

namespace salu::observe {

/// Whether registers from an operand code on are SGPRs that the wave does not have: who reads them reads from s0 on,
/// and nothing is written there.
bool is_beyond_allocation(const core::Machine& machine, u32 code, u32 dwords);
/// Whether an instruction may write a place, whatever the registers hold when it runs: false for most of those that do
/// not, so that only the others have to be looked at one by one.
bool may_write(const isa::Instruction& instruction, const Location& place);
/// The same for what it reads.
bool may_read(const core::Machine& machine, const isa::Instruction& instruction, const Location& place);

}  // namespace salu::observe
