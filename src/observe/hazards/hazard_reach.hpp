#pragma once

#include <salu/integer.hpp>

#include <array>
#include <bitset>
#include <optional>
#include <unordered_map>

#include "core/machine.hpp"
#include "observe/hazards/hazard_facts.hpp"
#include "observe/hazards/hazard_table.hpp"

namespace salu::observe {

/// Selects the instructions of a run that must be observed while nothing is pending, or only unbounded hazards:
/// producers with a possible consumer nearby, and instructions related to the unbounded hazards.
class HazardReach {
 public:
  HazardReach(const core::Machine& machine, const TargetHazards& hazards);

  /// `rests`: an unbounded hazard is pending, which waits for an event, not for a number of wait states.
  bool matters(u64 address, bool rests);

 private:
  const PlacedFacts& facts_at(u64 pc);
  bool reaches(const PlacedFacts& producer, HazardEvent event);
  bool is_in_code(HazardEvent event);

  const core::Machine& machine_;
  const TargetHazards& hazards_;
  std::array<std::bitset<hazard_use_count>, hazard_event_count> uses_;  ///< that consume an event
  /// Consumers anywhere in the program, computed on demand.
  std::optional<std::bitset<hazard_use_count>> code_uses_;
  std::unordered_map<u64, PlacedFacts> facts_;
  u64 version_ = 0;  ///< version of the code
};

}  // namespace salu::observe
