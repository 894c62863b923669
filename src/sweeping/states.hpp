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

/// Which states a sweep runs.
namespace salu::sweeping {

using loader::CasePlace;

/// Rows of values for some inputs.
class RowSource {
 public:
  virtual ~RowSource() = default;
  [[nodiscard]] virtual u64 count() const = 0;
  /// The values of one of the inputs in rows that follow each other. Any thread may ask. Returns what is wrong with
  /// one of them, or nothing.
  [[nodiscard]] virtual std::optional<Error> read(std::size_t input, u64 row, std::span<u64> values) const = 0;
};

/// All states, by number: each row with each combination, the combinations of one row after the other.
class States {
 public:
  /// Both have to outlive it.
  static Result<States> make(const Scenario& scenario, const SweepOptions& options);

  [[nodiscard]] u64 count() const { return rows_count() * combinations_->count(); }
  [[nodiscard]] const std::vector<CasePlace>& inputs() const { return inputs_; }
  /// The values of all inputs in states that follow each other: a column each. Any thread may ask.
  [[nodiscard]] std::optional<Error> fill(u64 first, std::span<std::vector<u64>> columns) const;
  /// The same of one input.
  [[nodiscard]] std::optional<Error> fill(std::size_t input, u64 first, std::span<u64> values) const;
  /// The same of an input that is a range, of places that are a dword. False of one whose values are in rows.
  [[nodiscard]] bool fill_dwords(std::size_t input, u64 first, std::span<u32> values,
                                 const batch::RowLoopTable& loops) const;
  /// What rows in a file of their own, or of the scenario, expect; null without them.
  [[nodiscard]] const CaseTable* table() const { return table_.get(); }

 private:
  [[nodiscard]] u64 rows_count() const { return rows_ == nullptr ? 1 : rows_->count(); }
  [[nodiscard]] std::optional<Error> fill_from_rows(std::size_t input, u64 first, std::span<u64> values) const;
  friend class StatesReader;

  std::vector<CasePlace> inputs_;  ///< those of the rows first
  std::size_t row_inputs_ = 0;
  std::shared_ptr<const CaseTable> table_;
  std::shared_ptr<const RowSource> rows_;
  std::vector<support::ValueRange> ranges_;
  std::optional<support::Combinations> combinations_;  ///< of the ranges
};

/// What a place in memory holds.
u64 read_memory(const CasePlace& place, const Memory& memory);
/// Sets an input.
void set_input(const Program& program, const CasePlace& input, u64 value, WaveState& state, Memory& memory);

}  // namespace salu::sweeping
