#pragma once

#include "semantics/compile_time/results.hpp"

// semantics.md 3: counting, finding, setting, reversing and spreading bits.
namespace salu::isa::semantics {

static_assert(s_wqm_b32(0) == w32(0, false));
static_assert(s_wqm_b32(1) == w32(0xf, true));
static_assert(s_wqm_b32(int_min) == w32(0xf0000000, true));
static_assert(s_wqm_b32(0x10204080) == w32(0xf0f0f0f0, true));
static_assert(s_wqm_b32(0x08040201) == w32(0x0f0f0f0f, true));
static_assert(s_wqm_b64(0) == w64(0, false));
static_assert(s_wqm_b64(long_min | 1) == w64(0xf00000000000000f, true));
static_assert(s_wqm_b64(0x1020408001020408) == w64(0xf0f0f0f00f0f0f0f, true));
static_assert(s_wqm_b64(0x0000000100000000) == w64(0x0000000f00000000, true));

static_assert(s_quadmask_b32(0) == w32(0, false));
static_assert(s_quadmask_b32(0x10204080) == w32(0xaa, true));
static_assert(s_quadmask_b32(0x08040201) == w32(0x55, true));
static_assert(s_quadmask_b32(ones32) == w32(0xff, true));
static_assert(s_quadmask_b64(0) == w64(0, false));
static_assert(s_quadmask_b64(0x1020408001020408) == w64(0xaa55, true));
static_assert(s_quadmask_b64(ones64) == w64(0xffff, true));

/// A single bit at each position: it fills its group of four, and sets the group's bit in the quad mask.
constexpr bool single_bits_fill_their_quad() {
  for (u32 bit = 0; bit < 64; ++bit) {
    const u32 group = bit / 4;
    if (s_wqm_b64(u64{1} << bit) != w64(u64{15} << (4 * group), true)) return false;
    if (s_quadmask_b64(u64{1} << bit) != w64(u64{1} << group, true)) return false;
    if (bit >= 32) continue;
    if (s_wqm_b32(u32{1} << bit) != w32(u32{15} << (4 * group), true)) return false;
    if (s_quadmask_b32(u32{1} << bit) != w32(u32{1} << group, true)) return false;
  }
  return true;
}
static_assert(single_bits_fill_their_quad());

static_assert(s_brev_b32(0x12345678) == 0x1e6a2c48);
static_assert(s_brev_b32(0xffff0000) == 0x0000ffff);
static_assert(s_brev_b64(0x0123456789abcdef) == 0xf7b3d591e6a2c480);
constexpr bool single_bits_change_ends() {
  for (u32 bit = 0; bit < 64; ++bit) {
    if (s_brev_b64(u64{1} << bit) != u64{1} << (63 - bit)) return false;
    if (bit < 32 && s_brev_b32(u32{1} << bit) != u32{1} << (31 - bit)) return false;
  }
  return true;
}
static_assert(single_bits_change_ends());

static_assert(s_bcnt0_i32_b32(0) == w32(32, true));
static_assert(s_bcnt0_i32_b32(ones32) == w32(0, false));
static_assert(s_bcnt0_i32_b32(0xffff0001) == w32(15, true));
static_assert(s_bcnt0_i32_b64(0) == w32(64, true));
static_assert(s_bcnt0_i32_b64(ones64) == w32(0, false));
static_assert(s_bcnt0_i32_b64(0xffffffff00000001) == w32(31, true));
static_assert(s_bcnt1_i32_b32(0) == w32(0, false));
static_assert(s_bcnt1_i32_b32(ones32) == w32(32, true));
static_assert(s_bcnt1_i32_b32(0xffff0001) == w32(17, true));
static_assert(s_bcnt1_i32_b64(0) == w32(0, false));
static_assert(s_bcnt1_i32_b64(ones64) == w32(64, true));
static_assert(s_bcnt1_i32_b64(0xffffffff00000001) == w32(33, true));

static_assert(s_ff0_i32_b32(0) == 0);
static_assert(s_ff0_i32_b32(ones32) == ones32);
static_assert(s_ff0_i32_b32(0x0000ffff) == 16);
static_assert(s_ff0_i32_b32(int_max) == 31);
static_assert(s_ff0_i32_b64(0) == 0);
static_assert(s_ff0_i32_b64(ones64) == ones32);
static_assert(s_ff0_i32_b64(0x00000000ffffffff) == 32);
static_assert(s_ff0_i32_b64(long_max) == 63);
static_assert(s_ff1_i32_b32(0) == ones32);
static_assert(s_ff1_i32_b32(ones32) == 0);
static_assert(s_ff1_i32_b32(0xffff0000) == 16);
static_assert(s_ff1_i32_b32(int_min) == 31);
static_assert(s_ff1_i32_b64(0) == ones32);
static_assert(s_ff1_i32_b64(ones64) == 0);
static_assert(s_ff1_i32_b64(0xffffffff00000000) == 32);
static_assert(s_ff1_i32_b64(long_min) == 63);

// AMD's tables of S_FLBIT.
static_assert(s_flbit_i32_b32(0) == ones32);
static_assert(s_flbit_i32_b32(0x0000cccc) == 16);
static_assert(s_flbit_i32_b32(0xffff3333) == 0);
static_assert(s_flbit_i32_b32(int_max) == 1);
static_assert(s_flbit_i32_b32(ones32) == 0);
static_assert(s_flbit_i32_b32(1) == 31);
static_assert(s_flbit_i32_b64(0) == ones32);
static_assert(s_flbit_i32_b64(0x0000cccc) == 48);
static_assert(s_flbit_i32_b64(0x0000cccc00000000) == 16);
static_assert(s_flbit_i32_b64(ones64) == 0);
static_assert(s_flbit_i32_b64(1) == 63);
static_assert(s_flbit_i32(0) == ones32);
static_assert(s_flbit_i32(0x0000cccc) == 16);
static_assert(s_flbit_i32(0xffff3333) == 16);
static_assert(s_flbit_i32(int_max) == 1);
static_assert(s_flbit_i32(int_min) == 1);
static_assert(s_flbit_i32(ones32) == ones32);
static_assert(s_flbit_i32(0xfffffffe) == 31);
static_assert(s_flbit_i32(1) == 31);
static_assert(s_flbit_i32_i64(0) == ones32);
static_assert(s_flbit_i32_i64(-1) == ones32);
static_assert(s_flbit_i32_i64(s64(long_min)) == 1);
static_assert(s_flbit_i32_i64(s64(long_max)) == 1);
static_assert(s_flbit_i32_i64(0x0000cccc) == 48);
static_assert(s_flbit_i32_i64(s64(0xffff333300000000)) == 16);
static_assert(s_flbit_i32_i64(-2) == 63);
static_assert(s_flbit_i32_i64(1) == 63);

static_assert(s_sext_i32_i8(0x7f) == 127);
static_assert(s_sext_i32_i8(0x80) == -128);
static_assert(s_sext_i32_i8(0xffffff00) == 0);
static_assert(s_sext_i32_i8(0x1ff) == -1);
static_assert(s_sext_i32_i16(0x7fff) == 32767);
static_assert(s_sext_i32_i16(0x8000) == -32768);
static_assert(s_sext_i32_i16(0xffff0000) == 0);
static_assert(s_sext_i32_i16(0x1ffff) == -1);

// SSRC0 is the bit number, truncated to 5 or 6 bits; the other bits keep their value.
static_assert(s_bitset0_b32(5, {ones32}) == 0xffffffdf);
static_assert(s_bitset0_b32(37, {ones32}) == 0xffffffdf);
static_assert(s_bitset0_b32(31, {ones32}) == int_max);
static_assert(s_bitset0_b32(0, {0x12345678}) == 0x12345678);
static_assert(s_bitset0_b32(3, {0x12345678}) == 0x12345670);
static_assert(s_bitset0_b64(37, {ones64}) == 0xffffffdfffffffff);
static_assert(s_bitset0_b64(69, {ones64}) == 0xffffffffffffffdf);
static_assert(s_bitset0_b64(63, {ones64}) == long_max);
static_assert(s_bitset0_b64(0, {0x1234}) == 0x1234);
static_assert(s_bitset1_b32(5, {0}) == 0x20);
static_assert(s_bitset1_b32(37, {0}) == 0x20);
static_assert(s_bitset1_b32(31, {1}) == 0x80000001);
static_assert(s_bitset1_b32(3, {0x12345678}) == 0x12345678);
static_assert(s_bitset1_b64(37, {0}) == 0x2000000000);
static_assert(s_bitset1_b64(69, {0}) == 0x20);
static_assert(s_bitset1_b64(63, {1}) == 0x8000000000000001);

static_assert(s_bitreplicate_b64_b32(0) == 0);
static_assert(s_bitreplicate_b64_b32(ones32) == ones64);
static_assert(s_bitreplicate_b64_b32(0x80000001) == 0xc000000000000003);
static_assert(s_bitreplicate_b64_b32(0x12345678) == 0x030c0f30333c3fc0);
constexpr bool single_bits_become_two() {
  for (u32 bit = 0; bit < 32; ++bit) {
    if (s_bitreplicate_b64_b32(u32{1} << bit) != u64{3} << (2 * bit)) return false;
  }
  return true;
}
static_assert(single_bits_become_two());

}  // namespace salu::isa::semantics
