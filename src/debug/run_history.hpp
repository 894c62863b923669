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

/// What a user set while the run stood still.
struct Edit {
  std::optional<RegisterName> name;  ///< a register; none: memory
  u64 value = 0;
  u64 address = 0;
  std::vector<u8> bytes;
};

struct HistoryOptions {
  u64 checkpoint_interval = 65'536;    ///< instructions from one to the next at first; doubled where room is short
  u64 history_bytes = u64{128} << 20;  ///< what all checkpoints together may take, about
  CheckUndefined check_undefined = CheckUndefined::off;  ///< as `RunOptions` has it
};

/// One run of a scenario that can be at any of its instructions: a position is the number of those executed before.
/// Going back is going on from a checkpoint, so that both ways come to the same state. Beside those that are spread
/// over the whole run there are a few for a while, the nearer to where the run stands the closer together: whoever goes
/// back goes back on. What a user sets at a position is part of the run from there on, and takes the place of what came
/// behind it.
class RunHistory {
 public:
  /// The scenario has to outlive it.
  explicit RunHistory(const Scenario& scenario, const HistoryOptions& options = {});

  [[nodiscard]] const Scenario& scenario() const { return scenario_; }
  [[nodiscard]] const core::Machine& machine() const { return machine_; }
  /// Memory as it is now. A copy of `machine().memory_now()` must not outlive the next move; this value may.
  [[nodiscard]] Memory memory() { return machine_.memory(); }
  [[nodiscard]] u64 position() const { return machine_.steps(); }
  /// The greatest position so far that is still part of the run.
  [[nodiscard]] u64 furthest() const { return furthest_; }
  /// True where nothing comes behind the position; `machine().stop()` says why.
  [[nodiscard]] bool ended() const { return machine_.stopped(); }
  [[nodiscard]] const CallStack& calls() const { return calls_; }
  /// What vector instructions that were passed over leave undefined here.
  [[nodiscard]] core::DefinedSet missing() const { return observed_.missing(); }

  /// Makes `advance` return in front of the instructions that a filter picks by their address. An empty one picks none.
  void set_filter(std::function<bool(u64 address)> filter);
  /// Whether the filter picks the next instruction.
  [[nodiscard]] bool is_picked() const { return !ended() && filter_ && filter_(machine_.pc()); }

  enum class Arrival : u8 { position, picked, ended, interrupted, warned };
  /// Runs up to a position, to the next instruction that the filter picks, to the end, until `interrupt`, or to after
  /// an instruction with a warning that is caught. Does not move when the next instruction is picked.
  Arrival advance(u64 to);
  /// Executes the next instruction, if there is one. `trace`, when given, is told of it. `behind`, when given, is
  /// called behind it and before what was set at the position that follows.
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

  /// Goes to a position, whatever is picked; to the end when the run has fewer. False when it was interrupted.
  bool go_to(u64 target);
  /// Goes to the last checkpoint at or before a position.
  void go_to_checkpoint(u64 target);
  /// The position of that checkpoint.
  [[nodiscard]] u64 checkpoint_before(u64 target) const;

  /// Sets something here. What came behind this position is forgotten. Needs a run that has not ended.
  void edit(Edit edit);

  /// The next position behind this one where something was set; the greatest number when there is none.
  [[nodiscard]] u64 next_edit() const { return next_edit(position()); }
  [[nodiscard]] u64 next_edit(u64 position) const;

  /// Makes a run return early, from any thread or signal handler.
  void interrupt() { interrupted_ = true; }
  /// Takes back an interrupt that came too late.
  void clear_interrupt() { interrupted_ = false; }
  /// The same; true when there was one.
  bool take_interrupt() { return interrupted_.exchange(false); }

  /// All that has been, up to `furthest`, for who looks back without moving. Valid until the run changes.
  [[nodiscard]] std::unique_ptr<observe::Past> past() const;
  /// Calls this now and then while the run goes on, wherever to; empty: nothing.
  void set_progress(std::function<void()> tell) { progress_ = std::move(tell); }

  /// What checkpoints take, about.
  [[nodiscard]] u64 history_bytes() const { return checkpoint_bytes_ + near_bytes_; }
  [[nodiscard]] std::size_t checkpoint_count() const { return checkpoints_.size() + near_.size(); }

 private:
  struct Checkpoint {
    core::Machine::Snapshot snapshot;
    observe::ObservedRun::Kept kept;  ///< of the observers; empty if they have followed nothing
    CallStack calls;
    u64 bytes = 0;  ///< that it holds apart from the one before it
  };

  /// The same run once more, from the last checkpoint where less than so many forks have pushed.
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
  observe::Tracer* tracer_ = nullptr;  ///< one of those of `observed_`
  observe::ObservedRun observed_;
  HistoryOptions options_;
  std::set<WarningKind> checked_kinds_;
  bool checks_;  ///< each instruction is looked at
  bool explains_misuse_ = true;
  std::function<bool(u64)> filter_;
  std::function<bool(const Warning&)> catches_;
  std::function<void()> progress_;
  CallStack calls_;
  u64 furthest_ = 0;
  std::map<u64, std::vector<Edit>> edits_;  ///< by position
  std::vector<Checkpoint> checkpoints_;     ///< by position; the first is at 0
  std::deque<Checkpoint> near_;             ///< by position; those that are kept for a while
  u64 near_bytes_ = 0;
  u64 near_due_ = 0;  ///< where the next of these is to be taken
  u64 aim_ = 0;       ///< the position that the run is on its way to
  u64 interval_;
  u64 most_bytes_;
  u64 checkpoint_bytes_ = 0;
  std::atomic<bool> interrupted_ = false;
};

/// Whether an instruction calls: goes elsewhere and keeps the address behind it in registers.
bool is_call(const isa::Instruction& instruction);
/// Whether an instruction may return: goes to an address in registers and keeps none.
bool may_return(const isa::Instruction& instruction);

}  // namespace salu::debug
