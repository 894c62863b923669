#pragma once

#include <salu/sweep.hpp>

#include <string>
#include <vector>

#include "sweeping/states.hpp"

namespace salu::sweeping {

/// The outputs of a sweep.
struct Outputs {
  std::vector<CasePlace> places;
  bool steps = false;     ///< the number of executed instructions is an output
  bool is_named = false;  ///< named by the options or by the scenario's expectations

  /// Chooses the outputs: those in the options, otherwise those in expectations of the scenario or its rows, otherwise
  /// every scalar register that the code may write.
  static Result<Outputs> choose(const Scenario& scenario, const SweepOptions& options, const States& states);
};

}  // namespace salu::sweeping
