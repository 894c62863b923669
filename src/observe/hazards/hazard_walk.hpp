#pragma once

#include <salu/integer.hpp>
#include <salu/program.hpp>

#include <optional>
#include <span>
#include <vector>

#include "observe/hazards/hazard_state.hpp"

namespace salu::observe {

/// A hazard on some path of a program.
struct PathHazard {
  u64 pc = 0;
  HazardFinding finding;  ///< of all paths the one with the fewest wait states
};

/// The hazards on all paths from some addresses on, by address: branches and forks both ways, direct calls into what
/// they call. At an entry nothing is pending, and behind a call or a trap what whoever was called leaves is taken to
/// have been waited for. A path ends where the program goes on at an address in registers,
/// and where it comes to an entry without a branch.
std::vector<PathHazard> walk_hazards(const Program& program, std::span<const u64> entries, std::optional<bool> xnack);

/// The sentence of a warning of it (`hazard_detail`).
std::string path_hazard_detail(const Program& program, const PathHazard& hazard);

}  // namespace salu::observe
