#pragma once

#include <salu/location.hpp>

#include "isa/decode.hpp"
#include "isa/hwreg.hpp"
#include "isa/memory_table.hpp"
#include "isa/operand.hpp"
#include "isa/semantics/all.hpp"

/// Visits the operands and implicit effects of a scalar instruction.
namespace salu::observe {

/// Calls `visit(operand, code)` for each operand that is a register or a constant.
template <class Visit>
void visit_operands(const isa::Instruction& instruction, const Visit& visit) {
  for (const isa::OperandSpec& operand : isa::info(instruction.insn).shape.span()) {
    if (operand.dwords == 0 || operand.kind == isa::OperandKind::literal) continue;
    visit(operand, isa::operand_code(instruction, operand.field).value_or(isa::literal_code));
  }
}

/// Dwords of an operand that are written. An atomic writes SDATA only with GLC, a compare-and-swap only its first half.
inline u32 dwords_written(const isa::Instruction& instruction, const isa::OperandSpec& operand) {
  if (!operand.writes) return 0;
  if (!isa::is_scalar_memory(instruction.insn)) return operand.dwords;
  const isa::MemoryOperation& operation = isa::memory_operation(instruction.insn);
  if (operation.kind != isa::MemoryOperation::Kind::atomic) return operand.dwords;
  return instruction.memory.glc ? operand.dwords / (operation.compares ? 2U : 1U) : 0;
}

/// Calls `visit(location, is_whole)` for the state in a set of effects, except the control stack, memory and the PC.
/// `is_whole`: the whole location is accessed.
template <class Visit>
void visit_effects(isa::EffectSet effects, Generation generation, const isa::Instruction& instruction,
                   const Visit& visit) {
  using namespace isa::effect;
  const auto has = [effects](isa::EffectSet bits) { return (effects & bits) != 0; };
  if (has(scc)) visit(Location{state_index::scc}, true);
  if (has(isa::effect::exec)) visit(Location{state_index::exec, 2}, true);
  if (has(vcc)) visit(Location{state_index::vcc, 2}, true);
  if (has(m0)) visit(Location{state_index::m0}, true);
  if (has(csp | vskip | gpr_idx_en)) visit(Location{state_index::mode}, false);
  if (has(ttmp01)) visit(Location{register_index(generation, ttmp_code(generation)), 2}, false);
  if (has(priv | trap_en | cond_dbg | halt | user_prio | inst_atc)) visit(Location{state_index::status}, false);
  if (!has(hwreg)) return;
  const u32 id = isa::semantics::hwreg_field(instruction.simm16).id;
  const bool is_status = id == isa::hwreg_id::status;
  const u32 index = is_status ? state_index::status : state_index::hwregs + id;
  visit(Location{id == isa::hwreg_id::mode ? state_index::mode : index}, false);
  if (is_status) visit(Location{state_index::scc}, false);
}

}  // namespace salu::observe
