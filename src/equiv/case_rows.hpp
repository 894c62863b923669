#pragma once

#include <salu/cases.hpp>
#include <salu/error.hpp>

#include <string>
#include <vector>

#include "equiv/place.hpp"

namespace salu::equiv {

/// The rows of `cases:` as inputs of both programs.
class CaseRows {
 public:
  /// Reads the rows of A, or of B if A has no rows. Returns an error for a column that only one program has.
  static Result<CaseRows> of(const Programs& programs);

  [[nodiscard]] std::size_t count() const { return table_ == nullptr ? 0 : table_->rows(); }
  /// Returns the inputs that a row sets, and stores their values in `values`. All other places keep the values of the
  /// scenario.
  [[nodiscard]] std::vector<Input> fill(std::size_t row, std::vector<u64>& values) const;
  /// Describes a row: `row 3 (cases.csv:4, overflow)`.
  [[nodiscard]] std::string name(std::size_t row) const;
  /// True if B has other rows, which are not used.
  [[nodiscard]] bool leaves_out_others() const { return leaves_out_others_; }
  /// The inputs that rows set.
  [[nodiscard]] const std::vector<Input>& columns() const { return inputs_; }

 private:
  const CaseTable* table_ = nullptr;
  bool leaves_out_others_ = false;
  std::vector<std::size_t> columns_;  ///< the table's columns that are inputs
  std::vector<Input> inputs_;         ///< by `columns_`
};

}  // namespace salu::equiv
