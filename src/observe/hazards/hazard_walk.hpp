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
  HazardFinding finding;  ///< the finding with the fewest wait states of all paths
};

/// The hazards on all paths from the entries, by address: both sides of branches and forks, and direct calls into the
/// callee. Nothing is pending at an entry, and after a call or a trap everything is assumed to have been waited for. A
/// path ends at a jump to an address in registers, and where it reaches an entry without a branch.
std::vector<PathHazard> walk_hazards(const Program& program, std::span<const u64> entries, std::optional<bool> xnack);

/// The text of its warning (`hazard_detail`).
std::string path_hazard_detail(const Program& program, const PathHazard& hazard);

}  // namespace salu::observe
