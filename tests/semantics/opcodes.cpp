#include "semantics/opcodes.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "columns.hpp"

namespace salu::test {
namespace {

u32 width_of(const std::string& cell) { return static_cast<u32>(std::stoul(cell)); }

std::vector<OpcodeRow> read_opcode_rows() {
  const std::vector<std::string> lines = read_data_lines("isa/opcodes.tsv");
  const std::vector<std::string> names = split(lines.at(0), '\t');
  const auto column = [&](std::string_view name) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == name) return i;
    }
    throw std::runtime_error("opcodes.tsv does not have a column " + std::string(name));
  };
  std::vector<OpcodeRow> rows;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> cells = split(lines[i], '\t');
    OpcodeRow row;
    row.format = cells.at(column("format"));
    row.mnemonic = cells.at(column("mnemonic"));
    for (const Generation generation : all_generations()) {
      const std::string& cell = cells.at(column(generation_name(column_of(generation))));
      row.opcodes[static_cast<std::size_t>(generation)] = cell == "-" ? -1 : std::stoi(cell);
    }
    row.dst_dwords = width_of(cells.at(column("dst_dw")));
    row.src0_dwords = width_of(cells.at(column("src0_dw")));
    row.src1_dwords = width_of(cells.at(column("src1_dw")));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::span<const OpcodeRow> opcode_rows() {
  static const std::vector<OpcodeRow> rows = read_opcode_rows();
  return rows;
}

const OpcodeRow* find_opcode_row(Generation generation, std::string_view mnemonic) {
  for (const OpcodeRow& row : opcode_rows()) {
    if (row.mnemonic == mnemonic && row.exists_on(generation)) return &row;
  }
  return nullptr;
}

const OpcodeRow& opcode_row(Generation generation, std::string_view mnemonic) {
  const OpcodeRow* const row = find_opcode_row(generation, mnemonic);
  if (row == nullptr) {
    throw std::runtime_error(std::string(mnemonic) + " does not exist on " + std::string(generation_name(generation)));
  }
  return *row;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> cells;
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    if (separator != ' ' || end != start) cells.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return cells;
}

std::vector<std::string> read_data_lines(const std::string& path) {
  std::ifstream file(std::string(SALU_TEST_DATA_DIR "/") + path);
  if (!file) throw std::runtime_error("cannot read tests/data/" + path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  if (lines.empty()) throw std::runtime_error("tests/data/" + path + " is empty");
  return lines;
}

}  // namespace salu::test
