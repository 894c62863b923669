#pragma once

#include "observe/observer.hpp"
#include "observe/undefined/shadow.hpp"

namespace salu::observe::undefined {

/// The places tracked by a shadow, which decide which instructions an observer wants. Instructions are selected again
/// when a place is added, and some time after places were removed.
class WatchedState {
 public:
  /// Sets the tracked scalar dwords, and whether memory is tracked. Updates `interest`.
  void watch(const core::Machine& machine, const ScalarSet& scalars, bool memory, Observer::Interest& interest);
  /// True for an instruction that may access a tracked place, or whose accesses its words do not determine.
  [[nodiscard]] bool concerns(const core::Machine& machine, u64 address, const KnownInstruction& known) const;

 private:
  static constexpr u64 first_patience = 256;

  ScalarSet scalars_;  ///< the places for which the instructions were selected
  bool memory_ = false;
  ScalarSet followed_;
  u64 in_vain_ = 0;
  u64 patience_ = first_patience;
};

}  // namespace salu::observe::undefined
