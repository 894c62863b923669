#pragma once

#include "semantics/compile_time/results.hpp"

// semantics.md 2, 3 and 5: addition, subtraction, minimum and maximum, multiplication.
namespace salu::isa::semantics {

static_assert(s_add_u32(0, 0) == w32(0, false));
static_assert(s_add_u32(7, 0) == w32(7, false));
static_assert(s_add_u32(0, 7) == w32(7, false));
static_assert(s_add_u32(2, 3) == w32(5, false));
static_assert(s_add_u32(ones32, 0) == w32(ones32, false));
static_assert(s_add_u32(0, ones32) == w32(ones32, false));
static_assert(s_add_u32(ones32, 1) == w32(0, true));
static_assert(s_add_u32(1, ones32) == w32(0, true));
static_assert(s_add_u32(ones32, ones32) == w32(0xfffffffe, true));
static_assert(s_add_u32(int_max, 1) == w32(int_min, false));
static_assert(s_add_u32(int_min, int_min) == w32(0, true));

static_assert(s_sub_u32(0, 0) == w32(0, false));
static_assert(s_sub_u32(5, 3) == w32(2, false));
static_assert(s_sub_u32(3, 5) == w32(0xfffffffe, true));
static_assert(s_sub_u32(0, 1) == w32(ones32, true));
static_assert(s_sub_u32(ones32, ones32) == w32(0, false));
static_assert(s_sub_u32(int_min, 1) == w32(int_max, false));
static_assert(s_sub_u32(int_max, int_min) == w32(ones32, true));
static_assert(s_sub_u32(1, ones32) == w32(2, true));

static_assert(s_add_i32(0, 0) == w32(0, false));
static_assert(s_add_i32(int_max, 1) == w32(int_min, true));
static_assert(s_add_i32(1, int_max) == w32(int_min, true));
static_assert(s_add_i32(int_min, ones32) == w32(int_max, true));
static_assert(s_add_i32(ones32, int_min) == w32(int_max, true));
static_assert(s_add_i32(int_min, int_min) == w32(0, true));
static_assert(s_add_i32(int_min, int_max) == w32(ones32, false));
static_assert(s_add_i32(int_max, int_min) == w32(ones32, false));
static_assert(s_add_i32(ones32, 1) == w32(0, false));
static_assert(s_add_i32(1, ones32) == w32(0, false));
static_assert(s_add_i32(ones32, ones32) == w32(0xfffffffe, false));
static_assert(s_add_i32(2, 3) == w32(5, false));
static_assert(s_add_i32(0x20000000, 0x20000000) == w32(0x40000000, false));

static_assert(s_sub_i32(0, 0) == w32(0, false));
static_assert(s_sub_i32(5, 3) == w32(2, false));
static_assert(s_sub_i32(3, 5) == w32(0xfffffffe, false));
static_assert(s_sub_i32(0x40000000, 0x20000000) == w32(0x20000000, false));
static_assert(s_sub_i32(ones32, 1) == w32(0xfffffffe, false));
static_assert(s_sub_i32(1, ones32) == w32(2, false));
static_assert(s_sub_i32(int_min, 1) == w32(int_max, true));
static_assert(s_sub_i32(int_max, ones32) == w32(int_min, true));
static_assert(s_sub_i32(0, int_min) == w32(int_min, true));
static_assert(s_sub_i32(ones32, int_min) == w32(int_max, false));
static_assert(s_sub_i32(int_min, int_min) == w32(0, false));
static_assert(s_sub_i32(int_min, ones32) == w32(0x80000001, false));
static_assert(s_sub_i32(int_max, int_min) == w32(ones32, true));
static_assert(s_sub_i32(int_min, int_max) == w32(1, true));

static_assert(s_addc_u32(2, 3, {false}) == w32(5, false));
static_assert(s_addc_u32(2, 3, {true}) == w32(6, false));
static_assert(s_addc_u32(ones32, 0, {true}) == w32(0, true));
static_assert(s_addc_u32(0, ones32, {true}) == w32(0, true));
static_assert(s_addc_u32(ones32, 0, {false}) == w32(ones32, false));
static_assert(s_addc_u32(ones32, ones32, {true}) == w32(ones32, true));
static_assert(s_addc_u32(ones32, ones32, {false}) == w32(0xfffffffe, true));
static_assert(s_addc_u32(ones32, 1, {false}) == w32(0, true));
static_assert(s_addc_u32(int_max, int_max, {true}) == w32(ones32, false));
static_assert(s_addc_u32(int_min, int_min, {false}) == w32(0, true));

static_assert(s_subb_u32(5, 3, {false}) == w32(2, false));
static_assert(s_subb_u32(5, 3, {true}) == w32(1, false));
static_assert(s_subb_u32(3, 3, {false}) == w32(0, false));
static_assert(s_subb_u32(3, 3, {true}) == w32(ones32, true));
static_assert(s_subb_u32(3, 2, {true}) == w32(0, false));
static_assert(s_subb_u32(0, ones32, {true}) == w32(0, true));
static_assert(s_subb_u32(0, ones32, {false}) == w32(1, true));
// The subtrahend plus the borrow needs a 33rd bit here.
static_assert(s_subb_u32(ones32, ones32, {true}) == w32(ones32, true));
static_assert(s_subb_u32(ones32, 0, {true}) == w32(0xfffffffe, false));
static_assert(s_subb_u32(0, 0, {true}) == w32(ones32, true));

static_assert(s_min_i32(-1, 1) == wi32(ones32, true));
static_assert(s_min_i32(1, -1) == wi32(ones32, false));
static_assert(s_min_i32(4, 4) == wi32(4, false));
static_assert(s_min_i32(s32(int_min), s32(int_max)) == wi32(int_min, true));
static_assert(s_min_i32(s32(int_max), s32(int_min)) == wi32(int_min, false));
static_assert(s_min_u32(ones32, 1) == w32(1, false));
static_assert(s_min_u32(1, ones32) == w32(1, true));
static_assert(s_min_u32(4, 4) == w32(4, false));
static_assert(s_min_u32(int_max, int_min) == w32(int_max, true));
static_assert(s_max_i32(-1, 1) == wi32(1, false));
static_assert(s_max_i32(1, -1) == wi32(1, true));
static_assert(s_max_i32(4, 4) == wi32(4, false));
static_assert(s_max_i32(s32(int_max), s32(int_min)) == wi32(int_max, true));
static_assert(s_max_u32(ones32, 1) == w32(ones32, true));
static_assert(s_max_u32(1, ones32) == w32(ones32, false));
static_assert(s_max_u32(4, 4) == w32(4, false));
static_assert(s_max_u32(int_max, int_min) == w32(int_min, false));
// Erratum E7: only CDNA 3 sets SCC if both are equal.
static_assert(s_max_i32_cdna3(4, 4) == wi32(4, true));
static_assert(s_max_i32_cdna3(-1, 1) == wi32(1, false));
static_assert(s_max_i32_cdna3(1, -1) == wi32(1, true));
static_assert(s_max_i32_cdna3(s32(int_min), s32(int_max)) == wi32(int_max, false));
static_assert(s_max_u32_cdna3(4, 4) == w32(4, true));
static_assert(s_max_u32_cdna3(1, ones32) == w32(ones32, false));
static_assert(s_max_u32_cdna3(ones32, 1) == w32(ones32, true));

// AMD's five examples.
static_assert(s_absdiff_i32(2, 5) == w32(3, true));
static_assert(s_absdiff_i32(int_min, 0) == w32(int_min, true));
static_assert(s_absdiff_i32(int_min, 1) == w32(int_max, true));
static_assert(s_absdiff_i32(int_min, ones32) == w32(int_max, true));
static_assert(s_absdiff_i32(int_min, 0xfffffffe) == w32(0x7ffffffe, true));
static_assert(s_absdiff_i32(5, 2) == w32(3, true));
static_assert(s_absdiff_i32(9, 9) == w32(0, false));
static_assert(s_absdiff_i32(3, 2) == w32(1, true));
static_assert(s_absdiff_i32(2, 3) == w32(1, true));
static_assert(s_absdiff_i32(0, int_min) == w32(int_min, true));

static_assert(s_abs_i32(0) == w32(0, false));
static_assert(s_abs_i32(1) == w32(1, true));
static_assert(s_abs_i32(ones32) == w32(1, true));
static_assert(s_abs_i32(0xfffffff0) == w32(16, true));
static_assert(s_abs_i32(int_max) == w32(int_max, true));
static_assert(s_abs_i32(int_min) == w32(int_min, true));

static_assert(s_mul_i32(6, 7) == 42);
static_assert(s_mul_i32(ones32, 5) == 0xfffffffb);
static_assert(s_mul_i32(0x10000, 0x10000) == 0);
static_assert(s_mul_i32(int_min, 3) == int_min);
static_assert(s_mul_i32(0x12345678, 0x10) == 0x23456780);

static_assert(s_mul_hi_u32(ones32, ones32) == 0xfffffffe);
static_assert(s_mul_hi_u32(0x10000, 0x10000) == 1);
static_assert(s_mul_hi_u32(0xffff, 0x10000) == 0);
static_assert(s_mul_hi_u32(int_min, 2) == 1);
static_assert(s_mul_hi_u32(ones32, 2) == 1);
static_assert(s_mul_hi_u32(0x80000000, 0x80000000) == 0x40000000);
static_assert(s_mul_hi_i32(-1, -1) == 0);
static_assert(s_mul_hi_i32(-1, 1) == ones32);
static_assert(s_mul_hi_i32(1, -1) == ones32);
static_assert(s_mul_hi_i32(s32(int_min), s32(int_min)) == 0x40000000);
static_assert(s_mul_hi_i32(s32(int_min), 2) == ones32);
static_assert(s_mul_hi_i32(s32(int_max), s32(int_max)) == 0x3fffffff);
static_assert(s_mul_hi_i32(0x10000, 0x10000) == 1);

// SCC is the carry of the untruncated sum: bits that are shifted out count.
static_assert(s_lshl1_add_u32(3, 5) == w32(11, false));
static_assert(s_lshl1_add_u32(5, 3) == w32(13, false));
static_assert(s_lshl1_add_u32(int_min, 0) == w32(0, true));
static_assert(s_lshl1_add_u32(0, int_min) == w32(int_min, false));
static_assert(s_lshl1_add_u32(int_max, 1) == w32(ones32, false));
static_assert(s_lshl1_add_u32(int_max, 2) == w32(0, true));
static_assert(s_lshl2_add_u32(3, 5) == w32(17, false));
static_assert(s_lshl2_add_u32(0x40000000, 0) == w32(0, true));
static_assert(s_lshl2_add_u32(0x3fffffff, 3) == w32(ones32, false));
static_assert(s_lshl2_add_u32(0x3fffffff, 4) == w32(0, true));
static_assert(s_lshl3_add_u32(3, 5) == w32(29, false));
static_assert(s_lshl3_add_u32(0x20000000, 1) == w32(1, true));
static_assert(s_lshl3_add_u32(0x1fffffff, 7) == w32(ones32, false));
static_assert(s_lshl4_add_u32(3, 5) == w32(53, false));
static_assert(s_lshl4_add_u32(0x10000000, 1) == w32(1, true));
static_assert(s_lshl4_add_u32(0x0fffffff, 15) == w32(ones32, false));
static_assert(s_lshl4_add_u32(ones32, ones32) == w32(0xffffffef, true));

static_assert(s_addk_i32(10, {-3}) == w32(7, false));
static_assert(s_addk_i32(int_max, {1}) == w32(int_min, true));
static_assert(s_addk_i32(int_min, {-1}) == w32(int_max, true));
static_assert(s_addk_i32(ones32, {1}) == w32(0, false));
static_assert(s_addk_i32(0x7fff8000, {0x7fff}) == w32(0x7fffffff, false));
static_assert(s_mulk_i32(7, {-3}) == 0xffffffeb);
static_assert(s_mulk_i32(0x10001, {0x7fff}) == 0x7fff7fff);
static_assert(s_mulk_i32(3, {0}) == 0);

}  // namespace salu::isa::semantics
