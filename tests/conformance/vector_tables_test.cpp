#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "conformance/tsv.hpp"
#include "isa/vector/instruction.hpp"

// The rows of the vector instructions against the facts in tests/data/isa/vector.tsv: names, formats and opcodes. It
// has no column for CDNA 1 and for the instructions of gfx906, whose opcodes come from LLVM's disassembler.
namespace salu::conformance::vector {
namespace {

using isa::vector::Format;
using isa::vector::InstructionInfo;

using Row = std::map<std::string, std::string>;

struct Column {
  Generation generation;
  std::string name;
};

const std::array<Column, 7>& columns() {
  static const std::array<Column, 7> all = {{{Generation::gcn1_0, "gfx6"},
                                             {Generation::gcn1_1, "gfx7"},
                                             {Generation::gcn1_2, "gfx8"},
                                             {Generation::gcn1_4, "gfx9"},
                                             {Generation::cdna2, "gfx90a"},
                                             {Generation::cdna3, "gfx942"},
                                             {Generation::cdna4, "gfx950"}}};
  return all;
}

std::string format_name(Format format) {
  static constexpr std::array<std::string_view, 11> names = {"VOP1",  "VOP2", "VOPC",   "VOP3",    "VOP3P", "MUBUF",
                                                             "MTBUF", "FLAT", "GLOBAL", "SCRATCH", "DS"};
  return std::string(names.at(static_cast<std::size_t>(format)));
}

/// `v_mov_b32`, or a name for each column: `gfx6=v_add_i32;gfx8=v_add_u32`.
std::string name_in(const Row& row, const std::string& column) {
  const std::string& names = row.at("llvm_name");
  if (names.find('=') == std::string::npos) return names;
  std::istringstream stream(names);
  for (std::string each; std::getline(stream, each, ';');) {
    if (each.starts_with(column + "=")) return each.substr(column.size() + 1);
  }
  return "-";
}

std::string number(i16 opcode) { return opcode == isa::absent ? "-" : std::to_string(opcode); }

const InstructionInfo* find_row(const std::string& format, const std::string& name, const Column& column) {
  for (const InstructionInfo& row : isa::vector::all_instructions()) {
    const bool is_there =
        row.opcode(column.generation) != isa::absent || row.vop3_opcode(column.generation) != isa::absent;
    if (is_there && row.name(column.generation) == name && format.starts_with(format_name(row.format))) return &row;
  }
  return nullptr;
}

TEST(VectorTable, SameNumbersOnEveryGeneration) {
  std::set<std::string> unknown;
  std::set<std::pair<const InstructionInfo*, Generation>> met;
  std::size_t compared = 0;
  for (const Row& row : read_tsv("vector.tsv")) {
    for (const Column& column : columns()) {
      const std::string& opcode = row.at("op_" + column.name);
      const std::string& vop3 = row.at("vop3_" + column.name);
      if (opcode == "-" && vop3 == "-") continue;
      const InstructionInfo* const found = find_row(row.at("format"), name_in(row, column.name), column);
      if (found == nullptr) {
        // These rows may be missing.
        if (row.at("tier") != "O") unknown.insert(row.at("id") + " " + column.name);
        continue;
      }
      const bool is_vop3_alone = found->format == Format::vop3;
      EXPECT_EQ(number(is_vop3_alone ? found->vop3_opcode(column.generation) : found->opcode(column.generation)),
                opcode)
          << row.at("id") << " " << column.name;
      if (!is_vop3_alone) {
        EXPECT_EQ(number(found->vop3_opcode(column.generation)), vop3) << row.at("id") << " " << column.name;
      }
      EXPECT_TRUE(met.emplace(found, column.generation).second) << row.at("id") << " twice";
      ++compared;
    }
  }
  EXPECT_GT(compared, 1'900U);
  EXPECT_EQ(unknown, std::set<std::string>{});

  std::set<std::string> missing;
  for (const InstructionInfo& row : isa::vector::all_instructions()) {
    for (const Column& column : columns()) {
      const bool is_there =
          row.opcode(column.generation) != isa::absent || row.vop3_opcode(column.generation) != isa::absent;
      // The table does not have rows for memory that a work-group shares.
      if (is_there && row.format != Format::ds && !met.contains({&row, column.generation}))
        missing.insert(std::string(row.name(column.generation)) + " " + column.name);
    }
  }
  // The column is gfx900's.
  EXPECT_EQ(missing, (std::set<std::string>{"v_dot2_f32_f16 gfx9", "v_dot2_i32_i16 gfx9", "v_dot2_u32_u16 gfx9",
                                            "v_dot4_i32_i8 gfx9", "v_dot4_u32_u8 gfx9", "v_dot8_i32_i4 gfx9",
                                            "v_dot8_u32_u4 gfx9", "v_fmac_f32 gfx9", "v_xnor_b32 gfx9"}));
}

}  // namespace
}  // namespace salu::conformance::vector
