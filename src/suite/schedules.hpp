#pragma once

#include <salu/suite.hpp>

#include <optional>

namespace salu::suite {

/// Runs a scenario of several waves with `schedules` random orders of the waves, and compares the results with those of
/// a run in its own order: the stop reason, the expectations, and memory except shared memory and the private memory of
/// lanes. Returns the first difference. Adds the instructions executed to `steps`. Does nothing for one wave.
std::optional<Failure> find_dependence(const Scenario& scenario, const RunOptions& options, const Outcome& outcome,
                                       u64 schedules, u64& steps);

}  // namespace salu::suite
