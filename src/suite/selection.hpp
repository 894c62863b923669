#pragma once

#include <salu/suite.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace salu::suite {

/// True when a pattern, in which `*` matches any text and `?` for any character, matches somewhere in a text.
bool matches(std::string_view text, std::string_view pattern);

/// True if a test is selected, by its ID and name.
bool is_selected(const std::vector<std::string>& filters, std::string_view id, std::string_view name);

/// True if a scenario is chosen by `SuiteOptions::document`. `number`: in its file, from 1.
bool is_chosen_document(std::string_view document, std::size_t number, std::string_view name);

/// Selects the rows of a table. The ID of a row is that of its test with the row in brackets, `a.yaml[3]`: a filter
/// that selects the test selects its rows.
class RowSelection {
 public:
  /// All arguments must outlive this object.
  RowSelection(const std::vector<std::string>& filters, std::string_view id, std::string_view name,
               const CaseTable& table);

  [[nodiscard]] bool has(std::size_t row) const;
  /// The number of selected rows in a shard.
  [[nodiscard]] std::size_t count(const Shard& shard) const;

 private:
  const std::vector<std::string>& filters_;
  std::string_view id_;
  std::string_view name_;
  const CaseTable& table_;
  bool has_all_;
};

}  // namespace salu::suite
