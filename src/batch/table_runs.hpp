#pragma once

#include <salu/memory.hpp>
#include <salu/program.hpp>
#include <salu/state.hpp>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "batch/batch.hpp"
#include "batch/plan.hpp"
#include "batch/width.hpp"
#include "support/combinations.hpp"

namespace salu::batch {

/// A part of the state of a run: a register of at most 64 bits, or up to 8 bytes of memory.
struct Part {
  bool is_memory = false;
  RegisterName name;
  u64 address = 0;
  u32 size_bytes = 4;
};

/// A program prepared for runs that differ in some inputs of their state, with a list of results.
class PreparedTable {
 public:
  /// Returns nothing if the scalar machine is needed. All arguments except the vectors must outlive the object.
  static std::optional<PreparedTable> make(const Program& program, const WaveState& initial, const Memory& memory,
                                           OnVector on_vector, const std::vector<Part>& inputs,
                                           const std::vector<Part>& results);

 private:
  friend class TableRuns;
  /// Maps bits of a part's value to bits of a dword.
  struct Piece {
    std::size_t dword = 0;  ///< by input or result of the plan
    u32 value_bit = 0;      ///< first bit in the value
    u32 dword_bit = 0;      ///< first bit in the dword
    u32 mask = ~0U;         ///< in the dword
  };
  using Pieces = std::vector<Piece>;

  static std::optional<Pieces> pieces_of(const Part& part, std::vector<VariedDword>& dwords);
  void share_results();

  Plan plan_;
  const Memory* memory_ = nullptr;
  std::vector<VariedDword> input_dwords_;
  std::vector<u32> first_values_;  ///< by dword of the inputs, in the initial state
  std::vector<Pieces> inputs_;
  std::vector<Pieces> results_;
  std::size_t result_dwords_ = 0;
};

/// Runs by a table: set inputs, run, read results. The results of states that have left (`Ending::left`) are not
/// available.
class TableRuns {
 public:
  /// `prepared` must outlive the object; threads can share it.
  explicit TableRuns(const PreparedTable& prepared, Width width = widths().back());

  /// The row loops in use, which have further operations on rows.
  [[nodiscard]] const RowLoopTable& loops() const { return loops_; }

  void sample_new_code() { batch_.sample_new_code(); }
  /// Starts a new set of states with initial values.
  void begin(std::size_t states);
  /// Sets an input of a state; higher bits than the input has are dropped.
  void set(std::size_t input, std::size_t state, u64 value);
  /// The values of an input that is a dword, all of which must be set; empty for other inputs.
  [[nodiscard]] std::span<u32> values(std::size_t input);

  /// Runs all states. States leave that have not ended after `max_steps`, or when a cancellation must be checked.
  void run(u64 max_steps);

  // ---- about the last run ----

  [[nodiscard]] Ending ending(std::size_t state) const { return endings_[state]; }
  [[nodiscard]] std::span<const Ending> endings() const { return endings_; }
  /// The number of states with this outcome.
  [[nodiscard]] std::size_t count(Ending ending) const { return batch_.count(ending); }
  [[nodiscard]] u32 steps(std::size_t state) const { return steps_[state]; }
  [[nodiscard]] u64 read(std::size_t result, std::size_t state) const;
  /// The values of all states for a result that is a dword; empty for other results.
  [[nodiscard]] std::span<const u32> results(std::size_t result) const;

 private:
  void fill(std::size_t dword);

  const PreparedTable& prepared_;
  const RowLoopTable& loops_;
  Batch batch_;
  std::size_t states_ = 0;
  std::vector<std::vector<u32>> inputs_;
  std::vector<bool> is_filled_;  ///< by dword of the inputs
  std::vector<std::vector<u32>> results_;
  std::vector<u32> steps_;
  std::vector<Ending> endings_;
};

/// Fills a row with the consecutive values of a range, from number `index` on; after the last value it starts again.
void fill_row(std::span<u32> row, const support::ValueRange& range, u64 index, const RowLoopTable& loops);

}  // namespace salu::batch
