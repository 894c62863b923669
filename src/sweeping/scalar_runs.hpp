#pragma once

#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <functional>
#include <optional>

#include "core/repeated_run.hpp"
#include "expr/expression.hpp"
#include "sweeping/block.hpp"
#include "sweeping/states.hpp"

namespace salu::sweeping {

/// Runs states one after the other on the machine of `salu run`. An expression can then read the final state of the
/// last run.
class ScalarRuns final : public expr::ExpressionState {
 public:
  /// `scenario` and `inputs` must outlive the object.
  ScalarRuns(const Scenario& scenario, const std::vector<CasePlace>& inputs);

  /// Runs a state of a block and stores its end. Returns false if cancelled.
  bool run(Block& block, std::size_t index, const std::function<bool()>& is_cancelled);

  [[nodiscard]] u64 read(const RegisterName& name) const override;
  [[nodiscard]] const Memory& memory() const override;
  /// Returns the value of a place.
  [[nodiscard]] u64 read(const CasePlace& place) const;

 private:
  const Scenario& scenario_;
  const std::vector<CasePlace>& inputs_;
  bool is_watched_;  ///< checks observe every instruction, or results of skipped instructions are tracked
  core::RepeatedRun machine_;
  std::optional<Outcome> outcome_;  ///< if `is_watched_`
};

/// True if the runs of a scenario need no observers.
bool is_unwatched(const RunOptions& options);

}  // namespace salu::sweeping
