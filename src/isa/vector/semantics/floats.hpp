#pragma once

#include "isa/vector/semantics/values.hpp"

/// Floats, as far as the division of integers needs them.
namespace salu::isa::vector::semantics {

constexpr NotExecuted v_cvt_f32_i32() { return {}; }
constexpr NotExecuted v_cvt_f32_u32() { return {}; }
constexpr NotExecuted v_cvt_u32_f32() { return {}; }
constexpr NotExecuted v_cvt_i32_f32() { return {}; }
constexpr NotExecuted v_cvt_f32_ubyte0() { return {}; }
constexpr NotExecuted v_cvt_f32_ubyte1() { return {}; }
constexpr NotExecuted v_cvt_f32_ubyte2() { return {}; }
constexpr NotExecuted v_cvt_f32_ubyte3() { return {}; }
constexpr NotExecuted v_trunc_f32() { return {}; }
constexpr NotExecuted v_rcp_f32() { return {}; }
constexpr NotExecuted v_rcp_iflag_f32() { return {}; }
constexpr NotExecuted v_add_f32() { return {}; }
constexpr NotExecuted v_sub_f32() { return {}; }
constexpr NotExecuted v_subrev_f32() { return {}; }
constexpr NotExecuted v_mul_f32() { return {}; }
constexpr NotExecuted v_mac_f32() { return {}; }
constexpr NotExecuted v_madmk_f32() { return {}; }
constexpr NotExecuted v_madak_f32() { return {}; }
constexpr NotExecuted v_fmac_f32() { return {}; }
constexpr NotExecuted v_fmamk_f32() { return {}; }
constexpr NotExecuted v_fmaak_f32() { return {}; }
constexpr NotExecuted v_mad_f32() { return {}; }
constexpr NotExecuted v_fma_f32() { return {}; }
constexpr NotExecuted v_cmp_lt_f32() { return {}; }
constexpr NotExecuted v_cmp_eq_f32() { return {}; }
constexpr NotExecuted v_cmp_le_f32() { return {}; }
constexpr NotExecuted v_cmp_gt_f32() { return {}; }
constexpr NotExecuted v_cmp_ge_f32() { return {}; }
constexpr NotExecuted v_cmp_nlt_f32() { return {}; }

}  // namespace salu::isa::vector::semantics
