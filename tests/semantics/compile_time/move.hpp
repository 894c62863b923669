#pragma once

#include "semantics/compile_time/results.hpp"

// semantics.md 2, 3 and 5: moves.
namespace salu::isa::semantics {

static_assert(s_mov_b32(0x12345678) == 0x12345678);
static_assert(s_mov_b64(0x123456789abcdef0) == 0x123456789abcdef0);
static_assert(s_cmov_b32(7, {true}) == Maybe<u32>{7, true});
static_assert(!s_cmov_b32(7, {false}).write);
static_assert(s_cmov_b64(0x700000007, {true}) == Maybe<u64>{0x700000007, true});
static_assert(!s_cmov_b64(7, {false}).write);
static_assert(s_cselect_b32(7, 8, {true}) == 7);
static_assert(s_cselect_b32(7, 8, {false}) == 8);
static_assert(s_cselect_b64(0x700000007, 0x800000008, {true}) == 0x700000007);
static_assert(s_cselect_b64(0x700000007, 0x800000008, {false}) == 0x800000008);
static_assert(s_movk_i32({-2}) == -2);
static_assert(s_movk_i32({0x7fff}) == 0x7fff);
static_assert(s_cmovk_i32({-2}, {true}) == Maybe<i32>{-2, true});
static_assert(!s_cmovk_i32({-2}, {false}).write);

// The sum of register number and M0 needs more than 32 bits: an index near 2^32 does not wrap around to a register.
static_assert(s_movrels_b32({5}, {3}) == RelativeSource<u32>{8});
static_assert(s_movrels_b32({5}, {ones32}) == RelativeSource<u32>{0x100000004});
static_assert(s_movrels_b64({4}, {2}) == RelativeSource<u64>{6});
static_assert(s_movrels_b64({4}, {0xfffffffe}) == RelativeSource<u64>{0x100000002});
static_assert(s_movreld_b32(77, {5}, {3}) == RelativeDestination<u32>{8, 77});
static_assert(s_movreld_b32(77, {5}, {ones32}) == RelativeDestination<u32>{0x100000004, 77});
static_assert(s_movreld_b64(0x100000002, {4}, {2}) == RelativeDestination<u64>{6, 0x100000002});
static_assert(s_movreld_b64(77, {4}, {0xfffffffe}) == RelativeDestination<u64>{0x100000002, 77});

// Erratum E19.
static_assert(s_mov_fed_b32(9) == Checked<u32>{9, true});
static_assert(s_mov_regrd_b32() == Undocumented{});
static_assert(s_getreg_regrd_b32() == Undocumented{});

}  // namespace salu::isa::semantics
