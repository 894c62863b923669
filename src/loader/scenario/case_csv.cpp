#include "loader/scenario/case_csv.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string_view>

namespace salu::loader {
namespace {

constexpr std::string_view blanks = " \t\r";
constexpr std::size_t rows_at_once = 4096;

/// Splits one line of comma-separated values; a quoted value may contain commas and doubled quotes.
class CsvLine {
 public:
  explicit CsvLine(std::string_view line) : line_(line) {}

  /// Reads the next value, without surrounding blanks; false at the end of the line.
  bool next() {
    if (at_ > line_.size()) return false;
    start_ = std::min(line_.find_first_not_of(" \t", at_), line_.size());
    if (start_ < line_.size() && line_[start_] == '"') return next_quoted();
    const std::size_t end = std::min(line_.find(',', at_), line_.size());
    value_ = line_.substr(start_, std::max(end, start_) - start_);
    value_ = value_.substr(0, value_.find_last_not_of(blanks) + 1);
    at_ = end + 1;
    return true;
  }
  [[nodiscard]] std::string_view value() const { return value_; }
  /// The column of the value in bytes, from 1.
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
    damaged_ = i >= line_.size() || behind.find_first_not_of(blanks) != std::string_view::npos;
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

/// Iterates over the lines of a text that are not empty or comments.
class RowLines {
 public:
  explicit RowLines(std::string_view text) : text_(text) {}

  /// Moves to the next line; false at the end.
  bool next() {
    while (next_offset_ < text_.size()) {
      offset_ = next_offset_;
      const std::size_t end = std::min(text_.find('\n', offset_), text_.size());
      line_ = text_.substr(offset_, end - offset_);
      next_offset_ = end + 1;
      ++number_;
      const std::size_t first = line_.find_first_not_of(blanks);
      if (first != std::string_view::npos && line_[first] != '#') return true;
    }
    return false;
  }
  [[nodiscard]] std::string_view line() const { return line_; }
  /// The number of the line, from 1.
  [[nodiscard]] u32 number() const { return number_; }
  /// Returns a copy that starts with the current line.
  [[nodiscard]] RowLines from_here() const {
    RowLines rest = *this;
    rest.next_offset_ = offset_;
    rest.number_ = number_ - 1;
    return rest;
  }

 private:
  std::string_view text_;
  std::string_view line_;
  std::size_t offset_ = 0;
  std::size_t next_offset_ = 0;
  u32 number_ = 0;
};

class CsvReader {
 public:
  CsvReader(const Document& document, CaseColumns& columns, const CellVisitor& visitor, CaseTable& table)
      : document_(document), columns_(columns), visitor_(visitor), table_(table) {}

  void read(const ForEach& for_each) {
    RowLines lines(document_.source->text);
    if (lines.next()) read_headings(lines);
    std::vector<RowLines> parts;
    for (; lines.next(); table_.lines.push_back(lines.number())) {
      if (table_.lines.size() % rows_at_once == 0) parts.push_back(lines.from_here());
    }
    const std::size_t width = columns_.columns().size();
    if (table_.rows() * width > most_cells)
      document_.fail(place_of(1, 1), fmt::format("more than {} values in a table", most_cells));
    table_.cells = std::make_unique_for_overwrite<CaseCell[]>(table_.rows() * width);
    if (std::ranges::find(headings_, CaseColumns::name_column) != headings_.end()) table_.names.resize(table_.rows());
    const auto read_part = [&](std::size_t part) {
      read_rows(parts[part], part * rows_at_once);
      return true;
    };
    // A visitor must get the rows in order.
    visitor_ ? for_each_in_turn(parts.size(), read_part) : for_each(parts.size(), read_part);
  }

 private:
  static Node place_of(u32 line, u32 column) {
    Node node;
    node.line = line;
    node.column = column;
    return node;
  }

  void read_headings(const RowLines& lines) {
    CsvLine values(lines.line());
    Node place = place_of(lines.number(), 1);
    if (lines.line().find(',') == std::string_view::npos && lines.line().find(';') != std::string_view::npos)
      document_.fail(place, "the columns of a table are separated by commas, not by semicolons");
    while (values.next()) {
      place.column = values.column();
      check_quotes(values, place);
      columns_.add_heading(document_, place, std::string(values.value()), headings_);
    }
  }

  void read_rows(RowLines lines, std::size_t first) {
    const std::size_t end = std::min(first + rows_at_once, table_.rows());
    for (std::size_t row = first; row < end && lines.next(); ++row) read_row(lines, row);
  }

  void read_row(const RowLines& lines, std::size_t row) {
    const std::size_t width = columns_.columns().size();
    const std::span<CaseCell> cells(table_.cells.get() + row * width, width);
    std::ranges::fill(cells, CaseCell{});
    CsvLine values(lines.line());
    Node place = place_of(lines.number(), 1);
    std::size_t count = 0;
    for (; values.next(); ++count) {
      place.column = values.column();
      check_quotes(values, place);
      if (count >= headings_.size()) continue;
      if (headings_[count] == CaseColumns::name_column) {
        table_.names[row] = values.value();
      } else if (!values.value().empty()) {
        const CaseHeading& heading = columns_.heading(headings_[count]);
        const CaseCell cell = columns_.read(document_, place, values.value(), headings_[count]);
        std::ranges::fill(cells.subspan(heading.first, heading.count), cell);
        if (visitor_ && cell.mask != 0) {
          place.kind = Node::Kind::scalar;
          place.text = values.value();
          visitor_(row, {heading.first, heading.count}, document_, place);
        }
      }
    }
    place.column = 1;
    check_value_count(document_, place, count, headings_.size());
  }

  void check_quotes(const CsvLine& values, const Node& place) const {
    if (values.is_damaged()) document_.fail(place, "a quoted value that does not end where the value ends");
  }

  const Document& document_;
  CaseColumns& columns_;
  const CellVisitor& visitor_;
  CaseTable& table_;
  std::vector<std::size_t> headings_;
};

}  // namespace

void read_csv(const Document& document, CaseColumns& columns, const ForEach& for_each, const CellVisitor& visitor,
              CaseTable& table) {
  CsvReader(document, columns, visitor, table).read(for_each);
}

}  // namespace salu::loader
