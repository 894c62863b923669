#pragma once

#include <bit>

#include "isa/semantics/logic.hpp"
#include "isa/semantics/values.hpp"

/// Counting, finding, setting, reversing and spreading bits (semantics.md 3).
namespace salu::isa::semantics {

inline constexpr u32 not_found = 0xffffffff;

/// Nibbles that have any bit set, marked in their lowest bit.
template <class T>
constexpr T quads_any(T mask) {
  constexpr T lowest = static_cast<T>(0x1111111111111111);
  return static_cast<T>((mask | mask >> 1 | mask >> 2 | mask >> 3) & lowest);
}

constexpr WithScc<u32> s_wqm_b32(u32 ssrc0) { return nonzero(quads_any(ssrc0) * 15); }
constexpr WithScc<u64> s_wqm_b64(u64 ssrc0) { return nonzero(quads_any(ssrc0) * 15); }

/// Gathers bits 0, 4, 8, ... into the low quarter.
constexpr u64 gather_quads(u64 quads) {
  quads = (quads | quads >> 3) & 0x0303030303030303;
  quads = (quads | quads >> 6) & 0x000f000f000f000f;
  quads = (quads | quads >> 12) & 0x000000ff000000ff;
  return (quads | quads >> 24) & 0xffff;
}
constexpr WithScc<u32> s_quadmask_b32(u32 ssrc0) { return nonzero(static_cast<u32>(gather_quads(quads_any(ssrc0)))); }
constexpr WithScc<u64> s_quadmask_b64(u64 ssrc0) { return nonzero(gather_quads(quads_any(ssrc0))); }

constexpr u32 s_brev_b32(u32 ssrc0) {
  u32 x = (ssrc0 & 0x55555555) << 1 | (ssrc0 >> 1 & 0x55555555);
  x = (x & 0x33333333) << 2 | (x >> 2 & 0x33333333);
  x = (x & 0x0f0f0f0f) << 4 | (x >> 4 & 0x0f0f0f0f);
  x = (x & 0x00ff00ff) << 8 | (x >> 8 & 0x00ff00ff);
  return x << 16 | x >> 16;
}
constexpr u64 s_brev_b64(u64 ssrc0) {
  return u64{s_brev_b32(static_cast<u32>(ssrc0))} << 32 | s_brev_b32(static_cast<u32>(ssrc0 >> 32));
}

constexpr WithScc<u32> s_bcnt0_i32_b32(u32 ssrc0) { return nonzero(static_cast<u32>(std::popcount(~ssrc0))); }
constexpr WithScc<u32> s_bcnt0_i32_b64(u64 ssrc0) { return nonzero(static_cast<u32>(std::popcount(~ssrc0))); }
constexpr WithScc<u32> s_bcnt1_i32_b32(u32 ssrc0) { return nonzero(static_cast<u32>(std::popcount(ssrc0))); }
constexpr WithScc<u32> s_bcnt1_i32_b64(u64 ssrc0) { return nonzero(static_cast<u32>(std::popcount(ssrc0))); }

/// Index of the lowest set bit.
template <class T>
constexpr u32 lowest_one(T value) {
  return value == 0 ? not_found : static_cast<u32>(std::countr_zero(value));
}
constexpr u32 s_ff0_i32_b32(u32 ssrc0) { return lowest_one(~ssrc0); }
constexpr u32 s_ff0_i32_b64(u64 ssrc0) { return lowest_one(~ssrc0); }
constexpr u32 s_ff1_i32_b32(u32 ssrc0) { return lowest_one(ssrc0); }
constexpr u32 s_ff1_i32_b64(u64 ssrc0) { return lowest_one(ssrc0); }

/// Zeros above the highest set bit.
template <class T>
constexpr u32 leading_zeros(T value) {
  return value == 0 ? not_found : static_cast<u32>(std::countl_zero(value));
}
constexpr u32 s_flbit_i32_b32(u32 ssrc0) { return leading_zeros(ssrc0); }
constexpr u32 s_flbit_i32_b64(u64 ssrc0) { return leading_zeros(ssrc0); }
// Flipping all bits of a negative number makes "bits equal to the sign" leading zeros; 0 and -1 both have no other bit.
constexpr u32 s_flbit_i32(u32 ssrc0) { return leading_zeros(static_cast<i32>(ssrc0) < 0 ? ~ssrc0 : ssrc0); }
constexpr u32 s_flbit_i32_i64(i64 ssrc0) { return leading_zeros(static_cast<u64>(ssrc0 < 0 ? ~ssrc0 : ssrc0)); }

constexpr i32 s_sext_i32_i8(u32 ssrc0) { return static_cast<i8>(ssrc0); }
constexpr i32 s_sext_i32_i16(u32 ssrc0) { return static_cast<i16>(ssrc0); }

constexpr u32 s_bitset0_b32(u32 ssrc0, Old<u32> old) { return old.value & ~(u32{1} << (ssrc0 & 31)); }
constexpr u64 s_bitset0_b64(u32 ssrc0, Old<u64> old) { return old.value & ~(u64{1} << (ssrc0 & 63)); }
constexpr u32 s_bitset1_b32(u32 ssrc0, Old<u32> old) { return old.value | u32{1} << (ssrc0 & 31); }
constexpr u64 s_bitset1_b64(u32 ssrc0, Old<u64> old) { return old.value | u64{1} << (ssrc0 & 63); }

/// Every bit twice: D[2i] = D[2i+1] = S0[i].
constexpr u64 s_bitreplicate_b64_b32(u32 ssrc0) {
  u64 x = ssrc0;
  x = (x | x << 16) & 0x0000ffff0000ffff;
  x = (x | x << 8) & 0x00ff00ff00ff00ff;
  x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
  x = (x | x << 2) & 0x3333333333333333;
  x = (x | x << 1) & 0x5555555555555555;
  return x * 3;
}

}  // namespace salu::isa::semantics
