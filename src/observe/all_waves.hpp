#pragma once

#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <functional>

#include "observe/work_groups.hpp"

namespace salu::observe {

/// Runs a scenario that `runs_several_waves`, with the outcome of `run`. The trace has all waves, with their numbers,
/// even if the outcome is that of one of them. Calls `see` with the results of each wave; the last irregular stop among
/// them is that of the wave that stopped the run.
Outcome run_all_waves(const Scenario& scenario, const RunOptions& options,
                      const std::function<void(const WorkGroups::Result&)>& see);

}  // namespace salu::observe
