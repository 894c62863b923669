#include "isa/control_flow.hpp"

namespace salu::isa {

Flow flow_of(const Instruction& instruction) {
  return instruction.encoding == EncodingClass::scalar ? info(instruction.insn).flow : Flow::next;
}

bool never_falls_through(const Instruction& instruction) {
  switch (flow_of(instruction)) {
    case Flow::branch:
    case Flow::jump:
    case Flow::return_from_trap:
    case Flow::end:
      return true;
    default:
      return false;
  }
}

std::optional<u64> branch_target(const Instruction& instruction, u64 address) {
  if (instruction.encoding != EncodingClass::scalar) return std::nullopt;
  for (const OperandSpec& operand : info(instruction.insn).shape.span()) {
    if (operand.kind != OperandKind::branch) continue;
    return address + u64{instruction.dwords} * 4 + static_cast<u64>(i64{static_cast<i16>(instruction.simm16)} * 4);
  }
  return std::nullopt;
}

}  // namespace salu::isa
