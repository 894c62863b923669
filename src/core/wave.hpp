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

/// The dwords of a state that have been written, by `WaveState::defined` index.
using DefinedSet = std::bitset<state_index::defined_count>;

/// The number of allocated registers of each kind.
struct Allocation {
  u32 sgprs = 0;
  u32 vgprs = VectorRegisters::vgprs;
  u32 agprs = VectorRegisters::vgprs;
  friend bool operator==(const Allocation&, const Allocation&) = default;
};

/// The scalar state of a running wavefront: the operand file that handlers index, the other registers, and the values
/// of operands. Reading is pure: the functions here neither warn nor stop.
struct Wave {
  explicit Wave(Generation of);
  explicit Wave(const Program& program);

  /// Loads everything except the PC.
  void load(const WaveState& state);
  /// Stores everything except the PC.
  void store(WaveState& state) const;

  /// Registers at their operand codes, then the constants and the literals (core/micro_op.hpp).
  alignas(64) std::array<u32, slot_count> slots;
  u32 mode = 0;
  u32 status = 0;                      ///< without the bits that follow other registers (`full_status`)
  u32 scc = 0;                         ///< not valid while a dispatch loop runs
  u32 wave_size = state_index::lanes;  ///< lanes
  u32 sgprs = 0;                       ///< allocated
  u32 vgprs = VectorRegisters::vgprs;  ///< allocated
  u32 agprs = VectorRegisters::vgprs;  ///< allocated
  u64 tba = 0;
  u64 tma = 0;
  std::array<u32, 64> hwregs{};  ///< by number; only registers that are not stored elsewhere
  /// Written so far, except registers that decoded code always writes (`CodeCache::defines`).
  DefinedSet defined;
  bool vccz_is_stale = false;  ///< half of VCC was written, and the whole register has not been since
  u64 half_vcc_writer = 0;     ///< with `vccz_is_stale`: the address of the instruction that wrote the half
  Generation generation;
  u64 address_mask;              ///< the address bits that are used: those of the generation, without the two low ones
  bool has_sramecc = false;      ///< `Program::has_sramecc`
  bool allows_unaligned = true;  ///< `Program::allows_unaligned`

  [[nodiscard]] bool priv() const { return (status >> gcn::status_bit::priv & 1) != 0; }
  [[nodiscard]] bool halted() const { return (status >> gcn::status_bit::halt & 1) != 0; }
  /// True if exceptions and the like enter a trap handler.
  [[nodiscard]] bool takes_traps() const { return (status >> gcn::status_bit::trap_en & 1) != 0 && !priv(); }
  /// True if the trap handler is entered after each instruction.
  [[nodiscard]] bool traps_each() const { return (mode >> gcn::mode_bit::debug_en & 1) != 0 && takes_traps(); }
  /// True if TRAPSTS.SAVECTX requests the trap handler. No manual before GCN 1.4 describes the bit.
  [[nodiscard]] bool asks_for_save() const {
    constexpr u32 save_context = 1U << 10;
    return (hwregs[isa::hwreg_id::trapsts] & save_context) != 0 && is_gfx9(generation) && takes_traps();
  }
  [[nodiscard]] bool vskip() const { return (mode >> gcn::mode_bit::vskip & 1) != 0; }
  /// True if M0 moves the registers of vector instructions. GCN 1.0 and 1.1 do not have this mode.
  [[nodiscard]] bool gpr_idx_on() const {
    return (mode >> gcn::mode_bit::gpr_idx_en & 1) != 0 && is_gcn1_2_or_later(generation);
  }
  [[nodiscard]] u32 csp() const { return mode >> gcn::mode_bit::csp; }
  void set_csp(u32 csp) { mode = (mode & ~(7U << gcn::mode_bit::csp)) | csp << gcn::mode_bit::csp; }
  [[nodiscard]] Allocation allocation() const { return {sgprs, vgprs, agprs}; }
  [[nodiscard]] bool in_allocation(u32 code, u32 dwords) const { return code + dwords <= sgprs; }
  /// True if registers from an operand code on are SGPRs beyond the allocation: reads return s0 and the following
  /// registers, and writes are dropped.
  [[nodiscard]] bool is_beyond_allocation(u32 code, u32 dwords) const;
  /// True if TTMPs read as 0 now.
  [[nodiscard]] bool hides_ttmps() const { return generation_info(generation).ttmps_need_priv && !priv(); }
  /// True if an index computed with M0 is a register that is allocated and addressable.
  [[nodiscard]] bool has_register(u64 index, u32 dwords) const {
    return index + dwords <= sgprs && index % dwords == 0;
  }
  void mark_defined(u32 first, u32 dwords) {
    for (u32 i = 0; i < dwords; ++i) defined[first + i] = true;
  }

  /// The address that an access uses.
  [[nodiscard]] u64 data_address(u64 address) const { return address & address_mask; }
  /// A pair of registers of the file, by state index.
  [[nodiscard]] u64 pair(u32 index) const {
    u64 value = 0;
    std::memcpy(&value, &slots[index], sizeof(value));
    return value;
  }
  void set_pair(u32 index, u64 value) { std::memcpy(&slots[index], &value, sizeof(value)); }
  /// True if EXEC or VCC has no bit set for a lane of the wave.
  [[nodiscard]] bool has_no_lane(u32 index) const { return (pair(index) & lane_mask(wave_size)) == 0; }
  /// A register dword by operand code, including TBA and TMA if they are operands.
  [[nodiscard]] u32 peek(u32 code) const;
  /// Dword 0 or 1 for TBA, 2 or 3 for TMA.
  [[nodiscard]] u32 trap_address_dword(u32 dword) const {
    return static_cast<u32>((dword < 2 ? tba : tma) >> (dword % 2 * 32));
  }
  /// Dword `i` of a register operand of `dwords` dwords; s0 and the following registers if it is beyond the allocation.
  [[nodiscard]] u32 source_dword(u32 code, u32 dwords, u32 i) const;
  /// A source operand of 1 or 2 dwords: registers (s0 and the following ones if beyond the allocation), constants,
  /// apertures, VCCZ, EXECZ, and `current_scc`. A literal reads as 0: it belongs to the instruction.
  template <u32 dwords>
  [[nodiscard]] u64 source(isa::OperandClass operand, u32 code, u32 current_scc) const;
  /// The same by code, including a literal, as the next instruction would read it.
  [[nodiscard]] u64 source(u8 code, u32 dwords, u32 literal) const;
  /// STATUS with SCC, EXECZ and VCCZ.
  [[nodiscard]] u32 full_status(u32 current_scc) const;
  /// The value that S_GETREG reads from a hardware register, except registers that depend on the address of the
  /// instruction.
  [[nodiscard]] u32 hwreg(u32 reg, u32 current_scc) const;
  [[nodiscard]] u32 hwreg(u32 reg) const { return hwreg(reg, scc); }

 private:
  [[nodiscard]] u64 aperture(u32 code) const;
};

}  // namespace salu::core
