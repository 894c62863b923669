#pragma once

#include <salu/program.hpp>

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "observe/whole_wave.hpp"
#include "page/tracked_state.hpp"

namespace salu::page {

/// The whole-wave sections (observe/whole_wave.hpp) that a run has entered. Within them, EXEC does not show the active
/// lanes of the program.
class WholeWaves {
 public:
  /// `program` must outlive this object.
  explicit WholeWaves(const Program& program) : program_(&program) {}

  /// Notes that the run has reached an instruction, which may begin a section.
  void see(u64 pc);
  /// Returns the active lanes of the program at an instruction: those in EXEC, or within a section those in EXEC before
  /// it.
  [[nodiscard]] u64 lanes_at(u64 pc, const TrackedState& state) const;
  /// True for an instruction of such a section.
  [[nodiscard]] bool contains(u64 pc) const { return begins_.contains(pc) || pairs_.contains(pc); }

 private:
  [[nodiscard]] std::optional<isa::Instruction> instruction_at(u64 address) const;

  const Program* program_;
  std::unordered_set<u64> seen_;
  std::unordered_set<u64> begins_;      ///< the first instructions of sections
  std::unordered_map<u64, u32> pairs_;  ///< by the address of every later one: the SGPRs that keep the lanes
};

}  // namespace salu::page
