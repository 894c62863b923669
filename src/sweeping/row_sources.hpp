#pragma once

#include <memory>
#include <string>
#include <vector>

#include "loader/columns/npy_file.hpp"
#include "sweeping/states.hpp"

namespace salu::sweeping {

/// The rows of a table. Missing values are those of the scenario.
class TableRowSource final : public RowSource {
 public:
  TableRowSource(std::shared_ptr<const CaseTable> table, const Scenario& scenario,
                 const std::vector<CasePlace>& inputs);

  [[nodiscard]] u64 count() const override { return table_->rows(); }
  [[nodiscard]] std::optional<Error> read(std::size_t input, u64 row, std::span<u64> values) const override;

 private:
  std::shared_ptr<const CaseTable> table_;
  std::vector<std::size_t> columns_;  ///< by input
  std::vector<u64> initial_;          ///< by input
};

/// Arrays in the caller's memory, one for each input.
class ArrayRowSource final : public RowSource {
 public:
  explicit ArrayRowSource(u64 rows) : rows_(rows) {}
  /// Adds an input with its array. Returns an error if the array is invalid.
  [[nodiscard]] std::optional<Error> add(const SweepInput& array, const CasePlace& input);

  [[nodiscard]] u64 count() const override { return rows_; }
  [[nodiscard]] std::optional<Error> read(std::size_t input, u64 row, std::span<u64> values) const override;

 private:
  struct Column {
    SweepInput array;
    u32 bits = 32;
  };
  u64 rows_;
  std::vector<Column> columns_;
};

/// Columns of NumPy files, one for each input.
class NpyRowSource final : public RowSource {
 public:
  /// Adds an input with its column.
  void add(std::shared_ptr<const loader::NpyFile> file, std::size_t column, const CasePlace& input);

  [[nodiscard]] u64 count() const override { return columns_.empty() ? 0 : columns_.front().file->rows(); }
  [[nodiscard]] std::optional<Error> read(std::size_t input, u64 row, std::span<u64> values) const override;

 private:
  struct Column {
    std::shared_ptr<const loader::NpyFile> file;
    std::size_t number = 0;
    std::string input;
    u32 bits = 32;
  };
  std::vector<Column> columns_;
};

}  // namespace salu::sweeping
