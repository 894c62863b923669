#include "sweeping/row_sources.hpp"

#include <fmt/core.h>

#include "support/numbers.hpp"
#include "sweeping/arrays.hpp"

namespace salu::sweeping {
namespace {

/// Truncates numbers to their low bits. Returns an error for the first number that does not fit.
std::optional<Error> cut_to_fit(std::span<u64> values, bool is_signed, u32 bits, const std::string& input, u64 row,
                                const std::string& where) {
  const u64 ones = support::ones(bits);
  // The bits above are ones in a negative number.
  const u64 least_negative = ~(ones >> 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool fits = values[i] <= ones || (is_signed && values[i] >= least_negative);
    if (!fits) {
      const std::string shown = is_signed ? std::to_string(static_cast<i64>(values[i])) : std::to_string(values[i]);
      return Error{ErrorCode::scenario,
                   {where},
                   fmt::format("row {}: {} does not fit in the {} bits of {}", row + i + 1, shown, bits, input),
                   {}};
    }
    values[i] &= ones;
  }
  return std::nullopt;
}

}  // namespace

TableRowSource::TableRowSource(std::shared_ptr<const CaseTable> table, const Scenario& scenario,
                               const std::vector<CasePlace>& inputs)
    : table_(std::move(table)) {
  for (std::size_t i = 0; i < table_->columns.size(); ++i) {
    if (table_->columns[i].is_input()) columns_.push_back(i);
  }
  for (const CasePlace& input : inputs) {
    initial_.push_back(input.is_memory() ? read_memory(input, scenario.memory)
                                         : read_register(scenario.initial, input.column.name));
  }
}

std::optional<Error> TableRowSource::read(std::size_t input, u64 row, std::span<u64> values) const {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const CaseCell& cell = table_->row(static_cast<std::size_t>(row) + i)[columns_[input]];
    values[i] = cell.mask == 0 ? initial_[input] : cell.value;
  }
  return std::nullopt;
}

void NpyRowSource::add(std::shared_ptr<const loader::NpyFile> file, std::size_t column, const CasePlace& input) {
  columns_.push_back({std::move(file), column, input.name(), input.bits});
}

std::optional<Error> NpyRowSource::read(std::size_t input, u64 row, std::span<u64> values) const {
  const Column& column = columns_[input];
  const loader::NpyFile::Column& source = column.file->columns()[column.number];
  std::string problem = column.file->read(source, row, values);
  if (!problem.empty()) return Error{ErrorCode::io, {column.file->path()}, std::move(problem), {}};
  return cut_to_fit(values, source.is_signed, column.bits, column.input, row, column.file->path());
}

std::optional<Error> ArrayRowSource::add(const SweepInput& array, const CasePlace& input) {
  if (auto problem = find_problem(array.array, array.data, array.name)) return problem;
  columns_.push_back({array, input.bits});
  return std::nullopt;
}

std::optional<Error> ArrayRowSource::read(std::size_t input, u64 row, std::span<u64> values) const {
  const Column& column = columns_[input];
  const SweepArray& array = column.array.array;
  read_array(array, column.array.data, row, values);
  // Unsigned numbers with no more bits than the place always fit.
  if (!array.is_signed && array.size_bytes * 8 <= column.bits) return std::nullopt;
  return cut_to_fit(values, array.is_signed, column.bits, column.array.name, row, column.array.name);
}

}  // namespace salu::sweeping
