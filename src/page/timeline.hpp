#pragma once

#include <salu/integer.hpp>

#include <array>
#include <span>
#include <string>
#include <vector>

#include "page/tracked_state.hpp"

namespace salu::page {

/// The executions of an instruction within a column.
struct InstructionCount {
  u32 instruction = 0;  ///< index into the executed instructions
  u32 count = 0;
};

/// The value of a register at the end of a column that wrote it.
struct RegisterPoint {
  u32 index = 0;  ///< `state_index`
  u32 value = 0;
  u64 writes = 0;
};

/// One or more consecutive steps. EXEC and CSP are the values before each instruction.
struct Column {
  u64 exec_any = 0;        ///< lanes active in some step
  u64 exec_all = ~u64{0};  ///< lanes active in every step
  u32 csp_least = 7;
  u32 csp_most = 0;
  u64 others = 0;                              ///< steps of other waves before the first step
  std::vector<InstructionCount> instructions;  ///< in order of first appearance
  std::vector<RegisterPoint> registers;        ///< likewise
};

/// The text of a step, stored while each step has its own column.
struct StepText {
  std::string reads;
  std::string writes;
  std::string note;
};

/// The steps of a run in at most `most_columns` columns. When they are full, neighbours are merged, and columns have
/// twice as many steps from then on.
class Timeline {
 public:
  static constexpr std::size_t most_columns = 4096;

  /// Adds a step: EXEC and CSP before the instruction, and its writes. `others`: the steps of other waves before it.
  void add(u64 exec, u32 csp, u32 instruction, std::span<const TrackedWrite> writes, const TraceEvent& event,
           u64 others = 0);

  [[nodiscard]] u64 steps_per_column() const { return steps_per_column_; }
  [[nodiscard]] u64 steps() const { return steps_; }
  [[nodiscard]] std::span<const Column> columns() const { return columns_; }
  /// One per column; empty if columns have more than one step.
  [[nodiscard]] std::span<const StepText> texts() const { return texts_; }

 private:
  void halve();
  void start_column(u64 others);

  u64 steps_per_column_ = 1;
  u64 steps_ = 0;
  std::vector<Column> columns_;
  std::vector<StepText> texts_;
  /// The index of an instruction or a register in the last column plus one; 0: absent.
  std::vector<u32> instruction_places_;
  std::array<u32, state_index::scalar_count> register_places_{};
};

/// Merges columns in groups of `factor`.
std::vector<Column> merge_columns(std::span<const Column> columns, std::size_t factor);

}  // namespace salu::page
