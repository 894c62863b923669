#pragma once

#include "semantics/compile_time/results.hpp"

// semantics.md 4 and 5: only SCC is written.
namespace salu::isa::semantics {

/// SCC for (1, 2), (2, 2), (2, 1) and for (minus one or all ones, 1), where signed and unsigned comparison differ.
struct Ordering {
  bool less;
  bool equal;
  bool greater;
  bool ones_and_one;
};

constexpr bool agrees(SccOnly (*compare)(i32, i32), Ordering expected) {
  return compare(1, 2).scc == expected.less && compare(2, 2).scc == expected.equal &&
         compare(2, 1).scc == expected.greater && compare(-1, 1).scc == expected.ones_and_one;
}
constexpr bool agrees(SccOnly (*compare)(u32, u32), Ordering expected) {
  return compare(1, 2).scc == expected.less && compare(2, 2).scc == expected.equal &&
         compare(2, 1).scc == expected.greater && compare(ones32, 1).scc == expected.ones_and_one;
}
constexpr bool agrees(SccOnly (*compare)(i32, Simm16), Ordering expected) {
  return compare(1, {2}).scc == expected.less && compare(2, {2}).scc == expected.equal &&
         compare(2, {1}).scc == expected.greater && compare(-1, {1}).scc == expected.ones_and_one;
}
constexpr bool agrees(SccOnly (*compare)(u32, Uimm16), Ordering expected) {
  return compare(1, {2}).scc == expected.less && compare(2, {2}).scc == expected.equal &&
         compare(2, {1}).scc == expected.greater && compare(ones32, {1}).scc == expected.ones_and_one;
}

static_assert(agrees(s_cmp_eq_i32, {false, true, false, false}));
static_assert(agrees(s_cmp_lg_i32, {true, false, true, true}));
static_assert(agrees(s_cmp_gt_i32, {false, false, true, false}));
static_assert(agrees(s_cmp_ge_i32, {false, true, true, false}));
static_assert(agrees(s_cmp_lt_i32, {true, false, false, true}));
static_assert(agrees(s_cmp_le_i32, {true, true, false, true}));
static_assert(agrees(s_cmp_eq_u32, {false, true, false, false}));
static_assert(agrees(s_cmp_lg_u32, {true, false, true, true}));
static_assert(agrees(s_cmp_gt_u32, {false, false, true, true}));
static_assert(agrees(s_cmp_ge_u32, {false, true, true, true}));
static_assert(agrees(s_cmp_lt_u32, {true, false, false, false}));
static_assert(agrees(s_cmp_le_u32, {true, true, false, false}));
static_assert(agrees(s_cmpk_eq_i32, {false, true, false, false}));
static_assert(agrees(s_cmpk_lg_i32, {true, false, true, true}));
static_assert(agrees(s_cmpk_gt_i32, {false, false, true, false}));
static_assert(agrees(s_cmpk_ge_i32, {false, true, true, false}));
static_assert(agrees(s_cmpk_lt_i32, {true, false, false, true}));
static_assert(agrees(s_cmpk_le_i32, {true, true, false, true}));
static_assert(agrees(s_cmpk_eq_u32, {false, true, false, false}));
static_assert(agrees(s_cmpk_lg_u32, {true, false, true, true}));
static_assert(agrees(s_cmpk_gt_u32, {false, false, true, true}));
static_assert(agrees(s_cmpk_ge_u32, {false, true, true, true}));
static_assert(agrees(s_cmpk_lt_u32, {true, false, false, false}));
static_assert(agrees(s_cmpk_le_u32, {true, true, false, false}));

// Every bit counts.
static_assert(s_cmp_eq_i32(s32(int_min), 0) == SccOnly{false});
static_assert(s_cmp_lg_u32(int_min, 0) == SccOnly{true});
static_assert(s_cmp_eq_u64(0x100000001, 0x100000001) == SccOnly{true});
static_assert(s_cmp_eq_u64(0x100000001, 0x000000001) == SccOnly{false});
static_assert(s_cmp_eq_u64(0x100000001, 0x100000000) == SccOnly{false});
static_assert(s_cmp_lg_u64(0x100000001, 0x100000001) == SccOnly{false});
static_assert(s_cmp_lg_u64(0x100000001, 0x000000001) == SccOnly{true});
static_assert(s_cmp_lg_u64(0x000000001, 0x100000001) == SccOnly{true});
static_assert(s_cmp_eq_u64(0, long_min) == SccOnly{false});

static_assert(s_bitcmp0_b32(0x8, 3) == SccOnly{false});
static_assert(s_bitcmp0_b32(0x8, 2) == SccOnly{true});
static_assert(s_bitcmp0_b32(0x8, 4) == SccOnly{true});
static_assert(s_bitcmp0_b32(0x8, 35) == SccOnly{false});
static_assert(s_bitcmp0_b32(int_min, 31) == SccOnly{false});
static_assert(s_bitcmp0_b32(int_min, 63) == SccOnly{false});
static_assert(s_bitcmp0_b32(0xfffffff7, 3) == SccOnly{true});
static_assert(s_bitcmp1_b32(0x8, 3) == SccOnly{true});
static_assert(s_bitcmp1_b32(0x8, 2) == SccOnly{false});
static_assert(s_bitcmp1_b32(0x8, 4) == SccOnly{false});
static_assert(s_bitcmp1_b32(0x8, 35) == SccOnly{true});
static_assert(s_bitcmp1_b32(int_min, 63) == SccOnly{true});
static_assert(s_bitcmp1_b32(0xfffffff7, 3) == SccOnly{false});
static_assert(s_bitcmp1_b32(ones32, 3) == SccOnly{true});
static_assert(s_bitcmp0_b64(0x800000000, 35) == SccOnly{false});
static_assert(s_bitcmp0_b64(0x800000000, 3) == SccOnly{true});
static_assert(s_bitcmp0_b64(0x800000000, 34) == SccOnly{true});
static_assert(s_bitcmp0_b64(0x800000000, 99) == SccOnly{false});
static_assert(s_bitcmp0_b64(long_min, 63) == SccOnly{false});
static_assert(s_bitcmp1_b64(0x800000000, 35) == SccOnly{true});
static_assert(s_bitcmp1_b64(0x800000000, 3) == SccOnly{false});
static_assert(s_bitcmp1_b64(0x800000000, 36) == SccOnly{false});
static_assert(s_bitcmp1_b64(0x800000000, 99) == SccOnly{true});
static_assert(s_bitcmp1_b64(long_min, 63) == SccOnly{true});
static_assert(s_bitcmp1_b64(ones64, 35) == SccOnly{true});
static_assert(s_bitcmp1_b64(~u64{0x800000000}, 35) == SccOnly{false});
static_assert(s_bitcmp0_b64(~u64{0x800000000}, 35) == SccOnly{true});

}  // namespace salu::isa::semantics
