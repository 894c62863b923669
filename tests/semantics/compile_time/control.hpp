#pragma once

#include "semantics/compile_time/results.hpp"

// semantics.md 3, 5, 6 and 7: branches, calls, the fork/join control stack.
namespace salu::isa::semantics {

static_assert(s_branch() == Branch{true});
static_assert(s_cbranch_scc0({false}) == Branch{true});
static_assert(s_cbranch_scc0({true}) == Branch{false});
static_assert(s_cbranch_scc1({false}) == Branch{false});
static_assert(s_cbranch_scc1({true}) == Branch{true});
static_assert(s_cbranch_vccz({0}) == Branch{true});
static_assert(s_cbranch_vccz({1}) == Branch{false});
static_assert(s_cbranch_vccz({long_min}) == Branch{false});
static_assert(s_cbranch_vccnz({0}) == Branch{false});
static_assert(s_cbranch_vccnz({1}) == Branch{true});
static_assert(s_cbranch_vccnz({0x100000000}) == Branch{true});
static_assert(s_cbranch_execz({0}) == Branch{true});
static_assert(s_cbranch_execz({1}) == Branch{false});
static_assert(s_cbranch_execz({long_min}) == Branch{false});
static_assert(s_cbranch_execnz({0}) == Branch{false});
static_assert(s_cbranch_execnz({1}) == Branch{true});
static_assert(s_cbranch_execnz({0x100000000}) == Branch{true});

// STATUS[20] is COND_DBG_USER, STATUS[21] COND_DBG_SYS; the other bits are arbitrary.
inline constexpr Status dbg_none{0xffcfffff};
inline constexpr Status dbg_user{0x00100000};
inline constexpr Status dbg_sys{0x00200000};
inline constexpr Status dbg_both{0x00300000};
static_assert(s_cbranch_cdbgsys(dbg_sys) == Branch{true});
static_assert(s_cbranch_cdbgsys(dbg_user) == Branch{false});
static_assert(s_cbranch_cdbgsys(dbg_both) == Branch{true});
static_assert(s_cbranch_cdbgsys(dbg_none) == Branch{false});
static_assert(s_cbranch_cdbguser(dbg_sys) == Branch{false});
static_assert(s_cbranch_cdbguser(dbg_user) == Branch{true});
static_assert(s_cbranch_cdbguser(dbg_both) == Branch{true});
static_assert(s_cbranch_cdbguser(dbg_none) == Branch{false});
static_assert(s_cbranch_cdbgsys_or_user(dbg_sys) == Branch{true});
static_assert(s_cbranch_cdbgsys_or_user(dbg_user) == Branch{true});
static_assert(s_cbranch_cdbgsys_or_user(dbg_none) == Branch{false});
static_assert(s_cbranch_cdbgsys_and_user(dbg_sys) == Branch{false});
static_assert(s_cbranch_cdbgsys_and_user(dbg_user) == Branch{false});
static_assert(s_cbranch_cdbgsys_and_user(dbg_both) == Branch{true});
static_assert(s_cbranch_cdbgsys_and_user(dbg_none) == Branch{false});

static_assert(s_getpc_b64({0x1004}) == 0x1004);
static_assert(s_setpc_b64(0x2000) == Jump{0x2000});
static_assert(s_swappc_b64(0x2000, {0x1004}) == JumpAndLink{0x1004, 0x2000});
static_assert(s_call_b64({0x1004}, {0x2000}) == JumpAndLink{0x1004, 0x2000});

inline constexpr u64 to_target = 0x2000;
inline constexpr Next to_next{0x1004};
constexpr Fork no_push(u64 exec, u64 pc) { return {false, {}, exec, pc}; }

// If all lanes pass, or no lane is active: to the target. If all fail: to the next instruction. Nothing is pushed.
static_assert(fork(0xff, to_target, {0x0f}, to_next) == no_push(0x0f, to_target));
static_assert(fork(0xf0, to_target, {0x0f}, to_next) == no_push(0x0f, to_next.value));
static_assert(fork(0xff, to_target, {0}, to_next) == no_push(0, to_target));
static_assert(fork(0, to_target, {0}, to_next) == no_push(0, to_target));
static_assert(fork(ones64, to_target, {ones64}, to_next) == no_push(ones64, to_target));
static_assert(fork(0, to_target, {ones64}, to_next) == no_push(ones64, to_next.value));
// Fewer lanes fail: they continue, and those that pass wait.
static_assert(fork(0x07, to_target, {0x0f}, to_next) == Fork{true, {0x07, to_target}, 0x08, to_next.value});
static_assert(fork(0x77, to_target, {0x0f}, to_next) == Fork{true, {0x07, to_target}, 0x08, to_next.value});
static_assert(fork(0xf8, to_target, {0xff}, to_next) == Fork{true, {0xf8, to_target}, 0x07, to_next.value});
// Fewer lanes pass: they go to the target, and those that fail wait.
static_assert(fork(0x08, to_target, {0x0f}, to_next) == Fork{true, {0x07, to_next.value}, 0x08, to_target});
static_assert(fork(0xf8, to_target, {0x0f}, to_next) == Fork{true, {0x07, to_next.value}, 0x08, to_target});
static_assert(fork(0x07, to_target, {0xff}, to_next) == Fork{true, {0xf8, to_next.value}, 0x07, to_target});
// A tie: the passing side runs first (erratum E36).
static_assert(fork(0x03, to_target, {0x0f}, to_next) == Fork{true, {0x0c, to_next.value}, 0x03, to_target});
static_assert(fork(0xffffffff00000000, to_target, {ones64}, to_next) ==
              Fork{true, {0x00000000ffffffff, to_next.value}, 0xffffffff00000000, to_target});
static_assert(s_cbranch_g_fork(0x07, to_target, {0x0f}, to_next) == Fork{true, {0x07, to_target}, 0x08, to_next.value});
static_assert(s_cbranch_g_fork(0xff, to_target, {0x0f}, to_next) == no_push(0x0f, to_target));
static_assert(s_cbranch_i_fork(0xf0, {0x0f}, to_next, {to_target}) == no_push(0x0f, to_next.value));
static_assert(s_cbranch_i_fork(0x08, {0x0f}, to_next, {to_target}) ==
              Fork{true, {0x07, to_next.value}, 0x08, to_target});

// CSP is compared with all 32 bits of the register (erratum E34); it wraps modulo 8.
static_assert(s_cbranch_join(3, {3}) == Join{false, 2});
static_assert(s_cbranch_join(0, {3}) == Join{true, 2});
static_assert(s_cbranch_join(11, {3}) == Join{true, 2});
static_assert(s_cbranch_join(0x80000003, {3}) == Join{true, 2});
static_assert(s_cbranch_join(5, {1}) == Join{true, 0});
static_assert(s_cbranch_join(5, {0}) == Join{true, 7});
static_assert(s_cbranch_join(0, {7}) == Join{true, 6});

}  // namespace salu::isa::semantics
