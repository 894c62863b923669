#pragma once

#include <salu/error.hpp>
#include <salu/float_format.hpp>
#include <salu/integer.hpp>
#include <salu/state.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace salu {

struct Scenario;

/// A column of a table of cases: an input that a case starts with, or a value that it is expected to end with.
struct CaseColumn {
  enum class Kind : u8 { input_register, input_memory, expected_register, expected_memory, expected_stop };
  Kind kind = Kind::input_register;
  std::string path;    ///< `s0`, `args.n`, `memory.0x10000`, `expect.scc`, `expect.stop`; a lane of `v0`
  RegisterName name;   ///< registers of at most 64 bits; a vector register has one column per lane
  u64 address = 0;     ///< memory
  u32 size_bytes = 4;  ///< memory: 4, or the size of a kernel's argument (1 to 8)
  std::optional<FloatComparison> floats{};  ///< of a column of floats, as in `s0:f32` and `expect.s0:f32~2`

  [[nodiscard]] bool is_input() const { return kind <= Kind::input_memory; }
};

/// A value in a table. For `expected_stop`: the stop reason in bits 7:0, and a warning kind plus one from bit 8 on.
struct CaseCell {
  u64 value;
  u64 mask;  ///< inputs: 0 leaves the scenario's value; expectations: the bits that are compared
};

/// Rows of inputs and expectations for the one program of a scenario (`cases:`). Indices of rows count from 0.
struct CaseTable {
  std::vector<CaseColumn> columns;
  std::unique_ptr<CaseCell[]> cells;  ///< row by row, one for each column
  std::vector<u32> lines;             ///< line of each row in `file`
  std::vector<std::string> names;     ///< name of each row; empty if no row has a name
  std::string file;                   ///< file that contains the rows
  SourcePlace where;                  ///< place of `cases:`

  [[nodiscard]] std::size_t rows() const { return lines.size(); }
  [[nodiscard]] std::span<const CaseCell> row(std::size_t index) const {
    return {cells.get() + index * columns.size(), columns.size()};
  }
  /// The name of a row; empty if it has no name. Names are unique.
  [[nodiscard]] std::string_view name(std::size_t index) const {
    return names.empty() ? std::string_view() : names[index];
  }
  /// The name of a row, or its number (counted from 1) if it has no name.
  [[nodiscard]] std::string id(std::size_t index) const {
    return name(index).empty() ? std::to_string(index + 1) : std::string(name(index));
  }
  /// Finds a row by its name or its number (counted from 1).
  [[nodiscard]] std::optional<std::size_t> find(std::string_view id) const;

  /// True if a row has at least one expectation, the stop reason included.
  [[nodiscard]] bool expects_something(std::size_t index) const {
    const auto values = row(index);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i].mask != 0 && !columns[i].is_input()) return true;
    }
    return false;
  }
};

/// Returns the scenario of one row: with the row's inputs, and with its expectations in addition to those that the
/// scenario has for every row. `row` is less than `rows()`.
Scenario case_scenario(const Scenario& scenario, std::size_t row);

}  // namespace salu
