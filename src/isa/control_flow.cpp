#include "isa/control_flow.hpp"

namespace salu::isa {

bool never_falls_through(const Instruction& instruction) {
  if (instruction.encoding != EncodingClass::scalar) return false;
  switch (instruction.insn) {
    case Insn::s_branch:
    case Insn::s_endpgm:
    case Insn::s_endpgm_saved:
    case Insn::s_endpgm_ordered_ps_done:
    case Insn::s_setpc_b64:
    case Insn::s_rfe_b64:
      return true;
    default:
      return false;
  }
}

std::optional<i64> branch_distance_bytes(const Instruction& instruction) {
  if (instruction.encoding != EncodingClass::scalar) return std::nullopt;
  for (const OperandSpec& operand : info(instruction.insn).shape.span()) {
    if (operand.kind == OperandKind::branch) return i64{static_cast<i16>(instruction.simm16)} * 4;
  }
  return std::nullopt;
}

}  // namespace salu::isa
