#pragma once

#include <salu/memory.hpp>
#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <atomic>
#include <deque>
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
#include "observe/observed_run.hpp"
#include "observe/past.hpp"
#include "observe/stack_misuse.hpp"
#include "observe/trace.hpp"

namespace salu::debug {

/// A register or memory that the user set between two instructions.
struct Edit {
  std::optional<RegisterName> name;  ///< a register; nothing for memory
  u64 value = 0;
  u64 address = 0;
  std::vector<u8> bytes;
};

struct HistoryOptions {
  u64 checkpoint_interval = 65'536;    ///< instructions between checkpoints at first; doubled if memory is short
  u64 history_bytes = u64{128} << 20;  ///< approximate memory limit of all checkpoints
  CheckUndefined check_undefined = CheckUndefined::off;  ///< as `RunOptions` has it
};

/// One run of a scenario that can be moved to any position: the number of instructions executed before. Moving back
/// re-executes from a checkpoint, so that both directions give the same state. Beside the checkpoints spread over the
/// whole run there are a few temporary ones, which are denser near the current position, because moves back tend to be
/// repeated. An edit at a position becomes part of the run and discards its continuation.
class RunHistory {
 public:
  /// The scenario must outlive this object.
  explicit RunHistory(const Scenario& scenario, const HistoryOptions& options = {});

  [[nodiscard]] const Scenario& scenario() const { return scenario_; }
  [[nodiscard]] const core::Machine& machine() const { return machine_; }
  /// The current memory. A copy of `machine().memory_now()` must not outlive the next move; this value may.
  [[nodiscard]] Memory memory() { return machine_.memory(); }
  [[nodiscard]] u64 position() const { return machine_.steps(); }
  /// The greatest position reached that is still part of the run.
  [[nodiscard]] u64 furthest() const { return furthest_; }
  /// True at the end of the run; `machine().stop()` has the reason.
  [[nodiscard]] bool ended() const { return machine_.stopped(); }
  [[nodiscard]] const CallStack& calls() const { return calls_; }
  /// The state that skipped vector instructions leave undefined here.
  [[nodiscard]] core::DefinedSet missing() const { return observed_.missing(); }

  /// Makes `advance` return before instructions at the addresses that a filter selects. An empty filter selects none.
  void set_filter(std::function<bool(u64 address)> filter);
  /// True if the filter selects the next instruction.
  [[nodiscard]] bool is_picked() const { return !ended() && filter_ && filter_(machine_.pc()); }

  enum class Arrival : u8 { position, picked, ended, interrupted, warned };
  /// Runs up to a position, to the next selected instruction, to the end, until `interrupt`, or past an instruction
  /// with a caught warning. Does not move if the next instruction is selected.
  Arrival advance(u64 to);
  /// Executes the next instruction, if there is one. Calls `trace`, if given, for it; then `behind`, if given, before
  /// edits at the new position are applied.
  void step(const std::function<void(const TraceEvent&)>& trace = {}, const std::function<void()>& behind = {});

  /// Makes `advance` return after an instruction with a warning for which `catches` returns true; an empty function
  /// catches nothing. Each instruction is observed meanwhile, which is slower.
  void set_catch(std::function<bool(const Warning& warning)> catches) { catches_ = std::move(catches); }
  /// The warnings that are caught, of those after the first `seen` of the run.
  [[nodiscard]] std::vector<Warning> caught_since(std::size_t seen) const;
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
  [[nodiscard]] u64 history_bytes() const { return checkpoint_bytes_ + near_bytes_; }
  [[nodiscard]] std::size_t checkpoint_count() const { return checkpoints_.size() + near_.size(); }

 private:
  struct Checkpoint {
    core::Machine::Snapshot snapshot;
    observe::ObservedRun::Kept kept;  ///< of the observers; empty if they follow nothing
    CallStack calls;
    u64 bytes = 0;  ///< not shared with the checkpoint before
  };

  /// Replays the run from the last checkpoint at which fewer than a given number of forks have pushed.
  class Replay;
  class HistoryPast;
  [[nodiscard]] std::unique_ptr<observe::Replay> replay(u64 push) const;
  void explain_misuse();
  observe::Observers make_observers(const HistoryOptions& options);

  [[nodiscard]] bool needs_observation() const { return checks_ || catches_ || observed_.missing().any(); }
  void execute_one();
  void apply(std::span<const Edit> edits);
  static void apply(std::span<const Edit> edits, core::Machine& machine);
  void go_from(const Checkpoint& checkpoint);
  [[nodiscard]] Checkpoint make_checkpoint();
  void drop_last_checkpoint();
  void take_checkpoint();
  void take_near_checkpoint();
  void plan_near_checkpoint();
  [[nodiscard]] std::size_t near_count() const;
  void drop_near_from(u64 position);
  void thin_out();
  [[nodiscard]] bool lacks_room() const;
  void measure(std::size_t index);
  [[nodiscard]] const Checkpoint& find_checkpoint(u64 target) const;
  void arrive();

  const Scenario& scenario_;
  core::Machine machine_;
  observe::Tracer* tracer_ = nullptr;  ///< owned by `observed_`
  observe::ObservedRun observed_;
  HistoryOptions options_;
  std::set<WarningKind> checked_kinds_;
  bool checks_;  ///< each instruction is observed
  bool explains_misuse_ = true;
  std::function<bool(u64)> filter_;
  std::function<bool(const Warning&)> catches_;
  std::function<void()> progress_;
  CallStack calls_;
  u64 furthest_ = 0;
  std::map<u64, std::vector<Edit>> edits_;  ///< by position
  std::vector<Checkpoint> checkpoints_;     ///< by position; the first is at 0
  std::deque<Checkpoint> near_;             ///< by position; the temporary ones
  u64 near_bytes_ = 0;
  u64 near_due_ = 0;  ///< position of the next temporary one
  u64 aim_ = 0;       ///< the goal of the current move
  u64 interval_;
  u64 most_bytes_;
  u64 checkpoint_bytes_ = 0;
  std::atomic<bool> interrupted_ = false;
};

/// True if an instruction calls: jumps and stores the next address in registers.
bool is_call(const isa::Instruction& instruction);
/// True if an instruction may return: jumps to an address in registers without storing one.
bool may_return(const isa::Instruction& instruction);

}  // namespace salu::debug
