#pragma once

#include <salu/run.hpp>

#include <optional>
#include <span>
#include <string_view>

#include "core/machine.hpp"
#include "observe/races/shadow.hpp"

namespace salu::observe::races {

/// The wave that executes an instruction of a warning.
struct RacingWave {
  u64 pc = 0;
  u64 number = 0;
  std::string_view name;  ///< `wave 1 of work-group [2, 0, 0]`; empty for a wave that runs alone
};

/// One of the two accesses of a race.
struct RacingAccess : RacingWave {
  AccessKind kind{};
  std::optional<u32> lane;
};

/// What the two accesses of a race belong to.
enum class Relation : u8 {
  lanes,   ///< one instruction of a wave
  waves,   ///< two waves of a work-group
  groups,  ///< two work-groups
};

/// Warns about a race at the first of the two accesses.
void report_race(core::Machine& machine, std::span<const NamedMemory> names, const RacingAccess& access,
                 const RacingAccess& other, Relation relation, const MemoryRegion& bytes);

/// Warns about a wave that passes a barrier although another one waits at another barrier, or has ended.
void report_divergence(core::Machine& machine, const RacingWave& wave, const RacingWave& other, bool other_has_ended);

}  // namespace salu::observe::races
