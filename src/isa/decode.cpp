#include "isa/decode.hpp"

#include <algorithm>
#include <cstddef>

#include "isa/generations.hpp"
#include "isa/table.hpp"

namespace salu::isa {
namespace {

constexpr u32 field(u32 word, u32 low, u32 count) { return word >> low & ((1U << count) - 1); }

template <std::size_t Size>
constexpr void enter(std::array<u16, Size>& slots, i16 opcode, std::size_t index) {
  u16& slot = slots.at(static_cast<std::size_t>(opcode));
  // Evaluated at compile time only: two instructions with the same opcode break the build here.
  if (slot != no_insn) throw "duplicate opcode";
  slot = static_cast<u16>(index);
}

constexpr OpcodeTable make_opcode_table(Generation generation) {
  OpcodeTable table{};
  table.sop2.fill(no_insn);
  table.sop1.fill(no_insn);
  table.sopc.fill(no_insn);
  table.sopk.fill(no_insn);
  table.sopp.fill(no_insn);
  table.smrd.fill(no_insn);
  table.smem.fill(no_insn);
  for (std::size_t i = 0; i < insn_count; ++i) {
    const i16 opcode = rows::table[i].opcode(generation);
    if (opcode == absent) continue;
    switch (rows::table[i].format) {
      case Format::sop2:
        enter(table.sop2, opcode, i);
        break;
      case Format::sop1:
        enter(table.sop1, opcode, i);
        break;
      case Format::sopc:
        enter(table.sopc, opcode, i);
        break;
      case Format::sopk:
        enter(table.sopk, opcode, i);
        break;
      case Format::sopp:
        enter(table.sopp, opcode, i);
        break;
      case Format::smrd:
        enter(table.smrd, opcode, i);
        break;
      case Format::smem:
        enter(table.smem, opcode, i);
        break;
    }
  }
  return table;
}

constexpr GenerationTable<OpcodeTable> opcode_tables(make_opcode_table);

bool set_insn(Instruction& instruction, u16 insn) {
  if (insn == no_insn) return false;
  instruction.encoding = EncodingClass::scalar;
  instruction.insn = static_cast<Insn>(insn);
  return true;
}

void take_literal(Instruction& instruction, std::span<const u32> words) {
  instruction.dwords = 2;
  instruction.has_literal = true;
  if (words.size() < 2) {
    instruction.encoding = EncodingClass::truncated;
  } else {
    instruction.literal = words[1];
  }
}

/// SOP2, SOP1, SOPC, SOPK, SOPP: w[31:30] = 10.
Instruction decode_alu(const OpcodeTable& table, std::span<const u32> words) {
  const u32 word = words[0];
  Instruction result;
  const u32 prefix = word >> 23;
  if (prefix == 0b101111111) {
    if (set_insn(result, table.sopp[field(word, 16, 7)])) result.simm16 = static_cast<u16>(word);
    return result;
  }
  if (prefix == 0b101111110) {
    if (!set_insn(result, table.sopc[field(word, 16, 7)])) return result;
    result.ssrc0 = static_cast<u8>(word);
    result.ssrc1 = static_cast<u8>(word >> 8);
  } else if (prefix == 0b101111101) {
    if (!set_insn(result, table.sop1[field(word, 8, 8)])) return result;
    result.sdst = static_cast<u8>(field(word, 16, 7));
    result.ssrc0 = static_cast<u8>(word);
  } else if (word >> 28 == 0b1011) {
    if (!set_insn(result, table.sopk[field(word, 23, 5)])) return result;
    result.sdst = static_cast<u8>(field(word, 16, 7));
    result.simm16 = static_cast<u16>(word);
    if (result.insn == Insn::s_setreg_imm32_b32) take_literal(result, words);
    return result;
  } else {
    if (!set_insn(result, table.sop2[field(word, 23, 7)])) return result;
    result.sdst = static_cast<u8>(field(word, 16, 7));
    result.ssrc0 = static_cast<u8>(word);
    result.ssrc1 = static_cast<u8>(word >> 8);
  }
  // Only an operand of the instruction can hold a literal: S_GETPC_B64 ignores SSRC0.
  const Shape& shape = row(result.insn).shape;
  const OperandSpec* ssrc0 = shape.find(Field::ssrc0);
  const OperandSpec* ssrc1 = shape.find(Field::ssrc1);
  const bool literal0 = ssrc0 != nullptr && result.ssrc0 == literal_code;
  const bool literal1 = ssrc1 != nullptr && ssrc1->kind != OperandKind::gpr_idx && result.ssrc1 == literal_code;
  if (literal0 || literal1) take_literal(result, words);
  return result;
}

Instruction decode_smrd(Generation generation, const OpcodeTable& table, std::span<const u32> words) {
  const u32 word = words[0];
  Instruction result;
  if (!set_insn(result, table.smrd[field(word, 22, 5)])) return result;
  MemoryFields& memory = result.memory;
  const Shape& shape = row(result.insn).shape;
  if (shape.find(Field::sdata) != nullptr) memory.sdata = static_cast<u8>(field(word, 15, 7));
  if (shape.find(Field::sbase) == nullptr) return result;
  memory.sbase = static_cast<u8>(field(word, 9, 6) * 2);
  const u32 offset = field(word, 0, 8);
  memory.has_immediate = field(word, 8, 1) != 0;
  if (memory.has_immediate) {
    memory.offset = static_cast<i32>(offset);
  } else if (scalar_memory(generation) == ScalarMemory::smrd_literal && offset == literal_code) {
    memory.has_literal = true;
    take_literal(result, words);
  } else {
    memory.has_offset_register = true;
    memory.soffset = static_cast<u8>(offset);
  }
  return result;
}

constexpr i32 sign_extend(u32 value, u32 width) {
  const u32 sign = 1U << (width - 1);
  return static_cast<i32>((value ^ sign) - sign);
}

/// Decodes the fields at the same place in SMEM of all generations. Returns false if the instruction is complete: it is
/// illegal, truncated, or has no address.
bool decode_smem_start(Instruction& result, const OpcodeTable& table, std::span<const u32> words) {
  const u32 word = words[0];
  if (!set_insn(result, table.smem[field(word, 18, 8)])) return false;
  result.dwords = 2;
  if (words.size() < 2) {
    result.encoding = EncodingClass::truncated;
    return false;
  }
  MemoryFields& memory = result.memory;
  const Shape& shape = row(result.insn).shape;
  if (shape.find(Field::sdata) != nullptr) memory.sdata = static_cast<u8>(field(word, 6, 7));
  if (shape.find(Field::sbase) == nullptr) return false;
  memory.sbase = static_cast<u8>(field(word, 0, 6) * 2);
  memory.glc = field(word, 16, 1) != 0;
  return true;
}

Instruction decode_smem(Generation generation, const OpcodeTable& table, std::span<const u32> words) {
  Instruction result;
  if (!decode_smem_start(result, table, words)) return result;
  const u32 word = words[0];
  const u32 high = words[1];
  const bool is_signed = scalar_memory(generation) == ScalarMemory::smem_signed;
  MemoryFields& memory = result.memory;
  memory.nv = is_signed && field(word, 15, 1) != 0;
  memory.has_immediate = field(word, 17, 1) != 0;
  const bool soe = is_signed && field(word, 14, 1) != 0;
  if (memory.has_immediate) {
    memory.offset = is_signed ? sign_extend(field(high, 0, 21), 21) : static_cast<i32>(field(high, 0, 20));
    memory.has_offset_register = soe;
    if (soe) memory.soffset = static_cast<u8>(field(high, 25, 7));
  } else {
    memory.has_offset_register = true;
    memory.soffset = static_cast<u8>(soe ? field(high, 25, 7) : field(high, 0, 7));
  }
  return result;
}

/// SMEM of GFX10 always has an immediate and a register, which can be NULL.
Instruction decode_smem_gfx10(Generation generation, const OpcodeTable& table, std::span<const u32> words) {
  Instruction result;
  if (!decode_smem_start(result, table, words)) return result;
  MemoryFields& memory = result.memory;
  memory.dlc = field(words[0], 14, 1) != 0;
  memory.offset = sign_extend(field(words[1], 0, 21), 21);
  memory.soffset = static_cast<u8>(field(words[1], 25, 7));
  memory.has_offset_register = memory.soffset != operand_codes(generation).null;
  if (!memory.has_offset_register) memory.soffset = 0;
  memory.has_immediate = memory.offset != 0 || !memory.has_offset_register;
  return result;
}

Instruction vector_instruction(Generation generation, std::span<const u32> words) {
  Instruction result;
  const VectorLength length = vector_length(generation, words[0], words.size() < 2 ? 0 : words[1]);
  if (length.format == VectorFormat::none) return result;
  result.vector = length.format;
  result.dwords = length.dwords;
  if (words.size() < length.dwords) {
    result.encoding = EncodingClass::truncated;
  } else {
    result.encoding = EncodingClass::vector;
    std::copy_n(words.begin(), length.dwords, result.vector_words.begin());
  }
  return result;
}

}  // namespace

const OpcodeTable& opcode_table(Generation generation) { return opcode_tables[generation]; }

Instruction decode(Generation generation, std::span<const u32> words) {
  if (words.empty()) {
    Instruction nothing;
    nothing.encoding = EncodingClass::truncated;
    return nothing;
  }
  const u32 word = words[0];
  const OpcodeTable& table = opcode_table(generation);
  if (word >> 30 == 0b10) return decode_alu(table, words);
  if (is_smrd(generation)) {
    if (word >> 27 == 0b11000) return decode_smrd(generation, table, words);
  } else if (scalar_memory(generation) == ScalarMemory::smem_gfx10) {
    if (word >> 26 == 0b111101) return decode_smem_gfx10(generation, table, words);
  } else if (word >> 26 == 0b110000) {
    return decode_smem(generation, table, words);
  }
  return vector_instruction(generation, words);
}

std::optional<u8> operand_code(const Instruction& instruction, Field field) {
  switch (field) {
    case Field::sdst:
      return instruction.sdst;
    case Field::ssrc0:
      return instruction.ssrc0;
    case Field::ssrc1:
      return instruction.ssrc1;
    case Field::sdata:
      return instruction.memory.sdata;
    case Field::sbase:
      return instruction.memory.sbase;
    case Field::offset:
      if (instruction.memory.has_offset_register) return instruction.memory.soffset;
      break;
    case Field::simm16:
    case Field::literal:
      break;
  }
  return std::nullopt;
}

std::optional<OperandFault> find_operand_fault(Generation generation, const Instruction& instruction) {
  for (const OperandSpec& operand : info(instruction.insn).shape.span()) {
    const std::optional<u8> code = operand_code(instruction, operand.field);
    if (!code) continue;
    const bool is_offset = operand.field == Field::offset;
    const OperandVerdict verdict = judge_operand(generation, is_offset ? OperandKind::register_source : operand.kind,
                                                 is_offset ? u8{1} : operand.dwords, *code);
    if (verdict == OperandVerdict::legal) continue;
    const auto kind = verdict == OperandVerdict::illegal ? OperandFault::Kind::illegal : OperandFault::Kind::misaligned;
    return OperandFault{kind, operand.field, *code};
  }
  return std::nullopt;
}

}  // namespace salu::isa
