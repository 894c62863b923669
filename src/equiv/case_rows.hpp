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
  /// Those of A, or of B where A has none. An error where a column is of one program alone.
  static Result<CaseRows> of(const Programs& programs);

  [[nodiscard]] std::size_t count() const { return table_ == nullptr ? 0 : table_->rows(); }
  /// The inputs that a row sets, and their values in place of what `values` held; the rest is as in the scenario.
  [[nodiscard]] std::vector<Input> fill(std::size_t row, std::vector<u64>& values) const;
  /// `row 3 (cases.csv:4, overflow)`.
  [[nodiscard]] std::string name(std::size_t row) const;
  /// Whether B has rows of its own, which are not among these.
  [[nodiscard]] bool leaves_out_others() const { return leaves_out_others_; }
  /// The inputs that rows set.
  [[nodiscard]] const std::vector<Input>& columns() const { return inputs_; }

 private:
  const CaseTable* table_ = nullptr;
  bool leaves_out_others_ = false;
  std::vector<std::size_t> columns_;  ///< of the table: the inputs
  std::vector<Input> inputs_;         ///< by `columns_`
};

}  // namespace salu::equiv
