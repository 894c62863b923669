#include "core/vector/lane_registers.hpp"

#include "isa/vector/table.hpp"

namespace salu::core {
namespace {

namespace vector = isa::vector;

/// Bits of M0 that select the operands that S_SET_GPR_IDX_ON moves; its low byte is the distance.
constexpr u32 index_enable_bit = 12;
constexpr u32 index_of_destination = 3;

/// True if S_SET_GPR_IDX_ON moves an operand: source 0 to 2, or the destination.
bool is_indexed(const Wave& wave, u32 operand) {
  return wave.gpr_idx_on() && (wave.slots[state_index::m0] >> (index_enable_bit + operand) & 1) != 0;
}

u32 moved(const Wave& wave, u32 number, u32 dwords) {
  const u32 result = number + (wave.slots[state_index::m0] & 0xff);
  return result + dwords <= wave.vgprs ? result : no_register;
}

u32 existing(u32 number, u32 dwords, u32 count) { return number + dwords <= count ? number : no_register; }

}  // namespace

u32 named_source(const Wave& wave, const vector::Instruction& instruction, std::size_t source, u32 dwords) {
  const u32 code = instruction.sources[source].code;
  if (vector::row(instruction.insn).shape.sources[source].kind == vector::OperandKind::agpr)
    return code < wave.agprs ? VectorRegisters::vgprs + code : no_register;
  return existing(code - vector::first_vgpr, dwords, wave.vgprs);
}

u32 source_register(const Wave& wave, const vector::Instruction& instruction, std::size_t source, u32 dwords) {
  const bool is_agpr = vector::row(instruction.insn).shape.sources[source].kind == vector::OperandKind::agpr;
  if (is_agpr || !is_indexed(wave, static_cast<u32>(source))) return named_source(wave, instruction, source, dwords);
  return moved(wave, instruction.sources[source].code - u32{vector::first_vgpr}, dwords);
}

u32 destination_register(const Wave& wave, const vector::Instruction& instruction, u32 dwords) {
  const u32 number = instruction.destination;
  if (vector::row(instruction.insn).shape.destination.kind == vector::OperandKind::agpr)
    return number < wave.agprs ? VectorRegisters::vgprs + number : no_register;
  return is_indexed(wave, index_of_destination) ? moved(wave, number, dwords) : existing(number, dwords, wave.vgprs);
}

}  // namespace salu::core
