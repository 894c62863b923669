#include "sweeping/states.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>

#include "loader/columns/npy_file.hpp"
#include "loader/scenario/registers.hpp"
#include "loader/value_range.hpp"
#include "sweeping/row_sources.hpp"

namespace salu::sweeping {
namespace {

using support::Combinations;

constexpr std::string_view rows_option = "--rows";

Error usage(const std::string& where, std::string message) {
  return {ErrorCode::usage, {where}, std::move(message), {}};
}

/// Returns the setting of `--set` that sets a part of a place; empty if none exists.
std::string find_set(const Scenario& scenario, const std::vector<std::string>& set, const CasePlace& place) {
  if (place.column.kind != CaseColumn::Kind::input_register) return {};
  for (const std::string& text : set) {
    std::string ignored;
    const auto name = loader::find_settable_register(text.substr(0, text.find('=')), scenario.program.generation(),
                                                     loader::allocated_registers(scenario.initial), ignored);
    if (name && overlap(name->location(), place.column.name.location())) return text;
  }
  return {};
}

}  // namespace

/// Makes the states from the options.
class StatesReader {
 public:
  StatesReader(const Scenario& scenario, const SweepOptions& options)
      : scenario_(scenario), options_(options), places_(scenario) {}

  Result<States> read() {
    std::optional<Error> problem;
    if (!options_.inputs.empty()) {
      problem = take_inputs();
    } else if (!options_.rows.empty()) {
      problem = read_rows();
    }
    const bool takes_cases = states_.rows_ == nullptr && options_.vary.empty() && scenario_.cases != nullptr;
    if (!problem && takes_cases) problem = take_table(scenario_.cases, "`cases:`");
    if (!problem && states_.rows_ == nullptr && options_.vary.empty()) {
      problem = usage(scenario_.file, "missing states: give ranges (--vary s0=0..255) or rows (--rows FILE)");
    }
    if (!problem && states_.rows_ == nullptr && !options_.columns.empty())
      problem = usage("--columns", "it needs a NumPy file (--rows FILE.npy)");
    states_.row_inputs_ = states_.inputs_.size();
    for (const std::string& text : options_.vary) {
      if (!problem) problem = add_range(text);
    }
    if (problem) return *std::move(problem);
    states_.combinations_.emplace(states_.ranges_);
    const u64 rows = states_.rows_count();
    if (states_.combinations_->count() == 0 || rows > Combinations::limit / states_.combinations_->count()) {
      const std::string times = states_.rows_ == nullptr ? "" : fmt::format("{} rows times ", rows);
      return usage("--vary",
                   fmt::format("{}{} states; the limit is 2^32: use smaller ranges, or steps (s0=0..0xffff:16)", times,
                               states_.combinations_->count_text()));
    }
    return std::move(states_);
  }

 private:
  std::optional<Error> add_input(const std::string& name, const std::string& where) {
    Result<CasePlace> place = places_.add_input(name, where);
    if (!place) return std::move(place).error();
    const std::string set = find_set(scenario_, options_.fixed, *place);
    if (!set.empty()) {
      return usage(where, fmt::format("`{}` is also set by --set {}; remove one of them", name, set));
    }
    states_.inputs_.push_back(std::move(*place));
    return std::nullopt;
  }

  std::optional<Error> add_range(const std::string& text) {
    const std::string where = "--vary " + text;
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) return usage(where, "expected a place and its values, as in s0=0..255");
    if (auto problem = add_input(text.substr(0, equals), where)) return problem;
    support::ValueRange range;
    const std::string problem =
        loader::read_value_range(std::string_view(text).substr(equals + 1), states_.inputs_.back().bits, range);
    if (!problem.empty()) return usage(where, problem);
    states_.ranges_.push_back(range);
    return std::nullopt;
  }

  std::optional<Error> take_inputs() {
    const std::string& first = options_.inputs.front().name;
    if (!options_.rows.empty()) return usage(first, "rows can be in files or in memory, not both");
    if (options_.input_rows == 0) return usage(first, "the table is empty");
    const auto rows = std::make_shared<ArrayRowSource>(options_.input_rows);
    for (const SweepInput& input : options_.inputs) {
      if (auto problem = add_input(input.name, input.name)) return problem;
      if (auto problem = rows->add(input, states_.inputs_.back())) return problem;
    }
    states_.rows_ = rows;
    return std::nullopt;
  }

  std::optional<Error> read_rows() {
    const auto is_array = [](const std::string& text) { return text.ends_with(".npy"); };
    if (std::ranges::all_of(options_.rows, is_array)) return read_arrays();
    const std::string& path = options_.rows.front();
    const std::string where = fmt::format("{} {}", rows_option, path);
    if (options_.rows.size() > 1)
      return usage(where, "only one table is allowed; several files must be NumPy columns (s0=a.npy)");
    if (!path.ends_with(".csv") && !path.ends_with(".jsonl"))
      return usage(where, "expected rows in a file whose name ends in .csv, .jsonl or .npy");
    if (!options_.columns.empty())
      return usage(where, "--columns is only for NumPy files; a table names its columns itself");
    Result<std::shared_ptr<const CaseTable>> table = loader::load_case_rows(path, scenario_, options_.load);
    if (!table) return std::move(table).error();
    return take_table(std::move(*table), where);
  }

  std::optional<Error> take_table(std::shared_ptr<const CaseTable> table, const std::string& where) {
    for (const CaseColumn& column : table->columns) {
      if (!column.is_input()) continue;
      if (auto problem = add_input(column.path, where)) return problem;
    }
    states_.table_ = table;
    states_.rows_ = std::make_shared<TableRowSource>(std::move(table), scenario_, states_.inputs_);
    return std::nullopt;
  }

  std::optional<Error> read_arrays() {
    arrays_ = std::make_shared<NpyRowSource>();
    const std::string* first = nullptr;
    for (const std::string& text : options_.rows) {
      if (auto problem = add_array(text)) return problem;
      if (first == nullptr) first = &text;
      if (rows_of_last_ != arrays_->count()) {
        return Error{ErrorCode::scenario,
                     {fmt::format("{} {}", rows_option, text)},
                     fmt::format("{} rows, but {} has {}: columns must have the same length", rows_of_last_, *first,
                                 arrays_->count()),
                     {}};
      }
    }
    if (arrays_->count() == 0)
      return Error{ErrorCode::scenario, {fmt::format("{} {}", rows_option, *first)}, "the table is empty", {}};
    states_.rows_ = arrays_;
    return std::nullopt;
  }

  std::optional<Error> add_array(const std::string& text) {
    const std::string where = fmt::format("{} {}", rows_option, text);
    // Names of places do not contain `=`, and few paths do.
    const std::size_t equals = text.find('=');
    const bool is_named = equals != std::string::npos;
    Result<loader::NpyFile> opened =
        loader::NpyFile::open(is_named ? text.substr(equals + 1) : text, options_.load.files);
    if (!opened) return std::move(opened).error();
    const auto file = std::make_shared<const loader::NpyFile>(std::move(*opened));
    rows_of_last_ = file->rows();
    std::vector<std::string> names;
    if (is_named && !options_.columns.empty())
      return usage(where, "its column already has a name; --columns is for files without `NAME=`");
    if (is_named) {
      names = {text.substr(0, equals)};
    } else if (!options_.columns.empty()) {
      names = options_.columns;
    } else {
      for (const loader::NpyFile::Column& column : file->columns()) names.push_back(column.name);
    }
    const std::size_t columns = file->columns().size();
    if (names.empty() || names.front().empty()) {
      return usage(where, fmt::format("its columns ({}) are unnamed: name the inputs, as in --columns s0,s1", columns));
    }
    if (names.size() != columns) return usage(where, fmt::format("{} columns, but {} names", columns, names.size()));
    const std::size_t inputs_before = states_.inputs_.size();
    for (std::size_t i = 0; i < columns; ++i) {
      // A file written by a sweep also contains outputs.
      if (names[i].starts_with("expect.") || names[i] == "steps") continue;
      if (auto problem = add_input(names[i], where)) return problem;
      arrays_->add(file, i, states_.inputs_.back());
    }
    if (states_.inputs_.size() == inputs_before)
      return usage(where, fmt::format("all its columns are outputs ({}, ...); expected an input", names.front()));
    return std::nullopt;
  }

  const Scenario& scenario_;
  const SweepOptions& options_;
  loader::CasePlaces places_;
  States states_;
  std::shared_ptr<NpyRowSource> arrays_;
  u64 rows_of_last_ = 0;
};

Result<States> States::make(const Scenario& scenario, const SweepOptions& options) {
  return StatesReader(scenario, options).read();
}

std::optional<Error> States::fill(u64 first, std::span<std::vector<u64>> columns) const {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (auto problem = fill(i, first, columns[i])) return problem;
  }
  return std::nullopt;
}

std::optional<Error> States::fill(std::size_t input, u64 first, std::span<u64> values) const {
  if (input < row_inputs_) return fill_from_rows(input, first, values);
  combinations_->fill_column(input - row_inputs_, first, values);
  return std::nullopt;
}

bool States::fill_dwords(std::size_t input, u64 first, std::span<u32> values, const batch::RowLoopTable& loops) const {
  if (input < row_inputs_) return false;
  const std::size_t number = input - row_inputs_;
  if (number + 1 == ranges_.size()) {
    // The last range changes with every state.
    const support::ValueRange& range = ranges_[number];
    batch::fill_row(values, range, first % (range.last_index + 1), loops);
  } else {
    combinations_->fill_column(number, first, values);
  }
  return true;
}

std::optional<Error> States::fill_from_rows(std::size_t input, u64 first, std::span<u64> values) const {
  const u64 period = combinations_->count();
  if (period == 1) return rows_->read(input, first, values);
  if (values.empty()) return std::nullopt;
  const u64 first_row = first / period;
  const u64 last_row = (first + values.size() - 1) / period;
  std::vector<u64> rows(static_cast<std::size_t>(last_row - first_row + 1));
  if (auto problem = rows_->read(input, first_row, rows)) return problem;
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = rows[static_cast<std::size_t>((first + i) / period - first_row)];
  return std::nullopt;
}

u64 read_memory(const CasePlace& place, const Memory& memory) {
  std::array<u8, 8> bytes{};
  memory.read(place.column.address, std::span(bytes).first(place.column.size_bytes));
  return std::bit_cast<u64>(bytes);
}

void set_input(const Program& program, const CasePlace& input, u64 value, WaveState& state, Memory& memory) {
  const CaseColumn& column = input.column;
  if (!input.is_memory()) return write_register(state, program.generation(), column.name, value);
  const auto bytes = std::bit_cast<std::array<u8, 8>>(value);
  memory.write(column.address, std::span(bytes).first(column.size_bytes));
}

}  // namespace salu::sweeping
