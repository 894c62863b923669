#pragma once

#include <salu/integer.hpp>
#include <salu/state.hpp>

#include "core/machine.hpp"

namespace salu::expr {

/// What a register of at most 64 bits holds in a machine that stands still.
u64 read_register(const core::Machine& machine, const RegisterName& name);

}  // namespace salu::expr
