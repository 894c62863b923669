#pragma once

#include "semantics/compile_time/results.hpp"

// semantics.md 4, 5, 6 and 8: hardware registers, modes, traps, the ends of a wave.
namespace salu::isa::semantics {

/// SIMM16 of S_GETREG and S_SETREG.
constexpr u32 hwreg(u32 id, u32 offset, u32 size) { return id | offset << 6 | (size - 1) << 11; }

constexpr bool splits_into(u32 simm16, u32 id, u32 offset, u32 size) {
  const HwregField field = hwreg_field(simm16);
  return field.id == id && field.offset == offset && field.size == size;
}
static_assert(splits_into(0xf801, 1, 0, 32));
static_assert(splits_into(0x0000, 0, 0, 1));
static_assert(splits_into(0xffff, 63, 31, 32));
static_assert(splits_into(0x003f, 63, 0, 1));
static_assert(splits_into(0x07c0, 0, 31, 1));
static_assert(splits_into(0x1742, 2, 29, 3));
// The sign-extended immediate has the same meaning.
static_assert(splits_into(0xffff9742, 2, 29, 19));

static_assert(s_getreg_b32({hwreg(1, 0, 32)}, {0xdeadbeef}) == 0xdeadbeef);
static_assert(s_getreg_b32({hwreg(1, 8, 8)}, {0xdeadbeef}) == 0xbe);
static_assert(s_getreg_b32({hwreg(1, 31, 1)}, {0x80000000}) == 1);
static_assert(s_getreg_b32({hwreg(1, 0, 31)}, {ones32}) == int_max);
static_assert(s_getreg_b32({hwreg(1, 0, 1)}, {ones32}) == 1);
// Bits beyond bit 31 read as zero.
static_assert(s_getreg_b32({hwreg(1, 28, 32)}, {0xdeadbeef}) == 0xd);
static_assert(s_getreg_b32({hwreg(1, 28, 8)}, {0xdeadbeef}) == 0xd);

static_assert(s_setreg_b32(0xdeadbeef, {hwreg(1, 0, 32)}) == HwregUpdate{{ones32, 0xdeadbeef}});
static_assert(s_setreg_b32(ones32, {hwreg(1, 8, 8)}) == HwregUpdate{{0xff00, 0xff00}});
static_assert(s_setreg_b32(0x12345678, {hwreg(1, 8, 8)}) == HwregUpdate{{0xff00, 0x7800}});
static_assert(s_setreg_b32(0, {hwreg(1, 4, 4)}) == HwregUpdate{{0xf0, 0}});
static_assert(s_setreg_b32(ones32, {hwreg(1, 31, 1)}) == HwregUpdate{{int_min, int_min}});
static_assert(s_setreg_b32(ones32, {hwreg(1, 28, 32)}) == HwregUpdate{{0xf0000000, 0xf0000000}});
static_assert(s_setreg_b32(5, {hwreg(1, 30, 8)}) == HwregUpdate{{0xc0000000, 0x40000000}});
static_assert(s_setreg_imm32_b32({0x12345678}, {hwreg(1, 8, 8)}) == HwregUpdate{{0xff00, 0x7800}});
static_assert(s_setreg_imm32_b32({0xdeadbeef}, {hwreg(7, 0, 32)}) == HwregUpdate{{ones32, 0xdeadbeef}});

static_assert(s_setvskip(0x8, 3) == ModeUpdate{{0x10000000, 0x10000000}});
static_assert(s_setvskip(0x8, 35) == ModeUpdate{{0x10000000, 0x10000000}});
static_assert(s_setvskip(0x8, 2) == ModeUpdate{{0x10000000, 0}});
static_assert(s_setvskip(0x8, 4) == ModeUpdate{{0x10000000, 0}});
static_assert(s_setvskip(int_min, 63) == ModeUpdate{{0x10000000, 0x10000000}});
static_assert(s_setvskip(0xfffffff7, 3) == ModeUpdate{{0x10000000, 0}});

// MODE[27] is GPR_IDX_EN; M0[7:0] the index, M0[15:12] the four enables.
static_assert(s_set_gpr_idx_on(0x1234567f, {0xb}) == ModeM0Update{{0x08000000, 0x08000000}, {0xf0ff, 0xb07f}});
static_assert(s_set_gpr_idx_on(0x100, {0xf5}) == ModeM0Update{{0x08000000, 0x08000000}, {0xf0ff, 0x5000}});
static_assert(s_set_gpr_idx_on(0xff, {0}) == ModeM0Update{{0x08000000, 0x08000000}, {0xf0ff, 0x00ff}});
static_assert(s_set_gpr_idx_on(0, {0xf}) == ModeM0Update{{0x08000000, 0x08000000}, {0xf0ff, 0xf000}});
static_assert(s_set_gpr_idx_off() == ModeUpdate{{0x08000000, 0}});
static_assert(s_set_gpr_idx_mode({0xfff5}) == M0Update{{0xf000, 0x5000}});
static_assert(s_set_gpr_idx_mode({0xa}) == M0Update{{0xf000, 0xa000}});
static_assert(s_set_gpr_idx_idx(0x12345678) == M0Update{{0xff, 0x78}});
static_assert(s_set_gpr_idx_idx(0x1ff) == M0Update{{0xff, 0xff}});
static_assert(s_set_gpr_idx_idx(0x87) == M0Update{{0xff, 0x87}});

// STATUS[5] is PRIV, STATUS[6] TRAP_EN, STATUS[13] HALT, STATUS[23] INST_ATC.
static_assert(s_trap({0x05}, {0x40}, {0x1234}) == Trap{true, 0x0005000000001234});
static_assert(s_trap({0xff}, {0x40}, {0xfffffffffffc}) == Trap{true, 0x00fffffffffffffc});
static_assert(s_trap({0x1a5}, {0x40}, {0x1000}) == Trap{true, 0x00a5000000001000});
static_assert(s_trap({0x80}, {ones32}, {0x1000000000001000}) == Trap{true, 0x0080000000001000});
static_assert(s_trap({0}, {ones32}, {ones64}) == Trap{true, 0x0000ffffffffffff});
static_assert(!s_trap({0x05}, {0xffffffbf}, {0x1234}).taken);
static_assert(!s_trap({0x05}, {0}, {0x1234}).taken);

constexpr Checked<ReturnFromException> rfe(u32 mask, u32 bits, u64 pc, bool unspecified) {
  return {{{mask, bits}, pc}, unspecified};
}
static_assert(s_rfe_b64(0x2000, {0x20}) == rfe(0x20, 0, 0x2000, false));
static_assert(s_rfe_b64(0x2000, {0xffffffdf}) == rfe(0x20, 0, 0x2000, true));
static_assert(s_rfe_restore_b64(0x2000, ones32, {0x20}) == rfe(0x20, 0, 0x2000, false));
static_assert(s_rfe_restore_b64(0x2000, 0, {0xffffffdf}) == rfe(0x20, 0, 0x2000, true));
static_assert(s_rfe_restore_b64_gcn1_2(0x2000, 1, {0x20}) == rfe(0x800020, 0x800000, 0x2000, false));
static_assert(s_rfe_restore_b64_gcn1_2(0x2000, ones32, {0x20}) == rfe(0x800020, 0x800000, 0x2000, false));
static_assert(s_rfe_restore_b64_gcn1_2(0x2000, 0xfffffffe, {0x20}) == rfe(0x800020, 0, 0x2000, false));
static_assert(s_rfe_restore_b64_gcn1_2(0x2000, 1, {0xffffffdf}) == rfe(0x800020, 0x800000, 0x2000, true));

static_assert(s_endpgm() == EndProgram{});
static_assert(s_endpgm_saved() == EndProgram{});
static_assert(s_endpgm_ordered_ps_done() == EndProgram{});
static_assert(s_setkill({1}) == Kill{true});
static_assert(s_setkill({0xffff}) == Kill{true});
static_assert(s_setkill({0}) == Kill{false});
static_assert(s_setkill({0xfffe}) == Kill{false});
static_assert(s_sethalt({1}) == StatusUpdate{{0x2000, 0x2000}});
static_assert(s_sethalt({0xffff}) == StatusUpdate{{0x2000, 0x2000}});
static_assert(s_sethalt({0}) == StatusUpdate{{0x2000, 0}});
static_assert(s_sethalt({0xfffe}) == StatusUpdate{{0x2000, 0}});
static_assert(s_setprio({0}) == StatusUpdate{{0x18, 0}});
static_assert(s_setprio({1}) == StatusUpdate{{0x18, 0x08}});
static_assert(s_setprio({2}) == StatusUpdate{{0x18, 0x10}});
static_assert(s_setprio({0xffff}) == StatusUpdate{{0x18, 0x18}});

static_assert(s_nop() == Nothing{});
static_assert(s_wakeup() == Nothing{});
static_assert(s_barrier() == Barrier{});
static_assert(s_waitcnt() == Nothing{});
static_assert(s_sleep() == Nothing{});
static_assert(s_icache_inv() == Nothing{});
static_assert(s_set_valu_coexec_mode() == Nothing{});
static_assert(s_sendmsg() == Unmodelled{{0, 0}});
static_assert(s_sendmsghalt() == Unmodelled{{0x2000, 0x2000}});
static_assert(s_incperflevel() == Unmodelled{{0, 0}});
static_assert(s_decperflevel() == Unmodelled{{0, 0}});
static_assert(s_ttracedata() == Unmodelled{{0, 0}});

}  // namespace salu::isa::semantics
