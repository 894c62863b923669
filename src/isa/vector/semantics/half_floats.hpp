#pragma once

#include "isa/vector/semantics/approximations.hpp"
#include "isa/vector/semantics/float_operations.hpp"
#include "isa/vector/semantics/soft_float.hpp"
#include "isa/vector/semantics/values.hpp"

/// The instructions on floats of 16 bits, on several floats in a register, and with sources of two formats.
namespace salu::isa::vector {

/// A source of a mixed instruction.
struct Mixed {
  u32 bits;
  bool is_half;  ///< a 16-bit float
  bool negate;
  bool absolute;
};
/// The two 16-bit floats of a source.
struct Halves {
  F16 low;
  F16 high;
};

namespace semantics {

// ---- conversions ----

/// Rounds as MODE specifies for 16-bit floats.
constexpr F16 v_cvt_f16_f32(F32 src0, FloatMode from, WideFloatMode to) { return convert<F16>(src0, from, to); }
constexpr F32 v_cvt_f32_f16(F16 src0, WideFloatMode from, FloatMode to) { return convert<F32>(src0, from, to); }
constexpr F16 v_cvt_f16_u16(u16 src0, WideFloatMode mode) { return to_float<F16>(src0, mode); }
constexpr F16 v_cvt_f16_i16(i16 src0, WideFloatMode mode) { return to_float<F16>(src0, mode); }
constexpr u16 v_cvt_u16_f16(F16 src0, WideFloatMode mode, Clamp signals) {
  return to_integer<u16>(src0, mode, signals.value);
}
constexpr i16 v_cvt_i16_f16(F16 src0, WideFloatMode mode, Clamp signals) {
  return to_integer<i16>(src0, mode, signals.value);
}
constexpr i16 v_cvt_norm_i16_f16(F16 src0, WideFloatMode mode) { return to_normalised<i16>(src0, mode); }
constexpr u16 v_cvt_norm_u16_f16(F16 src0, WideFloatMode mode) { return to_normalised<u16>(src0, mode); }

constexpr u32 two_words(u16 low, u16 high) { return low | u32{high} << 16; }
constexpr u32 v_cvt_pknorm_i16_f16(F16 src0, F16 src1, WideFloatMode mode) {
  return two_words(static_cast<u16>(to_normalised<i16>(src0, mode)), static_cast<u16>(to_normalised<i16>(src1, mode)));
}
constexpr u32 v_cvt_pknorm_u16_f16(F16 src0, F16 src1, WideFloatMode mode) {
  return two_words(to_normalised<u16>(src0, mode), to_normalised<u16>(src1, mode));
}
/// Rounds toward zero, whatever MODE is.
constexpr u32 v_cvt_pkrtz_f16_f32(F32 src0, F32 src1, FloatMode from, WideFloatMode to) {
  const FloatMode truncating = to.rounding_to(Rounding::to_zero);
  return two_words(convert<F16>(src0, from, truncating).bits, convert<F16>(src1, from, truncating).bits);
}
/// A value as a result: a denormal number is flushed and a signalling NaN quieted, as MODE specifies.
constexpr F16 canonical(F16 value, FloatMode mode) {
  value = soft_float::input(value, mode);
  if (mode.is_ieee && soft_float::is_signalling(value)) return soft_float::from_nan(value, mode);
  return soft_float::output(value, mode);
}
constexpr u32 v_pack_b32_f16(F16 src0, F16 src1, WideFloatMode mode) {
  return two_words(canonical(src0, mode).bits, canonical(src1, mode).bits);
}

// ---- integers as floats, parts of floats ----

constexpr F16 v_trunc_f16(F16 src0, WideFloatMode mode) { return truncated(src0, mode); }
constexpr F16 v_ceil_f16(F16 src0, WideFloatMode mode) { return to_integral(src0, Rounding::up, mode); }
constexpr F16 v_floor_f16(F16 src0, WideFloatMode mode) { return to_integral(src0, Rounding::down, mode); }
constexpr F16 v_rndne_f16(F16 src0, WideFloatMode mode) { return to_integral(src0, Rounding::to_nearest_even, mode); }
constexpr F16 v_fract_f16(F16 src0, WideFloatMode mode) { return fraction_of(src0, mode); }
constexpr i16 v_frexp_exp_i16_f16(F16 src0, WideFloatMode mode) { return static_cast<i16>(exponent_of(src0, mode)); }
constexpr F16 v_frexp_mant_f16(F16 src0, WideFloatMode mode) { return significand_of(src0, mode); }
constexpr F16 v_ldexp_f16(F16 src0, i16 src1, WideFloatMode mode) { return scaled(src0, src1, mode); }

// ---- approximations of hardware ----

constexpr F16 v_rcp_f16(F16 src0, WideFloatMode mode) { return approximate_reciprocal(src0, mode); }
constexpr F16 v_sqrt_f16(F16 src0, WideFloatMode mode) { return square_root(src0, mode); }
constexpr F16 v_rsq_f16(F16 src0, WideFloatMode mode) { return reciprocal_root(src0, mode); }
constexpr F16 v_log_f16(F16 src0, WideFloatMode mode) { return logarithm(src0, mode); }
constexpr F16 v_exp_f16(F16 src0, WideFloatMode mode) { return exponential(src0, mode); }
constexpr F16 v_sin_f16(F16 src0, WideFloatMode mode) { return sine(src0, mode); }
constexpr F16 v_cos_f16(F16 src0, WideFloatMode mode) { return cosine(src0, mode); }

// ---- arithmetic ----

constexpr F16 v_add_f16(F16 src0, F16 src1, WideFloatMode mode) { return add(src0, src1, mode); }
constexpr F16 v_sub_f16(F16 src0, F16 src1, WideFloatMode mode) { return subtract(src0, src1, mode); }
constexpr F16 v_subrev_f16(F16 src0, F16 src1, WideFloatMode mode) { return v_sub_f16(src1, src0, mode); }
constexpr F16 v_mul_f16(F16 src0, F16 src1, WideFloatMode mode) { return multiply(src0, src1, mode); }

/// The product is rounded before the addition; both operations flush denormal numbers.
constexpr F16 v_mad_f16(F16 src0, F16 src1, F16 src2, WideFloatMode mode) {
  return add(multiply(src0, src1, mode.flushing()), src2, mode.flushing());
}
constexpr F16 v_mad_legacy_f16(F16 src0, F16 src1, F16 src2, WideFloatMode mode) {
  return v_mad_f16(src0, src1, src2, mode);
}
constexpr F16 v_madmk_f16(F16 src0, F16 src1, F16 src2, WideFloatMode mode) {
  return v_mad_f16(src0, src1, src2, mode);
}
constexpr F16 v_madak_f16(F16 src0, F16 src1, F16 src2, WideFloatMode mode) {
  return v_mad_f16(src0, src1, src2, mode);
}
constexpr F16 v_mac_f16(F16 src0, F16 src1, Destination old, WideFloatMode mode) {
  return v_mad_f16(src0, src1, F16{static_cast<u16>(old.value)}, mode);
}
constexpr F16 v_fma_f16(F16 src0, F16 src1, F16 src2, WideFloatMode mode) {
  return multiply_add(src0, src1, src2, mode);
}
constexpr F16 v_fma_legacy_f16(F16 src0, F16 src1, F16 src2, WideFloatMode mode) {
  return v_fma_f16(src0, src1, src2, mode);
}
constexpr F16 v_div_fixup_f16(F16 src0, F16 src1, F16 src2, WideFloatMode mode) {
  return division_result(src0, src1, src2, mode);
}
constexpr F16 v_div_fixup_legacy_f16(F16 src0, F16 src1, F16 src2, WideFloatMode mode) {
  return v_div_fixup_f16(src0, src1, src2, mode);
}

// ---- minimum, maximum, median: on GCN 1.2 they keep denormal numbers whatever MODE is ----

constexpr F16 v_min_f16(F16 src0, F16 src1, WideFloatMode mode) { return minimum(src0, src1, mode); }
constexpr F16 v_max_f16(F16 src0, F16 src1, WideFloatMode mode) { return maximum(src0, src1, mode); }
constexpr F16 v_min_f16_gcn1_2(F16 src0, F16 src1, WideFloatMode mode) { return minimum(src0, src1, mode.keeping()); }
constexpr F16 v_max_f16_gcn1_2(F16 src0, F16 src1, WideFloatMode mode) { return maximum(src0, src1, mode.keeping()); }
constexpr F16 v_min3_f16(F16 src0, F16 src1, F16 src2, WideFloatMode mode) { return minimum(src0, src1, src2, mode); }
constexpr F16 v_max3_f16(F16 src0, F16 src1, F16 src2, WideFloatMode mode) { return maximum(src0, src1, src2, mode); }
constexpr F16 v_med3_f16(F16 src0, F16 src1, F16 src2, WideFloatMode mode) { return median_of(src0, src1, src2, mode); }

// ---- two floats in a register; a function of V_PK computes one of them ----

constexpr F16 v_pk_fma_f16(F16 src0, F16 src1, F16 src2, WideFloatMode mode) {
  return v_fma_f16(src0, src1, src2, mode);
}
constexpr F16 v_pk_add_f16(F16 src0, F16 src1, WideFloatMode mode) { return v_add_f16(src0, src1, mode); }
constexpr F16 v_pk_mul_f16(F16 src0, F16 src1, WideFloatMode mode) { return v_mul_f16(src0, src1, mode); }
constexpr F16 v_pk_min_f16(F16 src0, F16 src1, WideFloatMode mode) { return v_min_f16(src0, src1, mode); }
constexpr F16 v_pk_max_f16(F16 src0, F16 src1, WideFloatMode mode) { return v_max_f16(src0, src1, mode); }
constexpr F32 v_pk_fma_f32(F32 src0, F32 src1, F32 src2, FloatMode mode) {
  return multiply_add(src0, src1, src2, mode);
}
constexpr F32 v_pk_mul_f32(F32 src0, F32 src1, FloatMode mode) { return multiply(src0, src1, mode); }
constexpr F32 v_pk_add_f32(F32 src0, F32 src1, FloatMode mode) { return add(src0, src1, mode); }

/// The products are exact; the order and the rounding of the sums are not specified.
constexpr F32 v_dot2_f32_f16(Halves src0, Halves src1, F32 src2, WideFloatMode half, FloatMode mode) {
  const auto wide = [&](F16 value) { return convert<F32>(value, half, mode.keeping()); };
  const F32 first = multiply_add(wide(src0.low), wide(src1.low), src2, mode);
  return multiply_add(wide(src0.high), wide(src1.high), first, mode);
}

// ---- mixed formats: the sources become 32-bit floats, and the result is rounded to 32 bits and then to its format
// ----

constexpr F32 wide_source(Mixed source, WideFloatMode half, FloatMode mode) {
  F32 value{source.bits};
  if (source.is_half) value = convert<F32>(F16{static_cast<u16>(source.bits)}, half, mode);
  if (source.absolute) value = soft_float::with_sign<F32>(soft_float::magnitude(value), false);
  return source.negate ? soft_float::negated(value) : value;
}
constexpr F32 v_fma_mix_f32(Mixed src0, Mixed src1, Mixed src2, WideFloatMode half, FloatMode mode) {
  return multiply_add(wide_source(src0, half, mode), wide_source(src1, half, mode), wide_source(src2, half, mode),
                      mode);
}
constexpr F16 v_fma_mixlo_f16(Mixed src0, Mixed src1, Mixed src2, WideFloatMode half, FloatMode mode) {
  return convert<F16>(v_fma_mix_f32(src0, src1, src2, half, mode), mode, half);
}
constexpr F16 v_fma_mixhi_f16(Mixed src0, Mixed src1, Mixed src2, WideFloatMode half, FloatMode mode) {
  return v_fma_mixlo_f16(src0, src1, src2, half, mode);
}

}  // namespace semantics
}  // namespace salu::isa::vector
