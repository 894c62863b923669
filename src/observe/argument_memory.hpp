#pragma once

#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <vector>

namespace salu::observe {

/// The memory that the arguments of a kernel point to, by their names.
std::vector<NamedMemory> argument_memory(const Scenario& scenario);

}  // namespace salu::observe
