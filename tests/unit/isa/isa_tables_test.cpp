#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "isa/instruction.hpp"

/// docs/development/isa-tables.md is generated from the tables, so that both always agree.
namespace salu::isa {
namespace {

std::string opcode_text(i16 opcode) { return opcode == absent ? "-" : std::to_string(opcode); }

std::string operand_text(const OperandSpec& operand) {
  static constexpr const char* fields[] = {"sdst", "ssrc0", "ssrc1", "simm16", "literal", "sdata", "sbase", "offset"};
  const std::string field = fields[static_cast<std::size_t>(operand.field)];
  switch (operand.kind) {
    case OperandKind::branch:
      return "target";
    case OperandKind::hwreg:
      return "hwreg";
    case OperandKind::waitcnt:
      return "waitcnt";
    case OperandKind::sendmsg:
      return "message";
    case OperandKind::gpr_idx:
      return "gpr_idx";
    case OperandKind::simm16:
      return "simm16 (signed)";
    case OperandKind::uimm16:
      return "simm16 (unsigned)";
    case OperandKind::probe:
      return "sdata (immediate)";
    case OperandKind::literal:
      return "literal";
    case OperandKind::memory_offset:
      return "offset";
    default:
      break;
  }
  std::string text = field + ":" + std::to_string(operand.dwords * 32);
  if (operand.kind == OperandKind::signed_source) text += " (literal sign-extended)";
  if (operand.kind == OperandKind::inline_source) text += " (no literal)";
  if (operand.kind == OperandKind::register_source && operand.field == Field::ssrc0) text += " (register)";
  if (operand.reads && operand.writes) text += " (read and written)";
  return text;
}

/// Mnemonics of several rows in one format, with the part of docs/explanation/errata.md that describes the difference.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> split_rows = {{
    {"s_max_i32", "E7"},
    {"s_max_u32", "E7"},
    {"s_rfe_restore_b64", "E29"},
}};

bool has_several_rows(const InstructionInfo& info) {
  return std::ranges::count_if(all_instructions(), [&](const InstructionInfo& other) {
           return other.format == info.format && other.mnemonic == info.mnemonic;
         }) > 1;
}

std::string row_text(const InstructionInfo& info) {
  std::string text = "| `" + std::string(info.mnemonic) + "`";
  if (has_several_rows(info)) {
    const auto* const erratum = std::ranges::find(split_rows, info.mnemonic, &decltype(split_rows)::value_type::first);
    EXPECT_NE(erratum, split_rows.end()) << info.mnemonic << " has two rows without an explanation";
    if (erratum != split_rows.end()) text += " ([" + std::string(erratum->second) + "](../explanation/errata.md))";
  }
  text += " |";
  for (const Generation generation : all_generations()) text += " " + opcode_text(info.opcode(generation)) + " |";
  std::string operands;
  for (const OperandSpec& operand : info.shape.span())
    operands += (operands.empty() ? " " : ", ") + operand_text(operand);
  text += operands + " |";
  const bool reads = info.reads_any(effect::scc);
  const bool writes = info.writes_any(effect::scc);
  text += reads && writes ? " read, written |" : reads ? " read |" : writes ? " written |" : " |";
  return text + "\n";
}

std::string document() {
  std::string text = R"(# Instruction tables

Opcodes by generation, operands with their widths in bits, and the use of SCC of every scalar instruction, for
developers who add or check rows. A test writes this page from `src/isa/instructions/*.def`; do not edit it.
[Semantics](../reference/semantics.md) describes what each instruction does. An instruction with two rows behaves
differently by generation, as the erratum after its name explains.
)";
  for (std::size_t f = 0; f < format_count; ++f) {
    const auto format = static_cast<Format>(f);
    text += "\n## " + std::string(format_name(format)) + "\n\n| instruction |";
    for (const Generation generation : all_generations()) text += " " + std::string(generation_name(generation)) + " |";
    text += " operands | SCC |\n| --- |";
    for (std::size_t i = 0; i < generation_count; ++i) text += " --- |";
    text += " --- | --- |\n";
    for (const InstructionInfo& info : all_instructions()) {
      if (info.format == format) text += row_text(info);
    }
  }
  return text;
}

TEST(IsaTables, DocumentAgreesWithTheTables) {
  const std::string path = std::string(SALU_SOURCE_DIR) + "/docs/development/isa-tables.md";
  const std::string expected = document();
  if (std::getenv("SALU_UPDATE_DOCS") != nullptr) std::ofstream(path) << expected;
  std::ifstream file(path);
  std::ostringstream actual;
  actual << file.rdbuf();
  EXPECT_EQ(actual.str(), expected) << "run this test with SALU_UPDATE_DOCS=1 to write the document anew";
}

}  // namespace
}  // namespace salu::isa
