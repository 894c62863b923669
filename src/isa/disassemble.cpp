#include "isa/disassemble.hpp"

#include "isa/operand_text.hpp"
#include "isa/symbolic.hpp"
#include "isa/vector/disassemble.hpp"
#include "support/numbers.hpp"

namespace salu::isa {
namespace {

std::string signed_hexadecimal(i64 value) {
  return value < 0 ? "-" + support::hex(0 - static_cast<u64>(value)) : support::hex(static_cast<u64>(value));
}

std::string branch_text(const Instruction& instruction, const DisassembleOptions& options) {
  if (options.label != nullptr) {
    const i64 distance = i64{static_cast<i16>(instruction.simm16)} * 4 + 4;
    std::string label = (*options.label)(options.address + static_cast<u64>(distance));
    if (!label.empty()) return label;
  }
  return std::to_string(instruction.simm16);
}

std::string memory_offset_text(Generation generation, const Instruction& instruction) {
  const MemoryFields& memory = instruction.memory;
  if (memory.has_literal) return support::hex(instruction.literal);
  if (!memory.has_offset_register) return signed_hexadecimal(memory.offset);
  std::string text = register_name(generation, memory.soffset, 1);
  if (memory.has_immediate) text += " offset:" + signed_hexadecimal(memory.offset);
  return text;
}

std::string field_text(Generation generation, const Instruction& instruction, const OperandSpec& operand,
                       const DisassembleOptions& options) {
  switch (operand.kind) {
    case OperandKind::simm16:
      return support::hex(instruction.simm16);
    case OperandKind::uimm16:
      return info(instruction.insn).format == Format::sopk ? support::hex(instruction.simm16)
                                                           : immediate_text(instruction.simm16);
    case OperandKind::branch:
      return branch_text(instruction, options);
    case OperandKind::hwreg:
      return hwreg_text(generation, instruction.simm16);
    case OperandKind::waitcnt:
      return waitcnt_text(generation, instruction.simm16);
    case OperandKind::sendmsg:
      return sendmsg_text(generation, instruction.simm16);
    case OperandKind::gpr_idx:
      return gpr_idx_text(operand.field == Field::simm16 ? instruction.simm16 : instruction.ssrc1);
    case OperandKind::literal:
      return literal_text(generation, instruction.literal, 1);
    case OperandKind::memory_offset:
      return memory_offset_text(generation, instruction);
    case OperandKind::probe:
      return immediate_text(instruction.memory.sdata);
    default:
      break;
  }
  return operand_text(generation, operand_code(instruction, operand.field).value_or(0), operand.dwords,
                      instruction.literal);
}

std::string vector_text(Generation generation, const Instruction& instruction) {
  const auto words = std::span(instruction.vector_words).first(instruction.dwords);
  if (const auto known = vector::decode(generation, words)) return vector::disassemble(generation, *known);
  return "<vector " + std::string(vector_format_name(instruction.vector)) + ">";
}

}  // namespace

std::string disassemble(Generation generation, const Instruction& instruction, const DisassembleOptions& options) {
  switch (instruction.encoding) {
    case EncodingClass::truncated:
      return "<truncated>";
    case EncodingClass::vector:
      return vector_text(generation, instruction);
    case EncodingClass::illegal:
      return "<invalid>";
    case EncodingClass::scalar:
      break;
  }
  if (find_operand_fault(generation, instruction)) return "<invalid>";

  const InstructionInfo& insn = info(instruction.insn);
  std::string text(insn.mnemonic);
  std::string_view separator = " ";
  for (const OperandSpec& operand : insn.shape.span()) {
    text += separator;
    text += field_text(generation, instruction, operand, options);
    separator = ", ";
  }
  // LLVM writes GLC only for instructions that return or store data, never writes NV, and writes the SIMM16 of S_ENDPGM
  // only if it is not zero.
  const OperandSpec* data = insn.shape.find(Field::sdata);
  if (instruction.memory.glc && data != nullptr && data->kind == OperandKind::memory_data) text += " glc";
  if (instruction.memory.dlc) text += " dlc";
  if (instruction.insn == Insn::s_endpgm && instruction.simm16 != 0) text += " " + std::to_string(instruction.simm16);
  return text;
}

bool is_unknown_vector(Generation generation, const Instruction& instruction) {
  if (instruction.encoding != EncodingClass::vector) return false;
  return !vector::decode(generation, std::span(instruction.vector_words).first(instruction.dwords));
}

}  // namespace salu::isa
