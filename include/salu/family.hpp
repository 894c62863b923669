#pragma once

#include <salu/integer.hpp>

/// Encodings and layouts that differ between families of instruction sets. The rows of <salu/generations.def> refer to
/// them.
namespace salu {

/// The families of AMD's instruction sets. CDNA continues GCN's instruction tables; RDNA has separate rows.
enum class Family : u8 { gcn, cdna, rdna };

/// A field of a word. On a generation without the field the width is 0: it reads as 0.
struct BitField {
  u8 low = 0;
  u8 width = 0;

  /// The largest value of the field.
  [[nodiscard]] constexpr u32 limit() const { return (1U << width) - 1; }
  /// The bits of the field, in place.
  [[nodiscard]] constexpr u32 mask() const { return limit() << low; }
  /// The value of the field in a word.
  [[nodiscard]] constexpr u32 of(u32 word) const { return word >> low & limit(); }
  /// A value shifted to the position of the field. Excess bits are dropped.
  [[nodiscard]] constexpr u32 place(u32 value) const { return (value & limit()) << low; }

  friend constexpr bool operator==(const BitField&, const BitField&) = default;
};

/// The operand encodings of single registers and conditions. Those of SGPRs, FLAT_SCRATCH and TTMPs are other fields of
/// `GenerationInfo`. 0 on a generation without the operand.
struct OperandCodes {
  u8 vcc = 0;  ///< VCC_LO; VCC_HI follows
  u8 m0 = 0;
  u8 null = 0;  ///< reads as 0; writes are dropped
  u8 exec = 0;  ///< EXEC_LO; EXEC_HI follows
  u8 vccz = 0;
  u8 execz = 0;
  u8 scc = 0;
};

/// The counters in SIMM16 of S_WAITCNT.
struct WaitLayout {
  BitField vmcnt;
  BitField vmcnt_high;  ///< the upper bits of VMCNT, if they are not adjacent to the lower ones
  BitField expcnt;
  BitField lgkmcnt;
};

/// The fields of MODE that the emulator uses.
struct ModeLayout {
  BitField fp_round;   ///< the lower half applies to 32-bit floats
  BitField fp_denorm;  ///< the lower half applies to 32-bit floats
  BitField dx10_clamp;
  BitField ieee;
  BitField debug_en;
  BitField excp_en;
  BitField gpr_idx_en;
  BitField vskip;
  BitField csp;
};

/// The fields of STATUS that the emulator uses.
struct StatusLayout {
  BitField scc;
  BitField user_prio;
  BitField priv;
  BitField trap_en;
  BitField execz;
  BitField vccz;
  BitField in_tg;  ///< the work-group has several waves
  BitField halt;
  BitField cond_dbg_user;
  BitField cond_dbg_sys;
  BitField inst_atc;

  /// The bits that reflect SCC, EXEC and VCC.
  [[nodiscard]] constexpr u32 live() const { return scc.mask() | execz.mask() | vccz.mask(); }
};

/// GCN and CDNA.
namespace gcn {

inline constexpr OperandCodes operands{
    .vcc = 106, .m0 = 124, .null = 0, .exec = 126, .vccz = 251, .execz = 252, .scc = 253};

inline constexpr WaitLayout waits{.vmcnt = {0, 4}, .vmcnt_high = {}, .expcnt = {4, 3}, .lgkmcnt = {8, 4}};
/// From GCN 1.4 on.
inline constexpr WaitLayout long_waits{.vmcnt = {0, 4}, .vmcnt_high = {14, 2}, .expcnt = {4, 3}, .lgkmcnt = {8, 4}};

/// From GCN 1.2 on.
inline constexpr ModeLayout mode{.fp_round = {0, 4},
                                 .fp_denorm = {4, 4},
                                 .dx10_clamp = {8, 1},
                                 .ieee = {9, 1},
                                 .debug_en = {11, 1},
                                 .excp_en = {12, 9},
                                 .gpr_idx_en = {27, 1},
                                 .vskip = {28, 1},
                                 .csp = {29, 3}};
inline constexpr ModeLayout mode_1_1 = [] {
  ModeLayout layout = mode;
  layout.gpr_idx_en = {};
  return layout;
}();
inline constexpr ModeLayout mode_1_0 = [] {
  ModeLayout layout = mode_1_1;
  layout.excp_en.width = 7;
  return layout;
}();

/// From GCN 1.4 on, except CDNA 2.
inline constexpr StatusLayout status{.scc = {0, 1},
                                     .user_prio = {3, 2},
                                     .priv = {5, 1},
                                     .trap_en = {6, 1},
                                     .execz = {9, 1},
                                     .vccz = {10, 1},
                                     .in_tg = {11, 1},
                                     .halt = {13, 1},
                                     .cond_dbg_user = {20, 1},
                                     .cond_dbg_sys = {21, 1},
                                     .inst_atc = {}};
/// Up to GCN 1.2.
inline constexpr StatusLayout status_1_0 = [] {
  StatusLayout layout = status;
  layout.inst_atc = {23, 1};
  return layout;
}();
inline constexpr StatusLayout status_cdna2 = [] {
  StatusLayout layout = status;
  layout.cond_dbg_user = {};
  layout.cond_dbg_sys = {};
  return layout;
}();

/// The lowest bits of the fields of MODE, for code that only supports GCN and CDNA.
namespace mode_bit {
inline constexpr u32 fp_round = mode.fp_round.low;
inline constexpr u32 fp_denorm = mode.fp_denorm.low;
inline constexpr u32 dx10_clamp = mode.dx10_clamp.low;
inline constexpr u32 ieee = mode.ieee.low;
inline constexpr u32 debug_en = mode.debug_en.low;
inline constexpr u32 excp_en = mode.excp_en.low;
inline constexpr u32 gpr_idx_en = mode.gpr_idx_en.low;
inline constexpr u32 vskip = mode.vskip.low;
inline constexpr u32 csp = mode.csp.low;
}  // namespace mode_bit

/// The lowest bits of the fields of STATUS, for code that only supports GCN and CDNA.
namespace status_bit {
inline constexpr u32 scc = status.scc.low;
inline constexpr u32 user_prio = status.user_prio.low;
inline constexpr u32 priv = status.priv.low;
inline constexpr u32 trap_en = status.trap_en.low;
inline constexpr u32 execz = status.execz.low;
inline constexpr u32 vccz = status.vccz.low;
inline constexpr u32 in_tg = status.in_tg.low;
inline constexpr u32 halt = status.halt.low;
inline constexpr u32 cond_dbg_user = status.cond_dbg_user.low;
inline constexpr u32 cond_dbg_sys = status.cond_dbg_sys.low;
inline constexpr u32 inst_atc = status_1_0.inst_atc.low;
}  // namespace status_bit

}  // namespace gcn
}  // namespace salu
