#pragma once

#include <algorithm>

#include "isa/vector/semantics/arithmetic.hpp"
#include "isa/vector/semantics/values.hpp"

/// Integer arithmetic of 16 bits, one half or two at a time (V_PK): of the latter a function does one half.
namespace salu::isa::vector::semantics {

// ---- one half ----

constexpr u16 v_add_u16(u16 src0, u16 src1, Clamp clamp) { return saturate<u16>(i64{src0} + src1, clamp); }
constexpr u16 v_sub_u16(u16 src0, u16 src1, Clamp clamp) { return saturate<u16>(i64{src0} - src1, clamp); }
constexpr u16 v_subrev_u16(u16 src0, u16 src1, Clamp clamp) { return v_sub_u16(src1, src0, clamp); }
constexpr i16 v_add_i16(i16 src0, i16 src1, Clamp clamp) { return saturate<i16>(i64{src0} + src1, clamp); }
constexpr i16 v_sub_i16(i16 src0, i16 src1, Clamp clamp) { return saturate<i16>(i64{src0} - src1, clamp); }
constexpr u16 v_mul_lo_u16(u16 src0, u16 src1) { return static_cast<u16>(u32{src0} * src1); }
constexpr u16 v_lshlrev_b16(u16 src0, u16 src1) { return static_cast<u16>(src1 << (src0 & 15)); }
constexpr u16 v_lshrrev_b16(u16 src0, u16 src1) { return static_cast<u16>(src1 >> (src0 & 15)); }
constexpr i16 v_ashrrev_i16(u16 src0, i16 src1) { return static_cast<i16>(src1 >> (src0 & 15)); }
constexpr u16 v_max_u16(u16 src0, u16 src1) { return std::max(src0, src1); }
constexpr i16 v_max_i16(i16 src0, i16 src1) { return std::max(src0, src1); }
constexpr u16 v_min_u16(u16 src0, u16 src1) { return std::min(src0, src1); }
constexpr i16 v_min_i16(i16 src0, i16 src1) { return std::min(src0, src1); }
constexpr u16 v_mad_legacy_u16(u16 src0, u16 src1, u16 src2, Clamp clamp) {
  return saturate<u16>(i64{src0} * src1 + src2, clamp);
}
constexpr i16 v_mad_legacy_i16(i16 src0, i16 src1, i16 src2, Clamp clamp) {
  return saturate<i16>(i64{src0} * src1 + src2, clamp);
}
constexpr u16 v_mad_u16(u16 src0, u16 src1, u16 src2, Clamp clamp) { return v_mad_legacy_u16(src0, src1, src2, clamp); }
constexpr i16 v_mad_i16(i16 src0, i16 src1, i16 src2, Clamp clamp) { return v_mad_legacy_i16(src0, src1, src2, clamp); }
constexpr u32 v_mad_u32_u16(u16 src0, u16 src1, u32 src2, Clamp clamp) {
  return saturate<u32>(i64{src0} * src1 + src2, clamp);
}
constexpr i32 v_mad_i32_i16(i16 src0, i16 src1, i32 src2, Clamp clamp) {
  return saturate<i32>(i64{src0} * src1 + src2, clamp);
}
constexpr i16 v_min3_i16(i16 src0, i16 src1, i16 src2) { return std::min({src0, src1, src2}); }
constexpr u16 v_min3_u16(u16 src0, u16 src1, u16 src2) { return std::min({src0, src1, src2}); }
constexpr i16 v_max3_i16(i16 src0, i16 src1, i16 src2) { return std::max({src0, src1, src2}); }
constexpr u16 v_max3_u16(u16 src0, u16 src1, u16 src2) { return std::max({src0, src1, src2}); }
constexpr i16 v_med3_i16(i16 src0, i16 src1, i16 src2) { return median(src0, src1, src2); }
constexpr u16 v_med3_u16(u16 src0, u16 src1, u16 src2) { return median(src0, src1, src2); }

// ---- two ----

constexpr u16 v_pk_mad_u16(u16 src0, u16 src1, u16 src2, Clamp clamp) { return v_mad_u16(src0, src1, src2, clamp); }
constexpr i16 v_pk_mad_i16(i16 src0, i16 src1, i16 src2, Clamp clamp) { return v_mad_i16(src0, src1, src2, clamp); }
constexpr u16 v_pk_mul_lo_u16(u16 src0, u16 src1, Clamp clamp) { return saturate<u16>(i64{src0} * src1, clamp); }
constexpr u16 v_pk_add_u16(u16 src0, u16 src1, Clamp clamp) { return v_add_u16(src0, src1, clamp); }
constexpr i16 v_pk_add_i16(i16 src0, i16 src1, Clamp clamp) { return v_add_i16(src0, src1, clamp); }
constexpr u16 v_pk_sub_u16(u16 src0, u16 src1, Clamp clamp) { return v_sub_u16(src0, src1, clamp); }
constexpr i16 v_pk_sub_i16(i16 src0, i16 src1, Clamp clamp) { return v_sub_i16(src0, src1, clamp); }
constexpr u16 v_pk_lshlrev_b16(u16 src0, u16 src1) { return v_lshlrev_b16(src0, src1); }
constexpr u16 v_pk_lshrrev_b16(u16 src0, u16 src1) { return v_lshrrev_b16(src0, src1); }
constexpr i16 v_pk_ashrrev_i16(u16 src0, i16 src1) { return v_ashrrev_i16(src0, src1); }
constexpr u16 v_pk_max_u16(u16 src0, u16 src1) { return v_max_u16(src0, src1); }
constexpr i16 v_pk_max_i16(i16 src0, i16 src1) { return v_max_i16(src0, src1); }
constexpr u16 v_pk_min_u16(u16 src0, u16 src1) { return v_min_u16(src0, src1); }
constexpr i16 v_pk_min_i16(i16 src0, i16 src1) { return v_min_i16(src0, src1); }

// ---- two values to two halves ----

constexpr u32 two_halves(u32 low, u32 high) { return (low & 0xffff) | high << 16; }
constexpr u32 v_cvt_pk_u16_u32(u32 src0, u32 src1) {
  constexpr Clamp clamp{true};
  return two_halves(saturate<u16>(src0, clamp), saturate<u16>(src1, clamp));
}
constexpr u32 v_cvt_pk_i16_i32(i32 src0, i32 src1) {
  constexpr Clamp clamp{true};
  return two_halves(static_cast<u32>(saturate<i16>(src0, clamp)), static_cast<u32>(saturate<i16>(src1, clamp)));
}
constexpr u32 v_sat_pk_u8_i16(u32 src0) {
  constexpr Clamp clamp{true};
  const auto low = static_cast<i16>(src0);
  const auto high = static_cast<i16>(src0 >> 16);
  return u32{saturate<u8>(low, clamp)} | u32{saturate<u8>(high, clamp)} << 8;
}

}  // namespace salu::isa::vector::semantics
