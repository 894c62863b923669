#pragma once

#include <salu/sweep.hpp>

#include <string>
#include <vector>

#include "sweeping/states.hpp"

namespace salu::sweeping {

/// What is asked of the state that a run leaves.
struct Outputs {
  std::vector<CasePlace> places;
  bool steps = false;     ///< and how many instructions it executed
  bool is_named = false;  ///< by the options, or by what the scenario expects

  /// Chooses the outputs that the options name, else those that the scenario or its rows expect, else every scalar
  /// register that the code may write.
  static Result<Outputs> choose(const Scenario& scenario, const SweepOptions& options, const States& states);
};

}  // namespace salu::sweeping
