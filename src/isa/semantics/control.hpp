#pragma once

#include <bit>

#include "isa/semantics/values.hpp"

/// Branches, calls, and the fork/join control stack (semantics.md 3, 5, 6, 7).
namespace salu::isa::semantics {

constexpr Branch s_branch() { return {true}; }
constexpr Branch s_cbranch_scc0(Scc scc) { return {!scc.value}; }
constexpr Branch s_cbranch_scc1(Scc scc) { return {scc.value}; }
constexpr Branch s_cbranch_vccz(Vcc vcc) { return {vcc.value == 0}; }
constexpr Branch s_cbranch_vccnz(Vcc vcc) { return {vcc.value != 0}; }
constexpr Branch s_cbranch_execz(Exec exec) { return {exec.value == 0}; }
constexpr Branch s_cbranch_execnz(Exec exec) { return {exec.value != 0}; }

/// STATUS.COND_DBG_SYS and STATUS.COND_DBG_USER.
constexpr bool debug_sys(Status status) { return (status.value >> 21 & 1) != 0; }
constexpr bool debug_user(Status status) { return (status.value >> 20 & 1) != 0; }
constexpr Branch s_cbranch_cdbgsys(Status status) { return {debug_sys(status)}; }
constexpr Branch s_cbranch_cdbguser(Status status) { return {debug_user(status)}; }
constexpr Branch s_cbranch_cdbgsys_or_user(Status status) { return {debug_sys(status) || debug_user(status)}; }
constexpr Branch s_cbranch_cdbgsys_and_user(Status status) { return {debug_sys(status) && debug_user(status)}; }

constexpr u64 s_getpc_b64(Next next) { return next.value; }
constexpr Jump s_setpc_b64(u64 ssrc0) { return {ssrc0}; }
constexpr JumpAndLink s_swappc_b64(u64 ssrc0, Next next) { return {next.value, ssrc0}; }
constexpr JumpAndLink s_call_b64(Next next, BranchTarget target) { return {next.value, target.value}; }

/// The side with fewer lanes runs first and the other waits on the stack; on a tie the passing side runs first. With
/// all lanes on one side (or none at all) nothing is pushed.
constexpr Fork fork(u64 mask, u64 target, Exec exec, Next next) {
  const u64 pass = mask & exec.value;
  const u64 fail = ~mask & exec.value;
  if (pass == exec.value) return {false, {}, exec.value, target};
  if (fail == exec.value) return {false, {}, exec.value, next.value};
  if (std::popcount(fail) < std::popcount(pass)) return {true, {pass, target}, fail, next.value};
  return {true, {fail, next.value}, pass, target};
}
constexpr Fork s_cbranch_g_fork(u64 ssrc0, u64 ssrc1, Exec exec, Next next) { return fork(ssrc0, ssrc1, exec, next); }
constexpr Fork s_cbranch_i_fork(u64 sdst, Exec exec, Next next, BranchTarget target) {
  return fork(sdst, target.value, exec, next);
}
/// The whole 32-bit register is compared with the zero-extended CSP (erratum E34); CSP wraps modulo 8.
constexpr Join s_cbranch_join(u32 ssrc0, Csp csp) { return {csp.value != ssrc0, (csp.value - 1) & 7}; }

}  // namespace salu::isa::semantics
