#pragma once

#include <cstddef>

#include "isa/generations.hpp"
#include "isa/instruction.hpp"

/// The vocabulary of the rows in isa/instructions/*.def: opcode columns, operand shapes, effects.
namespace salu::isa::rows {

using namespace effect;

// ---- opcode columns ----

/// A number for the generations of a set.
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
/// One number up to GCN 1.1, another from GCN 1.2 on.
constexpr Opcodes opc(i16 old_number, i16 new_number) {
  Opcodes opcodes = up_to_gcn1_1(old_number);
  const Opcodes newer = from_gcn1_2(new_number);
  for (std::size_t i = 0; i < generation_count; ++i) opcodes[i] = opcodes[i] == absent ? newer[i] : opcodes[i];
  return opcodes;
}

// ---- operands: d destination, rw read and written, k SDST field as a source, s any source, i sign-extended source,
//      n source without literal, r register source; the number is the width in bits ----

constexpr OperandSpec d(u8 dwords) { return {Field::sdst, OperandKind::destination, dwords, false, true}; }
constexpr OperandSpec rw(u8 dwords) { return {Field::sdst, OperandKind::destination, dwords, true, true}; }
constexpr OperandSpec k(u8 dwords) { return {Field::sdst, OperandKind::register_source, dwords, true, false}; }
constexpr OperandSpec s0(u8 dwords, OperandKind kind = OperandKind::source) {
  return {Field::ssrc0, kind, dwords, true, false};
}
constexpr OperandSpec s1(u8 dwords, OperandKind kind = OperandKind::source) {
  return {Field::ssrc1, kind, dwords, true, false};
}
constexpr OperandSpec immediate(OperandKind kind) { return {Field::simm16, kind, 0, true, false}; }

inline constexpr Shape no_operands{};
inline constexpr Shape d32_s32{d(1), s0(1)};
inline constexpr Shape d32_s64{d(1), s0(2)};
inline constexpr Shape d64_s32{d(2), s0(1)};
inline constexpr Shape d64_s64{d(2), s0(2)};
inline constexpr Shape d32_i64{d(1), s0(2, OperandKind::signed_source)};
inline constexpr Shape d32_r32{d(1), s0(1, OperandKind::register_source)};
inline constexpr Shape d64_r64{d(2), s0(2, OperandKind::register_source)};
inline constexpr Shape rw32_s32{rw(1), s0(1)};
inline constexpr Shape rw64_s32{rw(2), s0(1)};
inline constexpr Shape d64{d(2)};
inline constexpr Shape s32{s0(1)};
inline constexpr Shape r32{s0(1, OperandKind::register_source)};
inline constexpr Shape r64{s0(2, OperandKind::register_source)};

inline constexpr Shape d32_s32_s32{d(1), s0(1), s1(1)};
inline constexpr Shape d64_s64_s64{d(2), s0(2), s1(2)};
inline constexpr Shape d64_s64_s32{d(2), s0(2), s1(1)};
inline constexpr Shape d64_i64_s32{d(2), s0(2, OperandKind::signed_source), s1(1)};
inline constexpr Shape d64_s32_s32{d(2), s0(1), s1(1)};
inline constexpr Shape n64_n64{s0(2, OperandKind::inline_source), s1(2, OperandKind::inline_source)};
inline constexpr Shape r64_n32{s0(2, OperandKind::register_source), s1(1, OperandKind::inline_source)};

inline constexpr Shape s32_s32{s0(1), s1(1)};
inline constexpr Shape s64_s32{s0(2), s1(1)};
inline constexpr Shape s64_s64{s0(2), s1(2)};
inline constexpr Shape s32_gpr_idx{s0(1), {Field::ssrc1, OperandKind::gpr_idx, 0, true, false}};

inline constexpr Shape d32_simm16{d(1), immediate(OperandKind::simm16)};
inline constexpr Shape k32_simm16{k(1), immediate(OperandKind::simm16)};
inline constexpr Shape k32_uimm16{k(1), immediate(OperandKind::uimm16)};
inline constexpr Shape rw32_simm16{rw(1), immediate(OperandKind::simm16)};
inline constexpr Shape k64_branch{k(2), immediate(OperandKind::branch)};
inline constexpr Shape d64_branch{d(2), immediate(OperandKind::branch)};
inline constexpr Shape d32_hwreg{d(1), immediate(OperandKind::hwreg)};
inline constexpr Shape hwreg_k32{immediate(OperandKind::hwreg), k(1)};
inline constexpr Shape hwreg_literal{immediate(OperandKind::hwreg),
                                     {Field::literal, OperandKind::literal, 1, true, false}};

inline constexpr Shape just_uimm16{immediate(OperandKind::uimm16)};
inline constexpr Shape just_branch{immediate(OperandKind::branch)};
inline constexpr Shape just_waitcnt{immediate(OperandKind::waitcnt)};
inline constexpr Shape just_sendmsg{immediate(OperandKind::sendmsg)};
inline constexpr Shape gpr_idx_mode{immediate(OperandKind::gpr_idx)};

// ---- scalar memory: the width of the data, then of the base (64: address, 128: buffer descriptor) ----

constexpr OperandSpec base(u8 dwords) { return {Field::sbase, OperandKind::memory_base, dwords, true, false}; }
inline constexpr OperandSpec memory_offset{Field::offset, OperandKind::memory_offset, 0, true, false};

constexpr Shape load(u8 data_dwords, u8 base_dwords) {
  return {{Field::sdata, OperandKind::memory_data, data_dwords, false, true}, base(base_dwords), memory_offset};
}
constexpr Shape store(u8 data_dwords, u8 base_dwords) {
  return {{Field::sdata, OperandKind::memory_data, data_dwords, true, false}, base(base_dwords), memory_offset};
}
/// SDATA is read, and written when GLC is set. A compare-and-swap takes {new value, compare value} and writes only the
/// first half.
constexpr Shape atomic(u8 data_dwords, u8 base_dwords) {
  return {{Field::sdata, OperandKind::memory_data, data_dwords, true, true}, base(base_dwords), memory_offset};
}
constexpr Shape probe(u8 base_dwords) {
  return {{Field::sdata, OperandKind::probe, 0, true, false}, base(base_dwords), memory_offset};
}

inline constexpr Shape load32_base64 = load(1, 2);
inline constexpr Shape load64_base64 = load(2, 2);
inline constexpr Shape load128_base64 = load(4, 2);
inline constexpr Shape load256_base64 = load(8, 2);
inline constexpr Shape load512_base64 = load(16, 2);
inline constexpr Shape load32_base128 = load(1, 4);
inline constexpr Shape load64_base128 = load(2, 4);
inline constexpr Shape load128_base128 = load(4, 4);
inline constexpr Shape load256_base128 = load(8, 4);
inline constexpr Shape load512_base128 = load(16, 4);
inline constexpr Shape store32_base64 = store(1, 2);
inline constexpr Shape store64_base64 = store(2, 2);
inline constexpr Shape store128_base64 = store(4, 2);
inline constexpr Shape store32_base128 = store(1, 4);
inline constexpr Shape store64_base128 = store(2, 4);
inline constexpr Shape store128_base128 = store(4, 4);
inline constexpr Shape atomic32_base64 = atomic(1, 2);
inline constexpr Shape atomic64_base64 = atomic(2, 2);
inline constexpr Shape atomic32_base128 = atomic(1, 4);
inline constexpr Shape atomic64_base128 = atomic(2, 4);
inline constexpr Shape atomic128_base64 = atomic(4, 2);
inline constexpr Shape atomic128_base128 = atomic(4, 4);
inline constexpr Shape load64{{Field::sdata, OperandKind::memory_data, 2, false, true}};
inline constexpr Shape base64_offset{base(2), memory_offset};
inline constexpr Shape probe_base64 = probe(2);
inline constexpr Shape probe_base128 = probe(4);

// ---- effects ----

inline constexpr Effects no_effects{};
constexpr Effects reads(EffectSet set) { return {set, none}; }
constexpr Effects writes(EffectSet set) { return {none, set}; }
constexpr Effects reads_writes(EffectSet read, EffectSet written) { return {read, written}; }

// ---- what is special, behind the effects: `writes(pc) | Flow::jump` ----

constexpr Effects operator|(Effects effects, Flow flow) {
  effects.flow = flow;
  return effects;
}
constexpr Effects operator|(Effects effects, Unspecified unspecified) {
  effects.unspecified = unspecified;
  return effects;
}
enum class Remark : u8 { writes_if_scc, unmodelled };
using enum Remark;
constexpr Effects operator|(Effects effects, Remark remark) {
  (remark == writes_if_scc ? effects.writes_if_scc : effects.is_unmodelled) = true;
  return effects;
}

}  // namespace salu::isa::rows
