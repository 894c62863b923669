#pragma once

#include <span>

#include "observe/undefined/follower.hpp"

namespace salu::observe::undefined {

/// `CheckUndefined::bits`: warns about uses and results that depend on undefined bits.
class UndefinedCheck : public Follower {
 public:
  UndefinedCheck(core::Machine& machine, const WaveState& initial, std::span<const MemoryRegion> uninitialised)
      : Follower(machine, State(initial, uninitialised)) {}

  /// Warns about compared results and, after a regular end, about memory.
  void end(const RunOptions& options, Outcome& outcome) override;
  [[nodiscard]] core::DefinedSet missing() const override { return undefined::missing(Follower::state()); }
};

}  // namespace salu::observe::undefined
