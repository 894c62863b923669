#pragma once

#include <bit>

#include "isa/vector/semantics/values.hpp"

/// Bits: logic, shifts, fields, counts.
namespace salu::isa::vector::semantics {

// ---- logic ----

constexpr u32 v_not_b32(u32 src0) { return ~src0; }
constexpr u32 v_and_b32(u32 src0, u32 src1) { return src0 & src1; }
constexpr u32 v_or_b32(u32 src0, u32 src1) { return src0 | src1; }
constexpr u32 v_xor_b32(u32 src0, u32 src1) { return src0 ^ src1; }
constexpr u32 v_xnor_b32(u32 src0, u32 src1) { return ~(src0 ^ src1); }
constexpr u32 v_or3_b32(u32 src0, u32 src1, u32 src2) { return src0 | src1 | src2; }
constexpr u32 v_and_or_b32(u32 src0, u32 src1, u32 src2) { return (src0 & src1) | src2; }
constexpr u32 v_bfi_b32(u32 src0, u32 src1, u32 src2) { return (src0 & src1) | (~src0 & src2); }

// ---- shifts: by the low bits of a source ----

constexpr u32 v_lshl_b32(u32 src0, u32 src1) { return src0 << (src1 & 31); }
constexpr u32 v_lshr_b32(u32 src0, u32 src1) { return src0 >> (src1 & 31); }
constexpr i32 v_ashr_i32(i32 src0, u32 src1) { return src0 >> (src1 & 31); }
constexpr u32 v_lshlrev_b32(u32 src0, u32 src1) { return v_lshl_b32(src1, src0); }
constexpr u32 v_lshrrev_b32(u32 src0, u32 src1) { return v_lshr_b32(src1, src0); }
constexpr i32 v_ashrrev_i32(u32 src0, i32 src1) { return v_ashr_i32(src1, src0); }
constexpr u64 v_lshl_b64(u64 src0, u32 src1) { return src0 << (src1 & 63); }
constexpr u64 v_lshr_b64(u64 src0, u32 src1) { return src0 >> (src1 & 63); }
constexpr i64 v_ashr_i64(i64 src0, u32 src1) { return src0 >> (src1 & 63); }
constexpr u64 v_lshlrev_b64(u32 src0, u64 src1) { return v_lshl_b64(src1, src0); }
constexpr u64 v_lshrrev_b64(u32 src0, u64 src1) { return v_lshr_b64(src1, src0); }
constexpr i64 v_ashrrev_i64(u32 src0, i64 src1) { return v_ashr_i64(src1, src0); }
constexpr u32 v_lshl_add_u32(u32 src0, u32 src1, u32 src2) { return v_lshl_b32(src0, src1) + src2; }
constexpr u32 v_add_lshl_u32(u32 src0, u32 src1, u32 src2) { return v_lshl_b32(src0 + src1, src2); }
constexpr u32 v_lshl_or_b32(u32 src0, u32 src1, u32 src2) { return v_lshl_b32(src0, src1) | src2; }
/// By the low three bits; the manual knows 0 to 4.
constexpr u64 v_lshl_add_u64(u64 src0, u32 src1, u64 src2) { return (src0 << (src1 & 7)) + src2; }
constexpr u32 v_alignbit_b32(u32 src0, u32 src1, u32 src2) {
  return static_cast<u32>((u64{src0} << 32 | src1) >> (src2 & 31));
}
constexpr u32 v_alignbyte_b32(u32 src0, u32 src1, u32 src2) {
  return static_cast<u32>((u64{src0} << 32 | src1) >> (8 * (src2 & 3)));
}

// ---- fields ----

constexpr u32 v_bfm_b32(u32 src0, u32 src1) { return ((1U << (src0 & 31)) - 1) << (src1 & 31); }
constexpr u32 v_bfe_u32(u32 src0, u32 src1, u32 src2) { return src0 >> (src1 & 31) & ((1U << (src2 & 31)) - 1); }
constexpr i32 v_bfe_i32(i32 src0, u32 src1, u32 src2) {
  const u32 width = src2 & 31;
  if (width == 0) return 0;
  const u32 unused = 32 - width;
  return static_cast<i32>(static_cast<u32>(src0 >> (src1 & 31)) << unused) >> unused;
}
/// Bytes of both sources, chosen one by one: those of src1 are 0 to 3, those of src0 4 to 7.
constexpr u32 v_perm_b32(u32 src0, u32 src1, u32 src2) {
  const u64 bytes = u64{src0} << 32 | src1;
  u32 result = 0;
  for (u32 shift = 0; shift < 32; shift += 8) {
    const u32 choice = src2 >> shift & 0xff;
    u64 byte = 0xff;
    if (choice < 8) {
      byte = bytes >> (8 * choice) & 0xff;
    } else if (choice < 12) {
      // The sign of one of the four halves, in every bit.
      byte = (bytes >> (16 * (choice - 8) + 15) & 1) * 0xff;
    } else if (choice == 12) {
      byte = 0;
    }
    result |= static_cast<u32>(byte) << shift;
  }
  return result;
}

// ---- counts ----

constexpr u32 v_bfrev_b32(u32 src0) {
  u32 result = 0;
  for (u32 i = 0; i < 32; ++i) result |= (src0 >> i & 1) << (31 - i);
  return result;
}
constexpr u32 v_ffbh_u32(u32 src0) { return src0 == 0 ? ~0U : static_cast<u32>(std::countl_zero(src0)); }
constexpr u32 v_ffbl_b32(u32 src0) { return src0 == 0 ? ~0U : static_cast<u32>(std::countr_zero(src0)); }
/// How many bits from the highest on are like the sign; all of them is -1.
constexpr u32 v_ffbh_i32(i32 src0) { return v_ffbh_u32(static_cast<u32>(src0 ^ (src0 >> 31))); }
constexpr u32 v_bcnt_u32_b32(u32 src0, u32 src1) { return static_cast<u32>(std::popcount(src0)) + src1; }
/// The lanes below this one.
constexpr u64 lanes_below(Lane lane) { return (u64{1} << lane.value) - 1; }
constexpr u32 v_mbcnt_lo_u32_b32(u32 src0, u32 src1, Lane lane) {
  return v_bcnt_u32_b32(src0 & static_cast<u32>(lanes_below(lane)), src1);
}
constexpr u32 v_mbcnt_hi_u32_b32(u32 src0, u32 src1, Lane lane) {
  return v_bcnt_u32_b32(src0 & static_cast<u32>(lanes_below(lane) >> 32), src1);
}

}  // namespace salu::isa::vector::semantics
