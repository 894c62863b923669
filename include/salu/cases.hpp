#pragma once

#include <salu/error.hpp>
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

/// What a column of a table of cases stands for: a part of the state that the case starts from, or of the one that it
/// is expected to end in.
struct CaseColumn {
  enum class Kind : u8 { input_register, input_memory, expected_register, expected_memory, expected_stop };
  Kind kind = Kind::input_register;
  std::string path;    ///< as written: `s0`, `args.n`, `memory.0x10000`, `expect.scc`, `expect.stop`; of `v0` its lanes
  RegisterName name;   ///< registers, of 64 bits at most; a vector register is a column for each lane
  u64 address = 0;     ///< memory
  u32 size_bytes = 4;  ///< memory: 4, or the size of a kernel's argument (1 to 8)

  [[nodiscard]] bool is_input() const { return kind <= Kind::input_memory; }
};

/// A value in a table. `expected_stop`: the reason, and from bit 8 on a warning's kind plus one.
struct CaseCell {
  u64 value;
  u64 mask;  ///< inputs: 0 leaves the scenario's value; expectations: the bits that are compared
};

/// Rows of inputs and expectations for the one program of a scenario (`cases:`). Indices of rows count from 0.
struct CaseTable {
  std::vector<CaseColumn> columns;
  std::unique_ptr<CaseCell[]> cells;  ///< row by row, one a column
  std::vector<u32> lines;             ///< of each row, in `file`
  std::vector<std::string> names;     ///< of each row; empty when no row has a name
  std::string file;                   ///< where the rows stand
  SourcePlace where;                  ///< of `cases:`

  [[nodiscard]] std::size_t rows() const { return lines.size(); }
  [[nodiscard]] std::span<const CaseCell> row(std::size_t index) const {
    return {cells.get() + index * columns.size(), columns.size()};
  }
  /// Empty when the row has none. No two rows have the same.
  [[nodiscard]] std::string_view name(std::size_t index) const {
    return names.empty() ? std::string_view() : names[index];
  }
  /// The row's name or, without one, its number, from 1.
  [[nodiscard]] std::string id(std::size_t index) const {
    return name(index).empty() ? std::to_string(index + 1) : std::string(name(index));
  }
  /// The row of a name or a number.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view id) const;

  /// Whether a row says of anything, the stop reason included, what it has to be.
  [[nodiscard]] bool expects_something(std::size_t index) const {
    const auto values = row(index);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i].mask != 0 && !columns[i].is_input()) return true;
    }
    return false;
  }
};

/// The scenario that a row stands for: the row's inputs set, and what it expects beside what the scenario expects of
/// every row. `row` is less than `rows()`.
Scenario case_scenario(const Scenario& scenario, std::size_t row);

}  // namespace salu
