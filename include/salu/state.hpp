#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <array>
#include <bitset>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace salu {

/// Operand encodings of the scalar registers (operands.tsv); also their places in `WaveState::file`.
namespace code {
inline constexpr u32 flat_scratch_gcn1_1 = 104;
inline constexpr u32 flat_scratch = 102;  ///< from GCN 1.2 on
inline constexpr u32 xnack_mask = 104;    ///< from GCN 1.2 on
inline constexpr u32 vcc = 106;
inline constexpr u32 tba = 108;  ///< GCN 1.0 to 1.2
inline constexpr u32 tma = 110;  ///< GCN 1.0 to 1.2
inline constexpr u32 ttmp0_gfx9 = 108;
inline constexpr u32 ttmp0 = 112;  ///< GCN 1.0 to 1.2
inline constexpr u32 m0 = 124;
inline constexpr u32 exec = 126;
inline constexpr u32 count = 128;  ///< codes below this one are registers
}  // namespace code

/// Operand encoding of TTMP0: 108 on GFX9 (TTMP0 to 15), 112 before (TTMP0 to 11).
constexpr u32 ttmp_code(Generation generation) { return generation_info(generation).first_ttmp; }
/// How many TTMP registers there are: 16 on GFX9, 12 before.
constexpr u32 ttmp_count(Generation generation) { return generation_info(generation).ttmps; }

/// Bits of MODE and STATUS that the scalar unit acts on (hwregs.tsv).
namespace mode_bit {
inline constexpr u32 gpr_idx_en = 27;
inline constexpr u32 vskip = 28;
inline constexpr u32 csp = 29;  ///< lowest of three
}  // namespace mode_bit
namespace status_bit {
inline constexpr u32 scc = 0;
inline constexpr u32 user_prio = 3;  ///< lower of two
inline constexpr u32 priv = 5;
inline constexpr u32 trap_en = 6;
inline constexpr u32 execz = 9;
inline constexpr u32 vccz = 10;
inline constexpr u32 halt = 13;
inline constexpr u32 cond_dbg_user = 20;
inline constexpr u32 cond_dbg_sys = 21;
inline constexpr u32 inst_atc = 23;  ///< GCN 1.2
}  // namespace status_bit

/// STATUS bits that follow SCC, EXEC and VCC; `WaveState::status` keeps them at zero.
inline constexpr u32 status_live_bits = (1U << status_bit::scc) | (1U << status_bit::execz) | (1U << status_bit::vccz);

/// Index in `WaveState::defined` of what lies outside the register file.
namespace defined_index {
inline constexpr u32 tba = 128;
inline constexpr u32 tma = 130;
inline constexpr u32 scc = 132;
inline constexpr u32 count = 133;
}  // namespace defined_index

/// Everything that the scalar unit of one wavefront remembers, as a plain value: copy it, compare it.
struct WaveState {
  /// SGPRs, FLAT_SCRATCH, XNACK_MASK, VCC, TTMP, M0, EXEC as dwords at their own operand encodings of the generation.
  /// TBA and TMA are fields of their own on every generation, so 108 to 111 stay zero on GCN 1.0 to 1.2.
  std::array<u32, code::count> file{};
  u64 pc = 0;      ///< byte address, dword aligned
  u64 tba = 0;     ///< trap base address in bytes
  u64 tma = 0;     ///< trap memory address in bytes
  u32 mode = 0;    ///< as S_GETREG sees it; `mode_bit`
  u32 status = 0;  ///< without SCC, EXECZ, VCCZ (`status_live_bits`)
  bool scc = false;
  std::array<u32, 64>
      hwregs{};   ///< the other hardware registers by id (TRAPSTS is 3); MODE, STATUS, TBA, TMA are not here
  u32 sgprs = 0;  ///< allocated to the wave: s0 .. s(n-1)
  /// Which dwords the program or its input has written: operand encodings, then `defined_index`.
  std::bitset<defined_index::count> defined{};

  /// The pair of registers whose low dword has this operand encoding (126 at most).
  [[nodiscard]] u64 read64(u32 low_code) const { return file[low_code] | u64{file[low_code + 1]} << 32; }
  /// Sets such a pair; `defined` stays as it is.
  void write64(u32 low_code, u64 value) {
    file[low_code] = static_cast<u32>(value);
    file[low_code + 1] = static_cast<u32>(value >> 32);
  }
  /// EXEC: a bit a lane.
  [[nodiscard]] u64 exec() const { return read64(code::exec); }
  /// VCC: a bit a lane.
  [[nodiscard]] u64 vcc() const { return read64(code::vcc); }
  /// MODE.CSP, 0 to 7: how many entries the control stack holds.
  [[nodiscard]] u32 csp() const { return mode >> mode_bit::csp; }
  /// A bit of STATUS that is not live (`status_bit`).
  [[nodiscard]] bool status_flag(u32 bit) const { return (status >> bit & 1) != 0; }
  /// STATUS as S_GETREG sees it, live bits included.
  [[nodiscard]] u32 full_status() const {
    return status | u32{scc} << status_bit::scc | u32{exec() == 0} << status_bit::execz |
           u32{vcc() == 0} << status_bit::vccz;
  }

  friend bool operator==(const WaveState&, const WaveState&) = default;
};

/// The state in which a wave of this generation starts here: all lanes on, everything else zero and undefined, all
/// SGPRs allocated, the apertures of SH_MEM_BASES where Linux puts them (shared 1 << 48, private 2 << 48) on GFX9.
WaveState initial_state(Generation generation);

/// One nameable piece of a `WaveState`: a run of dwords in the file, or a named register or bit field beside it.
struct RegisterName {
  enum class Kind : u8 { file, pc, tba, tma, scc, mode, mode_field, status, status_field, hwreg };
  Kind kind = Kind::file;
  u8 first = 0;    ///< file: operand encoding; tba/tma: 0 whole or low half, 1 high half; fields: lowest bit; hwreg: id
  u16 width = 32;  ///< bits; 32 per dword of the file, up to 16 dwords

  friend bool operator==(const RegisterName&, const RegisterName&) = default;
};

/// Reads a register name as the assembler spells it (`s3`, `s[2:3]`, `vcc_lo`, `ttmp[4:5]`, `exec`, `m0`, `tba_hi`), or
/// one of `pc`, `scc`, `mode`, `csp`, `status`, `trapsts`, a hardware register's name in lower case, or a field of MODE
/// or STATUS in lower case (`vskip`, `priv`, `trap_en`, `halt`). Pairs are even, longer runs start at a multiple of
/// four. `tba` and `tma` are byte addresses on every generation. `what_is_wrong` explains a failure.
std::optional<RegisterName> parse_register_name(Generation generation, std::string_view text,
                                                std::string* what_is_wrong = nullptr);

/// The names nearest to a misspelt one, for error messages.
std::vector<std::string> nearest_register_names(Generation generation, std::string_view text);

/// Value of a named piece that is at most 64 bits wide. STATUS comes with its live bits.
u64 read_register(const WaveState& state, const RegisterName& name);

/// Sets a named piece and marks it defined. `value` must fit in `name.width` bits (64 at most); PC and the live bits of
/// STATUS are masked.
void write_register(WaveState& state, Generation generation, const RegisterName& name, u64 value);

}  // namespace salu
