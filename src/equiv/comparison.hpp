#pragma once

#include <salu/equivalence.hpp>

#include <functional>
#include <vector>

#include "equiv/outputs.hpp"
#include "equiv/run_pair.hpp"

namespace salu::equiv {

/// The state of a comparison after its runs, for a proof.
struct ComparedPrograms {
  RunPair& pair;
  std::vector<Input>& inputs;  ///< more may be added
  const OutputSet& outputs;
  const Assumptions& assumptions;
  bool names_inputs = false;  ///< the user has named inputs: all other registers keep their values
  EquivalenceReport& report;  ///< receives a difference that is found
};
using GoOn = std::function<void(const ComparedPrograms& compared)>;

/// Compares two programs as `compare_programs` does, and calls `go_on` after the last run.
Result<EquivalenceReport> compare(const Scenario& a, const Scenario& b, const EquivalenceOptions& options,
                                  const GoOn& go_on);

}  // namespace salu::equiv
