#pragma once

#include "isa/semantics/values.hpp"

/// SOPC and the SOPK compares: only SCC is written (semantics.md 4, 5).
namespace salu::isa::semantics {

constexpr SccOnly s_cmp_eq_i32(i32 ssrc0, i32 ssrc1) { return {ssrc0 == ssrc1}; }
constexpr SccOnly s_cmp_lg_i32(i32 ssrc0, i32 ssrc1) { return {ssrc0 != ssrc1}; }
constexpr SccOnly s_cmp_gt_i32(i32 ssrc0, i32 ssrc1) { return {ssrc0 > ssrc1}; }
constexpr SccOnly s_cmp_ge_i32(i32 ssrc0, i32 ssrc1) { return {ssrc0 >= ssrc1}; }
constexpr SccOnly s_cmp_lt_i32(i32 ssrc0, i32 ssrc1) { return {ssrc0 < ssrc1}; }
constexpr SccOnly s_cmp_le_i32(i32 ssrc0, i32 ssrc1) { return {ssrc0 <= ssrc1}; }
constexpr SccOnly s_cmp_eq_u32(u32 ssrc0, u32 ssrc1) { return {ssrc0 == ssrc1}; }
constexpr SccOnly s_cmp_lg_u32(u32 ssrc0, u32 ssrc1) { return {ssrc0 != ssrc1}; }
constexpr SccOnly s_cmp_gt_u32(u32 ssrc0, u32 ssrc1) { return {ssrc0 > ssrc1}; }
constexpr SccOnly s_cmp_ge_u32(u32 ssrc0, u32 ssrc1) { return {ssrc0 >= ssrc1}; }
constexpr SccOnly s_cmp_lt_u32(u32 ssrc0, u32 ssrc1) { return {ssrc0 < ssrc1}; }
constexpr SccOnly s_cmp_le_u32(u32 ssrc0, u32 ssrc1) { return {ssrc0 <= ssrc1}; }
constexpr SccOnly s_cmp_eq_u64(u64 ssrc0, u64 ssrc1) { return {ssrc0 == ssrc1}; }
constexpr SccOnly s_cmp_lg_u64(u64 ssrc0, u64 ssrc1) { return {ssrc0 != ssrc1}; }

constexpr SccOnly s_bitcmp0_b32(u32 ssrc0, u32 ssrc1) { return {(ssrc0 >> (ssrc1 & 31) & 1) == 0}; }
constexpr SccOnly s_bitcmp1_b32(u32 ssrc0, u32 ssrc1) { return {(ssrc0 >> (ssrc1 & 31) & 1) == 1}; }
constexpr SccOnly s_bitcmp0_b64(u64 ssrc0, u32 ssrc1) { return {(ssrc0 >> (ssrc1 & 63) & 1) == 0}; }
constexpr SccOnly s_bitcmp1_b64(u64 ssrc0, u32 ssrc1) { return {(ssrc0 >> (ssrc1 & 63) & 1) == 1}; }

constexpr SccOnly s_cmpk_eq_i32(i32 sdst, Simm16 simm16) { return {sdst == simm16.value}; }
constexpr SccOnly s_cmpk_lg_i32(i32 sdst, Simm16 simm16) { return {sdst != simm16.value}; }
constexpr SccOnly s_cmpk_gt_i32(i32 sdst, Simm16 simm16) { return {sdst > simm16.value}; }
constexpr SccOnly s_cmpk_ge_i32(i32 sdst, Simm16 simm16) { return {sdst >= simm16.value}; }
constexpr SccOnly s_cmpk_lt_i32(i32 sdst, Simm16 simm16) { return {sdst < simm16.value}; }
constexpr SccOnly s_cmpk_le_i32(i32 sdst, Simm16 simm16) { return {sdst <= simm16.value}; }
constexpr SccOnly s_cmpk_eq_u32(u32 sdst, Uimm16 simm16) { return {sdst == simm16.value}; }
constexpr SccOnly s_cmpk_lg_u32(u32 sdst, Uimm16 simm16) { return {sdst != simm16.value}; }
constexpr SccOnly s_cmpk_gt_u32(u32 sdst, Uimm16 simm16) { return {sdst > simm16.value}; }
constexpr SccOnly s_cmpk_ge_u32(u32 sdst, Uimm16 simm16) { return {sdst >= simm16.value}; }
constexpr SccOnly s_cmpk_lt_u32(u32 sdst, Uimm16 simm16) { return {sdst < simm16.value}; }
constexpr SccOnly s_cmpk_le_u32(u32 sdst, Uimm16 simm16) { return {sdst <= simm16.value}; }

}  // namespace salu::isa::semantics
