#include "page/timeline.hpp"

#include <algorithm>

namespace salu::page {
namespace {

/// Merges a column into the one before it.
void merge_into(Column& left, const Column& right) {
  left.exec_any |= right.exec_any;
  left.exec_all &= right.exec_all;
  left.csp_least = std::min(left.csp_least, right.csp_least);
  left.csp_most = std::max(left.csp_most, right.csp_most);
  // A table of indices: linear searches would be quadratic in the length of a loop.
  std::vector<u32> places;
  for (const InstructionCount& added : left.instructions)
    places.resize(std::max<std::size_t>(places.size(), added.instruction + 1));
  for (u32 i = 0; i < left.instructions.size(); ++i) places[left.instructions[i].instruction] = i + 1;
  for (const InstructionCount& added : right.instructions) {
    const u32 place = added.instruction < places.size() ? places[added.instruction] : 0;
    if (place == 0) {
      left.instructions.push_back(added);
    } else {
      left.instructions[place - 1].count += added.count;
    }
  }
  for (const RegisterPoint& added : right.registers) {
    const auto found = std::ranges::find(left.registers, added.index, &RegisterPoint::index);
    if (found == left.registers.end()) {
      left.registers.push_back(added);
    } else {
      found->value = added.value;
      found->writes += added.writes;
    }
  }
}

}  // namespace

std::vector<Column> merge_columns(std::span<const Column> columns, std::size_t factor) {
  std::vector<Column> merged;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i % factor == 0) {
      merged.push_back(columns[i]);
    } else {
      merge_into(merged.back(), columns[i]);
    }
  }
  return merged;
}

void Timeline::start_column(u64 others) {
  if (!columns_.empty()) {
    for (const InstructionCount& old : columns_.back().instructions) instruction_places_[old.instruction] = 0;
    register_places_.fill(0);
  }
  if (columns_.size() == most_columns) halve();
  columns_.emplace_back().others = others;
}

void Timeline::halve() {
  columns_ = merge_columns(columns_, 2);
  steps_per_column_ *= 2;
  texts_ = {};
}

void Timeline::add(u64 exec, u32 csp, u32 instruction, std::span<const TrackedWrite> writes, const TraceEvent& event,
                   u64 others) {
  if (steps_ % steps_per_column_ == 0) start_column(others);
  ++steps_;
  Column& column = columns_.back();
  column.exec_any |= exec;
  column.exec_all &= exec;
  column.csp_least = std::min(column.csp_least, csp);
  column.csp_most = std::max(column.csp_most, csp);
  if (instruction >= instruction_places_.size()) instruction_places_.resize(instruction + 1);
  u32& place = instruction_places_[instruction];
  if (place == 0) {
    column.instructions.push_back({instruction, 0});
    place = static_cast<u32>(column.instructions.size());
  }
  ++column.instructions[place - 1].count;
  for (const TrackedWrite& write : writes) {
    u32& position = register_places_[write.index];
    if (position == 0) {
      column.registers.push_back({write.index, 0, 0});
      position = static_cast<u32>(column.registers.size());
    }
    column.registers[position - 1].value = write.value;
    ++column.registers[position - 1].writes;
  }
  if (steps_per_column_ == 1) {
    texts_.push_back({reads_text(event), writes_text(event), note_text(event)});
  }
}

}  // namespace salu::page
