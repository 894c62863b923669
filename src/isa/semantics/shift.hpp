#pragma once

#include <type_traits>

#include "isa/semantics/logic.hpp"
#include "isa/semantics/values.hpp"

/// Shifts, bit field masks and extracts (semantics.md 2). Shift counts are 32-bit operands, cut to 5 or 6 bits.
namespace salu::isa::semantics {

constexpr WithScc<u32> s_lshl_b32(u32 ssrc0, u32 ssrc1) { return nonzero(ssrc0 << (ssrc1 & 31)); }
constexpr WithScc<u64> s_lshl_b64(u64 ssrc0, u32 ssrc1) { return nonzero(ssrc0 << (ssrc1 & 63)); }
constexpr WithScc<u32> s_lshr_b32(u32 ssrc0, u32 ssrc1) { return nonzero(ssrc0 >> (ssrc1 & 31)); }
constexpr WithScc<u64> s_lshr_b64(u64 ssrc0, u32 ssrc1) { return nonzero(ssrc0 >> (ssrc1 & 63)); }
constexpr WithScc<i32> s_ashr_i32(i32 ssrc0, u32 ssrc1) { return nonzero(ssrc0 >> (ssrc1 & 31)); }
constexpr WithScc<i64> s_ashr_i64(i64 ssrc0, u32 ssrc1) { return nonzero(ssrc0 >> (ssrc1 & 63)); }

constexpr u32 s_bfm_b32(u32 ssrc0, u32 ssrc1) { return ((u32{1} << (ssrc0 & 31)) - 1) << (ssrc1 & 31); }
constexpr u64 s_bfm_b64(u32 ssrc0, u32 ssrc1) { return ((u64{1} << (ssrc0 & 63)) - 1) << (ssrc1 & 63); }

/// Width of a bit field extract: S1[22:16], 0 to 127.
constexpr u32 field_width(u32 ssrc1) { return ssrc1 >> 16 & 127; }

/// S_BFE on an N-bit type: shift right by the offset, keep `width` bits; the sign of T decides how the rest is filled.
/// A width above N saturates and is reported as unspecified (erratum E6).
template <class T>
constexpr Checked<WithScc<T>> bit_field_extract(T ssrc0, u32 ssrc1) {
  constexpr u32 bits = sizeof(T) * 8;
  const u32 offset = ssrc1 & (bits - 1);
  const u32 width = field_width(ssrc1);
  if (width == 0) return {{0, false}, false};
  const T shifted = static_cast<T>(ssrc0 >> offset);
  if (width >= bits) return {nonzero(shifted), width > bits};
  // Up to the top and down again: fills with the sign of the field, or with zeros when T is unsigned.
  const u32 unused = bits - width;
  const T up = static_cast<T>(static_cast<std::make_unsigned_t<T>>(shifted) << unused);
  return {nonzero(static_cast<T>(up >> unused)), false};
}

constexpr Checked<WithScc<u32>> s_bfe_u32(u32 ssrc0, u32 ssrc1) { return bit_field_extract(ssrc0, ssrc1); }
constexpr Checked<WithScc<i32>> s_bfe_i32(i32 ssrc0, u32 ssrc1) { return bit_field_extract(ssrc0, ssrc1); }
constexpr Checked<WithScc<u64>> s_bfe_u64(u64 ssrc0, u32 ssrc1) { return bit_field_extract(ssrc0, ssrc1); }
constexpr Checked<WithScc<i64>> s_bfe_i64(i64 ssrc0, u32 ssrc1) { return bit_field_extract(ssrc0, ssrc1); }

constexpr u32 s_pack_ll_b32_b16(u32 ssrc0, u32 ssrc1) { return ssrc1 << 16 | (ssrc0 & 0xffff); }
constexpr u32 s_pack_lh_b32_b16(u32 ssrc0, u32 ssrc1) { return (ssrc1 & 0xffff0000) | (ssrc0 & 0xffff); }
constexpr u32 s_pack_hh_b32_b16(u32 ssrc0, u32 ssrc1) { return (ssrc1 & 0xffff0000) | ssrc0 >> 16; }

}  // namespace salu::isa::semantics
