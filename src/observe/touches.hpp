#pragma once

#include <salu/location.hpp>

#include "core/machine.hpp"
#include "isa/decode.hpp"

namespace salu::observe {

/// True if an instruction may write a place in some state: false for most instructions that do not, so that few
/// instructions must be checked at run time.
bool may_write(Generation generation, const isa::Instruction& instruction, const Location& place);
/// True if an instruction may read a place.
bool may_read(const core::Machine& machine, const isa::Instruction& instruction, const Location& place);

}  // namespace salu::observe
