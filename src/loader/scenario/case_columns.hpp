#pragma once

#include <salu/scenario.hpp>

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "loader/yaml/reader.hpp"
#include "loader/yaml/yaml_tree.hpp"

namespace salu::loader {

/// A column as written. The column of a whole vector register is 64 columns in the table, one for each lane.
struct CaseHeading {
  std::string path;       ///< `s0`, `v0`, `expect.scc`, `expect.v0:f32~2`, ...
  std::size_t first = 0;  ///< in `CaseTable::columns`
  std::size_t count = 1;
};

/// The columns of a table in the order in which they first occur, and readers of their values.
class CaseColumns {
 public:
  CaseColumns(const Scenario& scenario, const SymbolIndex& symbols) : scenario_(scenario), symbols_(symbols) {}

  static constexpr std::size_t name_column = ~std::size_t{0};
  static constexpr u32 dword_bytes = 4;

  /// Returns the index of the heading of a path (`s0`, `expect.scc`, ...) and adds it if it is new; `name_column` for
  /// `name`. `place` is for messages; `memory_bytes` is the size of memory columns. Rejects a path that is neither an
  /// input nor an expectation.
  std::size_t find(const Document& document, const Node& place, const std::string& path,
                   u32 memory_bytes = dword_bytes);

  /// Appends a heading to the headings of a group of rows. Rejects a duplicate.
  void add_heading(const Document& document, const Node& place, const std::string& path,
                   std::vector<std::size_t>& headings, u32 memory_bytes = dword_bytes);

  /// Rejects a row with two headings that set the same bits.
  void check_row(const Document& document, const Node& place, std::span<const std::size_t> row) const;

  /// Reads a value of a column; an empty one (a null node, an empty text) leaves the input unchanged or expects
  /// nothing. For a vector register, one value for any lane.
  [[nodiscard]] CaseCell read(const Document& document, const Node& node, std::size_t heading) const;
  /// Reads a value from a text without quotes and commas, fast if it is a plain number. A mask follows a slash.
  [[nodiscard]] CaseCell read(const Document& document, Node& node, std::string_view text, std::size_t heading) const;
  /// Reads the value of a vector register: the cells of its first lanes, or of all lanes.
  [[nodiscard]] std::vector<CaseCell> read_lanes(const Document& document, const Node& node, std::size_t heading) const;

  [[nodiscard]] const CaseHeading& heading(std::size_t index) const { return headings_[index]; }
  [[nodiscard]] const std::vector<CaseColumn>& columns() const { return columns_; }
  /// True if a column sets a part of these registers.
  [[nodiscard]] bool sets(u32 first_code, u32 dwords) const;
  std::vector<CaseColumn> take() { return std::move(columns_); }

 private:
  /// Reads a value that is not empty, as in a scenario.
  [[nodiscard]] CaseCell read_value_of(const Document& document, const Node& node, std::size_t heading) const;
  [[nodiscard]] std::vector<CaseCell> read_values_of_lanes(const Document& document, const Node& node,
                                                           std::size_t heading) const;
  [[nodiscard]] CaseColumn make(const Document& document, const Node& place, const std::string& path,
                                u32 memory_bytes) const;
  [[nodiscard]] CaseColumn make_argument(const Document& document, const Node& place, const std::string& path) const;
  void set_register(const Document& document, const Node& place, std::string_view text, CaseColumn& column) const;
  void set_address(const Document& document, const Node& place, std::string_view text, CaseColumn& column) const;
  /// Returns the headings that share bits with a new one, whose columns have been added.
  std::vector<std::size_t> find_conflicts(const CaseHeading& heading);
  [[nodiscard]] bool share_bits(const CaseHeading& left, const CaseHeading& right) const;

  const Scenario& scenario_;
  const SymbolIndex& symbols_;
  std::vector<CaseColumn> columns_;
  std::vector<CaseHeading> headings_;
  std::vector<std::vector<std::size_t>> conflicts_;  ///< by heading: earlier headings that share bits with it
  std::unordered_map<std::string, std::size_t> indices_;
  std::vector<std::size_t> scalars_;                           ///< headings that are neither memory nor lanes
  std::unordered_map<u32, std::vector<std::size_t>> lanes_{};  ///< headings by vector register
  std::multimap<u64, std::size_t> memory_;                     ///< headings by address
};

/// Rejects a row whose number of values differs from the number of headings.
void check_value_count(const Document& document, const Node& row, std::size_t found, std::size_t expected);

}  // namespace salu::loader
