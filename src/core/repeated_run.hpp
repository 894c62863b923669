#pragma once

#include <salu/memory.hpp>
#include <salu/run.hpp>
#include <salu/state.hpp>

#include <algorithm>
#include <optional>

#include "core/machine.hpp"

namespace salu::core {

/// A program that runs repeatedly from one state and one memory, with some values set for each run.
class RepeatedRun {
 public:
  /// The references must outlive the object. Uses `dispatch` and the options of `Machine::set_options`.
  RepeatedRun(const Program& program, const WaveState& initial, const Memory& memory, const RunOptions& options);

  /// Undoes all changes.
  void reset();
  /// Undoes the changes to memory; bytes that are set to 0 then use no memory, whatever they were before.
  void reset_memory();
  void set(const RegisterName& name, u64 value) { write_register(start_, machine_.generation(), name, value); }
  /// Sets up to 8 bytes of memory, little-endian, whatever the access rights.
  void set_memory(u64 address, u64 value, u64 size_bytes);

  /// Runs up to `max_steps` instructions from the set values; returns how many. `go_on` runs more.
  u64 run(u64 max_steps);
  u64 go_on(u64 max_steps) { return machine_.run(max_steps); }
  /// Like `run`, but no longer than `max_seconds` of the options.
  u64 run_for_a_time(u64 max_steps);
  /// Like `run`, in slices of some milliseconds, after each of which `goes_on()` is called. Returns nothing if it
  /// returned false before the end.
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
  /// Why the run ended; `step_limit` or `time_limit` if it did not end by itself.
  [[nodiscard]] StopReason reason() const;
  [[nodiscard]] Stop stop() const;
  [[nodiscard]] u64 read(const RegisterName& name) const;
  [[nodiscard]] u64 skipped_vector() const { return machine_.skipped_vector(); }
  [[nodiscard]] bool has_warnings() const { return !machine_.warnings().empty(); }
  [[nodiscard]] const std::vector<Warning>& warnings() const { return machine_.warnings(); }
  /// Calls `visit(address)` for every executed instruction (`Machine::visit_executed`).
  template <class Visit>
  void visit_executed(const Visit& visit) const {
    machine_.visit_executed(visit);
  }
  /// The initial state.
  [[nodiscard]] const WaveState& start() const { return start_; }
  [[nodiscard]] const Memory& memory_before() const { return before_; }
  /// Valid until the next run.
  [[nodiscard]] const Memory& memory_after() const { return machine_.memory_now(); }

 private:
  void begin();

  const WaveState& initial_;
  const Memory& memory_;
  Machine machine_;
  std::optional<double> max_seconds_;
  StopReason limit_ = StopReason::step_limit;  ///< the limit that ended the last run, unless it ended by itself
  WaveState start_;
  Memory before_;
  bool memory_is_set_ = false;  ///< `before_` may differ from `memory_`
  bool memory_is_new_ = false;  ///< `before_` may differ from the initial memory of the last run
};

}  // namespace salu::core
