#include "equiv/case_rows.hpp"

#include <fmt/core.h>

namespace salu::equiv {
namespace {

/// Returns the input in both programs for a column of one program's table.
Result<Input> input_of(const CaseColumn& column, const SourcePlace& where, const Programs& programs, std::size_t own) {
  const Scenario& other = *programs[1 - own];
  Input input;
  input.place.name = column.path;
  if (column.kind == CaseColumn::Kind::input_register) {
    const auto name = find_in(other, column.path);
    if (!name || name->width != column.name.width) {
      return Error{
          ErrorCode::scenario, where, fmt::format("`cases:` sets `{}`, which {} lacks", column.path, other.name), {}};
    }
    input.place.registers[own] = column.name;
    input.place.registers[1 - own] = *name;
    input.bits = column.name.width;
  } else {
    constexpr std::string_view argument_prefix = "args.";
    const bool is_argument = column.path.starts_with(argument_prefix);
    const KernelArgumentPlace* argument =
        is_argument ? find_argument(other, std::string_view(column.path).substr(argument_prefix.size())) : nullptr;
    const bool is_there = is_argument ? argument != nullptr && argument->size_bytes == column.size_bytes
                                      : other.memory.is_mapped(column.address, column.size_bytes);
    if (!is_there) {
      return Error{
          ErrorCode::scenario, where, fmt::format("`cases:` sets `{}`, which {} lacks", column.path, other.name), {}};
    }
    input.place.is_memory = true;
    input.place.addresses[own] = column.address;
    input.place.addresses[1 - own] = is_argument ? argument->address : column.address;
    input.place.size_bytes = column.size_bytes;
    input.bits = column.size_bytes * 8;
  }
  input.span = low_bits(input.bits);
  return input;
}

}  // namespace

Result<CaseRows> CaseRows::of(const Programs& programs) {
  CaseRows rows;
  const std::size_t own = programs[0]->cases ? 0 : 1;
  rows.table_ = programs[own]->cases.get();
  if (rows.table_ == nullptr) return rows;
  // Code that replaces a scenario's code uses the rows of that scenario.
  const CaseTable* const other = programs[1]->cases.get();
  rows.leaves_out_others_ = own == 0 && other != nullptr && other->where != rows.table_->where;
  for (std::size_t i = 0; i < rows.table_->columns.size(); ++i) {
    const CaseColumn& column = rows.table_->columns[i];
    if (!column.is_input()) continue;
    Result<Input> input = input_of(column, rows.table_->where, programs, own);
    if (!input) return std::move(input).error();
    rows.columns_.push_back(i);
    rows.inputs_.push_back(std::move(*input));
  }
  return rows;
}

std::vector<Input> CaseRows::fill(std::size_t row, std::vector<u64>& values) const {
  std::vector<Input> inputs;
  values.clear();
  const auto cells = table_->row(row);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const CaseCell& cell = cells[columns_[i]];
    if (cell.mask == 0) continue;
    inputs.push_back(inputs_[i]);
    values.push_back(cell.value);
  }
  return inputs;
}

std::string CaseRows::name(std::size_t row) const {
  const std::string name(table_->name(row));
  return fmt::format("row {} ({}:{}{})", row + 1, table_->file, table_->lines[row], name.empty() ? "" : ", " + name);
}

}  // namespace salu::equiv
