#pragma once

#include "isa/semantics/values.hpp"

/// 32-bit integer arithmetic (semantics.md 2, 3, 5). Everything wraps.
namespace salu::isa::semantics {

/// Signed overflow of left + right = sum: equal signs in, the other sign out.
constexpr bool add_overflows(u32 left, u32 right, u32 sum) { return ((left ^ sum) & (right ^ sum)) >> 31 != 0; }
/// Signed overflow of left - right = difference.
constexpr bool sub_overflows(u32 left, u32 right, u32 difference) {
  return ((left ^ right) & (left ^ difference)) >> 31 != 0;
}

constexpr WithScc<u32> s_add_u32(u32 ssrc0, u32 ssrc1) {
  const u32 sum = ssrc0 + ssrc1;
  return {sum, sum < ssrc0};
}
constexpr WithScc<u32> s_sub_u32(u32 ssrc0, u32 ssrc1) { return {ssrc0 - ssrc1, ssrc1 > ssrc0}; }
constexpr WithScc<u32> s_add_i32(u32 ssrc0, u32 ssrc1) {
  const u32 sum = ssrc0 + ssrc1;
  return {sum, add_overflows(ssrc0, ssrc1, sum)};
}
constexpr WithScc<u32> s_sub_i32(u32 ssrc0, u32 ssrc1) {
  const u32 difference = ssrc0 - ssrc1;
  return {difference, sub_overflows(ssrc0, ssrc1, difference)};
}
constexpr WithScc<u32> s_addc_u32(u32 ssrc0, u32 ssrc1, Scc scc) {
  const u64 sum = u64{ssrc0} + ssrc1 + u64{scc.value};
  return {static_cast<u32>(sum), sum >> 32 != 0};
}
constexpr WithScc<u32> s_subb_u32(u32 ssrc0, u32 ssrc1, Scc scc) {
  const u64 subtrahend = u64{ssrc1} + u64{scc.value};
  return {static_cast<u32>(ssrc0 - subtrahend), subtrahend > ssrc0};
}

constexpr WithScc<i32> s_min_i32(i32 ssrc0, i32 ssrc1) { return {ssrc0 < ssrc1 ? ssrc0 : ssrc1, ssrc0 < ssrc1}; }
constexpr WithScc<u32> s_min_u32(u32 ssrc0, u32 ssrc1) { return {ssrc0 < ssrc1 ? ssrc0 : ssrc1, ssrc0 < ssrc1}; }
constexpr WithScc<i32> s_max_i32(i32 ssrc0, i32 ssrc1) { return {ssrc0 > ssrc1 ? ssrc0 : ssrc1, ssrc0 > ssrc1}; }
constexpr WithScc<u32> s_max_u32(u32 ssrc0, u32 ssrc1) { return {ssrc0 > ssrc1 ? ssrc0 : ssrc1, ssrc0 > ssrc1}; }
/// CDNA 3: SCC is set on equality too (erratum E7).
constexpr WithScc<i32> s_max_i32_cdna3(i32 ssrc0, i32 ssrc1) {
  return {ssrc0 >= ssrc1 ? ssrc0 : ssrc1, ssrc0 >= ssrc1};
}
constexpr WithScc<u32> s_max_u32_cdna3(u32 ssrc0, u32 ssrc1) {
  return {ssrc0 >= ssrc1 ? ssrc0 : ssrc1, ssrc0 >= ssrc1};
}

constexpr WithScc<u32> s_absdiff_i32(u32 ssrc0, u32 ssrc1) {
  const u32 difference = ssrc0 - ssrc1;
  const u32 result = static_cast<i32>(difference) < 0 ? 0 - difference : difference;
  return {result, result != 0};
}
constexpr WithScc<u32> s_abs_i32(u32 ssrc0) {
  const u32 result = static_cast<i32>(ssrc0) < 0 ? 0 - ssrc0 : ssrc0;
  return {result, result != 0};
}

constexpr u32 s_mul_i32(u32 ssrc0, u32 ssrc1) { return ssrc0 * ssrc1; }
constexpr u32 s_mul_hi_u32(u32 ssrc0, u32 ssrc1) { return static_cast<u32>(u64{ssrc0} * ssrc1 >> 32); }
constexpr u32 s_mul_hi_i32(i32 ssrc0, i32 ssrc1) {
  return static_cast<u32>(static_cast<u64>(i64{ssrc0} * ssrc1) >> 32);
}

/// (ssrc0 << shift) + ssrc1 with the carry of the untruncated sum.
constexpr WithScc<u32> shift_add(u32 ssrc0, u32 ssrc1, u32 shift) {
  const u64 sum = (u64{ssrc0} << shift) + ssrc1;
  return {static_cast<u32>(sum), sum >> 32 != 0};
}
constexpr WithScc<u32> s_lshl1_add_u32(u32 ssrc0, u32 ssrc1) { return shift_add(ssrc0, ssrc1, 1); }
constexpr WithScc<u32> s_lshl2_add_u32(u32 ssrc0, u32 ssrc1) { return shift_add(ssrc0, ssrc1, 2); }
constexpr WithScc<u32> s_lshl3_add_u32(u32 ssrc0, u32 ssrc1) { return shift_add(ssrc0, ssrc1, 3); }
constexpr WithScc<u32> s_lshl4_add_u32(u32 ssrc0, u32 ssrc1) { return shift_add(ssrc0, ssrc1, 4); }

constexpr WithScc<u32> s_addk_i32(u32 sdst, Simm16 simm16) { return s_add_i32(sdst, static_cast<u32>(simm16.value)); }
constexpr u32 s_mulk_i32(u32 sdst, Simm16 simm16) { return sdst * static_cast<u32>(simm16.value); }

}  // namespace salu::isa::semantics
