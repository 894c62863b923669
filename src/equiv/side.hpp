#pragma once

#include <salu/run.hpp>

#include <optional>
#include <span>
#include <string>

#include "core/repeated_run.hpp"
#include "equiv/deadline.hpp"
#include "equiv/place.hpp"

namespace salu::equiv {

/// One of the two programs, which is run repeatedly from its scenario's state with different inputs. If the scenario
/// runs several waves, all of them run.
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
  [[nodiscard]] bool passed_over_vector() const;
  /// Memory before and after the run; `memory_after` is valid until the next run.
  [[nodiscard]] const Memory& memory_before() const { return machine_.memory_before(); }
  [[nodiscard]] const Memory& memory_after() const { return outcome_ ? outcome_->memory : machine_.memory_after(); }
  /// Calls `visit(address)` for every executed instruction.
  template <class Visit>
  void visit_executed(const Visit& visit) const {
    if (!runs_several_waves()) return machine_.visit_executed(visit);
    for (const u64 address : outcome_->executed) visit(address);
  }
  /// Repeats the last run with other options, for their trace. The trace has all waves.
  void repeat(const RunOptions& options) const;

  /// The state that the last run started from; with several waves that of the wave whose final state `read` returns.
  [[nodiscard]] const WaveState& start() const { return machine_.start(); }
  [[nodiscard]] const Scenario& scenario() const { return scenario_; }
  [[nodiscard]] std::size_t index() const { return index_; }
  [[nodiscard]] u64 max_steps() const { return max_steps_; }
  [[nodiscard]] bool runs_several_waves() const { return waves_.has_value(); }
  /// The waves of the last run of several ones.
  [[nodiscard]] const DispatchedWaves& started_waves() const;
  /// The initial state in the scenario of a wave in the trace of a run of several waves.
  [[nodiscard]] WaveState wave_start(u64 number) const;
  /// The name of a wave in the trace of a run of several waves: `wave 1 of work-group [2, 0, 0]`.
  [[nodiscard]] std::string wave_name(u64 number) const;
  /// The number in the trace of the wave whose final state `read` returns.
  [[nodiscard]] u64 read_wave() const;
  /// The options to repeat the last run with an observer.
  [[nodiscard]] RunOptions options(u64 patience = 1) const;

 private:
  bool run_waves(std::span<const Input> inputs, std::span<const u64> values, u64 patience, const Deadline& deadline);

  const Scenario& scenario_;
  std::size_t index_;
  u64 max_steps_;
  core::RepeatedRun machine_;
  StopReason reason_ = StopReason::step_limit;
  u64 steps_ = 0;
  /// With several waves: the outcome of the last run. With `on_vector: skip`: that of the same run with tracking of
  /// values that depend on skipped instructions.
  std::optional<Outcome> outcome_;
  std::optional<Scenario> waves_;  ///< with several waves: the scenario of the last run
};

}  // namespace salu::equiv
