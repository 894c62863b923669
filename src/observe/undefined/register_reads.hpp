#pragma once

#include "observe/undefined/follower.hpp"

namespace salu::observe::undefined {

/// Warns about decisions that depend on results of vector instructions that `OnVector::skip` skipped. A register
/// depends on a skipped instruction if the instruction that wrote it read a register that does. With
/// `CheckUndefined::reads`, also warns about each read of such a register, and of a register or a lane that has not
/// been written.
class RegisterReads : public Follower {
 public:
  RegisterReads(core::Machine& machine, const WaveState& initial, bool checks_reads);

  void before(ObservedStep& step) override;
  void after(ObservedStep& step) override;
  bool runs_on(const KnownInstruction& /*known*/) override { return false; }
  [[nodiscard]] core::DefinedSet missing() const override { return undefined::missing(state()); }

 private:
  void warn_of_skipped(const ObservedStep& step, const Location& place);
  void check_reads(ObservedStep& step);
  void check_lanes(ObservedStep& step);

  bool checks_reads_;
  OriginId skipped_ = 0;  ///< the skipped instruction on which the step depends; 0: the step depends on none
};

}  // namespace salu::observe::undefined
