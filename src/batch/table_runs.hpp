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

/// A part of the state of a run: a register of 64 bits at most, or up to 8 bytes of memory.
struct Part {
  bool is_memory = false;
  RegisterName name;
  u64 address = 0;
  u32 size_bytes = 4;
};

/// A program made ready for runs that differ in some parts of the state they start from, and are asked for others.
class PreparedTable {
 public:
  /// Nothing where that has to be the scalar machine's. All but the vectors has to outlive it.
  static std::optional<PreparedTable> make(const Program& program, const WaveState& initial, const Memory& memory,
                                           OnVector on_vector, const std::vector<Part>& inputs,
                                           const std::vector<Part>& results);

 private:
  friend class TableRuns;
  /// Bits of a dword that bits of a part's value are.
  struct Piece {
    std::size_t dword = 0;  ///< by input or result of the plan
    u32 value_bit = 0;      ///< the first of the value's bits
    u32 dword_bit = 0;      ///< where it is
    u32 mask = ~0U;         ///< of the dword
  };
  using Pieces = std::vector<Piece>;

  static std::optional<Pieces> pieces_of(const Part& part, std::vector<VariedDword>& dwords);
  void share_results();

  Plan plan_;
  const Memory* memory_ = nullptr;
  std::vector<VariedDword> input_dwords_;
  std::vector<u32> first_values_;  ///< of these, in the state that nothing was set in
  std::vector<Pieces> inputs_;
  std::vector<Pieces> results_;
  std::size_t result_dwords_ = 0;
};

/// Runs by a table: set inputs, run, ask. Whatever has left (`Ending::left`) has no answer here.
class TableRuns {
 public:
  /// `prepared` has to outlive it, and may be shared by threads.
  explicit TableRuns(const PreparedTable& prepared, Width width = widths().back());

  /// Those that it runs by, which do other things to rows as well.
  [[nodiscard]] const RowLoopTable& loops() const { return loops_; }

  void sample_new_code() { batch_.sample_new_code(); }
  /// Goes over to so many states, in which nothing is set.
  void begin(std::size_t states);
  /// Sets an input of a state, as far as it fits.
  void set(std::size_t input, std::size_t state, u64 value);
  /// The values of an input that is a dword, all of which have to be set here; empty of another one.
  [[nodiscard]] std::span<u32> values(std::size_t input);

  /// States leave that have not ended by then, or by the time when whoever wants to end all has to be heard.
  void run(u64 max_steps);

  // ---- about the last run ----

  [[nodiscard]] Ending ending(std::size_t state) const { return endings_[state]; }
  [[nodiscard]] std::span<const Ending> endings() const { return endings_; }
  /// How many states came out so.
  [[nodiscard]] std::size_t count(Ending ending) const { return batch_.count(ending); }
  [[nodiscard]] u32 steps(std::size_t state) const { return steps_[state]; }
  [[nodiscard]] u64 read(std::size_t result, std::size_t state) const;
  /// The same of all states, of a result that is a dword; empty of another one.
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

/// Fills a row with the values of a range one after the other, from number `index` on; behind the last one comes the
/// first again.
void fill_row(std::span<u32> row, const support::ValueRange& range, u64 index, const RowLoopTable& loops);

}  // namespace salu::batch
