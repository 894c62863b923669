#pragma once

#include <cstddef>

#include "isa/generations.hpp"
#include "isa/rows.hpp"
#include "isa/vector/instruction.hpp"

/// The vocabulary of the rows in isa/vector/instructions/*.def.
namespace salu::isa::vector::rows {

using namespace modifier;
using namespace isa::rows;

// ---- names ----

constexpr Names always(std::string_view name) { return {name, name, name}; }
constexpr Names renamed(std::string_view gfx6, std::string_view gfx8, std::string_view gfx9) {
  return {gfx6, gfx8, gfx9};
}

// ---- opcode columns ----

constexpr Opcodes only_gcn1_0(i16 n) { return in(generations::only(Generation::gcn1_0), n); }
constexpr Opcodes gcn1_2_to_cdna1(i16 n) { return in(generations::between(Generation::gcn1_2, Generation::cdna1), n); }
constexpr Opcodes only_cdna1(i16 n) { return in(generations::only(Generation::cdna1), n); }
constexpr Opcodes only_cdna2(i16 n) { return in(generations::only(Generation::cdna2), n); }
constexpr Opcodes from_cdna1(i16 n) { return in(generations::from(Generation::cdna1), n); }
constexpr Opcodes from_cdna2(i16 n) { return in(generations::from(Generation::cdna2), n); }
constexpr Opcodes from_cdna3(i16 n) { return in(generations::from(Generation::cdna3), n); }
/// The numbers of `first`; for generations without one, those of the second.
constexpr Opcodes either(const Opcodes& first, const Opcodes& second) {
  Opcodes opcodes = first;
  for (std::size_t i = 0; i < generation_count; ++i) {
    if (opcodes[i] == absent) opcodes[i] = second[i];
  }
  return opcodes;
}
/// CDNA 4 shares the column of CDNA 3, but also has its own vector instructions.
constexpr Opcodes only_cdna4(i16 n) {
  Opcodes opcodes = in(generations::all, absent);
  opcodes[static_cast<std::size_t>(Generation::cdna4)] = n;
  return opcodes;
}
inline constexpr Opcodes nowhere = in(generations::all, absent);

constexpr Opcodes above(const Opcodes& opcodes, i16 old_base, i16 new_base) {
  Opcodes result = opcodes;
  for (std::size_t i = 0; i < generation_count; ++i) {
    const bool is_old = generation_table[i].vector_encoding == VectorEncoding::gfx6;
    if (result[i] != absent) result[i] = static_cast<i16>(result[i] + (is_old ? old_base : new_base));
  }
  return result;
}
/// The VOP3 opcodes of instructions with a short form.
constexpr Opcodes vop3_of_vop1(const Opcodes& opcodes) { return above(opcodes, 0x180, 0x140); }
constexpr Opcodes vop3_of_vop2(const Opcodes& opcodes) { return above(opcodes, 0x100, 0x100); }

// ---- operands: v VGPR, a AGPR, s any source, n the same without a sign, k scalar source, i inline source; the number
//      is the width in bits ----

constexpr Operand v(u8 bits) { return {OperandKind::vgpr, bits}; }
constexpr Operand s(u8 bits) { return {OperandKind::source, bits}; }
/// An operand of a floating-point instruction that is not a float of this width.
constexpr Operand n(u8 bits) { return {OperandKind::source, bits, false}; }
inline constexpr Operand a{OperandKind::agpr, 32};
inline constexpr Operand lane{OperandKind::lane, 32};

inline constexpr Shape no_operands{};
inline constexpr Shape v32_s32{v(32), {s(32)}};
inline constexpr Shape v32_v32{v(32), {v(32)}};
inline constexpr Shape v64_s64{v(64), {s(64)}};
inline constexpr Shape v64_s32{v(64), {s(32)}};
inline constexpr Shape v32_s64{v(32), {s(64)}};
inline constexpr Shape s32_v32{{OperandKind::scalar, 32}, {v(32)}};
inline constexpr Shape a32_a32{a, {a}};
inline constexpr Shape v32_a32{v(32), {a}};
inline constexpr Shape a32_i32{a, {Operand{OperandKind::inline_source, 32}}};
inline constexpr Shape v32_s32_s32{v(32), {s(32), s(32)}};
inline constexpr Shape v32_s32_n32{v(32), {s(32), n(32)}};
inline constexpr Shape v32_s32_n32_n32{v(32), {s(32), n(32), n(32)}};
inline constexpr Shape v16_s16_s16{v(16), {s(16), s(16)}};
inline constexpr Shape v16_s16{v(16), {s(16)}};
inline constexpr Shape v16_s32{v(16), {s(32)}};
inline constexpr Shape v32_s16{v(32), {s(16)}};
inline constexpr Shape v32_s16_s16{v(32), {s(16), s(16)}};
inline constexpr Shape v16_s16_n16{v(16), {s(16), n(16)}};
inline constexpr Shape v16_s16_k_v16{v(16), {s(16), Operand{OperandKind::constant, 16}, v(16)}};
inline constexpr Shape v16_s16_v16_k{v(16), {s(16), v(16), Operand{OperandKind::constant, 16}}};
inline constexpr Shape v32_n32_n32_s32{v(32), {n(32), n(32), s(32)}};
inline constexpr Shape v64_s64_s64{v(64), {s(64), s(64)}};
inline constexpr Shape v64_s64_n32{v(64), {s(64), n(32)}};
inline constexpr Shape v64_s64_s64_s64{v(64), {s(64), s(64), s(64)}};
inline constexpr Shape v64_s64_s32{v(64), {s(64), s(32)}};
inline constexpr Shape v64_s32_s64{v(64), {s(32), s(64)}};
inline constexpr Shape s32_v32_lane{{OperandKind::scalar, 32}, {v(32), lane}};
inline constexpr Shape v32_k32_lane{v(32), {Operand{OperandKind::scalar_source, 32}, lane}};
inline constexpr Shape v64_s32_s32_s64{v(64), {s(32), s(32), s(64)}};
inline constexpr Shape v32_s32_k_v32{v(32), {s(32), Operand{OperandKind::constant, 32}, v(32)}};
inline constexpr Shape v32_s32_v32_k{v(32), {s(32), v(32), Operand{OperandKind::constant, 32}}};
inline constexpr Shape v32_s32_s32_s32{v(32), {s(32), s(32), s(32)}};
inline constexpr Shape v16_s16_s16_s16{v(16), {s(16), s(16), s(16)}};
inline constexpr Shape v16_s32_s32_s32{v(16), {s(32), s(32), s(32)}};
inline constexpr Shape v32_s16_s16_s32{v(32), {s(16), s(16), s(32)}};
inline constexpr Shape v64_s64_s32_s64{v(64), {s(64), s(32), s(64)}};
inline constexpr Shape s16_s16{{}, {s(16), s(16)}};
inline constexpr Shape s16_n32{{}, {s(16), n(32)}};
inline constexpr Shape s32_s32{{}, {s(32), s(32)}};
inline constexpr Shape s32_n32{{}, {s(32), n(32)}};
inline constexpr Shape s64_s64{{}, {s(64), s(64)}};
inline constexpr Shape s64_n32{{}, {s(64), n(32)}};
constexpr Shape also_exec(Shape shape) {
  shape.writes_exec = true;
  return shape;
}
constexpr Shape approximately(Shape shape) {
  shape.is_approximate = true;
  return shape;
}
inline constexpr Shape exec_s16_s16 = also_exec(s16_s16);
inline constexpr Shape exec_s16_n32 = also_exec(s16_n32);
inline constexpr Shape exec_s32_s32 = also_exec(s32_s32);
inline constexpr Shape exec_s32_n32 = also_exec(s32_n32);
inline constexpr Shape exec_s64_s64 = also_exec(s64_s64);
inline constexpr Shape exec_s64_n32 = also_exec(s64_n32);

// ---- memory: loads extended to a dword (u, i) or as they are (b), stores of the low bits ----

constexpr Access load(u8 bytes, bool is_signed = false) { return {bytes, false, is_signed}; }
constexpr Access store(u8 bytes) { return {bytes, true}; }
constexpr Access low(Access access) {
  access.keeps_half = true;
  return access;
}
constexpr Access high(Access access) {
  access.keeps_half = true;
  access.is_high_half = true;
  return access;
}
constexpr Access twice(Access access) {
  access.is_double = true;
  return access;
}
constexpr Access twice_far(Access access) {
  access = twice(access);
  access.is_far = true;
  return access;
}
constexpr Access to_lds(Access access) {
  access.goes_to_lds = true;
  return access;
}
constexpr Access transposed(Access access, u8 element_bits) {
  access.element_bits = element_bits;
  return access;
}

using Op = AtomicOperation;
using enum FloatDenormals;
constexpr Access atomic(Op operation, u8 bytes) { return {.bytes = bytes, .atomic = operation}; }
constexpr Access atomic_b32(Op operation) { return atomic(operation, 4); }
constexpr Access atomic_b64(Op operation) { return atomic(operation, 8); }
/// An atomic on floats. Its operation also tells the format: 16-bit floats for packed ones, else one float.
constexpr Access float_atomic(Op operation, u8 bytes, FloatDenormals denormals) {
  return {.bytes = bytes, .atomic = operation, .denormals = denormals};
}
constexpr Access atomic_f32(Op operation, FloatDenormals denormals) { return float_atomic(operation, 4, denormals); }
constexpr Access atomic_f64(Op operation, FloatDenormals denormals) { return float_atomic(operation, 8, denormals); }
inline constexpr Access atomic_pk_f16 = float_atomic(Op::atomic_pk_add_f16, 4, kept);
inline constexpr Access atomic_pk_bf16 = float_atomic(Op::atomic_pk_add_bf16, 4, unspecified);
constexpr Access with_denormals(Access access, FloatDenormals denormals) {
  access.denormals = denormals;
  return access;
}
/// Typed accesses of 1 to 4 components.
constexpr Access load_format(u8 components) {
  return {.bytes = static_cast<u8>(4 * components), .components = components};
}
constexpr Access store_format(u8 components) {
  Access access = load_format(components);
  access.is_store = true;
  return access;
}
/// Components of 16 bits, each in the lower half of a register.
constexpr Access d16(Access access) {
  access.is_d16 = true;
  return access;
}
/// Components of 16 bits, two in a register. A single one leaves the other half of the register.
constexpr Access d16_packed(Access access) {
  access = d16(access);
  access.packs_components = true;
  access.bytes = static_cast<u8>((access.components + 1) / 2 * 4);
  access.keeps_half = access.components == 1;
  return access;
}
/// The old value is the result.
constexpr Access returning(Access access) {
  access.returns = true;
  return access;
}
/// GLC is not available.
constexpr Access never_returning(Access access) {
  access.never_returns = true;
  return access;
}
constexpr Access at_m0(Access access, SharedAddress address) {
  access.address = address;
  return access;
}
constexpr Access moving(LaneMove move) { return {.bytes = 4, .move = move}; }

inline constexpr Access cache_control{};
inline constexpr Access load_u8 = load(1);
inline constexpr Access load_i8 = load(1, true);
inline constexpr Access load_u16 = load(2);
inline constexpr Access load_i16 = load(2, true);
inline constexpr Access load_b32 = load(4);
inline constexpr Access load_b64 = load(8);
inline constexpr Access load_b96 = load(12);
inline constexpr Access load_b128 = load(16);
inline constexpr Access load_u8_d16 = low(load(1));
inline constexpr Access load_u8_d16_hi = high(load(1));
inline constexpr Access load_i8_d16 = low(load(1, true));
inline constexpr Access load_i8_d16_hi = high(load(1, true));
inline constexpr Access load_b16_d16 = low(load(2));
inline constexpr Access load_b16_d16_hi = high(load(2));
inline constexpr Access store_b8 = store(1);
inline constexpr Access store_b16 = store(2);
inline constexpr Access store_b32 = store(4);
inline constexpr Access store_b64 = store(8);
inline constexpr Access store_b96 = store(12);
inline constexpr Access store_b128 = store(16);
inline constexpr Access store_b8_d16_hi = high(store(1));
inline constexpr Access store_b16_d16_hi = high(store(2));

}  // namespace salu::isa::vector::rows
