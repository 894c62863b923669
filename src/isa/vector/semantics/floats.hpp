#pragma once

#include "isa/vector/semantics/approximations.hpp"
#include "isa/vector/semantics/float_operations.hpp"
#include "isa/vector/semantics/soft_float.hpp"
#include "isa/vector/semantics/values.hpp"

/// The floating-point instructions.
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
/// Rounds to the nearest integer; one half is rounded up.
constexpr i32 v_cvt_rpi_i32_f32(F32 src0, FloatMode mode) { return to_integer_half_up(src0, mode); }
constexpr i32 v_cvt_flr_i32_f32(F32 src0, FloatMode mode, Clamp signals) {
  return to_integer<i32>(src0, mode, signals.value, Rounding::down);
}
/// A signed integer of four bits, divided by 16.
constexpr F32 v_cvt_off_f32_i4(u32 src0, FloatMode mode) {
  const i32 value = static_cast<i32>(src0 << 28) >> 28;
  return scaled(to_float(value, mode), -4, mode);
}
/// Replaces byte src1[1:0] of src2.
constexpr u32 v_cvt_pk_u8_f32(F32 src0, u32 src1, u32 src2, FloatMode mode, Clamp signals) {
  const u32 shift = (src1 & 3) * 8;
  const u32 byte = to_integer<u8>(src0, mode, signals.value, mode.rounding);
  return (src2 & ~(u32{0xff} << shift)) | byte << shift;
}
constexpr u32 v_cvt_pknorm_i16_f32(F32 src0, F32 src1, FloatMode mode) {
  const auto low = static_cast<u16>(to_normalised<i16>(src0, mode));
  const auto high = static_cast<u16>(to_normalised<i16>(src1, mode));
  return low | u32{high} << 16;
}
constexpr u32 v_cvt_pknorm_u16_f32(F32 src0, F32 src1, FloatMode mode) {
  return to_normalised<u16>(src0, mode) | u32{to_normalised<u16>(src1, mode)} << 16;
}

// ---- integers as floats, parts of floats ----

constexpr F32 v_trunc_f32(F32 src0, FloatMode mode) { return truncated(src0, mode); }
constexpr F32 v_ceil_f32(F32 src0, FloatMode mode) { return to_integral(src0, Rounding::up, mode); }
constexpr F32 v_floor_f32(F32 src0, FloatMode mode) { return to_integral(src0, Rounding::down, mode); }
constexpr F32 v_rndne_f32(F32 src0, FloatMode mode) { return to_integral(src0, Rounding::to_nearest_even, mode); }
constexpr F32 v_fract_f32(F32 src0, FloatMode mode) { return fraction_of(src0, mode); }
constexpr i32 v_frexp_exp_i32_f32(F32 src0, FloatMode mode) { return exponent_of(src0, mode); }
constexpr F32 v_frexp_mant_f32(F32 src0, FloatMode mode) { return significand_of(src0, mode); }
constexpr F32 v_ldexp_f32(F32 src0, i32 src1, FloatMode mode) { return scaled(src0, src1, mode); }

// ---- reciprocals: the manuals specify an error of less than one unit in the last place. All quotients that LLVM
//      computes with the nearest float are correct; denormal numbers count as zero ----

constexpr F32 v_rcp_f32(F32 src0, FloatMode mode) { return approximate_reciprocal(src0, mode.flushing()); }
/// Raises the integer exception of a division by zero, and no floating-point exceptions.
constexpr F32 v_rcp_iflag_f32(F32 src0, FloatMode mode) {
  FloatMode silent = mode.flushing();
  if (soft_float::is_zero(soft_float::input(src0, silent))) mode.raise(exception::integer_divide_by_zero);
  silent.raised = nullptr;
  return approximate_reciprocal(src0, silent);
}

// ---- other approximations, with an error of one unit in the last place; only sines and cosines keep denormal
//      numbers ----

constexpr F32 v_exp_f32(F32 src0, FloatMode mode) { return exponential(src0, mode.flushing()); }
constexpr F32 v_log_f32(F32 src0, FloatMode mode) { return logarithm(src0, mode.flushing()); }
constexpr F32 v_rsq_f32(F32 src0, FloatMode mode) { return reciprocal_root(src0, mode.flushing()); }
constexpr F32 v_sqrt_f32(F32 src0, FloatMode mode) { return square_root(src0, mode.flushing()); }
constexpr F32 v_sin_f32(F32 src0, FloatMode mode) { return sine(src0, mode); }
constexpr F32 v_cos_f32(F32 src0, FloatMode mode) { return cosine(src0, mode); }

// ---- arithmetic ----

constexpr F32 v_add_f32(F32 src0, F32 src1, FloatMode mode) { return add(src0, src1, mode); }
constexpr F32 v_sub_f32(F32 src0, F32 src1, FloatMode mode) { return subtract(src0, src1, mode); }
constexpr F32 v_subrev_f32(F32 src0, F32 src1, FloatMode mode) { return v_sub_f32(src1, src0, mode); }
constexpr F32 v_mul_f32(F32 src0, F32 src1, FloatMode mode) { return multiply(src0, src1, mode); }
constexpr F32 v_mul_legacy_f32(F32 src0, F32 src1, FloatMode mode) { return multiply_legacy(src0, src1, mode); }

/// The product is rounded before the addition; both operations flush denormal numbers.
constexpr F32 v_mad_f32(F32 src0, F32 src1, F32 src2, FloatMode mode) {
  return add(multiply(src0, src1, mode.flushing()), src2, mode.flushing());
}
constexpr F32 v_mad_legacy_f32(F32 src0, F32 src1, F32 src2, FloatMode mode) {
  return add(multiply_legacy(src0, src1, mode.flushing()), src2, mode.flushing());
}
constexpr F32 v_mac_legacy_f32(F32 src0, F32 src1, Destination old, FloatMode mode) {
  return v_mad_legacy_f32(src0, src1, F32{old.value}, mode);
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

// ---- divisions ----

constexpr WithCarry<F32> v_div_scale_f32(F32 src0, F32 src1, F32 src2, FloatMode mode) {
  const Scaled<F32> scaled = division_operand(src0, src1, src2, mode);
  return {scaled.value, scaled.scales_quotient};
}
constexpr F32 v_div_fmas_f32(F32 src0, F32 src1, F32 src2, MaskBit scales, FloatMode mode) {
  return division_step(src0, src1, src2, scales.value, mode);
}
constexpr F32 v_div_fixup_f32(F32 src0, F32 src1, F32 src2, FloatMode mode) {
  return division_result(src0, src1, src2, mode);
}

// ---- minimum, maximum, median: up to GCN 1.2 they keep denormal numbers whatever MODE is ----

constexpr F32 v_min_f32(F32 src0, F32 src1, FloatMode mode) { return minimum(src0, src1, mode); }
constexpr F32 v_max_f32(F32 src0, F32 src1, FloatMode mode) { return maximum(src0, src1, mode); }
constexpr F32 v_min3_f32(F32 src0, F32 src1, F32 src2, FloatMode mode) { return minimum(src0, src1, src2, mode); }
constexpr F32 v_max3_f32(F32 src0, F32 src1, F32 src2, FloatMode mode) { return maximum(src0, src1, src2, mode); }
constexpr F32 v_med3_f32(F32 src0, F32 src1, F32 src2, FloatMode mode) { return median_of(src0, src1, src2, mode); }
constexpr F32 v_min_f32_gcn1_2(F32 src0, F32 src1, FloatMode mode) { return v_min_f32(src0, src1, mode.keeping()); }
constexpr F32 v_max_f32_gcn1_2(F32 src0, F32 src1, FloatMode mode) { return v_max_f32(src0, src1, mode.keeping()); }
constexpr F32 v_min3_f32_gcn1_2(F32 src0, F32 src1, F32 src2, FloatMode mode) {
  return v_min3_f32(src0, src1, src2, mode.keeping());
}
constexpr F32 v_max3_f32_gcn1_2(F32 src0, F32 src1, F32 src2, FloatMode mode) {
  return v_max3_f32(src0, src1, src2, mode.keeping());
}
constexpr F32 v_med3_f32_gcn1_2(F32 src0, F32 src1, F32 src2, FloatMode mode) {
  return v_med3_f32(src0, src1, src2, mode.keeping());
}

/// The second source, unless the comparison with the first one is true: also if one of them is a NaN (DirectX 9).
constexpr F32 v_min_legacy_f32(F32 src0, F32 src1, FloatMode mode) {
  const F32 result = compare(src0, src1, mode, false).less ? src0 : src1;
  return soft_float::output(soft_float::input(result, mode), mode);
}
constexpr F32 v_max_legacy_f32(F32 src0, F32 src1, FloatMode mode) {
  const Order order = compare(src0, src1, mode, false);
  const F32 result = order.greater || order.equal ? src0 : src1;
  return soft_float::output(soft_float::input(result, mode), mode);
}

// ---- cube maps: the coordinates of the vector (src0, src1, src2) on the face of a cube ----

/// The axis of the greatest coordinate; of equal ones the last.
constexpr u32 major_axis(F32 x, F32 y, F32 z, FloatMode mode) {
  const auto is_less = [&](F32 left, F32 right) {
    const auto size = [](F32 value) { return soft_float::with_sign<F32>(soft_float::magnitude(value), false); };
    const Order order = compare(size(left), size(right), mode, false);
    return !order.greater && !order.equal;
  };
  if (!is_less(z, x) && !is_less(z, y)) return 2;
  return is_less(y, x) ? 0 : 1;
}
/// True for a number below 0.
constexpr bool is_below_zero(F32 value, FloatMode mode) { return compare(value, F32{0}, mode, false).less; }
/// A coordinate as a result.
constexpr F32 coordinate(F32 value, bool negates, FloatMode mode) {
  value = soft_float::output(soft_float::input(value, mode), mode);
  return negates ? soft_float::negated(value) : value;
}

constexpr F32 v_cubeid_f32(F32 src0, F32 src1, F32 src2, FloatMode mode) {
  const u32 axis = major_axis(src0, src1, src2, mode);
  const F32 major = axis == 2 ? src2 : axis == 1 ? src1 : src0;
  return to_float(static_cast<i64>(2 * axis) + (is_below_zero(major, mode) ? 1 : 0), mode);
}
constexpr F32 v_cubesc_f32(F32 src0, F32 src1, F32 src2, FloatMode mode) {
  const u32 axis = major_axis(src0, src1, src2, mode);
  if (axis == 2) return coordinate(src0, is_below_zero(src2, mode), mode);
  if (axis == 1) return coordinate(src0, false, mode);
  return coordinate(src2, !is_below_zero(src0, mode), mode);
}
constexpr F32 v_cubetc_f32(F32 src0, F32 src1, F32 src2, FloatMode mode) {
  if (major_axis(src0, src1, src2, mode) == 1) return coordinate(src2, is_below_zero(src1, mode), mode);
  return coordinate(src1, true, mode);
}
constexpr F32 v_cubema_f32(F32 src0, F32 src1, F32 src2, FloatMode mode) {
  const u32 axis = major_axis(src0, src1, src2, mode);
  return scaled(axis == 2 ? src2 : axis == 1 ? src1 : src0, 1, mode);
}

// ---- comparisons ----

// A relation and its negation. `is_true` is evaluated with the order of the sources.
#define SALU_FLOAT_COMPARISON(relation, negation, F, Mode, suffix, is_true)               \
  constexpr bool v_cmp_##relation##_##suffix(F src0, F src1, Mode mode, Clamp signals) {  \
    const Order order = compare(src0, src1, mode, signals.value);                         \
    return is_true;                                                                       \
  }                                                                                       \
  constexpr bool v_cmp_##negation##_##suffix(F src0, F src1, Mode mode, Clamp signals) {  \
    return !v_cmp_##relation##_##suffix(src0, src1, mode, signals);                       \
  }                                                                                       \
  constexpr bool v_cmpx_##relation##_##suffix(F src0, F src1, Mode mode, Clamp signals) { \
    return v_cmp_##relation##_##suffix(src0, src1, mode, signals);                        \
  }                                                                                       \
  constexpr bool v_cmpx_##negation##_##suffix(F src0, F src1, Mode mode, Clamp signals) { \
    return v_cmp_##negation##_##suffix(src0, src1, mode, signals);                        \
  }
#define SALU_FLOAT_COMPARISONS(F, Mode, suffix)                                     \
  SALU_FLOAT_COMPARISON(f, tru, F, Mode, suffix, (static_cast<void>(order), false)) \
  SALU_FLOAT_COMPARISON(lt, nlt, F, Mode, suffix, order.less)                       \
  SALU_FLOAT_COMPARISON(eq, neq, F, Mode, suffix, order.equal)                      \
  SALU_FLOAT_COMPARISON(le, nle, F, Mode, suffix, order.less || order.equal)        \
  SALU_FLOAT_COMPARISON(gt, ngt, F, Mode, suffix, order.greater)                    \
  SALU_FLOAT_COMPARISON(lg, nlg, F, Mode, suffix, order.less || order.greater)      \
  SALU_FLOAT_COMPARISON(ge, nge, F, Mode, suffix, order.greater || order.equal)     \
  SALU_FLOAT_COMPARISON(o, u, F, Mode, suffix, order.less || order.equal || order.greater)

SALU_FLOAT_COMPARISONS(F32, FloatMode, f32)
SALU_FLOAT_COMPARISONS(F64, WideFloatMode, f64)
SALU_FLOAT_COMPARISONS(F16, WideFloatMode, f16)
#undef SALU_FLOAT_COMPARISONS
#undef SALU_FLOAT_COMPARISON

/// True if the bit of the class of src0 is set in src1.
constexpr bool v_cmp_class_f32(F32 src0, u32 src1) { return (src1 >> class_of(src0) & 1) != 0; }
constexpr bool v_cmpx_class_f32(F32 src0, u32 src1) { return v_cmp_class_f32(src0, src1); }
constexpr bool v_cmp_class_f64(F64 src0, u32 src1) { return (src1 >> class_of(src0) & 1) != 0; }
constexpr bool v_cmpx_class_f64(F64 src0, u32 src1) { return v_cmp_class_f64(src0, src1); }
constexpr bool v_cmp_class_f16(F16 src0, u32 src1) { return (src1 >> class_of(src0) & 1) != 0; }
constexpr bool v_cmpx_class_f16(F16 src0, u32 src1) { return v_cmp_class_f16(src0, src1); }

// ---- floats of 64 bits ----

constexpr i32 v_cvt_i32_f64(F64 src0, WideFloatMode mode, Clamp signals) {
  return to_integer<i32>(src0, mode, signals.value);
}
constexpr u32 v_cvt_u32_f64(F64 src0, WideFloatMode mode, Clamp signals) {
  return to_integer<u32>(src0, mode, signals.value);
}
constexpr F64 v_cvt_f64_i32(i32 src0, WideFloatMode mode) { return to_float<F64>(src0, mode); }
constexpr F64 v_cvt_f64_u32(u32 src0, WideFloatMode mode) { return to_float<F64>(src0, mode); }
/// Rounds as MODE specifies for the format of the result.
constexpr F32 v_cvt_f32_f64(F64 src0, WideFloatMode from, FloatMode to) { return convert<F32>(src0, from, to); }
constexpr F64 v_cvt_f64_f32(F32 src0, FloatMode from, WideFloatMode to) { return convert<F64>(src0, from, to); }

constexpr F64 v_trunc_f64(F64 src0, WideFloatMode mode) { return truncated(src0, mode); }
constexpr F64 v_ceil_f64(F64 src0, WideFloatMode mode) { return to_integral(src0, Rounding::up, mode); }
constexpr F64 v_floor_f64(F64 src0, WideFloatMode mode) { return to_integral(src0, Rounding::down, mode); }
constexpr F64 v_rndne_f64(F64 src0, WideFloatMode mode) { return to_integral(src0, Rounding::to_nearest_even, mode); }
constexpr F64 v_fract_f64(F64 src0, WideFloatMode mode) { return fraction_of(src0, mode); }
constexpr i32 v_frexp_exp_i32_f64(F64 src0, WideFloatMode mode) { return exponent_of(src0, mode); }
constexpr F64 v_frexp_mant_f64(F64 src0, WideFloatMode mode) { return significand_of(src0, mode); }
constexpr F64 v_ldexp_f64(F64 src0, i32 src1, WideFloatMode mode) { return scaled(src0, src1, mode); }

// Approximations of hardware, which keep denormal numbers.
constexpr F64 v_rcp_f64(F64 src0, WideFloatMode mode) { return approximate_reciprocal(src0, mode); }
constexpr F64 v_rsq_f64(F64 src0, WideFloatMode mode) { return reciprocal_root(src0, mode); }
constexpr F64 v_sqrt_f64(F64 src0, WideFloatMode mode) { return square_root(src0, mode); }

constexpr F64 v_add_f64(F64 src0, F64 src1, WideFloatMode mode) { return add(src0, src1, mode); }
constexpr F64 v_mul_f64(F64 src0, F64 src1, WideFloatMode mode) { return multiply(src0, src1, mode); }
constexpr F64 v_fma_f64(F64 src0, F64 src1, F64 src2, WideFloatMode mode) {
  return multiply_add(src0, src1, src2, mode);
}
constexpr F64 v_fmac_f64(F64 src0, F64 src1, WideDestination old, WideFloatMode mode) {
  return v_fma_f64(src0, src1, F64{old.value}, mode);
}
constexpr F64 v_min_f64(F64 src0, F64 src1, WideFloatMode mode) { return minimum(src0, src1, mode); }
constexpr F64 v_max_f64(F64 src0, F64 src1, WideFloatMode mode) { return maximum(src0, src1, mode); }
constexpr F64 v_min_f64_gcn1_2(F64 src0, F64 src1, WideFloatMode mode) { return minimum(src0, src1, mode.keeping()); }
constexpr F64 v_max_f64_gcn1_2(F64 src0, F64 src1, WideFloatMode mode) { return maximum(src0, src1, mode.keeping()); }

constexpr WithCarry<F64> v_div_scale_f64(F64 src0, F64 src1, F64 src2, WideFloatMode mode) {
  const Scaled<F64> scaled = division_operand(src0, src1, src2, mode);
  return {scaled.value, scaled.scales_quotient};
}
constexpr F64 v_div_fmas_f64(F64 src0, F64 src1, F64 src2, MaskBit scales, WideFloatMode mode) {
  return division_step(src0, src1, src2, scales.value, mode);
}
constexpr F64 v_div_fixup_f64(F64 src0, F64 src1, F64 src2, WideFloatMode mode) {
  return division_result(src0, src1, src2, mode);
}
constexpr F64 v_trig_preop_f64(F64 src0, u32 src1, WideFloatMode mode) { return two_over_pi_segment(src0, src1, mode); }

}  // namespace salu::isa::vector::semantics
