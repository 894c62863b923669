#pragma once

#include <salu/run.hpp>

#include <optional>
#include <span>
#include <string>

#include "core/repeated_run.hpp"
#include "equiv/deadline.hpp"
#include "equiv/place.hpp"

namespace salu::equiv {

/// One of the two programs, which is run repeatedly from its scenario's state with different inputs.
class Side {
 public:
  /// The scenario must outlive it. `index`: 0 for A, 1 for B.
  Side(const Scenario& scenario, std::size_t index, u64 max_steps);

  /// Resets all values that runs have set.
  void reset() { machine_.reset(); }
  /// Runs from the scenario's state with these input values; inputs set by earlier runs since `reset` keep their
  /// values. `patience` is a factor of the step limit. Returns false if time ran out; then the results are not
  /// available.
  bool run(std::span<const Input> inputs, std::span<const u64> values, u64 patience, const Deadline& deadline);

  // ---- about the last run ----

  [[nodiscard]] StopReason reason() const { return reason_; }
  [[nodiscard]] Stop stop() const;
  [[nodiscard]] u64 steps() const { return steps_; }
  [[nodiscard]] u64 read(const RegisterName& name) const;
  /// True if the register depends on a skipped vector instruction.
  [[nodiscard]] bool is_lost(const RegisterName& name) const;
  /// True if control flow or stored data depends on a skipped vector instruction.
  [[nodiscard]] bool is_astray() const;
  [[nodiscard]] bool passed_over_vector() const { return machine_.skipped_vector() != 0; }
  /// Memory before and after the run; `memory_after` is valid until the next run.
  [[nodiscard]] const Memory& memory_before() const { return machine_.memory_before(); }
  [[nodiscard]] const Memory& memory_after() const { return outcome_ ? outcome_->memory : machine_.memory_after(); }
  /// Calls `visit(address)` for every executed instruction.
  template <class Visit>
  void visit_executed(const Visit& visit) const {
    machine_.visit_executed(visit);
  }

  /// The state that the last run started from.
  [[nodiscard]] const WaveState& start() const { return machine_.start(); }
  [[nodiscard]] const Scenario& scenario() const { return scenario_; }
  [[nodiscard]] std::size_t index() const { return index_; }
  [[nodiscard]] u64 max_steps() const { return max_steps_; }
  /// The options to repeat the last run with an observer.
  [[nodiscard]] RunOptions options(u64 patience = 1) const;

 private:
  const Scenario& scenario_;
  std::size_t index_;
  u64 max_steps_;
  core::RepeatedRun machine_;
  StopReason reason_ = StopReason::step_limit;
  u64 steps_ = 0;
  /// With `on_vector: skip`: the outcome of the same run with tracking of values that depend on skipped instructions.
  std::optional<Outcome> outcome_;
};

}  // namespace salu::equiv
