#pragma once

#include <salu/run.hpp>

#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/machine.hpp"
#include "core/time_limit.hpp"
#include "observe/observer.hpp"

namespace salu::observe {

namespace races {
class WaveRaces;
}

/// Creates the observers that run options require. `explain_misuse` is called when the machine has recorded misuse of
/// the control stack (observe/stack_misuse.hpp). `races`: with `RunOptions::check_races`, the wave in its work-group;
/// null for a wave that runs alone.
Observers make_observers(core::Machine& machine, const RunOptions& options, const WaveState& initial,
                         std::function<void()> explain_misuse, races::WaveRaces* races = nullptr);

/// Runs a machine and shows its instructions to observers; instructions that no observer wants run at full speed.
class ObservedRun final : private CodeAhead {
 public:
  /// Continues from the current state of the machine.
  ObservedRun(core::Machine& machine, Observers observers);

  /// Runs until the machine has executed `max_steps` instructions since `set_state`, or stops.
  void run(u64 max_steps);
  /// The same for up to `max_steps` more instructions, with a time limit.
  void run_on(u64 max_steps, const core::TimeLimit& limit);
  /// Executes one instruction and shows it to all observers. Returns the number of executed instructions: 0 if the run
  /// ended.
  u64 step();

  /// Records that part of the state, or of memory, was set from outside the program: it is defined.
  void define_from_outside(const Location& place);
  void define_from_outside(u64 address, u64 size_bytes);

  /// Takes over what the observers of another wave know about memory, which now belongs to the machine of this run.
  void take_memory_of(ObservedRun& other);

  /// Called at the end of a run: the observers add their results to the outcome.
  void end(const RunOptions& options, Outcome& outcome);
  [[nodiscard]] core::DefinedSet missing() const;

  using Kept = std::vector<Observer::Kept>;
  [[nodiscard]] Kept keep() const;
  /// Must be called after the machine was moved to another state. Observers are reset if `kept` is empty.
  void restore(const Kept& kept);

 private:
  /// Cached information about an address.
  struct Site {
    static constexpr u64 no_pc = 1;  ///< not a valid instruction address
    u64 pc = no_pc;
    const KnownInstruction* known = nullptr;  ///< null outside the code
    u64 version = 0;                          ///< of the interests of all observers
    u32 wanted_by = 0;                        ///< observers that want it, one bit each
    u32 runs_on = 0;                          ///< observers that may execute it
    bool uses_stack = false;                  ///< a fork or a join
    u64 quiet_end = 0;                        ///< up to here, no observer except `quiet_for` must be shown anything
    u32 quiet_for = 0;
  };
  /// The interests of all observers: one bit for each observer that has the interest.
  struct Interests {
    u32 all = 0;
    u32 along = 0;
    u32 stack = 0;
    u32 entries = 0;  ///< of the control stack
    u64 version = 0;
  };

  const KnownInstruction* known_at(u64 pc) override;
  u64 quiet_end(u64 pc) override;
  void ask();
  template <class Predicate>
  u32 observers_that(const Predicate& predicate);
  u32 wanted_by(u64 address, const KnownInstruction& known);
  bool is_wanted(u64 address);
  Site& site_at(u64 pc);
  u64 show(u64 pc, const KnownInstruction* known, u32 to);

  core::Machine& machine_;
  Observers observers_;
  u32 everyone_ = 0;  ///< one bit for each observer
  Interests interests_;
  bool filters_ = false;                             ///< the machine pauses at wanted instructions
  u32 alone_ = 0;                                    ///< the observer that executes instructions itself
  std::unordered_map<u64, KnownInstruction> known_;  ///< by address
  core::Allocation known_allocation_;                ///< for which `known_` was filled
  std::vector<Site> sites_;                          ///< by the low bits of the address; empty until used
  u64 sites_version_ = 0;                            ///< of the code
  Accesses accesses_;
};

}  // namespace salu::observe
