#pragma once

#include <salu/suite.hpp>

#include <map>
#include <optional>

#include "observe/tried_instructions.hpp"

namespace salu::suite {

/// The fidelity of the runs of one test.
class FidelityTally {
 public:
  /// Adds a run of a scenario; `outcome` must have its fidelity.
  void add(const Scenario& scenario, const Outcome& outcome);
  void merge(const FidelityTally& other);

 private:
  friend class SuiteTally;
  std::optional<Fidelity> all_;  ///< of all runs together
  SuiteFidelity runs_;           ///< only the counts of runs
};

/// The fidelity of a suite, and the instructions that it has executed.
class SuiteTally {
 public:
  /// Adds all runs of a test.
  void add(const Program& program, const FidelityTally& test);
  [[nodiscard]] SuiteFidelity result() const;

 private:
  SuiteFidelity sums_;
  std::map<Generation, observe::TriedInstructions> tried_;
};

}  // namespace salu::suite
