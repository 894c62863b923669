#pragma once

#include "isa/semantics/values.hpp"

/// Hardware registers, modes, traps, and how a wave ends (semantics.md 4, 5, 6, 8).
namespace salu::isa::semantics {

/// SIMM16 of S_GETREG and S_SETREG: id in [5:0], offset in [10:6], size - 1 in [15:11].
struct HwregField {
  u32 id;
  u32 offset;
  u32 size;  ///< 1 to 32 bits
};
constexpr HwregField hwreg_field(u32 simm16) { return {simm16 & 63, simm16 >> 6 & 31, (simm16 >> 11 & 31) + 1}; }
/// `size` ones, not yet moved to the offset.
constexpr u32 hwreg_mask(HwregField field) { return field.size == 32 ? 0xffffffff : (u32{1} << field.size) - 1; }

constexpr u32 s_getreg_b32(Uimm16 simm16, HwregValue hwreg) {
  const HwregField field = hwreg_field(simm16.value);
  return hwreg.value >> field.offset & hwreg_mask(field);
}
/// Bits past bit 31 fall off.
constexpr HwregUpdate set_hwreg(u32 value, u32 simm16) {
  const HwregField field = hwreg_field(simm16);
  const u32 mask = hwreg_mask(field) << field.offset;
  return {{mask, value << field.offset & mask}};
}
constexpr HwregUpdate s_setreg_b32(u32 sdst, Uimm16 simm16) { return set_hwreg(sdst, simm16.value); }
constexpr HwregUpdate s_setreg_imm32_b32(LiteralDword literal, Uimm16 simm16) {
  return set_hwreg(literal.value, simm16.value);
}

constexpr u32 vskip_mask = u32{1} << 28;
constexpr u32 gpr_idx_en_mask = u32{1} << 27;
constexpr ModeUpdate s_setvskip(u32 ssrc0, u32 ssrc1) {
  return {{vskip_mask, (ssrc0 >> (ssrc1 & 31) & 1) != 0 ? vskip_mask : 0}};
}
constexpr ModeM0Update s_set_gpr_idx_on(u32 ssrc0, RawSsrc1 enables) {
  return {{gpr_idx_en_mask, gpr_idx_en_mask}, {0xf0ff, (ssrc0 & 0xff) | (enables.value & 15) << 12}};
}
constexpr ModeUpdate s_set_gpr_idx_off() { return {{gpr_idx_en_mask, 0}}; }
constexpr M0Update s_set_gpr_idx_mode(Uimm16 simm16) { return {{0xf000, (simm16.value & 15) << 12}}; }
constexpr M0Update s_set_gpr_idx_idx(u32 ssrc0) { return {{0xff, ssrc0 & 0xff}}; }

constexpr u32 priv_mask = u32{1} << 5;
constexpr u32 trap_en_mask = u32{1} << 6;
constexpr u32 halt_mask = u32{1} << 13;
constexpr u32 inst_atc_mask = u32{1} << 23;
/// {TTMP1, TTMP0} = {3'b0, pc_rewind[3:0] = 0, HT = 0, id[7:0], PC[47:0]} with the address of the S_TRAP itself.
constexpr Trap s_trap(Uimm16 simm16, Status status, Pc pc) {
  return {(status.value & trap_en_mask) != 0, u64{simm16.value & 0xff} << 48 | (pc.value & 0xffffffffffff)};
}
/// Outside a trap handler (PRIV = 0) the manuals do not allow it and do not say what it does.
constexpr Checked<ReturnFromException> s_rfe_b64(u64 ssrc0, Status status) {
  return {{{priv_mask, 0}, ssrc0}, (status.value & priv_mask) == 0};
}
/// GFX9 ignores the second source (erratum E29).
constexpr Checked<ReturnFromException> s_rfe_restore_b64(u64 ssrc0, u32, Status status) {
  return s_rfe_b64(ssrc0, status);
}
/// GCN 1.2: STATUS.INST_ATC = S1[0] as well.
constexpr Checked<ReturnFromException> s_rfe_restore_b64_gcn1_2(u64 ssrc0, u32 ssrc1, Status status) {
  return {{{priv_mask | inst_atc_mask, (ssrc1 & 1) != 0 ? inst_atc_mask : 0}, ssrc0}, (status.value & priv_mask) == 0};
}

constexpr EndProgram s_endpgm() { return {}; }
constexpr EndProgram s_endpgm_saved() { return {}; }
constexpr EndProgram s_endpgm_ordered_ps_done() { return {}; }
constexpr Kill s_setkill(Uimm16 simm16) { return {(simm16.value & 1) != 0}; }
constexpr StatusUpdate s_sethalt(Uimm16 simm16) { return {{halt_mask, (simm16.value & 1) != 0 ? halt_mask : 0}}; }
/// STATUS.USER_PRIO mirrors the priority; nothing else depends on it.
constexpr StatusUpdate s_setprio(Uimm16 simm16) { return {{u32{3} << 3, (simm16.value & 3) << 3}}; }

constexpr Nothing s_nop() { return {}; }
constexpr Nothing s_wakeup() { return {}; }
constexpr Barrier s_barrier() { return {}; }
/// Every effect is complete before the next instruction starts, so there is nothing to wait for.
constexpr Nothing s_waitcnt() { return {}; }
constexpr Nothing s_sleep() { return {}; }
constexpr Nothing s_icache_inv() { return {}; }
constexpr Nothing s_set_valu_coexec_mode() { return {}; }
constexpr Unmodelled s_sendmsg() { return {{0, 0}}; }
constexpr Unmodelled s_sendmsghalt() { return {{halt_mask, halt_mask}}; }
constexpr Unmodelled s_incperflevel() { return {{0, 0}}; }
constexpr Unmodelled s_decperflevel() { return {{0, 0}}; }
constexpr Unmodelled s_ttracedata() { return {{0, 0}}; }

}  // namespace salu::isa::semantics
