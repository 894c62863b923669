#pragma once

#include <salu/memory.hpp>
#include <salu/run.hpp>
#include <salu/state.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/interpreter.hpp"

namespace salu::core {

/// The scalar unit of one wavefront with its code: decodes instructions when they are first reached, and executes until
/// a stop.
class Machine {
 public:
  /// The program must outlive the machine.
  explicit Machine(const Program& program, Dispatch dispatch = Dispatch::best);
  Machine(const Machine&) = delete;
  Machine(Machine&&) = delete;
  Machine& operator=(const Machine&) = delete;
  Machine& operator=(Machine&&) = delete;
  ~Machine() = default;

  void set_strict(bool strict) { interpreter_.control.strict = strict; }
  void set_on_vector(OnVector on_vector) { interpreter_.on_vector = on_vector; }
  void set_clock(const Clock& clock) { interpreter_.clock = clock; }
  /// Applies the options that hold for all runs on this machine: `on_vector`, `clock`, `approximations` and
  /// `max_memory_bytes`.
  void set_options(const RunOptions& options);

  /// Sets the memory that loads and stores access. It should contain the program's code (`place_code`), which is then
  /// executed from it; a code block that is not in memory is executed as the program has it.
  void set_memory(const Memory& memory);
  /// A copy of the current memory.
  [[nodiscard]] Memory memory() const { return interpreter_.port->snapshot(); }
  /// The current memory, valid until the next run; use `memory` for a copy that lives longer.
  [[nodiscard]] const Memory& memory_now() const { return interpreter_.port->memory(); }

  /// Loads a state; clears stops, warnings, step count and decoded code.
  void set_state(const WaveState& state);
  /// The current state. `pc` is the address of the next instruction, or after a stop the reported address.
  [[nodiscard]] WaveState state() const;

  /// Runs up to `max_steps` instructions with the chosen dispatch loop and returns their number. `stopped()` is true if
  /// the run ended before that.
  u64 run(u64 max_steps);
  /// Like `run`, but one instruction at a time, through the same handlers.
  u64 run_exactly(u64 max_steps);

  /// Makes `run` return before a vector instruction that would be skipped although its scalar results are needed, and
  /// if the budget does not cover the next block. Continue with `run_exactly`.
  void set_pause_at_scalar_results(bool pause) { interpreter_.control.pause_at_scalar_results = pause; }
  /// Makes `run` return before every instruction whose address the filter selects. The filter is called once for each
  /// decoded instruction, so other instructions run at full speed. An empty filter selects nothing.
  using PauseFilter = RunControl::PauseFilter;
  void set_pause_filter(PauseFilter filter);
  /// Like `run` with a pause filter; also returns before a fork that would push, or a join that would pop, an entry of
  /// the control stack that is in `entries` (one bit each).
  u64 run_to_entries(u64 max_steps, u32 entries);
  /// Makes the filter be called again for every instruction.
  void ask_pause_filter_again() { interpreter_.decode_again(); }

  /// Makes the wave wait at a barrier for the other waves of its work-group: `run` and `run_exactly` return after it,
  /// and execute nothing until `pass_barrier`.
  void set_waits_at_barriers(bool waits) { interpreter_.control.waits_at_barriers = waits; }
  [[nodiscard]] bool waits() const { return interpreter_.control.waits; }
  void pass_barrier() { interpreter_.control.waits = false; }
  /// Moves the memory to another machine, with the host addresses of its pages. This machine must not run until it has
  /// one again. The other machine must call `read_code_again` if the code has been changed since it ran.
  void hand_memory_to(Machine& other);
  /// Reads the code from memory again, after another machine has changed it.
  void read_code_again();

  /// Everything needed to restore the current state.
  struct Snapshot {
    WaveState state;
    Memory memory;
    u64 steps = 0;
    u64 skipped_vector = 0;
    std::vector<u64> assumed;
    bool has_lost_vectors = false;
    bool vccz_is_stale = false;
    u64 half_vcc_writer = 0;
    bool waits = false;
    PushedEntries pushed;
    std::optional<Stop> stop;                              ///< if the machine has stopped
    std::shared_ptr<const std::vector<Warning>> warnings;  ///< shared between snapshots with the same warnings
  };
  [[nodiscard]] Snapshot snapshot();
  /// Restores a snapshot of this machine. `visit_executed` starts from an empty list.
  void restore(const Snapshot& snapshot);
  /// Restores everything except memory.
  void restore_registers(const Snapshot& snapshot);

  [[nodiscard]] Generation generation() const { return interpreter_.wave.generation; }
  /// The registers. SCC is valid except during a run.
  [[nodiscard]] const Wave& wave() const { return interpreter_.wave; }
  /// The vector registers; null until one has been used.
  [[nodiscard]] const VectorFile* vectors() const { return interpreter_.vectors.get(); }
  /// A lane of a vector register, by `state_index`.
  [[nodiscard]] u32 lane(u32 index) const {
    return vectors() == nullptr ? 0 : vectors()->lanes(state_index::vector_of(index))[state_index::lane_of(index)];
  }
  [[nodiscard]] OnVector on_vector() const { return interpreter_.on_vector; }
  /// True if vector instructions are currently executed, as far as supported.
  [[nodiscard]] bool executes_vectors() const {
    return interpreter_.on_vector == OnVector::run && !interpreter_.wave.vskip();
  }
  /// The current code.
  [[nodiscard]] const CodeCache& code() const { return interpreter_.cache; }
  /// Address of the next instruction.
  [[nodiscard]] u64 pc() const {
    return interpreter_.next_op == nullptr
               ? interpreter_.pc_at_rest
               : interpreter_.cache.address_of(interpreter_.next_op) & interpreter_.wave.address_mask;
  }
  /// Instructions executed since `set_state`; `restore` resets it to the count of the snapshot.
  [[nodiscard]] u64 steps() const { return interpreter_.steps; }
  /// Number of skipped vector instructions.
  [[nodiscard]] u64 skipped_vector() const { return interpreter_.skipped_vector; }
  /// True if an instruction may have been executed whose result on hardware may differ.
  [[nodiscard]] bool may_have_approximated() const { return interpreter_.cache.has_approximate(); }
  /// True if a vector instruction was skipped, not by VSKIP, so that the contents of vector registers are unknown.
  [[nodiscard]] bool has_lost_vectors() const { return interpreter_.has_lost_vectors; }
  /// Addresses of the instructions that were replaced by their assumption, in the order of first use.
  [[nodiscard]] const std::vector<u64>& assumed() const { return interpreter_.assumed; }
  /// Calls `visit(address)` for every instruction that has run since `set_state`, including the one that ended the run:
  /// once each, unless code was changed or forgotten.
  template <class Visit>
  void visit_executed(const Visit& visit) const {
    interpreter_.cache.visit_executed(interpreter_.steps, visit);
  }

  /// The number of entries into the trap handler, without those of S_TRAP.
  [[nodiscard]] u64 traps_entered() const { return interpreter_.traps_entered; }
  [[nodiscard]] bool stopped() const { return interpreter_.control.stopped; }
  /// The details of the stop; only if `stopped()`.
  [[nodiscard]] Stop stop() const;
  /// The reason of the stop, without building its texts.
  [[nodiscard]] StopReason stop_reason() const { return interpreter_.control.stop.reason; }
  [[nodiscard]] const std::vector<Warning>& warnings() const { return interpreter_.control.warnings.list(); }
  /// Records a warning of an observer (`Interpreter::warn`).
  template <class Detail>
  void warn(WarningKind kind, u64 pc, const Detail& detail) {
    interpreter_.warn(kind, pc, detail);
  }

  template <class Detail>
  void warn(const Hazard& hazard, u64 pc, const Detail& detail) {
    interpreter_.warn(hazard, pc, detail);
  }

  template <class Detail>
  void warn(WarningKind kind, const Race& race, u64 pc, const Detail& detail) {
    interpreter_.warn(kind, race, pc, detail);
  }

  /// Records a warning about undefined data. `describe` is called for the text and the data, the first time at an
  /// address.
  template <class Describe>
  void warn_undefined(WarningKind kind, u64 pc, const Describe& describe) {
    std::optional<UndefinedRead> read;
    interpreter_.warn(kind, pc, [&] {
      auto [detail, data] = describe();
      read = std::move(data);
      return std::move(detail);
    });
    if (read) interpreter_.control.warnings.attach(std::move(*read));
  }

  /// The contents of the control stack.
  [[nodiscard]] const PushedEntries& pushed() const { return interpreter_.pushed; }
  /// Misuse of the control stack for which the texts of the warnings have not been created yet.
  [[nodiscard]] const std::vector<StackMisuse>& misuses() const { return interpreter_.misuses; }
  /// Fills in the text of one of these warnings. Call `forget_misuses` when all have been explained.
  void explain_misuse(const StackMisuse& misuse, std::optional<u64> culprit_pc, u64 victim_pc, std::string detail);
  void forget_misuses() { interpreter_.misuses.clear(); }

 private:
  bool ready_to_run();
  u64 run_to_event(u64 max_steps);

  Dispatch dispatch_;
  Interpreter interpreter_;
};

}  // namespace salu::core
