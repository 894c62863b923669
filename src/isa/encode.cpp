#include "isa/decode.hpp"
#include "isa/generations.hpp"

namespace salu::isa {
namespace {

u32 smrd_word(const Instruction& instruction, u32 opcode) {
  const MemoryFields& memory = instruction.memory;
  u32 offset = memory.soffset;
  if (memory.has_immediate) offset = static_cast<u32>(memory.offset) & 0xff;
  if (memory.has_literal) offset = literal_code;
  return 0b11000U << 27 | opcode << 22 | u32{memory.sdata} << 15 | u32{memory.sbase} / 2 << 9 |
         u32{memory.has_immediate} << 8 | offset;
}

EncodedWords smem_words(Generation generation, const Instruction& instruction, u32 opcode) {
  const MemoryFields& memory = instruction.memory;
  if (scalar_memory(generation) == ScalarMemory::smem_gfx10) {
    const u32 soffset = memory.has_offset_register ? memory.soffset : operand_codes(generation).null;
    return {{0b111101U << 26 | opcode << 18 | u32{memory.glc} << 16 | u32{memory.dlc} << 14 | u32{memory.sdata} << 6 |
                 u32{memory.sbase} / 2,
             (static_cast<u32>(memory.offset) & 0x1fffff) | soffset << 25},
            2};
  }
  const bool is_signed = scalar_memory(generation) == ScalarMemory::smem_signed;
  const bool has_both = memory.has_immediate && memory.has_offset_register;
  const u32 low = 0b110000U << 26 | opcode << 18 | u32{memory.has_immediate} << 17 | u32{memory.glc} << 16 |
                  u32{memory.nv} << 15 | u32{has_both} << 14 | u32{memory.sdata} << 6 | u32{memory.sbase} / 2;
  u32 high = static_cast<u32>(memory.offset) & (is_signed ? 0x1fffff : 0xfffff);
  if (has_both) high |= u32{memory.soffset} << 25;
  if (!memory.has_immediate) high = memory.soffset;
  return {{low, high}, 2};
}

}  // namespace

EncodedWords encode(Generation generation, const Instruction& instruction) {
  const InstructionInfo& insn = info(instruction.insn);
  const auto opcode = static_cast<u32>(insn.opcode(generation));
  // Fields that are not operands of the instruction stay zero, except the immediate of S_ENDPGM, which LLVM reads and
  // writes.
  const auto used = [&](Field field, u32 value) { return insn.shape.find(field) != nullptr ? value : 0; };
  const u32 sdst = used(Field::sdst, u32{instruction.sdst} << 16);
  const u32 sources = used(Field::ssrc1, u32{instruction.ssrc1} << 8) | used(Field::ssrc0, instruction.ssrc0);
  const u32 simm16 = instruction.insn == Insn::s_endpgm ? instruction.simm16 : used(Field::simm16, instruction.simm16);
  EncodedWords result{{0, instruction.literal}, static_cast<u8>(instruction.has_literal ? 2 : 1)};
  u32& word = result.words[0];
  switch (insn.format) {
    case Format::sop2:
      word = 0b10U << 30 | opcode << 23 | sdst | sources;
      break;
    case Format::sop1:
      word = 0b101111101U << 23 | sdst | opcode << 8 | sources;
      break;
    case Format::sopc:
      word = 0b101111110U << 23 | opcode << 16 | sources;
      break;
    case Format::sopk:
      word = 0b1011U << 28 | opcode << 23 | sdst | simm16;
      break;
    case Format::sopp:
      word = 0b101111111U << 23 | opcode << 16 | simm16;
      break;
    case Format::smrd:
      word = smrd_word(instruction, opcode);
      break;
    case Format::smem:
      return smem_words(generation, instruction, opcode);
  }
  return result;
}

}  // namespace salu::isa
