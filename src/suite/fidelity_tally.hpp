#pragma once

#include <salu/suite.hpp>

#include <map>
#include <optional>
#include <set>

namespace salu::suite {

/// How exact the runs of one test are.
class FidelityTally {
 public:
  /// A run of a scenario; `outcome` has its fidelity.
  void add(const Scenario& scenario, const Outcome& outcome);
  void merge(FidelityTally&& other);

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
  /// What of a generation was executed, as numbers that stand for instructions and for their forms.
  struct Executed {
    std::set<u32> scalar;
    std::set<u32> operand_forms;
    std::set<u32> vector;
    std::set<u32> vector_forms;
  };
  static void add(Generation generation, std::span<const u32> words, Executed& executed);

  SuiteFidelity sums_;
  std::map<Generation, Executed> executed_;
};

}  // namespace salu::suite
