#include "loader/cases.hpp"

#include <algorithm>
#include <array>

#include "loader/case_columns.hpp"
#include "loader/rejection.hpp"
#include "loader/text_file.hpp"

namespace salu {
namespace loader {
namespace {

constexpr std::array<std::string_view, 3> table_keys = {"columns", "rows", "file"};
constexpr std::size_t most_cells = 50'000'000;
constexpr u32 return_register = 30;  // s[30:31]: LLVM's default calling convention

/// Cuts one line of comma-separated values; a quoted value may hold commas and doubled quotes.
class CsvLine {
 public:
  explicit CsvLine(std::string_view line) : line_(line) {}

  /// The next value without the blanks around it; false at the end of the line.
  bool next() {
    if (at_ > line_.size()) return false;
    start_ = std::min(line_.find_first_not_of(" \t", at_), line_.size());
    if (start_ < line_.size() && line_[start_] == '"') return next_quoted();
    const std::size_t end = std::min(line_.find(',', at_), line_.size());
    value_ = line_.substr(start_, std::max(end, start_) - start_);
    value_ = value_.substr(0, value_.find_last_not_of(" \t\r") + 1);
    at_ = end + 1;
    return true;
  }
  [[nodiscard]] std::string_view value() const { return value_; }
  /// From 1, in bytes.
  [[nodiscard]] u32 column() const { return static_cast<u32>(start_) + 1; }
  [[nodiscard]] bool is_damaged() const { return damaged_; }

 private:
  bool next_quoted() {
    unquoted_.clear();
    std::size_t i = start_ + 1;
    for (; i < line_.size(); ++i) {
      if (line_[i] == '"' && (i + 1 == line_.size() || line_[i + 1] != '"')) break;
      if (line_[i] == '"') ++i;
      unquoted_ += line_[i];
    }
    value_ = unquoted_;
    const std::size_t comma = std::min(line_.find(',', i), line_.size());
    const std::string_view behind = line_.substr(std::min(i + 1, comma), comma - std::min(i + 1, comma));
    damaged_ = i >= line_.size() || behind.find_first_not_of(" \t\r") != std::string_view::npos;
    at_ = comma + 1;
    return true;
  }

  std::string_view line_;
  std::string_view value_;
  std::string unquoted_;
  std::size_t at_ = 0;
  std::size_t start_ = 0;
  bool damaged_ = false;
};

class CaseReader {
 public:
  CaseReader(const Document& document, Scenario& scenario, const SymbolIndex& symbols, const CellVisitor& visitor)
      : document_(document), scenario_(scenario), columns_(scenario, symbols), visitor_(visitor) {}

  CaseTable read(const Node& node) {
    table_.where = document_.source->place(node);
    table_.file = document_.source->file;
    if (node.is_sequence()) {
      for (const Node* row : node.children) read_map_row(document_, *row);
    } else {
      const MapReader map(document_, node, "`cases:`", table_keys);
      const Node* file = map.find("file");
      if (file != nullptr && node.children.size() != 2)
        document_.fail(node, "`cases:` takes `file:`, or `columns:` and `rows:`, or a list of rows");
      if (file != nullptr) {
        read_file_of_rows(*file);
      } else {
        read_lists(map.require("columns"), map.require("rows"));
      }
    }
    if (table_.rows() == 0) document_.fail(node, "`cases:` has no rows");
    return finish();
  }

 private:
  void begin_row(const Document& document, const Node& place) {
    table_.lines.push_back(place.line);
    row_starts_.push_back(cells_.size());
    row_name_.clear();
    if (cells_.size() > most_cells)
      document.fail(place, "more than " + std::to_string(most_cells) + " values in a table");
  }

  void end_row() {
    if (!row_name_.empty()) {
      table_.names.resize(table_.lines.size());
      table_.names.back() = row_name_;
    }
  }

  void add(const Document& document, const Node& value, std::size_t column, const CaseCell& cell) {
    if (cell.mask == 0) return;
    cells_.push_back({static_cast<u32>(column), cell});
    if (visitor_) visitor_(table_.rows() - 1, column, document, value);
  }

  // ---- maps: a row of YAML, a line of JSON ----

  void read_map_row(const Document& document, const Node& row) {
    if (!row.is_map())
      document.fail(row, "a row of `cases:` has to be a map (`{s0: 1, expect: {s0: 2}}`), found " + describe(row));
    begin_row(document, row);
    row_columns_.clear();
    read_pairs(document, row, {});
    columns_.check_row(document, row, row_columns_);
    end_row();
  }

  /// `expect: {s0: 1}` is `expect.s0: 1`.
  void read_pairs(const Document& document, const Node& map, const std::string& prefix) {
    static constexpr std::array<std::string_view, 3> groups = {"expect", "args", "memory"};
    for (std::size_t i = 0; i + 1 < map.children.size(); i += 2) {
      const Node& key = *map.children[i];
      const Node& value = *map.children[i + 1];
      const std::string path = prefix + key.text;
      const bool is_group =
          std::ranges::find(groups, key.text) != groups.end() && (prefix.empty() || prefix == "expect.");
      if (is_group) {
        if (!value.is_map()) document.fail(value, "`" + path + ":` has to be a map, found " + describe(value));
        read_pairs(document, value, path + ".");
        continue;
      }
      const std::size_t column = columns_.find(document, key, path);
      if (std::ranges::find(row_columns_, column) != row_columns_.end())
        document.fail(key, "`" + path + "` stands in this row twice");
      row_columns_.push_back(column);
      if (column == CaseColumns::name_column) {
        row_name_ = read_text(document, value, "`name:`");
      } else {
        add(document, value, column, columns_.read(document, value, column));
      }
    }
  }

  // ---- lists: columns and rows ----

  void read_lists(const Node& heads, const Node& rows) {
    expect_sequence(document_, heads, "`columns:`");
    expect_sequence(document_, rows, "`rows:`");
    std::vector<std::size_t> order;
    for (const Node* head : heads.children) add_head(document_, *head, read_text(document_, *head, "a column"), order);
    for (const Node* row : rows.children) {
      expect_sequence(document_, *row, "a row");
      check_count(document_, *row, row->children.size(), order.size());
      begin_row(document_, *row);
      for (std::size_t i = 0; i < order.size(); ++i) {
        const Node& value = *row->children[i];
        if (order[i] != CaseColumns::name_column) {
          add(document_, value, order[i], columns_.read(document_, value, order[i]));
        } else if (value.kind != Node::Kind::null) {
          row_name_ = read_text(document_, value, "a name");
        }
      }
      end_row();
    }
  }

  void add_head(const Document& document, const Node& place, const std::string& path, std::vector<std::size_t>& order) {
    const std::size_t column = columns_.find(document, place, path);
    if (std::ranges::find(order, column) != order.end())
      document.fail(place, "the column `" + path + "` stands there twice");
    order.push_back(column);
    columns_.check_row(document, place, order);
  }

  static void check_count(const Document& document, const Node& row, std::size_t found, std::size_t expected) {
    if (found == expected) return;
    document.fail(row, "the row has " + std::to_string(found) + (found == 1 ? " value" : " values") + ", expected " +
                           std::to_string(expected) + ", one for each column");
  }

  // ---- files ----

  void read_file_of_rows(const Node& node) {
    const std::string path = resolve_path(read_text(document_, node, "`file:`"), document_.source->path);
    const bool is_csv = path.ends_with(".csv");
    if (!is_csv && !path.ends_with(".jsonl"))
      document_.fail(node, "`" + path + "`: expected a table whose name ends in .csv or .jsonl");
    Document rows;
    try {
      rows.source = make_source(read_file(path, file_limit_bytes, "a table of cases"), path, file_limit_bytes);
    } catch (Rejection& rejection) {
      Error error = std::move(rejection).take();
      if (error.where.line != 0) throw Rejection(std::move(error));
      document_.fail(node, "`" + error.where.file + "`: " + error.message, error.code);
    }
    table_.file = rows.source->file;
    if (is_csv) {
      read_csv(rows);
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

  void read_csv(const Document& document) {
    std::vector<std::size_t> order;
    Node place;
    for (u32 number = 1; number <= document.source->lines.count(); ++number) {
      const std::string_view line = document.source->lines.whole_line(number);
      const std::size_t first = line.find_first_not_of(" \t\r");
      if (first == std::string_view::npos || line[first] == '#') continue;
      place.line = number;
      CsvLine values(line);
      if (order.empty()) {
        read_csv_head(document, values, place, order);
      } else {
        read_csv_row(document, values, place, order);
      }
    }
  }

  void read_csv_head(const Document& document, CsvLine& values, Node& place, std::vector<std::size_t>& order) {
    while (values.next()) {
      place.column = values.column();
      check_quotes(document, values, place);
      add_head(document, place, std::string(values.value()), order);
    }
  }

  void read_csv_row(const Document& document, CsvLine& values, Node& place, const std::vector<std::size_t>& order) {
    place.column = 1;
    begin_row(document, place);
    std::size_t count = 0;
    for (; values.next(); ++count) {
      place.column = values.column();
      check_quotes(document, values, place);
      if (count >= order.size()) continue;
      if (order[count] == CaseColumns::name_column) {
        row_name_ = values.value();
      } else if (!values.value().empty()) {
        const CaseCell cell = columns_.read(document, place, values.value(), order[count]);
        if (visitor_) {
          place.kind = Node::Kind::scalar;
          place.text = values.value();
        }
        add(document, place, order[count], cell);
      }
    }
    place.column = 1;
    check_count(document, place, count, order.size());
    end_row();
  }

  static void check_quotes(const Document& document, const CsvLine& values, const Node& place) {
    if (values.is_damaged()) document.fail(place, "a quoted value that does not end where the value ends");
  }

  CaseTable finish() {
    if (!table_.names.empty()) table_.names.resize(table_.rows());
    if (columns_.sets(return_register, 2)) scenario_.program.return_address.reset();
    table_.columns = columns_.take();
    const std::size_t width = table_.columns.size();
    table_.cells.resize(table_.rows() * width);
    row_starts_.push_back(cells_.size());
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      for (std::size_t i = row_starts_[row]; i < row_starts_[row + 1]; ++i)
        table_.cells[row * width + cells_[i].column] = cells_[i].cell;
    }
    return std::move(table_);
  }

  struct PlacedCell {
    u32 column = 0;
    CaseCell cell;
  };

  const Document& document_;
  Scenario& scenario_;
  CaseColumns columns_;
  const CellVisitor& visitor_;
  CaseTable table_;
  std::vector<PlacedCell> cells_;
  std::vector<std::size_t> row_starts_;
  std::string row_name_;
  std::vector<std::size_t> row_columns_;
};

}  // namespace

CaseTable read_cases(const Document& document, const Node& node, Scenario& scenario, const SymbolIndex& symbols,
                     const CellVisitor& visitor) {
  return CaseReader(document, scenario, symbols, visitor).read(node);
}

}  // namespace loader

Scenario case_scenario(const Scenario& scenario, std::size_t row) {
  const CaseTable& table = *scenario.cases;
  Scenario result = scenario;
  result.cases.reset();
  const SourcePlace where{table.file, table.lines[row]};
  const std::string id = table.names.empty() || table.names[row].empty() ? std::to_string(row + 1) : table.names[row];
  result.name += "[" + id + "]";
  if (!result.expect) result.expect.emplace();
  Expectation& expect = *result.expect;
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
        break;
      case CaseColumn::Kind::input_memory:
        result.memory.write(column.address, bytes);
        break;
      case CaseColumn::Kind::expected_register:
        std::erase_if(expect.registers, [&](const RegisterExpectation& other) { return other.name == column.name; });
        expect.registers.push_back(
            {column.path.substr(column.path.find('.') + 1), column.name, cell.value, cell.mask, where});
        break;
      case CaseColumn::Kind::expected_memory:
        expect.memory.push_back({column.address, bytes, where});
        break;
      case CaseColumn::Kind::expected_stop:
        expect.where = where;
        expect.stop = static_cast<StopReason>(cell.value & 255);
        expect.stop_warning.reset();
        if (cell.value >> 8 != 0) expect.stop_warning = static_cast<WarningKind>((cell.value >> 8) - 1);
        break;
    }
  }
  return result;
}

}  // namespace salu
