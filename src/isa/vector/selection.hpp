#pragma once

#include "isa/vector/decode.hpp"

/// The parts of a dword that SDWA selects.
namespace salu::isa::vector {

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
