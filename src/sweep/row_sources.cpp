#include "sweep/row_sources.hpp"

#include <fmt/core.h>

#include "support/numbers.hpp"

namespace salu::sweeping {

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
  const u64 ones = support::ones(column.bits);
  // A negative number has ones in front of the bits that are taken.
  const u64 least_negative = ~(ones >> 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool fits = values[i] <= ones || (source.is_signed && values[i] >= least_negative);
    if (!fits) {
      const std::string shown =
          source.is_signed ? std::to_string(static_cast<i64>(values[i])) : std::to_string(values[i]);
      return Error{
          ErrorCode::scenario,
          {column.file->path()},
          fmt::format("row {}: {} does not fit in the {} bits of {}", row + i + 1, shown, column.bits, column.input),
          {}};
    }
    values[i] &= ones;
  }
  return std::nullopt;
}

}  // namespace salu::sweeping
