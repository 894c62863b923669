#include "loader/scenario/cases.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>

#include "loader/rejection.hpp"
#include "loader/scenario/case_columns.hpp"
#include "loader/scenario/case_csv.hpp"
#include "loader/scenario/case_places.hpp"
#include "loader/scenario/registers.hpp"
#include "loader/text_file.hpp"
#include "loader/yaml/named_file.hpp"

namespace salu {
namespace loader {
namespace {

constexpr std::array<std::string_view, 3> table_keys = {"columns", "rows", "file"};

/// Parses the number of a row (from 1) and returns its index.
std::optional<std::size_t> parse_row_number(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc{} && end == text.data() + text.size() && number != 0;
  return is_number ? std::optional(number - 1) : std::nullopt;
}

class CaseReader {
 public:
  CaseReader(const Document& document, Scenario& scenario, const SymbolIndex& symbols, const LoadOptions& options,
             const CellVisitor& visitor)
      : document_(document), scenario_(scenario), columns_(scenario, symbols), options_(options), visitor_(visitor) {}

  CaseTable read(const Node& node) {
    table_.where = document_.source->place(node);
    table_.file = document_.source->file;
    if (node.is_sequence()) {
      for (const Node* row : node.children) read_map_row(document_, *row);
    } else {
      const MapReader map(document_, node, "`cases:`", table_keys);
      const Node* file = map.find("file");
      if (file != nullptr && node.children.size() != 2)
        document_.fail(node, "`cases:` needs `file:`, or `columns:` and `rows:`, or a list of rows");
      if (file != nullptr) {
        read_file_of_rows(*file);
      } else {
        read_lists(map.require("columns"), map.require("rows"));
      }
    }
    if (table_.cells == nullptr) place_cells();
    if (table_.rows() == 0) document_.fail(node, "`cases:` is empty");
    if (columns_.sets(return_register, 2)) scenario_.program.return_address.reset();
    table_.columns = columns_.take();
    check_names();
    remark_on_idle_rows();
    return std::move(table_);
  }

  /// Reads a document that contains only rows.
  CaseTable read_alone(bool is_csv) {
    const Node start;
    read_rows(document_, is_csv, start);
    if (table_.cells == nullptr) place_cells();
    if (table_.rows() == 0) document_.fail(start, "the table is empty");
    table_.columns = columns_.take();
    return std::move(table_);
  }

 private:
  void begin_row(const Document& document, const Node& place) {
    rows_.push_back({place.line, cells_.size(), {}});
    if (cells_.size() > most_cells) document.fail(place, fmt::format("more than {} values in a table", most_cells));
  }

  void add(const Document& document, const Node& value, std::size_t index) {
    const CaseHeading& heading = columns_.heading(index);
    if (heading.count == 1) {
      add_cells(document, value, heading.first, std::array{columns_.read(document, value, index)});
      return;
    }
    const std::vector<CaseCell> cells = columns_.read_lanes(document, value, index);
    if (!value.is_sequence()) {
      add_cells(document, value, heading.first, cells);
      return;
    }
    // Each lane has its own value.
    for (std::size_t i = 0; i < cells.size(); ++i)
      add_cells(document, *value.children[i], heading.first + i, std::span(cells).subspan(i, 1));
  }

  /// Adds the cells of one value, from a column on.
  void add_cells(const Document& document, const Node& value, std::size_t first, std::span<const CaseCell> cells) {
    if (cells.empty() || cells.front().mask == 0) return;
    for (std::size_t i = 0; i < cells.size(); ++i) cells_.push_back({first + i, cells[i]});
    if (visitor_) visitor_(rows_.size() - 1, {first, cells.size()}, document, value);
  }

  // ---- maps: a row of YAML, a line of JSON ----

  void read_map_row(const Document& document, const Node& row) {
    if (!row.is_map())
      document.fail(row, "a row of `cases:` must be a map (`{s0: 1, expect: {s0: 2}}`), found " + describe(row));
    begin_row(document, row);
    row_headings_.clear();
    read_pairs(document, row, {});
    columns_.check_row(document, row, row_headings_);
  }

  /// Reads the entries of a map; `expect: {s0: 1}` is `expect.s0: 1`.
  void read_pairs(const Document& document, const Node& map, const std::string& prefix) {
    static constexpr std::array<std::string_view, 3> groups = {"expect", "args", "memory"};
    for (std::size_t i = 0; i + 1 < map.children.size(); i += 2) {
      const Node& key = *map.children[i];
      const Node& value = *map.children[i + 1];
      const std::string path = prefix + key.text;
      const bool is_group =
          std::ranges::find(groups, key.text) != groups.end() && (prefix.empty() || prefix == "expect.");
      if (is_group) {
        if (!value.is_map()) document.fail(value, fmt::format("`{}:` must be a map, found {}", path, describe(value)));
        read_pairs(document, value, path + ".");
        continue;
      }
      const std::size_t heading = columns_.find(document, key, path);
      if (is_again(heading)) document.fail(key, "`" + path + "` appears twice in this row");
      row_headings_.push_back(heading);
      if (heading == CaseColumns::name_column) {
        rows_.back().name = read_text(document, value, "`name:`");
      } else {
        add(document, value, heading);
      }
    }
  }

  /// True if the current row has already had this heading.
  bool is_again(std::size_t heading) {
    const std::size_t slot = heading == CaseColumns::name_column ? 0 : heading + 1;
    if (slot >= last_row_with_.size()) last_row_with_.resize(slot + 1);
    return std::exchange(last_row_with_[slot], rows_.size()) == rows_.size();
  }

  // ---- lists: columns and rows ----

  void read_lists(const Node& heads, const Node& rows) {
    expect_sequence(document_, heads, "`columns:`");
    expect_sequence(document_, rows, "`rows:`");
    std::vector<std::size_t> order;
    if (heads.children.empty()) document_.fail(heads, "`columns:` is empty: expected inputs and expectations");
    for (const Node* head : heads.children)
      columns_.add_heading(document_, *head, read_text(document_, *head, "a column"), order);
    for (const Node* row : rows.children) {
      expect_sequence(document_, *row, "a row");
      check_value_count(document_, *row, row->children.size(), order.size());
      begin_row(document_, *row);
      for (std::size_t i = 0; i < order.size(); ++i) {
        const Node& value = *row->children[i];
        if (order[i] != CaseColumns::name_column) {
          add(document_, value, order[i]);
        } else if (value.kind != Node::Kind::null) {
          rows_.back().name = read_text(document_, value, "a name");
        }
      }
    }
  }

  // ---- files ----

  void read_file_of_rows(const Node& node) {
    const std::string path = resolve_path(read_text(document_, node, "`file:`"), document_.source->path);
    const bool is_csv = path.ends_with(".csv");
    if (!is_csv && !path.ends_with(".jsonl"))
      document_.fail(node, "`" + path + "`: expected a table whose name ends in .csv or .jsonl");
    Document rows;
    rows.source =
        make_source(read_named_file(document_, node, path, file_limit_bytes, "a table of cases", options_.files), path,
                    file_limit_bytes);
    read_rows(rows, is_csv, node);
  }

  /// Reads all rows of a document. `place` is for errors that are not about a row.
  void read_rows(const Document& rows, bool is_csv, const Node& place) {
    table_.file = rows.source->file;
    if (is_csv) {
      read_csv(rows, columns_, options_.for_each, visitor_, table_);
      if (table_.rows() == 0)
        document_.fail(place, "`" + table_.file + "` does not contain rows below its line of headings");
    } else {
      read_json_lines(rows.source);
    }
  }

  void read_json_lines(const std::shared_ptr<const Source>& source) {
    for (u32 line = 1; line <= source->lines.count(); ++line) {
      auto document = parse_yaml_line(source, line);
      if (!document) throw Rejection(std::move(document).error());
      if (*document != nullptr) read_map_row(**document, *(*document)->root);
    }
  }

  // ---- all rows ----

  /// Fills the table from rows that may have different columns.
  void place_cells() {
    const std::size_t width = columns_.columns().size();
    // Cells without a value also take space.
    if (rows_.size() * width > most_cells) {
      reject(ErrorCode::scenario, table_.where,
             fmt::format("more than {} values in a table: {} rows with {} columns", most_cells, rows_.size(), width));
    }
    table_.cells = std::make_unique<CaseCell[]>(rows_.size() * width);
    if (std::ranges::any_of(rows_, [](const CaseRow& row) { return !row.name.empty(); }))
      table_.names.resize(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::size_t end = i + 1 < rows_.size() ? rows_[i + 1].first_cell : cells_.size();
      for (std::size_t k = rows_[i].first_cell; k < end; ++k)
        table_.cells[i * width + cells_[k].column] = cells_[k].cell;
      table_.lines.push_back(rows_[i].line);
      if (!table_.names.empty()) table_.names[i] = std::move(rows_[i].name);
    }
  }

  /// Checks that names are unique, and not the number of another row.
  void check_names() const {
    std::unordered_map<std::string_view, std::size_t> known;
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      const std::string_view name = table_.name(row);
      if (name.empty()) continue;
      const auto [other, is_new] = known.try_emplace(name, row);
      if (!is_new)
        fail_at(row, fmt::format("the row of line {} also has the name `{}`", table_.lines[other->second], name));
      const auto number = parse_row_number(name);
      if (number && *number != row && *number < table_.rows())
        fail_at(row, "the name `" + std::string(name) + "` is the number of another row");
    }
  }
  [[noreturn]] void fail_at(std::size_t row, std::string message) const {
    reject(ErrorCode::scenario, {table_.file, table_.lines[row], 1}, std::move(message));
  }

  /// Warns about rows without expectations, where a value may have been forgotten. If all rows are like that, the table
  /// is reported as a test without expectations.
  void remark_on_idle_rows() const {
    if (scenario_.expect && scenario_.expect->says_something()) return;
    std::mutex mutex;
    std::size_t first = table_.rows();
    std::size_t count = 0;
    constexpr std::size_t rows_in_part = 4096;
    options_.for_each((table_.rows() + rows_in_part - 1) / rows_in_part, [&](std::size_t part) {
      const std::size_t end = std::min((part + 1) * rows_in_part, table_.rows());
      for (std::size_t row = part * rows_in_part; row < end; ++row) {
        if (table_.expects_something(row)) continue;
        const std::lock_guard lock(mutex);
        first = std::min(first, row);
        ++count;
      }
      return true;
    });
    if (count == 0 || count == table_.rows()) return;
    const std::string others = count == 1   ? ""
                               : count == 2 ? " (nor does one other row)"
                                            : fmt::format(" (nor do {} other rows)", count - 1);
    scenario_.remarks.push_back(
        Remark{{table_.file, table_.lines[first], 1},
               "this row does not have expectations" + others + ": only a regular end is checked",
               {}});
  }

  struct PlacedCell {
    std::size_t column = 0;
    CaseCell cell;
  };
  struct CaseRow {
    u32 line = 0;
    std::size_t first_cell = 0;  ///< in `cells_`
    std::string name;
  };

  const Document& document_;
  Scenario& scenario_;
  CaseColumns columns_;
  const LoadOptions& options_;
  const CellVisitor& visitor_;
  CaseTable table_;
  std::vector<CaseRow> rows_;  ///< of maps and lists
  std::vector<PlacedCell> cells_;
  std::vector<std::size_t> row_headings_;
  std::vector<std::size_t> last_row_with_;  ///< by heading, counted from 1; the first element is for `name`
};

}  // namespace

CaseTable read_cases(const Document& document, const Node& node, Scenario& scenario, const SymbolIndex& symbols,
                     const LoadOptions& options, const CellVisitor& visitor) {
  return CaseReader(document, scenario, symbols, options, visitor).read(node);
}

Result<std::shared_ptr<const CaseTable>> load_case_rows(const std::string& path, const Scenario& scenario,
                                                        const LoadOptions& options) {
  if (auto problem = rules_problem(path, options.files)) return *std::move(problem);
  try {
    Document document;
    document.source =
        make_source(read_file(path, file_limit_bytes, "a table of rows", options.files), path, file_limit_bytes);
    // A copy, because a column may remove the return address of the scenario.
    Scenario copy = scenario;
    const SymbolIndex symbols(copy.program);
    return std::make_shared<const CaseTable>(
        CaseReader(document, copy, symbols, options, {}).read_alone(path.ends_with(".csv")));
  } catch (Rejection& rejection) {
    return std::move(rejection).take();
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::memory, {path}, "out of memory", {}};
  }
}

}  // namespace loader

std::optional<std::size_t> CaseTable::find(std::string_view id) const {
  for (std::size_t row = 0; row < rows(); ++row) {
    if (!name(row).empty() && name(row) == id) return row;
  }
  const auto number = loader::parse_row_number(id);
  return number && *number < rows() ? number : std::nullopt;
}

Scenario case_scenario(const Scenario& scenario, std::size_t row) {
  const CaseTable& table = *scenario.cases;
  Scenario result = scenario;
  result.cases.reset();
  const SourcePlace where{table.file, table.lines[row]};
  result.name += "[" + table.id(row) + "]";
  // A row without expectations does not add any to the scenario.
  const bool has_own = table.expects_something(row);
  std::vector<std::pair<RegisterName, u64>> inputs;
  Expectation expect = result.expect.value_or(Expectation{});
  if (expect.where.line == 0) expect.where = where;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const CaseColumn& column = table.columns[i];
    const CaseCell& cell = table.row(row)[i];
    if (cell.mask == 0) continue;
    std::vector<u8> bytes;
    for (u32 k = 0; k < column.size_bytes; ++k) bytes.push_back(static_cast<u8>(cell.value >> (8 * k)));
    switch (column.kind) {
      case CaseColumn::Kind::input_register:
        write_register(result.initial, result.program.generation(), column.name, cell.value);
        inputs.emplace_back(column.name, cell.value);
        break;
      case CaseColumn::Kind::input_memory:
        result.memory.write(column.address, bytes);
        break;
      case CaseColumn::Kind::expected_register:
        std::erase_if(expect.registers, [&](const RegisterExpectation& other) { return other.name == column.name; });
        expect.registers.push_back(
            {column.path.substr(column.path.find('.') + 1), column.name, cell.value, cell.mask, where, column.floats});
        break;
      case CaseColumn::Kind::expected_memory:
        expect.memory.push_back({column.address, bytes, where, column.floats});
        break;
      case CaseColumn::Kind::expected_stop:
        expect.where = where;
        expect.stop = static_cast<StopReason>(cell.value & 255);
        expect.stop_warning.reset();
        if (cell.value >> 8 != 0) expect.stop_warning = static_cast<WarningKind>((cell.value >> 8) - 1);
        break;
    }
  }
  if (result.expect || has_own) result.expect = std::move(expect);
  if (!inputs.empty()) loader::set_in_waves(result, inputs);
  return result;
}

}  // namespace salu
