#pragma once

#include <salu/error.hpp>
#include <salu/scenario.hpp>

#include <optional>

namespace salu::observe {

/// Returns an error for a scenario that runs several waves, for commands that run one wave from many states.
std::optional<Error> find_waves_problem(const Scenario& scenario);

}  // namespace salu::observe
