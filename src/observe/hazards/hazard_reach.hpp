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

/// Which instructions of a run have to be looked at while nothing is pending, or nothing but what rests: those that
/// leave something behind for which an instruction that may come soon is too early, and what has to do with what rests.
class HazardReach {
 public:
  HazardReach(const core::Machine& machine, const TargetHazards& hazards);

  /// `rests`: something is pending that waits for something to happen, not for a number of wait states.
  bool matters(u64 address, bool rests);

 private:
  const PlacedFacts& facts_at(u64 pc);
  bool reaches(const PlacedFacts& producer, HazardEvent event);
  bool is_in_code(HazardEvent event);

  const core::Machine& machine_;
  const TargetHazards& hazards_;
  std::array<std::bitset<hazard_use_count>, hazard_event_count> uses_;  ///< that an event may lead to
  /// By any instruction of the program, once it was asked for.
  std::optional<std::bitset<hazard_use_count>> code_uses_;
  std::unordered_map<u64, PlacedFacts> facts_;
  u64 version_ = 0;  ///< of the code that they are of
};

}  // namespace salu::observe
