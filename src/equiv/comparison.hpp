#pragma once

#include <salu/equivalence.hpp>

#include <functional>
#include <vector>

#include "equiv/outputs.hpp"
#include "equiv/run_pair.hpp"

namespace salu::equiv {

/// What a comparison knows when its runs are over, for who goes on from there.
struct ComparedPrograms {
  RunPair& pair;
  std::vector<Input>& inputs;  ///< more may be added
  const OutputSet& outputs;
  const Assumptions& assumptions;
  bool names_inputs = false;  ///< the user has named them: all other registers keep their values
  EquivalenceReport& report;  ///< a difference that is found goes there
};
using GoOn = std::function<void(const ComparedPrograms& compared)>;

/// `compare_programs`, and what `go_on` does when no run is left.
Result<EquivalenceReport> compare(const Scenario& a, const Scenario& b, const EquivalenceOptions& options,
                                  const GoOn& go_on);

}  // namespace salu::equiv
