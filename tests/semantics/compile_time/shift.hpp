#pragma once

#include "semantics/compile_time/results.hpp"

// semantics.md 2: shifts, bit field masks and extracts, packing. Counts are truncated to 5 or 6 bits.
namespace salu::isa::semantics {

static_assert(s_lshl_b32(1, 31) == w32(int_min, true));
static_assert(s_lshl_b32(1, 32) == w32(1, true));
static_assert(s_lshl_b32(1, 33) == w32(2, true));
static_assert(s_lshl_b32(int_min, 1) == w32(0, false));
static_assert(s_lshl_b32(3, 0xffffffe1) == w32(6, true));
static_assert(s_lshl_b32(1, 16) == w32(0x10000, true));
static_assert(s_lshl_b64(1, 63) == w64(long_min, true));
static_assert(s_lshl_b64(1, 32) == w64(0x100000000, true));
static_assert(s_lshl_b64(1, 64) == w64(1, true));
static_assert(s_lshl_b64(1, 65) == w64(2, true));
static_assert(s_lshl_b64(long_min, 1) == w64(0, false));

static_assert(s_lshr_b32(int_min, 31) == w32(1, true));
static_assert(s_lshr_b32(ones32, 4) == w32(0x0fffffff, true));
static_assert(s_lshr_b32(1, 1) == w32(0, false));
static_assert(s_lshr_b32(1, 32) == w32(1, true));
static_assert(s_lshr_b32(4, 33) == w32(2, true));
static_assert(s_lshr_b64(long_min, 63) == w64(1, true));
static_assert(s_lshr_b64(ones64, 32) == w64(0xffffffff, true));
static_assert(s_lshr_b64(1, 1) == w64(0, false));
static_assert(s_lshr_b64(1, 64) == w64(1, true));
static_assert(s_lshr_b64(4, 65) == w64(2, true));

static_assert(s_ashr_i32(s32(int_min), 31) == wi32(ones32, true));
static_assert(s_ashr_i32(s32(int_min), 4) == wi32(0xf8000000, true));
static_assert(s_ashr_i32(s32(int_max), 31) == wi32(0, false));
static_assert(s_ashr_i32(0x40000000, 4) == wi32(0x04000000, true));
static_assert(s_ashr_i32(s32(int_min), 32) == wi32(int_min, true));
static_assert(s_ashr_i32(s32(int_min), 33) == wi32(0xc0000000, true));
static_assert(s_ashr_i64(s64(long_min), 63) == wi64(ones64, true));
static_assert(s_ashr_i64(s64(long_min), 4) == wi64(0xf800000000000000, true));
static_assert(s_ashr_i64(s64(long_max), 63) == wi64(0, false));
static_assert(s_ashr_i64(0x0000000080000000, 31) == wi64(1, true));
static_assert(s_ashr_i64(s64(long_min), 64) == wi64(long_min, true));
static_assert(s_ashr_i64(s64(long_min), 65) == wi64(0xc000000000000000, true));

// ((1 << length) - 1) << offset: lengths of 32 and 64 cannot be expressed.
static_assert(s_bfm_b32(0, 0) == 0);
static_assert(s_bfm_b32(32, 0) == 0);
static_assert(s_bfm_b32(1, 0) == 1);
static_assert(s_bfm_b32(4, 8) == 0xf00);
static_assert(s_bfm_b32(8, 4) == 0xff0);
static_assert(s_bfm_b32(31, 0) == int_max);
static_assert(s_bfm_b32(31, 1) == 0xfffffffe);
static_assert(s_bfm_b32(31, 31) == int_min);
static_assert(s_bfm_b32(16, 24) == 0xff000000);
static_assert(s_bfm_b32(36, 40) == 0xf00);
static_assert(s_bfm_b64(0, 0) == 0);
static_assert(s_bfm_b64(64, 0) == 0);
static_assert(s_bfm_b64(4, 8) == 0xf00);
static_assert(s_bfm_b64(8, 4) == 0xff0);
static_assert(s_bfm_b64(63, 0) == long_max);
static_assert(s_bfm_b64(63, 63) == long_min);
static_assert(s_bfm_b64(32, 32) == 0xffffffff00000000);
static_assert(s_bfm_b64(68, 72) == 0xf00);

// SSRC1: offset in [4:0] or [5:0], width in [22:16].
constexpr Checked<WithScc<u32>> bfe32(u32 value, bool scc, bool unspecified = false) {
  return {w32(value, scc), unspecified};
}
constexpr Checked<WithScc<i32>> bfe_signed32(u32 value, bool scc, bool unspecified = false) {
  return {wi32(value, scc), unspecified};
}
constexpr Checked<WithScc<u64>> bfe64(u64 value, bool scc, bool unspecified = false) {
  return {w64(value, scc), unspecified};
}
constexpr Checked<WithScc<i64>> bfe_signed64(u64 value, bool scc, bool unspecified = false) {
  return {wi64(value, scc), unspecified};
}

static_assert(s_bfe_u32(0xdeadbeef, 0x00080008) == bfe32(0xbe, true));
static_assert(s_bfe_u32(0xdeadbeef, 0x00200000) == bfe32(0xdeadbeef, true));
static_assert(s_bfe_u32(0xdeadbeef, 0x00000000) == bfe32(0, false));
static_assert(s_bfe_u32(0xdeadbeef, 0x00000008) == bfe32(0, false));
static_assert(s_bfe_u32(0xdeadbeef, 0x00040000) == bfe32(0xf, true));
static_assert(s_bfe_u32(0xdeadbeef, 0x0004001c) == bfe32(0xd, true));
static_assert(s_bfe_u32(0xdeadbeef, 0x0020001c) == bfe32(0xd, true));
static_assert(s_bfe_u32(0xdeadbeef, 0x001f0000) == bfe32(0x5eadbeef, true));
static_assert(s_bfe_u32(0xdeadbeef, 0x001f0001) == bfe32(0x6f56df77, true));
static_assert(s_bfe_u32(0xffff00ff, 0x00080008) == bfe32(0, false));
static_assert(s_bfe_u32(0xdeadbeef, 0x00010000) == bfe32(1, true));
static_assert(s_bfe_u32(0xdeadbeef, 0x00080028) == bfe32(0xbe, true));
static_assert(s_bfe_u32(0, 0x00200000) == bfe32(0, false));
static_assert(s_bfe_u32(0xf, 0x00200004) == bfe32(0, false));
// Bits that are neither offset nor width are ignored.
static_assert(s_bfe_u32(0xdeadbeef, 0xff88ffe8) == bfe32(0xbe, true));
// A width above the operand's saturates; the manuals do not say so.
static_assert(s_bfe_u32(0xdeadbeef, 0x00210004) == bfe32(0x0deadbee, true, true));
static_assert(s_bfe_u32(0xdeadbeef, 0x007f0000) == bfe32(0xdeadbeef, true, true));
static_assert(s_bfe_u32(0xdeadbeef, 0x00400000) == bfe32(0xdeadbeef, true, true));

static_assert(s_bfe_i32(s32(0xdeadbeef), 0x00080008) == bfe_signed32(0xffffffbe, true));
static_assert(s_bfe_i32(s32(int_min), 0x0004001c) == bfe_signed32(0xfffffff8, true));
static_assert(s_bfe_i32(s32(0xdeadbeef), 0x00200000) == bfe_signed32(0xdeadbeef, true));
static_assert(s_bfe_i32(s32(0xdeadbeef), 0x00000004) == bfe_signed32(0, false));
static_assert(s_bfe_i32(0x00007f00, 0x00080008) == bfe_signed32(0x7f, true));
static_assert(s_bfe_i32(s32(int_min), 0x00080018) == bfe_signed32(0xffffff80, true));
static_assert(s_bfe_i32(s32(int_min), 0x0010001c) == bfe_signed32(0xfffffff8, true));
static_assert(s_bfe_i32(1, 0x00010000) == bfe_signed32(ones32, true));
static_assert(s_bfe_i32(2, 0x00010000) == bfe_signed32(0, false));
static_assert(s_bfe_i32(s32(int_min), 0x00210010) == bfe_signed32(0xffff8000, true, true));
static_assert(s_bfe_i32(s32(int_min), 0x00200010) == bfe_signed32(0xffff8000, true));

static_assert(s_bfe_u64(0x0123456789abcdef, 0x00100010) == bfe64(0x89ab, true));
static_assert(s_bfe_u64(0x0123456789abcdef, 0x00100020) == bfe64(0x4567, true));
static_assert(s_bfe_u64(0x0123456789abcdef, 0x00400000) == bfe64(0x0123456789abcdef, true));
static_assert(s_bfe_u64(0x0123456789abcdef, 0x00000020) == bfe64(0, false));
static_assert(s_bfe_u64(ones64, 0x003f0000) == bfe64(long_max, true));
static_assert(s_bfe_u64(ones64, 0x0040003f) == bfe64(1, true));
static_assert(s_bfe_u64(ones64, 0x00200000) == bfe64(0xffffffff, true));
static_assert(s_bfe_u64(ones64, 0x0041003c) == bfe64(0xf, true, true));
static_assert(s_bfe_u64(0xff00000000000000, 0x00200000) == bfe64(0, false));
static_assert(s_bfe_u64(0x0123456789abcdef, 0xff90ffd0) == bfe64(0x89ab, true));

// LLVM's sign extension of 32 bits to 64.
static_assert(s_bfe_i64(0x00000000ffffffff, 0x00200000) == bfe_signed64(ones64, true));
static_assert(s_bfe_i64(0x000000007fffffff, 0x00200000) == bfe_signed64(0x7fffffff, true));
static_assert(s_bfe_i64(s64(long_min), 0x0004003c) == bfe_signed64(0xfffffffffffffff8, true));
static_assert(s_bfe_i64(s64(long_min), 0x00400000) == bfe_signed64(long_min, true));
static_assert(s_bfe_i64(s64(long_min), 0x0020003c) == bfe_signed64(0xfffffffffffffff8, true));
static_assert(s_bfe_i64(0x0123456789abcdef, 0x00080020) == bfe_signed64(0x67, true));
static_assert(s_bfe_i64(0x0123456789abcdef, 0x00080008) == bfe_signed64(0xffffffffffffffcd, true));
static_assert(s_bfe_i64(-1, 0x00000010) == bfe_signed64(0, false));
static_assert(s_bfe_i64(s64(long_min), 0x00480020) == bfe_signed64(0xffffffff80000000, true, true));

// {S1 in the high half, S0 in the low half}
static_assert(s_pack_ll_b32_b16(0x11112222, 0x33334444) == 0x44442222);
static_assert(s_pack_lh_b32_b16(0x11112222, 0x33334444) == 0x33332222);
static_assert(s_pack_hh_b32_b16(0x11112222, 0x33334444) == 0x33331111);
static_assert(s_pack_ll_b32_b16(0xfedcba98, 0x76543210) == 0x3210ba98);
static_assert(s_pack_lh_b32_b16(0xfedcba98, 0x76543210) == 0x7654ba98);
static_assert(s_pack_hh_b32_b16(0xfedcba98, 0x76543210) == 0x7654fedc);
static_assert(s_pack_ll_b32_b16(ones32, 0) == 0x0000ffff);
static_assert(s_pack_lh_b32_b16(ones32, 0x0000ffff) == 0x0000ffff);
static_assert(s_pack_lh_b32_b16(0xffff0000, ones32) == 0xffff0000);
static_assert(s_pack_hh_b32_b16(0x0000ffff, ones32) == 0xffff0000);

}  // namespace salu::isa::semantics
