#pragma once

#include <algorithm>

#include "isa/vector/semantics/values.hpp"

/// Integer arithmetic of 32 and 64 bits. Without the modifier `clamp` everything wraps.
namespace salu::isa::vector::semantics {

// ---- sums with a carry ----

constexpr WithCarry<u32> add_with_carry(u32 left, u32 right, bool carry, Clamp clamp) {
  const u64 sum = u64{left} + right + u64{carry};
  return {saturate<u32>(static_cast<i64>(sum), clamp), sum >> 32 != 0};
}
constexpr WithCarry<u32> subtract_with_borrow(u32 left, u32 right, bool borrow, Clamp clamp) {
  const i64 difference = i64{left} - right - i64{borrow};
  return {saturate<u32>(difference, clamp), difference < 0};
}

constexpr WithCarry<u32> v_add_co_u32(u32 src0, u32 src1, Clamp clamp) {
  return add_with_carry(src0, src1, false, clamp);
}
constexpr WithCarry<u32> v_sub_co_u32(u32 src0, u32 src1, Clamp clamp) {
  return subtract_with_borrow(src0, src1, false, clamp);
}
constexpr WithCarry<u32> v_subrev_co_u32(u32 src0, u32 src1, Clamp clamp) { return v_sub_co_u32(src1, src0, clamp); }
constexpr WithCarry<u32> v_addc_co_u32(u32 src0, u32 src1, MaskBit carry, Clamp clamp) {
  return add_with_carry(src0, src1, carry.value, clamp);
}
constexpr WithCarry<u32> v_subb_co_u32(u32 src0, u32 src1, MaskBit borrow, Clamp clamp) {
  return subtract_with_borrow(src0, src1, borrow.value, clamp);
}
constexpr WithCarry<u32> v_subbrev_co_u32(u32 src0, u32 src1, MaskBit borrow, Clamp clamp) {
  return v_subb_co_u32(src1, src0, borrow, clamp);
}

// ---- sums ----

constexpr u32 v_add_u32(u32 src0, u32 src1, Clamp clamp) { return saturate<u32>(i64{src0} + src1, clamp); }
constexpr u32 v_sub_u32(u32 src0, u32 src1, Clamp clamp) { return saturate<u32>(i64{src0} - src1, clamp); }
constexpr u32 v_subrev_u32(u32 src0, u32 src1, Clamp clamp) { return v_sub_u32(src1, src0, clamp); }
constexpr i32 v_add_i32(i32 src0, i32 src1, Clamp clamp) { return saturate<i32>(i64{src0} + src1, clamp); }
constexpr i32 v_sub_i32(i32 src0, i32 src1, Clamp clamp) { return saturate<i32>(i64{src0} - src1, clamp); }
constexpr u32 v_add3_u32(u32 src0, u32 src1, u32 src2) { return src0 + src1 + src2; }
constexpr u32 v_xad_u32(u32 src0, u32 src1, u32 src2) { return (src0 ^ src1) + src2; }

// ---- products ----

constexpr u32 v_mul_lo_u32(u32 src0, u32 src1) { return src0 * src1; }
constexpr u32 v_mul_lo_i32(u32 src0, u32 src1) { return src0 * src1; }
constexpr u32 v_mul_hi_u32(u32 src0, u32 src1) { return static_cast<u32>(u64{src0} * src1 >> 32); }
constexpr u32 v_mul_hi_i32(i32 src0, i32 src1) { return static_cast<u32>(static_cast<u64>(i64{src0} * src1) >> 32); }
constexpr i32 v_mul_i32_i24(u32 src0, u32 src1, Clamp clamp) {
  return saturate<i32>(i64{sign_extend24(src0)} * sign_extend24(src1), clamp);
}
constexpr u32 v_mul_hi_i32_i24(u32 src0, u32 src1) {
  return static_cast<u32>(static_cast<u64>(i64{sign_extend24(src0)} * sign_extend24(src1)) >> 32);
}
constexpr u32 v_mul_u32_u24(u32 src0, u32 src1, Clamp clamp) {
  return saturate<u32>(i64{zero_extend24(src0)} * zero_extend24(src1), clamp);
}
constexpr u32 v_mul_hi_u32_u24(u32 src0, u32 src1) {
  return static_cast<u32>(u64{zero_extend24(src0)} * zero_extend24(src1) >> 32);
}
constexpr i32 v_mad_i32_i24(u32 src0, u32 src1, i32 src2, Clamp clamp) {
  return saturate<i32>(i64{sign_extend24(src0)} * sign_extend24(src1) + src2, clamp);
}
constexpr u32 v_mad_u32_u24(u32 src0, u32 src1, u32 src2, Clamp clamp) {
  return saturate<u32>(i64{zero_extend24(src0)} * zero_extend24(src1) + src2, clamp);
}
constexpr WithCarry<u64> v_mad_u64_u32(u32 src0, u32 src1, u64 src2, Clamp clamp) {
  const u64 sum = u64{src0} * src1 + src2;
  const bool carry = sum < src2;
  return {carry && clamp.value ? ~u64{0} : sum, carry};
}
constexpr WithCarry<u64> v_mad_i64_i32(i32 src0, i32 src1, u64 src2, Clamp clamp) {
  const auto product = static_cast<u64>(i64{src0} * src1);
  const u64 sum = product + src2;
  // Bit 64 of the sum of both, each extended by its sign.
  const bool carry = sum < src2;
  const bool is_negative = (product >> 63 ^ src2 >> 63 ^ u64{carry}) != 0;
  const bool overflows = ((product ^ sum) & (src2 ^ sum)) >> 63 != 0;
  constexpr u64 greatest = ~u64{0} >> 1;
  return {overflows && clamp.value ? greatest + u64{is_negative} : sum, is_negative};
}

// ---- the least, the greatest, the one between ----

template <class T>
constexpr T median(T first, T second, T third) {
  return std::max(std::min(first, second), std::min(std::max(first, second), third));
}

constexpr i32 v_min_i32(i32 src0, i32 src1) { return std::min(src0, src1); }
constexpr i32 v_max_i32(i32 src0, i32 src1) { return std::max(src0, src1); }
constexpr u32 v_min_u32(u32 src0, u32 src1) { return std::min(src0, src1); }
constexpr u32 v_max_u32(u32 src0, u32 src1) { return std::max(src0, src1); }
constexpr i32 v_min3_i32(i32 src0, i32 src1, i32 src2) { return std::min({src0, src1, src2}); }
constexpr u32 v_min3_u32(u32 src0, u32 src1, u32 src2) { return std::min({src0, src1, src2}); }
constexpr i32 v_max3_i32(i32 src0, i32 src1, i32 src2) { return std::max({src0, src1, src2}); }
constexpr u32 v_max3_u32(u32 src0, u32 src1, u32 src2) { return std::max({src0, src1, src2}); }
constexpr i32 v_med3_i32(i32 src0, i32 src1, i32 src2) { return median(src0, src1, src2); }
constexpr u32 v_med3_u32(u32 src0, u32 src1, u32 src2) { return median(src0, src1, src2); }

// ---- sums of absolute differences ----

constexpr u32 distance(u32 left, u32 right) { return left > right ? left - right : right - left; }
/// Of the four bytes; those that are 0 in `right` may be left out.
constexpr u32 distance_of_bytes(u32 left, u32 right, bool leaves_out) {
  u32 sum = 0;
  for (u32 shift = 0; shift < 32; shift += 8) {
    const u32 byte = right >> shift & 0xff;
    if (!leaves_out || byte != 0) sum += distance(left >> shift & 0xff, byte);
  }
  return sum;
}
constexpr u32 v_sad_u8(u32 src0, u32 src1, u32 src2, Clamp clamp) {
  return saturate<u32>(i64{distance_of_bytes(src0, src1, false)} + src2, clamp);
}
constexpr u32 v_sad_hi_u8(u32 src0, u32 src1, u32 src2, Clamp clamp) {
  return saturate<u32>((i64{distance_of_bytes(src0, src1, false)} << 16) + src2, clamp);
}
constexpr u32 v_msad_u8(u32 src0, u32 src1, u32 src2, Clamp clamp) {
  return saturate<u32>(i64{distance_of_bytes(src0, src1, true)} + src2, clamp);
}
constexpr u32 v_sad_u16(u32 src0, u32 src1, u32 src2, Clamp clamp) {
  const u32 sum = distance(src0 & 0xffff, src1 & 0xffff) + distance(src0 >> 16, src1 >> 16);
  return saturate<u32>(i64{sum} + src2, clamp);
}
constexpr u32 v_sad_u32(u32 src0, u32 src1, u32 src2, Clamp clamp) {
  return saturate<u32>(i64{distance(src0, src1)} + src2, clamp);
}

}  // namespace salu::isa::vector::semantics
