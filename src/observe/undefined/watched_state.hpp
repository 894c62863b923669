#pragma once

#include "observe/observer.hpp"
#include "observe/undefined/shadow.hpp"

namespace salu::observe::undefined {

/// Which instructions have to do with places that a shadow follows. Those are picked by what is followed just then:
/// what is no longer followed is looked at in vain, and after some of that the instructions are picked anew.
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
