#include "isa/disassemble.hpp"

#include <bit>

#include "isa/symbolic.hpp"
#include "support/numbers.hpp"

namespace salu::isa {
namespace {

constexpr std::array<std::string_view, 9> float_names = {"0.5",  "-0.5", "1.0",  "-1.0",      "2.0",
                                                         "-2.0", "4.0",  "-4.0", "0.15915494"};
constexpr std::string_view inverse_two_pi_64 = "0.15915494309189532";
constexpr u8 first_float_code = 240;
constexpr u8 inverse_two_pi_code = 248;

std::string signed_hexadecimal(i64 value) {
  return value < 0 ? "-" + support::hex(0 - static_cast<u64>(value)) : support::hex(static_cast<u64>(value));
}

std::string_view float_name(u8 code, u8 dwords) {
  return code == inverse_two_pi_code && dwords == 2 ? inverse_two_pi_64
                                                    : float_names[code - std::size_t{first_float_code}];
}

/// A literal that an inline constant could have held prints as that constant, as in LLVM.
std::string literal_text(Generation generation, u32 value, u8 dwords) {
  if (dwords == 2) return value <= 64 ? std::to_string(value) : support::hex(value);
  for (u8 code = first_float_code; code <= inverse_two_pi_code; ++code) {
    const bool available = operand_class(generation, code) == OperandClass::floating;
    if (available && inline_constant32(code) == value) return std::string(float_name(code, 1));
  }
  return immediate_text(value);
}

std::string_view special_source_name(OperandClass operand, u8 code) {
  constexpr std::array<std::string_view, 4> apertures = {"src_shared_base", "src_shared_limit", "src_private_base",
                                                         "src_private_limit"};
  constexpr u8 first_aperture = 235;
  switch (operand) {
    case OperandClass::aperture:
      return apertures[code - std::size_t{first_aperture}];
    case OperandClass::pops_exiting_wave_id:
      return "src_pops_exiting_wave_id";
    case OperandClass::vccz:
      return "src_vccz";
    case OperandClass::execz:
      return "src_execz";
    case OperandClass::scc:
      return "src_scc";
    default:
      return {};
  }
}

std::string operand_text(Generation generation, u8 code, u8 dwords, u32 literal) {
  const OperandClass operand = operand_class(generation, code);
  if (is_register(operand)) return register_name(generation, code, dwords);
  if (operand == OperandClass::integer) return immediate_text(inline_constant32(code));
  if (operand == OperandClass::floating) return std::string(float_name(code, dwords));
  if (operand == OperandClass::literal) return literal_text(generation, literal, dwords);
  return std::string(special_source_name(operand, code));
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

}  // namespace

std::string disassemble(Generation generation, const Instruction& instruction, const DisassembleOptions& options) {
  switch (instruction.encoding) {
    case EncodingClass::truncated:
      return "<truncated>";
    case EncodingClass::vector:
      return "<vector " + std::string(vector_format_name(instruction.vector)) + ">";
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
  // LLVM writes GLC only where there is data to return or to store, NV never, and the SIMM16 of S_ENDPGM when it is not
  // zero.
  const OperandSpec* data = insn.shape.find(Field::sdata);
  if (instruction.memory.glc && data != nullptr && data->kind == OperandKind::memory_data) text += " glc";
  if (instruction.insn == Insn::s_endpgm && instruction.simm16 != 0) text += " " + std::to_string(instruction.simm16);
  return text;
}

}  // namespace salu::isa
