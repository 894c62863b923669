#pragma once

#include <salu/error.hpp>
#include <salu/sweep.hpp>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "batch/table_runs.hpp"
#include "loader/scenario/case_places.hpp"
#include "support/combinations.hpp"

/// The states of a sweep.
namespace salu::sweeping {

using loader::CasePlace;

/// Rows of values for some inputs.
class RowSource {
 public:
  virtual ~RowSource() = default;
  [[nodiscard]] virtual u64 count() const = 0;
  /// Reads the values of an input in consecutive rows. May be called from any thread. Returns an error for an invalid
  /// value.
  [[nodiscard]] virtual std::optional<Error> read(std::size_t input, u64 row, std::span<u64> values) const = 0;
};

/// All states, by number: each row with each combination; all combinations of a row are consecutive.
class States {
 public:
  /// Makes the states; `scenario` and `options` must outlive them.
  static Result<States> make(const Scenario& scenario, const SweepOptions& options);

  [[nodiscard]] u64 count() const { return rows_count() * combinations_->count(); }
  [[nodiscard]] const std::vector<CasePlace>& inputs() const { return inputs_; }
  /// Stores the values of all inputs in consecutive states, one column each. May be called from any thread.
  [[nodiscard]] std::optional<Error> fill(u64 first, std::span<std::vector<u64>> columns) const;
  /// Stores the values of one input in consecutive states.
  [[nodiscard]] std::optional<Error> fill(std::size_t input, u64 first, std::span<u64> values) const;
  /// Stores the values of an input of one dword. Returns false if it is not a range.
  [[nodiscard]] bool fill_dwords(std::size_t input, u64 first, std::span<u32> values,
                                 const batch::RowLoopTable& loops) const;
  /// The table of rows, from a file or the scenario, with its expectations; null without rows.
  [[nodiscard]] const CaseTable* table() const { return table_.get(); }

 private:
  [[nodiscard]] u64 rows_count() const { return rows_ == nullptr ? 1 : rows_->count(); }
  [[nodiscard]] std::optional<Error> fill_from_rows(std::size_t input, u64 first, std::span<u64> values) const;
  friend class StatesReader;

  std::vector<CasePlace> inputs_;  ///< inputs of the rows first
  std::size_t row_inputs_ = 0;
  std::shared_ptr<const CaseTable> table_;
  std::shared_ptr<const RowSource> rows_;
  std::vector<support::ValueRange> ranges_;
  std::optional<support::Combinations> combinations_;  ///< of `ranges_`
};

/// Returns the value of a place in memory.
u64 read_memory(const CasePlace& place, const Memory& memory);
/// Sets an input.
void set_input(const Program& program, const CasePlace& input, u64 value, WaveState& state, Memory& memory);

}  // namespace salu::sweeping
