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

/// One wavefront's scalar unit with its code: predecodes on first touch, executes until something stops it.
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
  /// Takes what of the options every run on this machine goes by: `on_vector`, `clock` and `max_memory_bytes`.
  void set_options(const RunOptions& options);

  /// Takes over what loads and stores see. The program's code is to be in `memory` (`place_code`), and what stands
  /// there is what runs; a block that is not in memory is run as the program has it.
  void set_memory(const Memory& memory);
  /// Memory as it is now.
  [[nodiscard]] Memory memory() { return interpreter_.port.snapshot(); }
  /// The same to look at until the next run; a copy of it that outlives that has to come from `memory`.
  [[nodiscard]] const Memory& memory_now() const { return interpreter_.port.memory(); }

  /// Takes a state over; clears stops, warnings, step count and decoded code.
  void set_state(const WaveState& state);
  /// Everything as a plain value again. `pc` is the next instruction's address, or after a stop the address that the
  /// stop reports.
  [[nodiscard]] WaveState state() const;

  /// Runs up to `max_steps` instructions with the chosen dispatch loop; returns how many. `stopped()` tells whether it
  /// ended by itself.
  u64 run(u64 max_steps);
  /// The same one instruction at a time, through the same handlers.
  u64 run_exactly(u64 max_steps);

  /// Makes `run` return in front of a vector instruction that it would pass over and whose scalar results would be
  /// missing then, and where the budget does not cover the next block. `run_exactly` goes on from there.
  void set_pause_at_scalar_results(bool pause) { interpreter_.control.pause_at_scalar_results = pause; }
  /// The same in front of every instruction that a filter picks, by its address. It is asked once for each instruction
  /// that is decoded, so others run as fast as without it. An empty filter picks nothing.
  using PauseFilter = RunControl::PauseFilter;
  void set_pause_filter(PauseFilter filter);
  /// Runs as `run` does with a pause filter, and returns as well in front of a fork that would push an entry of the
  /// control stack that is among these, a bit each, and of a join that would pop one.
  u64 run_to_entries(u64 max_steps, u32 entries);
  /// Asks the filter again for every instruction.
  void ask_pause_filter_again() { interpreter_.decode_again(); }

  /// Enough to come back to where the machine is, as long as it has not stopped.
  struct Snapshot {
    WaveState state;
    Memory memory;
    u64 steps = 0;
    u64 skipped_vector = 0;
    std::vector<u64> assumed;
    bool has_lost_vectors = false;
    bool vccz_is_stale = false;
    u64 half_vcc_writer = 0;
    PushedEntries pushed;
    std::shared_ptr<const std::vector<Warning>> warnings;  ///< shared between snapshots that have the same
  };
  [[nodiscard]] Snapshot snapshot();
  /// Goes back to a snapshot of this machine. What `visit_executed` visits begins anew.
  void restore(const Snapshot& snapshot);
  /// The same but for memory, which stays as it is.
  void restore_registers(const Snapshot& snapshot);

  [[nodiscard]] Generation generation() const { return interpreter_.wave.generation; }
  /// Its registers. SCC among them, but while a run is under way.
  [[nodiscard]] const Wave& wave() const { return interpreter_.wave; }
  /// Its vector registers; null until one has been touched.
  [[nodiscard]] const VectorFile* vectors() const { return interpreter_.vectors.get(); }
  /// A lane of one of them, by `state_index`.
  [[nodiscard]] u32 lane(u32 index) const {
    return vectors() == nullptr ? 0 : vectors()->lanes(state_index::vector_of(index))[state_index::lane_of(index)];
  }
  [[nodiscard]] OnVector on_vector() const { return interpreter_.on_vector; }
  /// Whether vector instructions are executed now, those that can be.
  [[nodiscard]] bool executes_vectors() const {
    return interpreter_.on_vector == OnVector::run && !interpreter_.wave.vskip();
  }
  /// Its code as it stands now.
  [[nodiscard]] const CodeCache& code() const { return interpreter_.cache; }
  /// Address of the instruction that would run next.
  [[nodiscard]] u64 pc() const {
    return interpreter_.next_op == nullptr
               ? interpreter_.pc_at_rest
               : interpreter_.cache.address_of(interpreter_.next_op) & interpreter_.wave.address_mask;
  }
  /// Instructions executed since `set_state`, or on the way to a snapshot and from there.
  [[nodiscard]] u64 steps() const { return interpreter_.steps; }
  /// Vector instructions passed over.
  [[nodiscard]] u64 skipped_vector() const { return interpreter_.skipped_vector; }
  /// Whether it may have executed what hardware may make something else of.
  [[nodiscard]] bool may_have_approximated() const { return interpreter_.cache.has_approximate(); }
  /// Whether a vector instruction that was passed over, not by VSKIP, would have written nobody knows which vector
  /// registers.
  [[nodiscard]] bool has_lost_vectors() const { return interpreter_.has_lost_vectors; }
  /// Addresses of the instructions that did what is assumed about them, in the order in which they first did.
  [[nodiscard]] const std::vector<u64>& assumed() const { return interpreter_.assumed; }
  /// Calls `visit(address)` for every instruction that has run since `set_state`, the one that ended the run included:
  /// once each, unless code was changed or forgotten in between.
  template <class Visit>
  void visit_executed(const Visit& visit) const {
    interpreter_.cache.visit_executed(interpreter_.steps, visit);
  }

  /// The number of entries into the trap handler, without those of S_TRAP.
  [[nodiscard]] u64 traps_entered() const { return interpreter_.traps_entered; }
  [[nodiscard]] bool stopped() const { return interpreter_.control.stopped; }
  /// Why, once `stopped()`.
  [[nodiscard]] Stop stop() const;
  /// The reason alone, without the cost of the texts.
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

  /// Records that something depends on what is undefined. `describe` is asked for the sentence and the data, the first
  /// time at an address.
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

  /// What lies on the control stack.
  [[nodiscard]] const PushedEntries& pushed() const { return interpreter_.pushed; }
  /// Misuse of the control stack whose warnings say nothing yet.
  [[nodiscard]] const std::vector<StackMisuse>& misuses() const { return interpreter_.misuses; }
  /// Gives one of these its sentence. `forget_misuses` when all have one.
  void explain_misuse(const StackMisuse& misuse, std::optional<u64> culprit_pc, u64 victim_pc, std::string detail);
  void forget_misuses() { interpreter_.misuses.clear(); }

 private:
  bool ready_to_run();
  u64 run_to_event(u64 max_steps);

  Dispatch dispatch_;
  Interpreter interpreter_;
};

}  // namespace salu::core
