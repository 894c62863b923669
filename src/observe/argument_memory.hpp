#pragma once

#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <span>
#include <string>
#include <vector>

namespace salu::observe {

/// The memory that the arguments of a kernel point to, with the names of the arguments.
std::vector<NamedMemory> argument_memory(const Scenario& scenario);

/// `out+0x8`: the named memory or the symbol that contains an address; empty if unknown.
std::string memory_name(u64 address, const Program& program, std::span<const NamedMemory> names);

}  // namespace salu::observe
