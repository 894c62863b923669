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

/// The observers that run options ask for. `explain_misuse` is called when the machine has recorded misuse of the
/// control stack (observe/stack_misuse.hpp).
Observers make_observers(core::Machine& machine, const RunOptions& options, const WaveState& initial,
                         std::function<void()> explain_misuse);

/// Runs a machine and shows its instructions to observers: at full speed where none has to be shown any.
class ObservedRun final : private CodeAhead {
 public:
  /// Goes on from where the machine is.
  ObservedRun(core::Machine& machine, Observers observers);

  /// Until the machine has executed `max_steps` instructions since `set_state`, or stops.
  void run(u64 max_steps);
  /// The same for `max_steps` more instructions, within a time limit.
  void run_on(u64 max_steps, const core::TimeLimit& limit);
  /// Executes one instruction and shows it to all observers. Returns the number executed: 0 where the run ended.
  u64 step();

  /// Records that part of the state, or of memory, was given a value from outside the program: it is defined.
  void define_from_outside(const Location& place);
  void define_from_outside(u64 address, u64 size_bytes);

  /// At the end of a run: what the observers add to its outcome.
  void end(const RunOptions& options, Outcome& outcome);
  [[nodiscard]] core::DefinedSet missing() const;

  using Kept = std::vector<Observer::Kept>;
  [[nodiscard]] Kept keep() const;
  /// For a machine that has been taken elsewhere. Observers begin anew if it is empty.
  void restore(const Kept& kept);

 private:
  /// What is known of an address.
  struct Site {
    static constexpr u64 no_pc = 1;  ///< not the address of an instruction
    u64 pc = no_pc;
    const KnownInstruction* known = nullptr;  ///< null where there is no code
    u64 version = 0;                          ///< of the interest of all observers
    u32 wanted_by = 0;                        ///< observers that want it, a bit each
    u32 runs_on = 0;                          ///< observers that may execute it
    bool uses_stack = false;                  ///< a fork or a join
    u64 quiet_end = 0;                        ///< up to where none of `quiet_for` has to be shown anything
    u32 quiet_for = 0;
  };
  /// The interests of all observers: a bit for each observer that has one.
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
  u32 everyone_ = 0;  ///< a bit for each observer
  Interests interests_;
  bool filters_ = false;                             ///< the machine pauses at instructions that are wanted
  u32 alone_ = 0;                                    ///< the observer that executes instructions by itself
  std::unordered_map<u64, KnownInstruction> known_;  ///< by address
  core::Allocation known_allocation_;                ///< when `known_` was filled
  std::vector<Site> sites_;                          ///< by the low bits of the address; empty until one is needed
  u64 sites_version_ = 0;                            ///< of the code
  Accesses accesses_;
};

}  // namespace salu::observe
