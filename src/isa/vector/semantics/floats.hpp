#pragma once

#include "isa/vector/semantics/approximations.hpp"
#include "isa/vector/semantics/soft_float.hpp"
#include "isa/vector/semantics/values.hpp"

/// The floating-point operations that the division of integers needs.
namespace salu::isa::vector::semantics {

// ---- conversions ----

constexpr F32 v_cvt_f32_i32(i32 src0, FloatMode mode) { return to_float(src0, mode); }
constexpr F32 v_cvt_f32_u32(u32 src0, FloatMode mode) { return to_float(src0, mode); }
constexpr u32 v_cvt_u32_f32(F32 src0, FloatMode mode, Clamp signals) {
  return to_integer<u32>(src0, mode, signals.value);
}
constexpr i32 v_cvt_i32_f32(F32 src0, FloatMode mode, Clamp signals) {
  return to_integer<i32>(src0, mode, signals.value);
}
constexpr F32 v_cvt_f32_ubyte0(u32 src0, FloatMode mode) { return to_float(src0 & 0xff, mode); }
constexpr F32 v_cvt_f32_ubyte1(u32 src0, FloatMode mode) { return to_float(src0 >> 8 & 0xff, mode); }
constexpr F32 v_cvt_f32_ubyte2(u32 src0, FloatMode mode) { return to_float(src0 >> 16 & 0xff, mode); }
constexpr F32 v_cvt_f32_ubyte3(u32 src0, FloatMode mode) { return to_float(src0 >> 24, mode); }
constexpr F32 v_trunc_f32(F32 src0, FloatMode mode) { return truncated(src0, mode); }

// ---- reciprocals: the manuals specify an error of less than one unit in the last place. Here the result is the
//      nearest float, with which all quotients that LLVM computes are correct; denormal numbers count as zero ----

constexpr FloatMode of_reciprocal(FloatMode mode) { return approximating(mode).flushing(); }
constexpr F32 v_rcp_f32(F32 src0, FloatMode mode) { return reciprocal(src0, of_reciprocal(mode)); }
/// Raises the integer exception of a division by zero, and no floating-point exceptions.
constexpr F32 v_rcp_iflag_f32(F32 src0, FloatMode mode) {
  FloatMode silent = of_reciprocal(mode);
  if (soft_float::is_zero(soft_float::input(src0, silent))) mode.raise(exception::integer_divide_by_zero);
  silent.raised = nullptr;
  return reciprocal(src0, silent);
}

// ---- arithmetic ----

constexpr F32 v_add_f32(F32 src0, F32 src1, FloatMode mode) { return add(src0, src1, mode); }
constexpr F32 v_sub_f32(F32 src0, F32 src1, FloatMode mode) { return add(src0, soft_float::negated(src1), mode); }
constexpr F32 v_subrev_f32(F32 src0, F32 src1, FloatMode mode) { return v_sub_f32(src1, src0, mode); }
constexpr F32 v_mul_f32(F32 src0, F32 src1, FloatMode mode) { return multiply(src0, src1, mode); }

/// The product is rounded before the addition; both operations flush denormal numbers.
constexpr F32 v_mad_f32(F32 src0, F32 src1, F32 src2, FloatMode mode) {
  return add(multiply(src0, src1, mode.flushing()), src2, mode.flushing());
}
constexpr F32 v_madmk_f32(F32 src0, F32 src1, F32 src2, FloatMode mode) { return v_mad_f32(src0, src1, src2, mode); }
constexpr F32 v_madak_f32(F32 src0, F32 src1, F32 src2, FloatMode mode) { return v_mad_f32(src0, src1, src2, mode); }
constexpr F32 v_mac_f32(F32 src0, F32 src1, Destination old, FloatMode mode) {
  return v_mad_f32(src0, src1, F32{old.value}, mode);
}

constexpr F32 v_fma_f32(F32 src0, F32 src1, F32 src2, FloatMode mode) { return multiply_add(src0, src1, src2, mode); }
constexpr F32 v_fmamk_f32(F32 src0, F32 src1, F32 src2, FloatMode mode) { return v_fma_f32(src0, src1, src2, mode); }
constexpr F32 v_fmaak_f32(F32 src0, F32 src1, F32 src2, FloatMode mode) { return v_fma_f32(src0, src1, src2, mode); }
constexpr F32 v_fmac_f32(F32 src0, F32 src1, Destination old, FloatMode mode) {
  return v_fma_f32(src0, src1, F32{old.value}, mode);
}

// ---- compares ----

constexpr bool v_cmp_lt_f32(F32 src0, F32 src1, FloatMode mode, Clamp signals) {
  return compare(src0, src1, mode, signals.value).less;
}
constexpr bool v_cmp_eq_f32(F32 src0, F32 src1, FloatMode mode, Clamp signals) {
  return compare(src0, src1, mode, signals.value).equal;
}
constexpr bool v_cmp_le_f32(F32 src0, F32 src1, FloatMode mode, Clamp signals) {
  const Order order = compare(src0, src1, mode, signals.value);
  return order.less || order.equal;
}
constexpr bool v_cmp_gt_f32(F32 src0, F32 src1, FloatMode mode, Clamp signals) {
  return compare(src0, src1, mode, signals.value).greater;
}
constexpr bool v_cmp_ge_f32(F32 src0, F32 src1, FloatMode mode, Clamp signals) {
  const Order order = compare(src0, src1, mode, signals.value);
  return order.greater || order.equal;
}
constexpr bool v_cmp_nlt_f32(F32 src0, F32 src1, FloatMode mode, Clamp signals) {
  return !v_cmp_lt_f32(src0, src1, mode, signals);
}

}  // namespace salu::isa::vector::semantics
