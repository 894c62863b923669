#include "observe/touches.hpp"

#include "isa/memory_table.hpp"
#include "observe/operand_walk.hpp"

namespace salu::observe {
namespace {

/// True if operands can name the place.
bool is_register(const Location& place) { return place.index < state_index::scc; }

/// The registers of an effect.
bool effect_touches(isa::EffectSet effects, const Location& place) {
  using namespace isa::effect;
  const auto has = [effects](isa::EffectSet bits) { return (effects & bits) != 0; };
  if (place.is_memory()) return has(memory);
  if (place.index == state_index::scc) return has(scc | hwreg);
  // MODE, STATUS and the other hardware registers.
  if (!is_register(place))
    return has(~(scc | isa::effect::exec | vcc | m0 | isa::effect::pc | stack | relative | memory | end));
  // The registers depend on CSP, on M0 and on the codes of the TTMPs.
  return has(stack | relative | ttmp01 | tba) || (has(isa::effect::exec) && overlap(place, {state_index::exec, 2})) ||
         (has(vcc) && overlap(place, {state_index::vcc, 2})) || (has(m0) && overlap(place, {state_index::m0}));
}

/// `is_there(code, dwords)`: true if the registers of an operand overlap the place.
template <bool isa::OperandSpec::* direction, class IsThere>
bool operands_touch(Generation generation, const isa::Instruction& instruction, const Location& place,
                    const IsThere& is_there) {
  if (!is_register(place)) return false;
  bool touches = false;
  visit_operands(instruction, [&](const isa::OperandSpec& operand, u8 code) {
    const Location registers{register_index(generation, code), operand.dwords};
    const bool is_part = code < code::count && overlap(place, registers);
    touches |= operand.*direction && (is_part || !is_there(code, operand.dwords));
  });
  return touches;
}

}  // namespace

bool may_write(Generation generation, const isa::Instruction& instruction, const Location& place) {
  // The accesses of a vector instruction are determined at run time.
  if (instruction.encoding == isa::EncodingClass::vector) return true;
  if (instruction.encoding != isa::EncodingClass::scalar) return false;
  if (effect_touches(isa::info(instruction.insn).writes, place)) return true;
  return operands_touch<&isa::OperandSpec::writes>(generation, instruction, place, [](u32, u32) { return true; });
}

bool may_read(const core::Machine& machine, const isa::Instruction& instruction, const Location& place) {
  if (instruction.encoding == isa::EncodingClass::vector) return true;
  if (instruction.encoding != isa::EncodingClass::scalar) return false;
  if (effect_touches(isa::info(instruction.insn).reads, place)) return true;
  // The base, the offset and the stored data: a scalar memory instruction can read any register.
  if (isa::is_scalar_memory(instruction.insn)) return is_register(place) || place.is_memory();
  return operands_touch<&isa::OperandSpec::reads>(machine.generation(), instruction, place, [&](u32 code, u32 dwords) {
    return !machine.wave().is_beyond_allocation(code, dwords);
  });
}

}  // namespace salu::observe
