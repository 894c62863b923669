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

/// One state after the other, on the machine that `salu run` uses; afterwards an expression may ask what the last run
/// left.
class ScalarRuns final : public expr::ExpressionState {
 public:
  /// All have to outlive it.
  ScalarRuns(const Scenario& scenario, const std::vector<CasePlace>& inputs);

  /// Runs a state of a block, and notes how it ended. False when `is_cancelled` ended it before.
  bool run(Block& block, std::size_t index, const std::function<bool()>& is_cancelled);

  [[nodiscard]] u64 read(const RegisterName& name) const override;
  [[nodiscard]] const Memory& memory() const override;
  /// What a place holds.
  [[nodiscard]] u64 read(const CasePlace& place) const;

 private:
  const Scenario& scenario_;
  const std::vector<CasePlace>& inputs_;
  bool is_watched_;  ///< with checks, which look at every instruction, or where results of skipped ones are followed
  core::RepeatedRun machine_;
  std::optional<Outcome> outcome_;  ///< where it is watched
};

/// Whether the runs of a scenario need nothing but what the machine itself does.
bool is_unwatched(const RunOptions& options);

}  // namespace salu::sweeping
