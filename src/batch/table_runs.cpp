#include "batch/table_runs.hpp"

#include <algorithm>

namespace salu::batch {
namespace {

/// The number of a dword in a list; adds it if it is missing.
std::size_t number_of(std::vector<VariedDword>& dwords, VariedDword::Kind kind, u64 place) {
  const auto is_it = [&](const VariedDword& dword) { return dword.kind == kind && dword.place == place; };
  const auto found = std::ranges::find_if(dwords, is_it);
  if (found != dwords.end()) return static_cast<std::size_t>(found - dwords.begin());
  dwords.push_back({kind, place});
  return dwords.size() - 1;
}

u32 first_value(const VariedDword& dword, const WaveState& initial, const Memory& memory) {
  switch (dword.kind) {
    case VariedDword::Kind::file:
      return initial.file[dword.place];
    case VariedDword::Kind::scc:
      return u32{initial.scc};
    case VariedDword::Kind::memory:
      return memory.read_dword(dword.place);
    case VariedDword::Kind::lane:
      break;
  }
  return 0;
}

}  // namespace

std::optional<PreparedTable::Pieces> PreparedTable::pieces_of(const Part& part, std::vector<VariedDword>& dwords) {
  using Kind = VariedDword::Kind;
  Pieces pieces;
  if (part.is_memory) {
    for (u32 done = 0; done < part.size_bytes;) {
      const u64 address = part.address + done;
      const auto in_dword = static_cast<u32>(address % 4);
      const u32 bytes = std::min(part.size_bytes - done, 4 - in_dword);
      const u32 mask = static_cast<u32>((u64{1} << (8 * bytes)) - 1) << (8 * in_dword);
      pieces.push_back({number_of(dwords, Kind::memory, address - in_dword), 8 * done, 8 * in_dword, mask});
      done += bytes;
    }
    return pieces;
  }
  const RegisterName& name = part.name;
  if (name.is_scc()) return Pieces{{number_of(dwords, Kind::scc, 0), 0, 0, 1}};
  if (name.is_vector() && name.width == 32) return Pieces{{number_of(dwords, Kind::lane, name.index), 0, 0, ~0U}};
  const bool is_in_rows = name.is_in_file() && name.width % 32 == 0 && name.width <= 64;
  if (!is_in_rows) return std::nullopt;
  for (u32 i = 0; i < name.dwords(); ++i)
    pieces.push_back({number_of(dwords, Kind::file, name.index + i), 32 * i, 0, ~0U});
  return pieces;
}

std::optional<PreparedTable> PreparedTable::make(const Program& program, const WaveState& initial, const Memory& memory,
                                                 OnVector on_vector, const std::vector<Part>& inputs,
                                                 const std::vector<Part>& results) {
  PreparedTable table;
  table.memory_ = &memory;
  std::vector<VariedDword> result_dwords;
  const auto add = [](const std::vector<Part>& parts, std::vector<VariedDword>& dwords, std::vector<Pieces>& all) {
    return std::ranges::all_of(parts, [&](const Part& part) {
      const std::optional<Pieces> pieces = pieces_of(part, dwords);
      if (pieces) all.push_back(*pieces);
      return pieces.has_value();
    });
  };
  if (!add(inputs, table.input_dwords_, table.inputs_) || !add(results, result_dwords, table.results_))
    return std::nullopt;
  for (const VariedDword& dword : table.input_dwords_) {
    // Memory that is not mapped cannot be set.
    if (dword.kind == VariedDword::Kind::memory && !memory.is_mapped(dword.place, 4)) return std::nullopt;
    if (dword.kind == VariedDword::Kind::lane) return std::nullopt;
    table.first_values_.push_back(first_value(dword, initial, memory));
  }
  std::optional<Plan> plan = Plan::make(program, initial, memory, on_vector, table.input_dwords_, result_dwords);
  if (!plan) return std::nullopt;
  table.plan_ = std::move(*plan);
  table.share_results();
  return table;
}

/// Results that use the same row are stored once; most often these are lanes of a vector register.
void PreparedTable::share_results() {
  std::vector<Row> rows;
  std::vector<std::size_t> number;
  for (const Row row : plan_.results) {
    const auto found = std::ranges::find(rows, row);
    number.push_back(static_cast<std::size_t>(found - rows.begin()));
    if (found == rows.end()) rows.push_back(row);
  }
  for (Pieces& pieces : results_) {
    for (Piece& piece : pieces) piece.dword = number[piece.dword];
  }
  result_dwords_ = rows.size();
  plan_.results = std::move(rows);
}

TableRuns::TableRuns(const PreparedTable& prepared, Width width)
    : prepared_(prepared),
      loops_(loops_for(width)),
      batch_(prepared.plan_, loops_, *prepared.memory_),
      inputs_(prepared.input_dwords_.size()),
      results_(prepared.result_dwords_) {}

void TableRuns::begin(std::size_t states) {
  states_ = states;
  is_filled_.assign(inputs_.size(), false);
  for (std::vector<u32>& each : inputs_) each.resize(states);
  for (std::vector<u32>& each : results_) each.resize(states);
  steps_.resize(states);
  endings_.resize(states);
}

/// Sets a dword to its initial value in all states.
void TableRuns::fill(std::size_t dword) {
  if (is_filled_[dword]) return;
  std::ranges::fill(inputs_[dword], prepared_.first_values_[dword]);
  is_filled_[dword] = true;
}

void TableRuns::set(std::size_t input, std::size_t state, u64 value) {
  for (const PreparedTable::Piece& piece : prepared_.inputs_[input]) {
    fill(piece.dword);
    u32& dword = inputs_[piece.dword][state];
    const u32 bits = static_cast<u32>(value >> piece.value_bit) << piece.dword_bit;
    dword = (dword & ~piece.mask) | (bits & piece.mask);
  }
}

std::span<u32> TableRuns::values(std::size_t input) {
  const PreparedTable::Pieces& pieces = prepared_.inputs_[input];
  if (pieces.size() != 1 || pieces[0].mask != ~0U) return {};
  is_filled_[pieces[0].dword] = true;
  return inputs_[pieces[0].dword];
}

void TableRuns::run(u64 max_steps) {
  for (std::size_t dword = 0; dword < inputs_.size(); ++dword) fill(dword);
  Chunk chunk;
  chunk.states = states_;
  for (const std::vector<u32>& each : inputs_) chunk.inputs.push_back(each.data());
  for (std::vector<u32>& each : results_) chunk.results.push_back(each.data());
  chunk.steps = steps_.data();
  chunk.endings = endings_.data();
  constexpr u64 unheard_steps = u64{1} << 20;
  batch_.run(chunk, std::min(max_steps, unheard_steps));
}

u64 TableRuns::read(std::size_t result, std::size_t state) const {
  u64 value = 0;
  for (const PreparedTable::Piece& piece : prepared_.results_[result]) {
    const u64 bits = (results_[piece.dword][state] & piece.mask) >> piece.dword_bit;
    value |= bits << piece.value_bit;
  }
  return value;
}

std::span<const u32> TableRuns::results(std::size_t result) const {
  const PreparedTable::Pieces& pieces = prepared_.results_[result];
  if (pieces.size() != 1 || pieces[0].mask != ~0U) return {};
  return results_[pieces[0].dword];
}

void fill_row(std::span<u32> row, const support::ValueRange& range, u64 index, const RowLoopTable& loops) {
  constexpr u64 least_for_a_loop = 64;
  if (range.last_index < least_for_a_loop) {
    for (u32& value : row) {
      value = static_cast<u32>(range.value(index));
      index = index == range.last_index ? 0 : index + 1;
    }
    return;
  }
  for (; !row.empty(); index = 0) {
    const auto count = static_cast<std::size_t>(std::min<u64>(row.size() - 1, range.last_index - index)) + 1;
    loops.ramp(row.data(), static_cast<u32>(range.value(index)), static_cast<u32>(range.step),
               static_cast<u32>(support::ones(range.bits)), count);
    row = row.subspan(count);
  }
}

}  // namespace salu::batch
