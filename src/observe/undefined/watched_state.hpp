#pragma once

#include "observe/observer.hpp"
#include "observe/undefined/shadow.hpp"

namespace salu::observe::undefined {

/// The places that a shadow follows, as far as they decide which instructions an observer wants. Instructions are
/// picked anew when a place is added, and after a while once fewer places are followed.
class WatchedState {
 public:
  /// Takes the scalar dwords that are followed now, and whether any of memory is. Changes `interest` accordingly.
  void watch(const core::Machine& machine, const ScalarSet& scalars, bool memory, Observer::Interest& interest);
  /// True for an instruction that may touch a watched place, or more than its words tell.
  [[nodiscard]] bool concerns(const core::Machine& machine, u64 address, const KnownInstruction& known) const;

 private:
  static constexpr u64 first_patience = 256;

  ScalarSet scalars_;  ///< those that instructions were picked by
  bool memory_ = false;
  ScalarSet followed_;
  u64 in_vain_ = 0;
  u64 patience_ = first_patience;
};

}  // namespace salu::observe::undefined
