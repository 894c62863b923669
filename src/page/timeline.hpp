#pragma once

#include <salu/integer.hpp>

#include <array>
#include <span>
#include <string>
#include <vector>

#include "page/tracked_state.hpp"

namespace salu::page {

/// How often an instruction ran within a column.
struct InstructionCount {
  u32 instruction = 0;  ///< index into the instructions that were executed
  u32 count = 0;
};

/// What a register was left with at the end of a column that wrote it.
struct RegisterPoint {
  u32 index = 0;  ///< `state_index`
  u32 value = 0;
  u64 writes = 0;
};

/// One or more consecutive steps. EXEC and CSP are those that each instruction found.
struct Column {
  u64 exec_any = 0;        ///< lanes that were on in some step
  u64 exec_all = ~u64{0};  ///< lanes that were on in every step
  u32 csp_least = 7;
  u32 csp_most = 0;
  std::vector<InstructionCount> instructions;  ///< in order of first appearance
  std::vector<RegisterPoint> registers;        ///< likewise
};

/// What is kept of a step as long as every step has a column of its own.
struct StepText {
  std::string reads;
  std::string writes;
  std::string note;
};

/// The steps of a run from left to right, in no more than `most_columns` columns: when they are full, each takes over
/// its neighbour, and columns stand for twice as many steps from then on.
class Timeline {
 public:
  static constexpr std::size_t most_columns = 4096;

  /// One step: EXEC and CSP as the instruction found them, and what it wrote.
  void add(u64 exec, u32 csp, u32 instruction, std::span<const TrackedWrite> writes, const TraceEvent& event);

  [[nodiscard]] u64 steps_per_column() const { return steps_per_column_; }
  [[nodiscard]] u64 steps() const { return steps_; }
  [[nodiscard]] std::span<const Column> columns() const { return columns_; }
  /// One a column; empty once columns stand for more than one step.
  [[nodiscard]] std::span<const StepText> texts() const { return texts_; }

 private:
  void halve();
  void start_column();

  u64 steps_per_column_ = 1;
  u64 steps_ = 0;
  std::vector<Column> columns_;
  std::vector<StepText> texts_;
  /// Where in the last column an instruction or a register is, plus one; 0: not there yet.
  std::vector<u32> instruction_places_;
  std::array<u32, state_index::scalar_count> register_places_{};
};

/// Columns become fewer, each standing for `factor` of those before it.
std::vector<Column> merge_columns(std::span<const Column> columns, std::size_t factor);

}  // namespace salu::page
