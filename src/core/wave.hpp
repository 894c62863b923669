#pragma once

#include <salu/program.hpp>
#include <salu/state.hpp>
#include <salu/target.hpp>

#include <array>
#include <bitset>
#include <cstring>

#include "core/micro_op.hpp"
#include "isa/hwreg.hpp"
#include "isa/operand.hpp"

namespace salu::core {

/// Which dwords of a state have been written, by `WaveState::defined` index.
using DefinedSet = std::bitset<state_index::defined_count>;

/// How many registers of each kind a wave has been given.
struct Allocation {
  u32 sgprs = 0;
  u32 vgprs = VectorRegisters::vgprs;
  u32 agprs = VectorRegisters::vgprs;
  friend bool operator==(const Allocation&, const Allocation&) = default;
};

/// A wavefront's scalar state while it runs: the operand file that handlers index, the rest beside it, and what an
/// instruction finds in an operand. Reading is pure: nothing here warns or stops.
struct Wave {
  explicit Wave(Generation of);
  explicit Wave(const Program& program);

  /// Takes over everything but the PC.
  void load(const WaveState& state);
  /// The opposite.
  void store(WaveState& state) const;

  /// Registers at their operand codes, then the constants and the literals (core/micro_op.hpp).
  alignas(64) std::array<u32, slot_count> slots;
  u32 mode = 0;
  u32 status = 0;                      ///< without what follows other registers (`full_status`)
  u32 scc = 0;                         ///< while a dispatch loop runs, the loop has it
  u32 wave_size = state_index::lanes;  ///< lanes
  u32 sgprs = 0;                       ///< allocated
  u32 vgprs = VectorRegisters::vgprs;  ///< likewise
  u32 agprs = VectorRegisters::vgprs;  ///< likewise
  u64 tba = 0;
  u64 tma = 0;
  std::array<u32, 64> hwregs{};  ///< by number, for those that are nothing else's
  /// Written so far, but for what decoded code always writes (`CodeCache::defines`).
  DefinedSet defined;
  bool vccz_is_stale = false;  ///< half of VCC was written, and the whole has not been since
  u64 half_vcc_writer = 0;     ///< with `vccz_is_stale`: the address of the instruction that wrote the half
  Generation generation;
  u64 address_mask;          ///< the bits of an address that count: what the generation has, without the two low ones
  bool has_sramecc = false;  ///< `Program::has_sramecc`
  bool allows_unaligned = true;  ///< `Program::allows_unaligned`

  [[nodiscard]] bool priv() const { return (status >> gcn::status_bit::priv & 1) != 0; }
  [[nodiscard]] bool halted() const { return (status >> gcn::status_bit::halt & 1) != 0; }
  /// True if exceptions and the like lead to a trap handler.
  [[nodiscard]] bool takes_traps() const { return (status >> gcn::status_bit::trap_en & 1) != 0 && !priv(); }
  /// True if the trap handler is entered after each instruction.
  [[nodiscard]] bool traps_each() const { return (mode >> gcn::mode_bit::debug_en & 1) != 0 && takes_traps(); }
  /// True if TRAPSTS.SAVECTX asks for the trap handler. No manual before GCN 1.4 describes the bit.
  [[nodiscard]] bool asks_for_save() const {
    constexpr u32 save_context = 1U << 10;
    return (hwregs[isa::hwreg_id::trapsts] & save_context) != 0 && is_gfx9(generation) && takes_traps();
  }
  [[nodiscard]] bool vskip() const { return (mode >> gcn::mode_bit::vskip & 1) != 0; }
  /// Whether M0 moves the registers that vector instructions name. GCN 1.0 and 1.1 have no such mode.
  [[nodiscard]] bool gpr_idx_on() const {
    return (mode >> gcn::mode_bit::gpr_idx_en & 1) != 0 && is_gcn1_2_or_later(generation);
  }
  [[nodiscard]] u32 csp() const { return mode >> gcn::mode_bit::csp; }
  void set_csp(u32 csp) { mode = (mode & ~(7U << gcn::mode_bit::csp)) | csp << gcn::mode_bit::csp; }
  [[nodiscard]] Allocation allocation() const { return {sgprs, vgprs, agprs}; }
  [[nodiscard]] bool in_allocation(u32 code, u32 dwords) const { return code + dwords <= sgprs; }
  /// Whether registers from an operand code on are SGPRs that the wave does not have: who reads them reads from s0 on,
  /// and nothing is written there.
  [[nodiscard]] bool is_beyond_allocation(u32 code, u32 dwords) const;
  /// Whether TTMPs read as 0 now.
  [[nodiscard]] bool hides_ttmps() const { return generation_info(generation).ttmps_need_priv && !priv(); }
  /// Whether an index that M0 is part of comes to registers that the wave has and an instruction can name.
  [[nodiscard]] bool has_register(u64 index, u32 dwords) const {
    return index + dwords <= sgprs && index % dwords == 0;
  }
  void mark_defined(u32 first, u32 dwords) {
    for (u32 i = 0; i < dwords; ++i) defined[first + i] = true;
  }

  /// What an address comes to.
  [[nodiscard]] u64 data_address(u64 address) const { return address & address_mask; }
  /// A pair of registers of the file, by index of state.
  [[nodiscard]] u64 pair(u32 index) const {
    u64 value = 0;
    std::memcpy(&value, &slots[index], sizeof(value));
    return value;
  }
  void set_pair(u32 index, u64 value) { std::memcpy(&slots[index], &value, sizeof(value)); }
  /// Whether no lane of the wave is set in EXEC or VCC.
  [[nodiscard]] bool has_no_lane(u32 index) const { return (pair(index) & lane_mask(wave_size)) == 0; }
  /// A register dword by operand code; TBA and TMA where they are operands.
  [[nodiscard]] u32 peek(u32 code) const;
  /// Dword 0 or 1 of TBA, 2 or 3 for TMA.
  [[nodiscard]] u32 trap_address_dword(u32 dword) const {
    return static_cast<u32>((dword < 2 ? tba : tma) >> (dword % 2 * 32));
  }
  /// Dword `i` of a register operand of `dwords` dwords: of s0 on where it is beyond the allocation.
  [[nodiscard]] u32 source_dword(u32 code, u32 dwords, u32 i) const;
  /// A source operand of 1 or 2 dwords: registers (of s0 on where they are beyond the allocation), constants,
  /// apertures, VCCZ, EXECZ, and `current_scc`. A literal reads as 0: it is the instruction's.
  template <u32 dwords>
  [[nodiscard]] u64 source(isa::OperandClass operand, u32 code, u32 current_scc) const;
  /// The same by code alone, `literal` included, as the next instruction finds it.
  [[nodiscard]] u64 source(u8 code, u32 dwords, u32 literal) const;
  /// STATUS with SCC, EXECZ and VCCZ.
  [[nodiscard]] u32 full_status(u32 current_scc) const;
  /// What S_GETREG finds in a hardware register, but for those that depend on the place of the instruction.
  [[nodiscard]] u32 hwreg(u32 reg, u32 current_scc) const;
  [[nodiscard]] u32 hwreg(u32 reg) const { return hwreg(reg, scc); }

 private:
  [[nodiscard]] u64 aperture(u32 code) const;
};

}  // namespace salu::core
