#pragma once

#include "isa/semantics/values.hpp"

/// Moves, conditional and relative ones included (semantics.md 2, 3, 5).
namespace salu::isa::semantics {

constexpr u32 s_mov_b32(u32 ssrc0) { return ssrc0; }
constexpr u64 s_mov_b64(u64 ssrc0) { return ssrc0; }
constexpr Maybe<u32> s_cmov_b32(u32 ssrc0, Scc scc) { return {ssrc0, scc.value}; }
constexpr Maybe<u64> s_cmov_b64(u64 ssrc0, Scc scc) { return {ssrc0, scc.value}; }
constexpr u32 s_cselect_b32(u32 ssrc0, u32 ssrc1, Scc scc) { return scc.value ? ssrc0 : ssrc1; }
constexpr u64 s_cselect_b64(u64 ssrc0, u64 ssrc1, Scc scc) { return scc.value ? ssrc0 : ssrc1; }
constexpr i32 s_movk_i32(Simm16 simm16) { return simm16.value; }
constexpr Maybe<i32> s_cmovk_i32(Simm16 simm16, Scc scc) { return {simm16.value, scc.value}; }

constexpr RelativeSource<u32> s_movrels_b32(RegisterNumber ssrc0, M0 m0) { return {u64{ssrc0.value} + m0.value}; }
constexpr RelativeSource<u64> s_movrels_b64(RegisterNumber ssrc0, M0 m0) { return {u64{ssrc0.value} + m0.value}; }
constexpr RelativeDestination<u32> s_movreld_b32(u32 ssrc0, RegisterNumber sdst, M0 m0) {
  return {u64{sdst.value} + m0.value, ssrc0};
}
constexpr RelativeDestination<u64> s_movreld_b64(u64 ssrc0, RegisterNumber sdst, M0 m0) {
  return {u64{sdst.value} + m0.value, ssrc0};
}

/// A copy; what the "fed" error mark does is not public (erratum E19).
constexpr Checked<u32> s_mov_fed_b32(u32 ssrc0) { return {ssrc0, true}; }
constexpr Undocumented s_mov_regrd_b32() { return {}; }
constexpr Undocumented s_getreg_regrd_b32() { return {}; }

}  // namespace salu::isa::semantics
