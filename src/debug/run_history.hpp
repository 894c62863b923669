#pragma once

#include <salu/memory.hpp>
#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/machine.hpp"
#include "debug/call_stack.hpp"
#include "debug/checkpoints.hpp"
#include "debug/turns.hpp"
#include "observe/past.hpp"
#include "observe/stack_misuse.hpp"
#include "observe/trace.hpp"
#include "observe/work_groups.hpp"

namespace salu::debug {

/// A register or memory that the user set between two instructions.
struct Edit {
  std::optional<RegisterName> name;  ///< a register; nothing for memory
  u64 value = 0;
  u64 address = 0;
  std::vector<u8> bytes;
  u64 wave = 0;  ///< number of the wave that has the register, or that was selected
};

struct HistoryOptions {
  u64 checkpoint_interval = 65'536;    ///< instructions between checkpoints at first; doubled if memory is short
  u64 history_bytes = u64{128} << 20;  ///< approximate memory limit of all checkpoints
  CheckUndefined check_undefined = CheckUndefined::off;  ///< as `RunOptions` has it
};

/// One run of a scenario that can be moved to any position: the number of instructions executed before, by all waves.
/// Moving back re-executes from a checkpoint, so that both directions give the same state. An edit at a position
/// becomes part of the run and discards its continuation.
class RunHistory {
 public:
  /// The scenario must outlive this object.
  explicit RunHistory(const Scenario& scenario, const HistoryOptions& options = {});

  [[nodiscard]] const Scenario& scenario() const { return scenario_; }
  [[nodiscard]] const observe::WorkGroups::Launch& launch() const { return launch_.launch(); }
  using Wave = observe::WorkGroups::Wave;
  /// The wave that executes the next instruction, and has the memory; at the end, the one whose end is reported.
  [[nodiscard]] const Wave& wave() const;
  [[nodiscard]] const core::Machine& machine() const { return wave().machine; }
  /// The waves of the work-groups that run, in the order of their numbers.
  [[nodiscard]] const std::vector<Wave*>& waves() const { return groups_->waves(); }
  /// Returns one of these waves, or null; gives its machine the memory, until the next move or use of `machine`.
  [[nodiscard]] const Wave* look_at_wave(u64 number) const;
  /// True if the scenario runs several waves.
  [[nodiscard]] bool has_several_waves() const { return launch().count > 1; }
  /// The turns of the waves up to `furthest`.
  [[nodiscard]] const Turns& turns() const { return turns_; }
  /// True if a wave has ended, or is not one of `waves`.
  [[nodiscard]] bool has_ended(u64 number) const;
  /// The current memory. A copy of `machine().memory_now()` must not outlive the next move; this value may.
  [[nodiscard]] Memory memory() { return groups_->memory(); }
  [[nodiscard]] u64 position() const { return groups_->steps(); }
  /// The greatest position reached that is still part of the run.
  [[nodiscard]] u64 furthest() const { return furthest_; }
  /// True at the end of the run; `stop` has the reason.
  [[nodiscard]] bool ended() const { return groups_->is_stuck() || groups_->is_over(); }
  [[nodiscard]] Stop stop() const;
  /// The calls of a wave that have not returned yet.
  [[nodiscard]] CallStack calls(u64 number) const;
  /// The state that skipped vector instructions leave undefined in the current wave.
  [[nodiscard]] core::DefinedSet missing() const { return wave().observed->missing(); }
  /// The warnings of all waves.
  [[nodiscard]] std::vector<Warning> warnings() const;

  /// Makes `advance` return before instructions at the addresses that a filter selects. An empty filter selects none.
  void set_filter(std::function<bool(u64 address)> filter);
  /// True if the filter selects the next instruction.
  [[nodiscard]] bool is_picked() const { return !ended() && filter_ && filter_(machine().pc()); }
  /// Makes `advance` return at the end of each turn of a wave.
  void set_stops_at_turns(bool stops) { stops_at_turns_ = stops; }

  enum class Arrival : u8 { position, picked, turn, ended, interrupted, warned };
  /// Runs up to a position, to the next selected instruction, to the end, until `interrupt`, or past an instruction
  /// with a caught warning. Does not move if the next instruction is selected.
  Arrival advance(u64 to);
  /// Executes the next instruction, if there is one. Calls `trace`, if given, for it; then `behind`, if given, before
  /// edits at the new position are applied.
  void step(const std::function<void(const TraceEvent&)>& trace = {}, const std::function<void()>& behind = {});

  /// Makes `advance` return after an instruction with a warning for which `catches` returns true; an empty function
  /// catches nothing. Each instruction is observed meanwhile, which is slower.
  void set_catch(std::function<bool(const Warning& warning)> catches) { catches_ = std::move(catches); }
  /// The warnings that are caught, of those of the last instruction of `advance` or `step`.
  [[nodiscard]] const std::vector<Warning>& caught() const { return caught_; }
  /// The kinds of warnings that the checks of this run look for.
  [[nodiscard]] const std::set<WarningKind>& checked_kinds() const { return checked_kinds_; }

  /// Returns the outcome of the run as `run` (salu/run.hpp) has it. Needs a run that has ended.
  [[nodiscard]] Outcome outcome();

  /// Goes to a position without regard to the filter, or to the end of a shorter run. Returns false if interrupted.
  bool go_to(u64 target);
  /// Goes to the last checkpoint at or before a position.
  void go_to_checkpoint(u64 target);
  /// The position of the last checkpoint at or before a position.
  [[nodiscard]] u64 checkpoint_before(u64 target) const;

  /// Applies an edit here and discards the continuation of the run. The run must not have ended.
  void edit(Edit edit);

  /// The next position after this one with an edit, or the greatest number.
  [[nodiscard]] u64 next_edit() const { return next_edit(position()); }
  [[nodiscard]] u64 next_edit(u64 position) const;

  /// Interrupts a move. May be called from any thread or signal handler.
  void interrupt() { interrupted_ = true; }
  /// Clears a pending interrupt.
  void clear_interrupt() { interrupted_ = false; }
  /// Clears a pending interrupt. Returns true if there was one.
  bool take_interrupt() { return interrupted_.exchange(false); }

  /// The run up to `furthest`, for lookups that do not move it. Valid until the run changes.
  [[nodiscard]] std::unique_ptr<observe::Past> past() const;
  /// Sets a function that is called regularly while the run moves; may be empty.
  void set_progress(std::function<void()> tell) { progress_ = std::move(tell); }

  /// The approximate memory of the checkpoints.
  [[nodiscard]] u64 history_bytes() const { return checkpoints_.bytes(); }
  [[nodiscard]] std::size_t checkpoint_count() const { return checkpoints_.count(); }

 private:
  /// Replays the run from the last checkpoint at which fewer than a given number of forks have pushed.
  class Replay;
  class HistoryPast;
  [[nodiscard]] std::unique_ptr<observe::Replay> replay(Wave& wave, u64 push) const;
  void explain_misuse(Wave& wave);
  observe::Observers make_observers(Wave& wave, observe::races::WaveRaces* races);
  void set_pause_filter(Wave& wave);

  [[nodiscard]] bool needs_observation() const { return checks_ || catches_ || missing().any(); }
  [[nodiscard]] bool follows_state() const;
  [[nodiscard]] Wave& current() const { return groups_->current(); }
  void execute_one();
  void run_some(u64 end);
  [[nodiscard]] std::vector<std::pair<const Wave*, std::size_t>> count_warnings() const;
  void catch_warnings(const std::vector<std::pair<const Wave*, std::size_t>>& seen);
  [[nodiscard]] bool is_known(const Wave& wave, const Warning& warning) const;
  void settle();
  void end_wave(Wave& wave);
  void apply(std::span<const Edit> edits);
  static void apply(std::span<const Edit> edits, observe::WorkGroups& groups);
  void go_from(const Checkpoint& checkpoint);
  [[nodiscard]] Checkpoint make_checkpoint();
  void arrive();

  const Scenario& scenario_;
  HistoryOptions options_;
  RunOptions run_options_;
  observe::ScenarioLaunch launch_;
  std::map<const Wave*, observe::Tracer*> tracers_;  ///< owned by the observers of the waves
  std::set<WarningKind> checked_kinds_;
  bool checks_;  ///< each instruction is observed
  bool explains_misuse_ = true;
  std::function<bool(u64)> filter_;
  std::function<bool(const Warning&)> catches_;
  std::function<void()> progress_;
  bool stops_at_turns_ = false;
  std::unique_ptr<observe::WorkGroups> groups_;
  Calls calls_;
  std::vector<Warning> earlier_warnings_;  ///< of waves of removed work-groups
  std::vector<Warning> caught_;
  Turns turns_;  ///< up to `furthest_`
  u64 furthest_ = 0;
  std::map<u64, std::vector<Edit>> edits_;  ///< by position
  Checkpoints checkpoints_;
  std::atomic<bool> interrupted_ = false;
};

/// True if an instruction calls: jumps and stores the next address in registers.
bool is_call(const isa::Instruction& instruction);
/// True if an instruction may return: jumps to an address in registers without storing one.
bool may_return(const isa::Instruction& instruction);

}  // namespace salu::debug
