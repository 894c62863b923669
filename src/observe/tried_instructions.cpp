#include "observe/tried_instructions.hpp"

#include <cstddef>
#include <optional>

#include "isa/decode.hpp"
#include "isa/operand.hpp"
#include "isa/vector/decode.hpp"

namespace salu::observe {
namespace {

using isa::OperandClass;

/// A number for the kind of an operand of a scalar instruction.
u32 operand_form(isa::Insn insn, isa::Field field, OperandClass operand) {
  return (static_cast<u32>(insn) << 8 | static_cast<u32>(field)) << 8 | static_cast<u32>(operand);
}
u32 vector_form(isa::vector::Insn insn, isa::vector::Form form) {
  return static_cast<u32>(insn) << 8 | static_cast<u32>(form);
}

/// True if a field contains an operand code, of which there are several kinds.
bool has_forms(const isa::OperandSpec& operand) {
  using Operand = isa::OperandKind;
  return operand.kind == Operand::destination || operand.kind == Operand::source ||
         operand.kind == Operand::signed_source || operand.kind == Operand::inline_source ||
         operand.kind == Operand::register_source || operand.kind == Operand::memory_data ||
         operand.kind == Operand::memory_base;
}

u64 operand_forms_of(Generation generation, const isa::InstructionInfo& row) {
  u64 forms = 0;
  for (const isa::OperandSpec& operand : row.shape.span()) {
    if (!has_forms(operand)) continue;
    std::set<OperandClass> classes;
    for (u32 code = 0; code <= isa::literal_code; ++code) {
      const auto number = static_cast<u8>(code);
      const bool is_legal =
          isa::judge_operand(generation, operand.kind, operand.dwords, number) == isa::OperandVerdict::legal;
      if (is_legal) classes.insert(isa::operand_class(generation, number));
    }
    forms += classes.size();
  }
  return forms;
}

u64 vector_forms_of(Generation generation, const isa::vector::InstructionInfo& row) {
  const bool is_sdwa = row.opcode(generation) != isa::absent && (row.modifiers & isa::vector::modifier::sdwa) != 0 &&
                       generation_info(generation).vector_encoding == VectorEncoding::gfx8;
  return u64{row.opcode(generation) != isa::absent} + u64{row.vop3_opcode(generation) != isa::absent} + u64{is_sdwa} +
         u64{isa::vector::has_dpp(generation, row)};
}

}  // namespace

void TriedInstructions::add(Generation generation, std::span<const u32> words) {
  const isa::Instruction instruction = isa::decode(generation, words);
  if (instruction.encoding == isa::EncodingClass::vector) {
    const auto vector = isa::vector::decode(generation, words);
    if (!vector) return;
    vector_.insert(static_cast<u32>(vector->insn));
    vector_forms_.insert(vector_form(vector->insn, vector->form));
  }
  if (instruction.encoding != isa::EncodingClass::scalar) return;
  scalar_.insert(static_cast<u32>(instruction.insn));
  for (const isa::OperandSpec& operand : isa::info(instruction.insn).shape.span()) {
    const std::optional<u8> code = isa::operand_code(instruction, operand.field);
    if (!code || !has_forms(operand)) continue;
    operand_forms_.insert(operand_form(instruction.insn, operand.field, isa::operand_class(generation, *code)));
  }
}

InstructionCoverage TriedInstructions::coverage(Generation generation) const {
  InstructionCoverage coverage;
  coverage.generation = generation;
  const auto rows = isa::all_instructions();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].opcode(generation) == isa::absent) continue;
    ++coverage.scalar.all;
    coverage.operand_forms.all += operand_forms_of(generation, rows[i]);
    if (!scalar_.contains(static_cast<u32>(i))) coverage.never_executed.emplace_back(rows[i].mnemonic);
  }
  for (const isa::vector::InstructionInfo& row : isa::vector::all_instructions()) {
    const u64 forms = vector_forms_of(generation, row);
    coverage.vector.all += u64{forms != 0};
    coverage.vector_forms.all += forms;
  }
  coverage.scalar.covered = scalar_.size();
  coverage.operand_forms.covered = operand_forms_.size();
  coverage.vector.covered = vector_.size();
  coverage.vector_forms.covered = vector_forms_.size();
  return coverage;
}

}  // namespace salu::observe
