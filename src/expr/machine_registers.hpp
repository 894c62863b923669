#pragma once

#include <salu/integer.hpp>
#include <salu/state.hpp>

#include <optional>
#include <string>

#include "core/machine.hpp"

namespace salu::expr {

/// The value of a register of at most 64 bits in a machine between two steps.
u64 read_register(const core::Machine& machine, const RegisterName& name);

/// The reason why a register of at most 64 bits cannot be set to a value that fits in it; nothing if it can. `quoted`
/// is the name in messages.
std::optional<std::string> find_write_problem(const core::Machine& machine, const RegisterName& name, u64 value,
                                              const std::string& quoted);

}  // namespace salu::expr
