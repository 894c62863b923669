#pragma once

#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <vector>

#include "core/machine.hpp"

namespace salu::observe {

/// Stores the state, the memory and the warnings of a machine in an outcome. Registers in `missing` become undefined:
/// the run used placeholder values for them.
void take_final_state(core::Machine& machine, const core::DefinedSet& missing, Outcome& outcome);

/// Adds the warnings that a list does not have yet.
void add_new(std::vector<Warning>& all, const std::vector<Warning>& more);

/// Returns the run options of a scenario with everything that the scenario adds to them: for `CheckUndefined::bits`,
/// the compared registers and memory, and the memory that starts uninitialised.
RunOptions complete_options(const Scenario& scenario, const RunOptions& options);

}  // namespace salu::observe
