#pragma once

#include <salu/location.hpp>

#include "core/machine.hpp"
#include "isa/decode.hpp"

namespace salu::debug {

/// Whether an instruction may write a place, whatever the registers hold when it runs: false for most of those that do
/// not, so that only the others have to be looked at one by one.
bool may_write(const isa::Instruction& instruction, const Location& place);
/// The same for what it reads. `sgprs`: how many the wave has; who reads beyond them reads from s0 on.
bool may_read(const isa::Instruction& instruction, const Location& place, u32 sgprs);

}  // namespace salu::debug
