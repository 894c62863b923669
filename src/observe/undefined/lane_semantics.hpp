#pragma once

#include "observe/undefined/text_words.hpp"

/// The semantic functions of one lane over words some of whose bits are undefined: the same text as the machine's
/// (isa/vector/semantics/lane_text.inc), compiled a second time.
namespace salu::observe::undefined::text::lanes {

template <class T>
inline constexpr salu::i64 least_of =
    WordTraits<T>::is_signed ? -(salu::i64{1} << (WordTraits<T>::bits - 1)) : salu::i64{0};
template <class T>
inline constexpr salu::i64 greatest_of =
    static_cast<salu::i64>(low_bits(WordTraits<T>::bits - (WordTraits<T>::is_signed ? 1 : 0)));

#include "isa/vector/semantics/values.inc"

namespace semantics {

template <class T>
constexpr T min(T left, T right) {
  return right < left ? right : left;
}
template <class T>
constexpr T max(T left, T right) {
  return left < right ? right : left;
}

#include "isa/vector/semantics/lane_text.inc"

/// In the place of the functions that are no text: floats, and what is about more than a lane.
struct NoText {};
inline constexpr NoText v_add_f32, v_cmp_eq_f32, v_cmp_ge_f32, v_cmp_gt_f32, v_cmp_le_f32, v_cmp_lt_f32, v_cmp_nlt_f32,
    v_cvt_f32_i32, v_cvt_f32_u32, v_cvt_f32_ubyte0, v_cvt_f32_ubyte1, v_cvt_f32_ubyte2, v_cvt_f32_ubyte3, v_cvt_i32_f32,
    v_cvt_u32_f32, v_fma_f32, v_fmaak_f32, v_fmac_f32, v_fmamk_f32, v_mac_f32, v_mad_f32, v_madak_f32, v_madmk_f32,
    v_movreld_b32, v_movrels_b32, v_movrelsd_b32, v_mul_f32, v_nop, v_rcp_f32, v_rcp_iflag_f32, v_readfirstlane_b32,
    v_readlane_b32, v_sub_f32, v_subrev_f32, v_swap_b32, v_trunc_f32, v_writelane_b32;

}  // namespace semantics
}  // namespace salu::observe::undefined::text::lanes
