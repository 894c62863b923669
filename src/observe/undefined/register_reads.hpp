#pragma once

#include "observe/observer.hpp"
#include "observe/undefined/tracker.hpp"
#include "observe/undefined/watched_state.hpp"

namespace salu::observe::undefined {

/// Warns of decisions that depend on results of vector instructions that `OnVector::skip` passed over. A register
/// depends on one if an instruction that writes it has read one that does. With `CheckUndefined::reads` warns of each
/// read of such a register, and of a register or a lane that has not been written.
class RegisterReads : public Observer {
 public:
  RegisterReads(core::Machine& machine, const WaveState& initial, bool checks_reads);

  bool wants(u64 address, const KnownInstruction& known) override {
    return watched_.concerns(machine_, address, known);
  }
  void before(ObservedStep& step) override;
  void after(ObservedStep& step) override;
  [[nodiscard]] core::DefinedSet missing() const override { return undefined::missing(state_); }
  [[nodiscard]] Kept keep() const override { return keep_copy(state_); }
  void restore(const Kept& kept) override;

 private:
  void watch() { watched_.watch(machine_, state_.shadow.touched(), false, interest_); }
  void warn_of_skipped(const ObservedStep& step, const Location& place) const;
  void check_reads(ObservedStep& step) const;
  void check_lanes(ObservedStep& step) const;

  core::Machine& machine_;
  bool checks_reads_;
  State state_;
  WatchedState watched_;
  OriginId skipped_ = 0;  ///< the skipped instruction on whose results the step depends; 0: on none
};

}  // namespace salu::observe::undefined
