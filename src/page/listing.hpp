#pragma once

#include <salu/integer.hpp>
#include <salu/program.hpp>
#include <salu/run.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "isa/control_flow.hpp"

namespace salu::page {

/// An instruction that was executed.
struct Executed {
  u64 pc = 0;
  u32 size_bytes = 4;
  isa::Flow flow = isa::Flow::next;
  std::string text;
  u64 count = 0;
  u64 first_step = 0;
  u64 last_step = 0;
  u64 fell_through = 0;        ///< went on with the next instruction
  u64 jumped = 0;              ///< went on elsewhere
  u64 stacked = 0;             ///< forks: split; joins: popped. Counted in the two above as well
  u64 stacked_jumps = 0;       ///< of these, the ones that went on elsewhere
  std::map<u64, u64> targets;  ///< where it went on elsewhere, `most_targets` of them, and how often
};

/// The executed instructions with their counts, in order of first appearance.
class ExecutionCounts {
 public:
  static constexpr std::size_t most_targets = 8;

  /// The number of the instruction of an event, which is counted.
  u32 add(const TraceEvent& event);
  /// Where an instruction went on, and whether it moved CSP. Not for one that ended the run.
  void go_on(u32 number, u64 next_pc, bool stacked);

  [[nodiscard]] const Executed& operator[](u32 number) const { return all_[number]; }
  [[nodiscard]] const std::vector<Executed>& all() const { return all_; }
  /// The number of the instruction at an address; nothing where none was executed.
  [[nodiscard]] std::optional<u32> find(u64 pc) const;

 private:
  std::vector<Executed> all_;
  std::unordered_map<u64, u32> numbers_;
};

/// A line of the listing: an instruction, or a run of instructions that are not shown.
struct ListingLine {
  u64 pc = 0;
  std::string text;             ///< empty: instructions that are not shown
  std::optional<u32> executed;  ///< its number in `ExecutionCounts`
  u64 hidden = 0;               ///< how many are not shown
  u64 hidden_count = 0;         ///< how often those were executed, added up
  std::vector<std::string> labels;
  std::string source;  ///< `file:12`; empty where it is not known
};

/// The program from its lowest address on. When it has more than `most_lines` instructions, those that were executed
/// are shown, and of those the ones that were executed most.
std::vector<ListingLine> list_program(const Program& program, const ExecutionCounts& counts, std::size_t most_lines);

}  // namespace salu::page
