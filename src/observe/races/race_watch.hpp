#pragma once

#include <salu/run.hpp>

#include <span>
#include <vector>

#include "core/machine.hpp"
#include "observe/observer.hpp"
#include "observe/races/race_detector.hpp"

namespace salu::observe::races {

/// Finds the memory accesses, waits and barriers of a wave, and stores of lanes that overlap.
class RaceWatch : public Observer {
 public:
  /// `wave`: null for a wave that runs alone, of which only the lanes can race.
  RaceWatch(core::Machine& machine, std::span<const NamedMemory> names, WaveRaces* wave)
      : machine_(machine), names_(names.begin(), names.end()), wave_(wave) {}

  bool wants(u64 address, const KnownInstruction& known) override;
  void before(ObservedStep& step) override;

 private:
  void watch_scalar(u64 pc, const isa::Instruction& instruction);
  void watch_scalar_memory(u64 pc, const isa::Instruction& instruction);

  core::Machine& machine_;
  std::vector<NamedMemory> names_;
  WaveRaces* wave_;
};

}  // namespace salu::observe::races
