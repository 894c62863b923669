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

/// An executed instruction.
struct Executed {
  u64 pc = 0;
  u32 size_bytes = 4;
  isa::Flow flow = isa::Flow::next;
  std::string text;
  u64 count = 0;
  u64 first_step = 0;
  u64 last_step = 0;
  u64 fell_through = 0;        ///< number of times that the next instruction followed
  u64 jumped = 0;              ///< number of jumps
  u64 stacked = 0;             ///< splits of forks, pops of joins; included in the two above
  u64 stacked_jumps = 0;       ///< of these, the jumps
  std::map<u64, u64> targets;  ///< targets of jumps, up to `most_targets`, with their counts
};

/// The executed instructions with their counts, in order of first appearance.
class ExecutionCounts {
 public:
  static constexpr std::size_t most_targets = 8;

  /// Counts the instruction of an event. Returns its number.
  u32 add(const TraceEvent& event);
  /// Notes the next address, and whether CSP changed. Not for the last instruction of the run.
  void go_on(u32 number, u64 next_pc, bool stacked);

  [[nodiscard]] const Executed& operator[](u32 number) const { return all_[number]; }
  [[nodiscard]] const std::vector<Executed>& all() const { return all_; }
  /// The number of the instruction at an address, if it was executed.
  [[nodiscard]] std::optional<u32> find(u64 pc) const;

 private:
  std::vector<Executed> all_;
  std::unordered_map<u64, u32> numbers_;
};

/// A line of the listing: an instruction, or a range of hidden instructions.
struct ListingLine {
  u64 pc = 0;
  std::string text;             ///< empty: hidden instructions
  std::optional<u32> executed;  ///< its number in `ExecutionCounts`
  u64 hidden = 0;               ///< number of hidden instructions
  u64 hidden_count = 0;         ///< their executions in all
  std::vector<std::string> labels;
  std::string source;  ///< `file:12`; empty if unknown
};

/// The program from its lowest address on. If it has more than `most_lines` instructions, only the most executed ones
/// are shown.
std::vector<ListingLine> list_program(const Program& program, const ExecutionCounts& counts, std::size_t most_lines);

}  // namespace salu::page
