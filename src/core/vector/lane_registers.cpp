#include "core/vector/lane_registers.hpp"

#include "isa/vector/table.hpp"

namespace salu::core {
namespace {

namespace vector = isa::vector;

/// Bits of M0 that say which operands S_SET_GPR_IDX_ON moves; its low byte is the distance.
constexpr u32 index_enable_bit = 12;
constexpr u32 index_of_destination = 3;

/// Whether S_SET_GPR_IDX_ON moves an operand: source 0 to 2, or the destination.
bool is_indexed(const Wave& wave, u32 operand) {
  return wave.gpr_idx_on() && (wave.slots[code::m0] >> (index_enable_bit + operand) & 1) != 0;
}

u32 moved(const Wave& wave, u32 number, u32 dwords) {
  const u32 result = number + (wave.slots[code::m0] & 0xff);
  return result + dwords <= VectorRegisters::vgprs ? result : no_register;
}

}  // namespace

u32 source_register(const Wave& wave, const vector::Instruction& instruction, std::size_t source, u32 dwords) {
  const u32 code = instruction.sources[source].code;
  if (vector::row(instruction.insn).shape.sources[source].kind == vector::OperandKind::agpr)
    return VectorRegisters::vgprs + code;
  const u32 number = code - vector::first_vgpr;
  return is_indexed(wave, static_cast<u32>(source)) ? moved(wave, number, dwords) : number;
}

u32 destination_register(const Wave& wave, const vector::Instruction& instruction, u32 dwords) {
  if (vector::row(instruction.insn).shape.destination.kind == vector::OperandKind::agpr)
    return VectorRegisters::vgprs + instruction.destination;
  const u32 number = instruction.destination;
  return is_indexed(wave, index_of_destination) ? moved(wave, number, dwords) : number;
}

}  // namespace salu::core
