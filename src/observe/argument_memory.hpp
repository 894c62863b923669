#pragma once

#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <vector>

namespace salu::observe {

/// The memory that the arguments of a kernel point to, with the names of the arguments.
std::vector<NamedMemory> argument_memory(const Scenario& scenario);

}  // namespace salu::observe
