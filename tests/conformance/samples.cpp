#include "conformance/samples.hpp"

#include <array>
#include <set>

#include "isa/instruction.hpp"

namespace salu::conformance {
namespace {

using isa::Field;
using isa::Format;
using isa::Instruction;
using isa::OperandKind;
using isa::OperandSpec;

constexpr std::array<u32, 30> literals = {0,          1,          2,          63,         64,         65,
                                          66,         0x7f,       0x80,       0xff,       0x3f800000, 0xbf800000,
                                          0x3f000000, 0xc0800000, 0x3e22f983, 0x3e22f984, 0x3fc45f30, 0x3ff00000,
                                          0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffff0, 0xffffffef,
                                          0xfffffffe, 0x12345678, 0x9abcdef0, 0x00010000, 0x0000ffff, 0xffff0000};

constexpr std::array<u16, 33> immediates = {0,      1,      2,      3,      4,      7,      8,      15,     16,
                                            17,     31,     63,     64,     65,     100,    127,    128,    255,
                                            256,    0x0f70, 0x0f7f, 0x3f70, 0x7fff, 0x8000, 0x8001, 0xc07f, 0xcf7f,
                                            0xff7f, 0xffef, 0xfff0, 0xfff1, 0xfffe, 0xffff};

void add(std::vector<Sample>& samples, Generation generation, const Instruction& instruction) {
  samples.push_back({instruction, isa::encode(generation, instruction)});
}

void set_literal(Instruction& instruction, u32 value) {
  instruction.has_literal = true;
  instruction.literal = value;
  instruction.dwords = 2;
}

void set_code(Instruction& instruction, Field field, u8 code) {
  switch (field) {
    case Field::sdst:
      instruction.sdst = code;
      break;
    case Field::ssrc0:
      instruction.ssrc0 = code;
      break;
    case Field::ssrc1:
      instruction.ssrc1 = code;
      break;
    case Field::sdata:
      instruction.memory.sdata = code;
      break;
    case Field::sbase:
      instruction.memory.sbase = code;
      break;
    default:
      break;
  }
}

/// All codes of one field.
void sweep_field(std::vector<Sample>& samples, Generation generation, isa::Insn insn, const OperandSpec& operand) {
  const bool is_source = operand.field == Field::ssrc0 || operand.field == Field::ssrc1;
  const u32 codes = is_source ? 256 : 128;
  const u32 step = operand.field == Field::sbase ? 2 : 1;
  for (u32 code = 0; code < codes; code += step) {
    Instruction instruction = plain_instruction(generation, insn);
    set_code(instruction, operand.field, static_cast<u8>(code));
    if (code != isa::literal_code || operand.kind == OperandKind::gpr_idx) {
      add(samples, generation, instruction);
      continue;
    }
    for (const u32 value : literals) {
      set_literal(instruction, value);
      add(samples, generation, instruction);
    }
  }
}

/// The kinds of immediates of which all 65536 values are tested.
bool has_names(OperandKind kind) {
  return kind == OperandKind::hwreg || kind == OperandKind::waitcnt || kind == OperandKind::sendmsg ||
         kind == OperandKind::gpr_idx;
}

void sweep_offsets(std::vector<Sample>& samples, Generation generation, const Instruction& plain) {
  const bool gfx9 = is_gfx9(generation);
  const bool smrd = isa::info(plain.insn).format == Format::smrd;
  const auto with = [&](auto change) {
    Instruction instruction = plain;
    instruction.memory.has_immediate = false;
    instruction.memory.offset = 0;
    change(instruction);
    add(samples, generation, instruction);
  };
  for (u32 code = 0; code < (smrd ? 256U : 128U); ++code) {
    if (smrd && generation == Generation::gcn1_1 && code == isa::literal_code) continue;
    with([&](Instruction& each) {
      each.memory.has_offset_register = true;
      each.memory.soffset = static_cast<u8>(code);
    });
    if (!gfx9) continue;
    with([&](Instruction& each) {
      each.memory.has_offset_register = true;
      each.memory.soffset = static_cast<u8>(code);
      each.memory.has_immediate = true;
      each.memory.offset = 0x14;
    });
  }
  std::set<i32> offsets = {0, 1, 2, 4, 64, 65, 0x14, 127, 128, 255};
  if (!smrd) offsets.insert({256, 0x7ffff, 0x80000, 0xffffc, 0xfffff});
  if (gfx9) offsets.insert({-1, -4, -16, -17, -64, -0x80000, -0x100000});
  for (const i32 offset : offsets) {
    with([&](Instruction& each) {
      each.memory.has_immediate = true;
      each.memory.offset = offset;
    });
  }
  if (generation != Generation::gcn1_1) return;
  for (const u32 value : literals) {
    with([&](Instruction& each) {
      each.memory.has_literal = true;
      set_literal(each, value);
    });
  }
}

}  // namespace

std::vector<isa::Insn> instructions_of(Generation generation) {
  std::vector<isa::Insn> result;
  for (std::size_t i = 0; i < isa::insn_count; ++i) {
    const auto insn = static_cast<isa::Insn>(i);
    if (isa::info(insn).opcode(generation) != isa::absent) result.push_back(insn);
  }
  return result;
}

Instruction plain_instruction(Generation generation, isa::Insn insn) {
  const isa::InstructionInfo& info = isa::info(insn);
  Instruction instruction;
  instruction.encoding = isa::EncodingClass::scalar;
  instruction.insn = insn;
  for (const OperandSpec& operand : info.shape.span()) {
    switch (operand.field) {
      case Field::sdst:
        instruction.sdst = 16;
        break;
      case Field::ssrc0:
        instruction.ssrc0 = 4;
        break;
      case Field::ssrc1:
        instruction.ssrc1 = 8;
        break;
      case Field::simm16:
        instruction.simm16 = 1;
        break;
      case Field::literal:
        set_literal(instruction, 0x12345678);
        break;
      case Field::sdata:
        instruction.memory.sdata = 32;
        break;
      case Field::sbase:
        instruction.memory.sbase = 20;
        break;
      case Field::offset:
        instruction.memory.has_immediate = true;
        instruction.memory.offset = 0x24;
        break;
    }
  }
  if (info.format == Format::smem) instruction.dwords = 2;
  // An instruction that encodes itself is compared with the decoder's result.
  return isa::decode(generation, isa::encode(generation, instruction).span());
}

std::vector<Sample> operand_samples(Generation generation) {
  std::vector<Sample> samples;
  for (const isa::Insn insn : instructions_of(generation)) {
    const isa::InstructionInfo& info = isa::info(insn);
    add(samples, generation, plain_instruction(generation, insn));
    for (const OperandSpec& operand : info.shape.span()) {
      switch (operand.field) {
        case Field::sdst:
        case Field::ssrc0:
        case Field::ssrc1:
        case Field::sdata:
        case Field::sbase:
          sweep_field(samples, generation, insn, operand);
          break;
        default:
          break;
      }
    }
    // Both sources share one literal.
    if (info.shape.find(Field::ssrc0) == nullptr || info.shape.find(Field::ssrc1) == nullptr) continue;
    Instruction both = plain_instruction(generation, insn);
    both.ssrc0 = isa::literal_code;
    both.ssrc1 = isa::literal_code;
    set_literal(both, 0x12345678);
    add(samples, generation, both);
  }
  return samples;
}

std::vector<Sample> immediate_samples(Generation generation, bool exhaustive) {
  std::vector<Sample> samples;
  std::set<OperandKind> done;
  for (const isa::Insn insn : instructions_of(generation)) {
    const OperandSpec* operand = isa::info(insn).shape.find(Field::simm16);
    Instruction instruction = plain_instruction(generation, insn);
    if (isa::info(insn).shape.find(Field::literal) != nullptr) {
      for (const u32 value : literals) {
        set_literal(instruction, value);
        add(samples, generation, instruction);
      }
    }
    if (operand == nullptr && insn != isa::Insn::s_endpgm) continue;
    const bool all = exhaustive && operand != nullptr && has_names(operand->kind) && done.insert(operand->kind).second;
    if (all) {
      for (u32 value = 0; value <= 0xffff; ++value) {
        instruction.simm16 = static_cast<u16>(value);
        add(samples, generation, instruction);
      }
    } else {
      for (const u16 value : immediates) {
        instruction.simm16 = value;
        add(samples, generation, instruction);
      }
    }
  }
  return samples;
}

std::vector<Sample> memory_samples(Generation generation) {
  std::vector<Sample> samples;
  for (const isa::Insn insn : instructions_of(generation)) {
    if (isa::info(insn).shape.find(Field::offset) == nullptr) continue;
    Instruction instruction = plain_instruction(generation, insn);
    sweep_offsets(samples, generation, instruction);
    if (!is_gcn1_2_or_later(generation)) continue;
    for (const bool glc : {false, true}) {
      for (const bool nv : {false, true}) {
        instruction.memory.glc = glc;
        instruction.memory.nv = nv && is_gfx9(generation);
        add(samples, generation, instruction);
      }
    }
  }
  return samples;
}

}  // namespace salu::conformance
