#pragma once

#include "isa/vector/decode.hpp"

/// The parts of operands that modifiers select.
namespace salu::isa::vector {

/// True if `op_sel`, or for the upper half of a packed result `op_sel_hi`, selects the high half of source `i`.
constexpr bool selects_high(const Instruction& instruction, std::size_t i, bool upper = false) {
  return ((upper ? instruction.op_sel_hi : instruction.op_sel) >> i & 1) != 0;
}
/// True if a mixed instruction reads a half of source `i`, as a 16-bit float.
constexpr bool is_mixed_half(const Instruction& instruction, std::size_t i) {
  return (instruction.op_sel_hi >> i & 1) != 0;
}
/// True if source `i` is negated for a result, or for the lower or upper half of a packed one.
constexpr bool negates(const Instruction& instruction, std::size_t i, bool upper = false) {
  return upper ? (instruction.negate_hi >> i & 1) != 0 : instruction.sources[i].negate;
}

/// The half of the destination that receives a 16-bit result. The other half becomes 0 or is preserved.
enum class ResultHalf : u8 { low_and_zero, low, high };
constexpr ResultHalf result_half(const Instruction& instruction, ModifierSet modifiers) {
  if ((modifiers & modifier::mixed) != 0)
    return (modifiers & modifier::high_result) != 0 ? ResultHalf::high : ResultHalf::low;
  if ((modifiers & modifier::op_sel) == 0) return ResultHalf::low_and_zero;
  return (instruction.op_sel >> 3 & 1) != 0 ? ResultHalf::high : ResultHalf::low;
}
/// A 16-bit result in a register with the old value `old`.
constexpr u32 place_half(ResultHalf half, u32 result, u32 old) {
  result &= 0xffff;
  if (half == ResultHalf::low_and_zero) return result;
  return half == ResultHalf::high ? (old & 0xffff) | result << 16 : (old & 0xffff'0000) | result;
}

struct Part {
  u32 low_bit;
  u32 bits;
};
constexpr Part part_of(Select select) {
  switch (select) {
    case Select::byte_0:
    case Select::byte_1:
    case Select::byte_2:
    case Select::byte_3:
      return {8 * static_cast<u32>(select), 8};
    case Select::word_0:
      return {0, 16};
    case Select::word_1:
      return {16, 16};
    case Select::dword:
      break;
  }
  return {0, 32};
}

constexpr u32 mask_of(Part part) { return (part.bits == 32 ? ~0U : (1U << part.bits) - 1) << part.low_bit; }

/// Extracts a part into the low bits.
constexpr u32 extract(u32 value, Part part, bool sign_extends) {
  const u32 moved = value << (32 - part.low_bit - part.bits);
  const u32 unused = 32 - part.bits;
  return sign_extends ? static_cast<u32>(static_cast<i32>(moved) >> unused) : moved >> unused;
}

/// Inserts the low bits of a result into the selected part of the destination, with the required part of the old value.
constexpr u32 place(const Instruction& instruction, u32 value, u32 old) {
  if (instruction.destination_select == Select::dword) return value;
  const Part part = part_of(instruction.destination_select);
  const u32 kept = instruction.destination_unused == Unused::preserve ? ~mask_of(part) : 0;
  const bool extends = instruction.destination_unused == Unused::sign_extend;
  const u32 low = extract(value, {0, part.bits}, extends);
  return (extends ? low << part.low_bit : (low << part.low_bit) & mask_of(part)) | (old & kept);
}

}  // namespace salu::isa::vector
