#include "fuzz/vector_text.hpp"

#include <salu/state.hpp>

#include <set>

#include "isa/operand.hpp"

namespace salu::fuzzing {

using isa::vector::Instruction;
using isa::vector::OperandKind;

bool has_half_constant(Generation generation, const Instruction& instruction) {
  const isa::vector::Shape& shape = isa::vector::info(instruction.insn).shape;
  for (std::size_t i = 0; i < shape.source_count(); ++i) {
    const isa::vector::Source& source = instruction.sources[i];
    if (shape.sources[i].bits != 16 || source.is_vgpr()) continue;
    // Of the constant of V_MADMK_F16, more than 16 bits cannot be assembled.
    if (shape.sources[i].kind == OperandKind::constant && instruction.literal > 0xffff) return true;
    const auto code = static_cast<u8>(source.code);
    if (isa::operand_class(generation, code) == isa::OperandClass::floating) return true;
    if (code != isa::literal_code) continue;
    const auto half = static_cast<u32>(i32{static_cast<i16>(instruction.literal)});
    for (const u32 printed : {instruction.literal, instruction.literal & 0xffff, half}) {
      if (isa::inline_constant_code(generation, printed, 1)) return true;
    }
  }
  return false;
}

bool is_assembled(Generation generation, const Instruction& instruction) {
  if (has_half_constant(generation, instruction)) return false;
  const isa::vector::Shape& shape = isa::vector::info(instruction.insn).shape;
  // A pair is a different value from its first half.
  constexpr u32 pair = 1000;
  std::set<u32> scalars;
  if (shape.reads_mask) scalars.insert(pair + instruction.mask_source);
  for (std::size_t i = 0; i < shape.source_count(); ++i) {
    const isa::vector::Source& source = instruction.sources[i];
    const OperandKind kind = shape.sources[i].kind;
    if (kind == OperandKind::constant) scalars.insert(isa::literal_code);
    if (kind == OperandKind::constant || kind == OperandKind::agpr || source.is_vgpr()) continue;
    const auto code = static_cast<u8>(source.code);
    const bool is_pair = shape.sources[i].dwords() == 2;
    if (!isa::is_inline_constant(isa::operand_class(generation, code))) scalars.insert(is_pair ? pair + code : code);
  }
  if (instruction.insn == isa::vector::Insn::v_movreld_b32) scalars.insert(code::m0);
  return scalars.size() <= 1;
}

}  // namespace salu::fuzzing
