#pragma once

#include <salu/memory.hpp>
#include <salu/run.hpp>
#include <salu/state.hpp>

#include <algorithm>
#include <optional>

#include "core/machine.hpp"

namespace salu::core {

/// A program that runs again and again, from one state and one memory but for what is set anew each time.
class RepeatedRun {
 public:
  /// All three have to outlive it. Of the options: `dispatch` and what `Machine::set_options` takes.
  RepeatedRun(const Program& program, const WaveState& initial, const Memory& memory, const RunOptions& options);

  /// Takes back all that was set.
  void reset();
  /// The same of memory alone: what is set to 0 then takes no memory, whatever it was before.
  void reset_memory();
  void set(const RegisterName& name, u64 value) { write_register(start_, machine_.generation(), name, value); }
  /// Up to 8 bytes of memory, lowest first, whatever the access rights.
  void set_memory(u64 address, u64 value, u64 size_bytes);

  /// Runs up to `max_steps` instructions from what was set; returns how many. `go_on` runs more.
  u64 run(u64 max_steps);
  u64 go_on(u64 max_steps) { return machine_.run(max_steps); }
  /// The same as `run`, but no longer than `max_seconds` of the options.
  u64 run_for_a_time(u64 max_steps);
  /// The same as `run`, in pieces of some milliseconds, after each of which `goes_on()` is asked. Nothing where it said
  /// no before the end.
  template <class GoesOn>
  std::optional<u64> run_while(u64 max_steps, const GoesOn& goes_on) {
    constexpr u64 steps_at_once = 1'000'000;
    u64 steps = run(std::min(max_steps, steps_at_once));
    while (!stopped() && steps < max_steps) {
      if (!goes_on()) return std::nullopt;
      steps += go_on(std::min(max_steps - steps, steps_at_once));
    }
    return steps;
  }

  // ---- about the last run ----

  [[nodiscard]] bool stopped() const { return machine_.stopped(); }
  /// Why it ended; `step_limit` or `time_limit` when it did not.
  [[nodiscard]] StopReason reason() const;
  [[nodiscard]] Stop stop() const;
  [[nodiscard]] u64 read(const RegisterName& name) const;
  [[nodiscard]] u64 skipped_vector() const { return machine_.skipped_vector(); }
  [[nodiscard]] bool has_warnings() const { return !machine_.warnings().empty(); }
  [[nodiscard]] const std::vector<Warning>& warnings() const { return machine_.warnings(); }
  /// Calls `visit(address)` for what was executed (`Machine::visit_executed`).
  template <class Visit>
  void visit_executed(const Visit& visit) const {
    machine_.visit_executed(visit);
  }
  /// What it started from.
  [[nodiscard]] const WaveState& start() const { return start_; }
  [[nodiscard]] const Memory& memory_before() const { return before_; }
  /// Until the next run only.
  [[nodiscard]] const Memory& memory_after() const { return machine_.memory_now(); }

 private:
  void begin();

  const WaveState& initial_;
  const Memory& memory_;
  Machine machine_;
  std::optional<double> max_seconds_;
  StopReason limit_ = StopReason::step_limit;  ///< that ended the last run, unless it ended by itself
  WaveState start_;
  Memory before_;
  bool memory_is_set_ = false;  ///< `before_` may differ from `memory_`
  bool memory_is_new_ = false;  ///< `before_` may differ from what the last run started from
};

}  // namespace salu::core
