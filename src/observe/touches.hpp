#pragma once

#include <salu/location.hpp>

#include "core/machine.hpp"
#include "isa/decode.hpp"

namespace salu::observe {

/// Whether an instruction may write a place, whatever the registers hold when it runs: false for most of those that do
/// not, so that only the others have to be looked at one by one.
bool may_write(Generation generation, const isa::Instruction& instruction, const Location& place);
/// The same for what it reads.
bool may_read(const core::Machine& machine, const isa::Instruction& instruction, const Location& place);

}  // namespace salu::observe
