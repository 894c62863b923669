#pragma once

#include <cstddef>

#include "isa/generations.hpp"
#include "isa/instruction.hpp"
#include "isa/traits.hpp"

/// The vocabulary of the rows in isa/instructions/*.def: opcode columns, and notes that complement the type of the
/// semantic function.
namespace salu::isa::rows {

using namespace effect;
using enum OperandKind;
using enum Unspecified;

// ---- opcode columns ----

/// One opcode number for the generations of a set.
constexpr Opcodes in(GenerationSet set, i16 n) {
  Opcodes opcodes{};
  for (std::size_t i = 0; i < generation_count; ++i)
    opcodes[i] = contains(set, static_cast<Generation>(i)) ? n : absent;
  return opcodes;
}
constexpr Opcodes all(i16 n) { return in(generations::all, n); }
constexpr Opcodes up_to_gcn1_1(i16 n) { return in(generations::up_to(Generation::gcn1_1), n); }
constexpr Opcodes up_to_cdna2(i16 n) { return in(generations::up_to(Generation::cdna2), n); }
constexpr Opcodes from_gcn1_1(i16 n) { return in(generations::from(Generation::gcn1_1), n); }
constexpr Opcodes from_gcn1_2(i16 n) { return in(generations::from(Generation::gcn1_2), n); }
constexpr Opcodes from_gcn1_4(i16 n) { return in(generations::from(Generation::gcn1_4), n); }
constexpr Opcodes gcn1_2_to_cdna2(i16 n) { return in(generations::between(Generation::gcn1_2, Generation::cdna2), n); }
constexpr Opcodes gcn1_4_to_cdna2(i16 n) { return in(generations::between(Generation::gcn1_4, Generation::cdna2), n); }
constexpr Opcodes only_gcn1_1(i16 n) { return in(generations::only(Generation::gcn1_1), n); }
constexpr Opcodes only_gcn1_2(i16 n) { return in(generations::only(Generation::gcn1_2), n); }
constexpr Opcodes only_cdna3(i16 n) { return in(generations::only(Generation::cdna3), n); }
/// The numbers of both columns.
constexpr Opcodes operator|(Opcodes a, const Opcodes& b) {
  for (std::size_t i = 0; i < generation_count; ++i) {
    // Evaluated at compile time only.
    if (a[i] != absent && b[i] != absent) throw "two numbers for one generation";
    if (a[i] == absent) a[i] = b[i];
  }
  return a;
}
/// One number up to GCN 1.1, another from GCN 1.2 on.
constexpr Opcodes opc(i16 old_number, i16 new_number) { return up_to_gcn1_1(old_number) | from_gcn1_2(new_number); }

// ---- notes, joined by `|` ----

/// The kinds of SSRC0 and SSRC1.
constexpr RowNotes sources(OperandKind ssrc0, OperandKind ssrc1 = OperandKind::source) {
  return {.ssrc0 = ssrc0, .ssrc1 = ssrc1};
}
/// The kind of SIMM16.
constexpr RowNotes immediate(OperandKind kind) { return {.immediate = kind}; }
constexpr RowNotes reads(EffectSet set) { return {.reads = set}; }
constexpr RowNotes writes(EffectSet set) { return {.writes = set}; }
/// Why the manuals do not define the result.
constexpr RowNotes unspecified(Unspecified reason) { return {.unspecified = reason}; }
/// The operands of an undocumented instruction; its function takes no arguments.
constexpr RowNotes operands(Shape shape) { return {.shape = shape}; }
inline constexpr Shape d32_s32{traits::destination(1), traits::source(Field::ssrc0, source, 1)};
inline constexpr Shape d32_hwreg{traits::destination(1), traits::source(Field::simm16, hwreg, 0)};

constexpr RowNotes operator|(RowNotes a, const RowNotes& b) {
  if (b.ssrc0 != OperandKind::source) a.ssrc0 = b.ssrc0;
  if (b.ssrc1 != OperandKind::source) a.ssrc1 = b.ssrc1;
  if (b.immediate != OperandKind::source) a.immediate = b.immediate;
  if (b.unspecified != Unspecified::never) a.unspecified = b.unspecified;
  if (b.shape.count != 0) a.shape = b.shape;
  a.reads |= b.reads;
  a.writes |= b.writes;
  return a;
}

// ---- scalar memory: dwords of the data, then the kind of the base ----

using traits::probe_data;
inline constexpr u8 address = 2;  ///< an address in two SGPRs
inline constexpr u8 buffer = 4;   ///< a buffer descriptor in four SGPRs

}  // namespace salu::isa::rows
