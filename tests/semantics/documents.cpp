#include "semantics/documents.hpp"

#include <array>
#include <vector>

#include "columns.hpp"

namespace salu::test {
namespace {

using Row = std::vector<std::string>;

std::vector<Row> read_rows(const std::string& path) {
  std::vector<Row> rows;
  for (const std::string& line : read_data_lines(path)) rows.push_back(split(line, '\t'));
  rows.erase(rows.begin());
  return rows;
}

const std::vector<Row>& hwreg_rows() {
  static const std::vector<Row> rows = read_rows("isa/hwregs.tsv");
  return rows;
}

bool is_on(const Row& row, std::size_t first_column, Generation generation) {
  return row.at(first_column + column_index(generation)) == "yes";
}

struct CodeUse {
  bool source = false;
  bool destination = false;
};
using CodeUses = std::array<std::array<CodeUse, 256>, generation_count>;

CodeUses read_code_uses() {
  CodeUses uses{};
  for (const Row& row : read_rows("isa/operands.tsv")) {
    if (row.at(2) == "reserved") continue;
    for (const Generation generation : all_generations()) {
      if (!is_on(row, 4, generation)) continue;
      for (auto code = std::stoul(row.at(0)); code <= std::stoul(row.at(1)); ++code) {
        CodeUse& use = uses[static_cast<std::size_t>(generation)].at(code);
        use = {row.at(11) == "1", row.at(12).starts_with('1')};
      }
    }
  }
  return uses;
}

const CodeUse& use_of(Generation generation, u32 code) {
  static const CodeUses uses = read_code_uses();
  return uses[static_cast<std::size_t>(generation)].at(code);
}

}  // namespace

u32 hwreg_field_bits(Generation generation, u32 id, const std::string& name) {
  u32 bits = 0;
  for (const Row& row : hwreg_rows()) {
    if (row.at(0) != "field" || row.at(1) != std::to_string(id) || !is_on(row, 6, generation)) continue;
    if (!name.empty() && row.at(3) != name) continue;
    for (auto bit = std::stoul(row.at(4)); bit <= std::stoul(row.at(5)); ++bit) bits |= 1U << bit;
  }
  return bits;
}

bool has_hwreg(Generation generation, u32 id) {
  for (const Row& row : hwreg_rows()) {
    if (row.at(0) == "reg" && row.at(1) == std::to_string(id) && is_on(row, 6, generation)) return true;
  }
  return false;
}

bool is_source_code(Generation generation, u32 code) { return use_of(generation, code).source; }
bool is_destination_code(Generation generation, u32 code) { return use_of(generation, code).destination; }

u32 vector_dwords(Generation generation, u32 word) {
  const bool new_encoding = generation >= Generation::gcn1_2;
  if (word < 0x80000000) {
    const u32 opcode = word / 0x2000000;
    const u32 source = word % 512;
    if (source == 255 || (new_encoding && (source == 249 || source == 250))) return 2;
    if (opcode >= 62) return 1;
    if (new_encoding) return opcode == 23 || opcode == 24 || opcode == 36 || opcode == 37 ? 2 : 1;
    return opcode == 32 || opcode == 33 ? 2 : 1;
  }
  switch (word / 0x4000000) {
    case 0b110001:
      return new_encoding ? 2 : 0;
    case 0b110010:
      return new_encoding ? 0 : 1;
    case 0b110101:
      return new_encoding && generation <= Generation::cdna1 ? 1 : 0;
    case 0b110111:
      return generation == Generation::gcn1_0 ? 0 : 2;
    case 0b111100:
      return generation >= Generation::cdna3 ? 0 : 2;
    case 0b111110:
      return new_encoding ? 0 : 2;
    case 0b110100:
    case 0b110110:
    case 0b111000:
    case 0b111010:
      return 2;
    default:
      return 0;
  }
}

}  // namespace salu::test
