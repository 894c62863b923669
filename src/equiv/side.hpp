#pragma once

#include <salu/run.hpp>

#include <optional>
#include <span>
#include <string>

#include "core/repeated_run.hpp"
#include "equiv/deadline.hpp"
#include "equiv/place.hpp"

namespace salu::equiv {

/// One of the two programs, run again and again from its scenario's state with other inputs.
class Side {
 public:
  /// The scenario must outlive it. `index`: 0 for A, 1 for B.
  Side(const Scenario& scenario, std::size_t index, u64 max_steps);

  /// Takes back what runs have set.
  void reset() { machine_.reset(); }
  /// Runs from the scenario's state with these values of the inputs; what the runs since `reset` have set stays set.
  /// `patience`: how many times the step limit. False when time ran out before it ended; then there is nothing to ask
  /// about it.
  bool run(std::span<const Input> inputs, std::span<const u64> values, u64 patience, const Deadline& deadline);

  // ---- about the last run ----

  [[nodiscard]] StopReason reason() const { return reason_; }
  [[nodiscard]] Stop stop() const;
  [[nodiscard]] u64 steps() const { return steps_; }
  [[nodiscard]] u64 read(const RegisterName& name) const;
  /// True when a vector instruction that was passed over decides the register.
  [[nodiscard]] bool is_lost(const RegisterName& name) const;
  /// True when one decides where the program went, or what it stored.
  [[nodiscard]] bool is_astray() const;
  [[nodiscard]] bool passed_over_vector() const { return machine_.skipped_vector() != 0; }
  /// Memory before and after; `after` until the next run only.
  [[nodiscard]] const Memory& memory_before() const { return machine_.memory_before(); }
  [[nodiscard]] const Memory& memory_after() const { return outcome_ ? outcome_->memory : machine_.memory_after(); }
  /// Calls `visit(address)` for what ran.
  template <class Visit>
  void visit_executed(const Visit& visit) const {
    machine_.visit_executed(visit);
  }

  /// The state that the last run started from.
  [[nodiscard]] const WaveState& start() const { return machine_.start(); }
  [[nodiscard]] const Scenario& scenario() const { return scenario_; }
  [[nodiscard]] std::size_t index() const { return index_; }
  [[nodiscard]] u64 max_steps() const { return max_steps_; }
  /// What to run the same with once more, to look on.
  [[nodiscard]] RunOptions options(u64 patience = 1) const;

 private:
  const Scenario& scenario_;
  std::size_t index_;
  u64 max_steps_;
  core::RepeatedRun machine_;
  StopReason reason_ = StopReason::step_limit;
  u64 steps_ = 0;
  /// With `on_vector: skip`: the same run, watched for what depends on what was skipped.
  std::optional<Outcome> outcome_;
};

}  // namespace salu::equiv
