#pragma once

#include <salu/suite.hpp>

#include <map>
#include <optional>

#include "observe/tried_instructions.hpp"

namespace salu::suite {

/// How exact the runs of one test are.
class FidelityTally {
 public:
  /// A run of a scenario; `outcome` has its fidelity.
  void add(const Scenario& scenario, const Outcome& outcome);
  void merge(const FidelityTally& other);

 private:
  friend class SuiteTally;
  std::optional<Fidelity> all_;  ///< what was executed in any of the runs
  SuiteFidelity runs_;           ///< of which the runs are counted
};

/// The same of a suite, and which instructions it has executed.
class SuiteTally {
 public:
  /// All runs of a test.
  void add(const Program& program, const FidelityTally& test);
  [[nodiscard]] SuiteFidelity result() const;

 private:
  SuiteFidelity sums_;
  std::map<Generation, observe::TriedInstructions> tried_;
};

}  // namespace salu::suite
