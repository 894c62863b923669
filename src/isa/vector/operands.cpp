#include "isa/vector/operands.hpp"

#include "isa/generations.hpp"
#include "isa/operand.hpp"

namespace salu::isa::vector {
namespace {

constexpr u32 vgpr_count = 256;
/// Operand codes from this one on are not writable registers.
constexpr u32 first_constant = 128;

bool is_cdna2_on(Generation generation) { return generation_info(generation).column >= Generation::cdna2; }

bool is_legal(Generation generation, isa::OperandKind kind, u8 dwords, u32 code) {
  return judge_operand(generation, kind, dwords, static_cast<u8>(code)) == OperandVerdict::legal;
}

}  // namespace

bool may_be_vgprs(Generation generation, u32 first, u32 dwords) {
  return first + dwords <= vgpr_count && (dwords == 1 || !is_cdna2_on(generation) || first % 2 == 0);
}

bool may_be_data(Generation generation, const Access& access, u32 first, u32 dwords) {
  // For transposed data only pairs must begin at an even register (11.4 of the CDNA 4 ISA manual).
  const bool may_be_odd = access.element_bits != 0 && dwords != 2;
  return may_be_odd ? first + dwords <= vgpr_count : may_be_vgprs(generation, first, dwords);
}

bool may_be_source(Generation generation, const Operand& operand, u32 code, bool may_be_literal) {
  const bool is_vgpr = code >= first_vgpr;
  const OperandClass code_class = is_vgpr ? OperandClass::reserved : operand_class(generation, static_cast<u8>(code));
  switch (operand.kind) {
    case OperandKind::none:
      return code == 0;
    case OperandKind::agpr:
      return is_vgpr;
    case OperandKind::lane:
      return is_inline_constant(code_class) || is_register(code_class);
    case OperandKind::vgpr:
      if (!is_vgpr) return false;
      break;
    case OperandKind::scalar_source:
      if (is_vgpr) return false;
      break;
    case OperandKind::inline_source:
      if (!is_vgpr && !is_cdna2_on(generation)) return is_inline_constant(code_class);
      break;
    default:
      break;
  }
  if (is_vgpr) return may_be_vgprs(generation, code - first_vgpr, operand.dwords());
  if (code_class == OperandClass::literal && !may_be_literal) return false;
  return is_legal(generation, isa::OperandKind::source, operand.dwords(), code);
}

bool may_be_destination(Generation generation, const Operand& operand, u32 number) {
  switch (operand.kind) {
    case OperandKind::none:
      return number == 0;
    case OperandKind::scalar:
      return number < first_constant && is_legal(generation, isa::OperandKind::destination, 1, number);
    default:
      return may_be_vgprs(generation, number, operand.dwords());
  }
}

bool may_be_mask(Generation generation, u32 code) {
  return code < first_constant && is_legal(generation, isa::OperandKind::destination, 2, code);
}

}  // namespace salu::isa::vector
