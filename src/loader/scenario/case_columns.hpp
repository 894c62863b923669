#pragma once

#include <salu/scenario.hpp>

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "loader/scenario/reader.hpp"
#include "loader/scenario/yaml_tree.hpp"

namespace salu::loader {

/// The columns of a table as they are met, and the values in them.
class CaseColumns {
 public:
  CaseColumns(const Scenario& scenario, const SymbolIndex& symbols) : scenario_(scenario), symbols_(symbols) {}

  static constexpr std::size_t name_column = ~std::size_t{0};

  /// The index of the column of a path (`s0`, `expect.scc`, ...), which is added when it is new; `name_column` for
  /// `name`. `place` is where it stands. Rejects what is no input and no expectation.
  std::size_t find(const Document& document, const Node& place, const std::string& path);

  /// Appends the column that a heading names to those of the rows below it. Rejects one that is there already.
  void add_heading(const Document& document, const Node& place, const std::string& path,
                   std::vector<std::size_t>& headings);

  /// Rejects a row in which two columns set the same bits.
  void check_row(const Document& document, const Node& place, std::span<const std::size_t> row) const;

  /// A value for a column; nothing (a null node, an empty text) leaves the input as it is or expects nothing.
  [[nodiscard]] CaseCell read(const Document& document, const Node& node, std::size_t column) const;
  /// The same for a text without quotes and commas, quickly where it is a plain number. A mask follows a slash.
  [[nodiscard]] CaseCell read(const Document& document, Node& node, std::string_view text, std::size_t column) const;

  [[nodiscard]] const std::vector<CaseColumn>& columns() const { return columns_; }
  /// True when a column sets a part of these registers.
  [[nodiscard]] bool sets(u32 first_code, u32 dwords) const;
  std::vector<CaseColumn> take() { return std::move(columns_); }

 private:
  [[nodiscard]] CaseColumn make(const Document& document, const Node& place, const std::string& path) const;
  [[nodiscard]] CaseColumn make_argument(const Document& document, const Node& place, const std::string& path) const;
  void set_register(const Document& document, const Node& place, std::string_view text, CaseColumn& column) const;
  void set_address(const Document& document, const Node& place, std::string_view text, CaseColumn& column) const;
  [[nodiscard]] bool share_bits(const CaseColumn& left, const CaseColumn& right) const;

  const Scenario& scenario_;
  const SymbolIndex& symbols_;
  std::vector<CaseColumn> columns_;
  std::vector<std::vector<std::size_t>> conflicts_;  ///< by column: those before it that set some of the same bits
  std::unordered_map<std::string, std::size_t> indices_;
};

/// Rejects a row that has not as many values as there are headings above it.
void check_value_count(const Document& document, const Node& row, std::size_t found, std::size_t expected);

}  // namespace salu::loader
