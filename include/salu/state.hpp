#pragma once

#include <salu/integer.hpp>
#include <salu/location.hpp>
#include <salu/target.hpp>
#include <salu/vector_registers.hpp>

#include <array>
#include <bitset>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace salu {

/// Operand encodings of the scalar registers on GCN and CDNA (operands.tsv). `operand_codes` returns those of any
/// generation; `state_index` has the indices of the registers in `WaveState::file`.
namespace code {
inline constexpr u32 vcc = gcn::operands.vcc;
inline constexpr u32 tba = 108;  ///< GCN 1.0 to 1.2
inline constexpr u32 tma = 110;  ///< GCN 1.0 to 1.2
inline constexpr u32 m0 = gcn::operands.m0;
inline constexpr u32 exec = gcn::operands.exec;
inline constexpr u32 count = 128;  ///< codes below this one are registers
static_assert(vcc == state_index::vcc && m0 == state_index::m0 && exec == state_index::exec);
}  // namespace code

/// The operand encoding of TTMP0: 108 on GFX9 (TTMP0 to 15), 112 before (TTMP0 to 11).
constexpr u32 ttmp_code(Generation generation) { return generation_info(generation).first_ttmp; }
/// The number of TTMP registers: 16 on GFX9, 12 before.
constexpr u32 ttmp_count(Generation generation) { return generation_info(generation).ttmps; }

/// Bits of MODE and STATUS that affect execution on GCN and CDNA (hwregs.tsv). `mode_layout` and `status_layout` return
/// those of any generation.
namespace mode_bit = gcn::mode_bit;
namespace status_bit = gcn::status_bit;

/// STATUS bits that mirror SCC, EXEC and VCC; they are zero in `WaveState::status`.
inline constexpr u32 status_live_bits = gcn::status.live();

/// Index of state by operand encoding, for each generation.
inline constexpr auto register_indices = [] {
  std::array<std::array<u8, code::count>, generation_count> indices{};
  for (std::size_t i = 0; i < generation_count; ++i) {
    const GenerationInfo& info = generation_table[i];
    for (u32 each = 0; each < code::count; ++each) indices[i][each] = static_cast<u8>(each);
    if (info.trap_addresses_are_operands) {
      for (u32 each = 0; each < 4; ++each) indices[i][code::tba + each] = static_cast<u8>(state_index::tba + each);
    }
    indices[i][info.operands.m0] = state_index::m0;
    if (info.operands.null != 0) indices[i][info.operands.null] = state_index::null;
  }
  return indices;
}();

/// The state index of an operand encoding (0 to 127) of a generation.
constexpr u32 register_index(Generation generation, u32 operand_code) {
  return operand_code < code::count ? register_indices[static_cast<std::size_t>(generation)][operand_code]
                                    : operand_code;
}
/// The operand encoding of a register in `WaveState::file`, by index of state.
constexpr u32 register_code(Generation generation, u32 index) {
  const OperandCodes& codes = operand_codes(generation);
  return index == state_index::m0 ? codes.m0 : index == state_index::null && codes.null != 0 ? codes.null : index;
}

/// Undefined bits of a dword of the state that counts as written.
struct UndefinedBits {
  u32 index = 0;  ///< `state_index`
  u32 mask = 0;
  friend bool operator==(const UndefinedBits&, const UndefinedBits&) = default;
};

/// The complete state of one wavefront as a plain value, which can be copied and compared.
struct WaveState {
  /// SGPRs, FLAT_SCRATCH, XNACK_MASK, VCC, TTMP, M0, EXEC as dwords, indexed by `state_index`. TBA and TMA are separate
  /// fields on every generation, so 108 to 111 stay zero on GCN 1.0 to 1.2.
  std::array<u32, code::count> file{};
  u64 pc = 0;      ///< byte address, dword aligned
  u64 tba = 0;     ///< trap base address in bytes
  u64 tma = 0;     ///< trap memory address in bytes
  u32 mode = 0;    ///< as S_GETREG reads it; `mode_bit`
  u32 status = 0;  ///< without SCC, EXECZ, VCCZ (`status_live_bits`)
  bool scc = false;
  std::array<u32, 64>
      hwregs{};  ///< the other hardware registers by id (TRAPSTS is 3); MODE, STATUS, TBA, TMA are not here
  u32 wave_size = state_index::lanes;  ///< lanes of the wave: 32 or 64
  u32 sgprs = 0;                       ///< allocated to the wave: s0 .. s(n-1)
  u32 vgprs = VectorRegisters::vgprs;  ///< allocated to the wave: v0 .. v(n-1)
  u32 agprs = VectorRegisters::vgprs;  ///< allocated to the wave: a0 .. a(n-1)
  /// The dwords that the program or its input has written, by `state_index`.
  std::bitset<state_index::defined_count> defined{};
  /// Further undefined bits at the start of a run (`CheckUndefined::bits`).
  std::vector<UndefinedBits> undefined_bits{};
  VectorRegisters vectors{};  ///< VGPRs and AGPRs

  /// The value of the pair of registers whose low dword has this index (at most 126).
  [[nodiscard]] u64 read64(u32 low_index) const { return file[low_index] | u64{file[low_index + 1]} << 32; }
  /// Sets such a pair without changing `defined`.
  void write64(u32 low_index, u64 value) {
    file[low_index] = static_cast<u32>(value);
    file[low_index + 1] = static_cast<u32>(value >> 32);
  }
  /// EXEC, one bit for each lane. A wave of 32 lanes ignores the upper half.
  [[nodiscard]] u64 exec() const { return read64(state_index::exec); }
  /// VCC, like EXEC.
  [[nodiscard]] u64 vcc() const { return read64(state_index::vcc); }
  /// MODE.CSP, 0 to 7: the number of entries on the control stack.
  [[nodiscard]] u32 csp() const { return gcn::mode.csp.of(mode); }
  /// A bit of STATUS that is not live (`status_bit`).
  [[nodiscard]] bool status_flag(u32 bit) const { return (status >> bit & 1) != 0; }
  /// STATUS as S_GETREG reads it, live bits included.
  [[nodiscard]] u32 full_status() const {
    const u64 lanes = lane_mask(wave_size);
    return status | u32{scc} << status_bit::scc | u32{(exec() & lanes) == 0} << status_bit::execz |
           u32{(vcc() & lanes) == 0} << status_bit::vccz;
  }

  friend bool operator==(const WaveState&, const WaveState&) = default;
};

/// Returns the default initial state of a generation: all lanes active, everything else zero and undefined, all SGPRs
/// allocated, and on GFX9 the apertures of SH_MEM_BASES as on Linux (shared 1 << 48, private 2 << 48).
WaveState initial_state(Generation generation);

/// True if the program or its input has written a dword of the state, or if it is always defined.
bool is_defined(const WaveState& state, u32 index);

/// A part of a `WaveState` that has a name: consecutive dwords, or bits of a dword.
struct RegisterName {
  u32 index = 0;   ///< `state_index` of the first dword
  u16 width = 32;  ///< in bits: 32 per dword, up to 16 dwords; less for SCC and fields of MODE and STATUS
  u8 low_bit = 0;  ///< of a field

  /// The width of a vector register or AGPR in bits.
  static constexpr u16 vector_width = 32 * state_index::lanes;

  /// A number of dwords of the register file from an index on (TBA and TMA are separate).
  static constexpr RegisterName in_file(u32 index, u32 dwords = 1) { return {index, static_cast<u16>(32 * dwords)}; }
  /// A number of vector registers from one on, in order, with all their lanes; a0 is number 256.
  static constexpr RegisterName in_vectors(u32 number, u32 registers = 1) {
    return {state_index::vgprs + number * state_index::lanes, static_cast<u16>(vector_width * registers)};
  }
  /// A lane of a vector register.
  static constexpr RegisterName in_lane(u32 number, u32 lane) {
    return {state_index::vgprs + number * state_index::lanes + lane};
  }
  [[nodiscard]] constexpr bool is_in_file() const { return index < state_index::tba; }
  /// True for a lane, and for all lanes of one or more vector registers.
  [[nodiscard]] constexpr bool is_vector() const { return state_index::is_lane(index); }
  /// The number of whole vector registers; 0 for a lane.
  [[nodiscard]] constexpr u32 vector_registers() const { return is_vector() ? width / vector_width : 0U; }
  [[nodiscard]] constexpr bool is_scc() const { return index == state_index::scc; }
  [[nodiscard]] constexpr bool is_pc() const { return index == state_index::pc; }
  [[nodiscard]] constexpr u32 dwords() const { return (width + 31U) / 32; }
  /// The dwords that the name covers completely or in part.
  [[nodiscard]] constexpr Location location() const { return {index, dwords()}; }
  /// True if it has a value from the start, without a write.
  [[nodiscard]] constexpr bool is_always_defined() const { return index >= state_index::defined_count && !is_vector(); }

  friend constexpr bool operator==(const RegisterName&, const RegisterName&) = default;
};

/// Parses a register name in the assembler's syntax (`s3`, `s[2:3]`, `vcc_lo`, `ttmp[4:5]`, `exec`, `m0`, `tba_hi`), or
/// one of `pc`, `scc`, `mode`, `csp`, `status`, `trapsts`, a hardware register's name in lower case, or a field of MODE
/// or STATUS in lower case (`vskip`, `priv`, `trap_en`, `halt`). Pairs start at an even register, longer tuples at a
/// multiple of four. `tba` and `tma` are byte addresses on every generation. `v3`, `v[3:4]` and `a0` are all lanes,
/// `v3[7]` is one lane. `what_is_wrong` receives the reason of a failure.
std::optional<RegisterName> parse_register_name(Generation generation, std::string_view text,
                                                std::string* what_is_wrong = nullptr);

/// Returns the names nearest to a misspelt one, for error messages.
std::vector<std::string> nearest_register_names(Generation generation, std::string_view text);

/// Returns the value of a register of at most 64 bits, or lane 0 of a whole vector register. STATUS includes its live
/// bits.
u64 read_register(const WaveState& state, const RegisterName& name);

/// Sets a register and marks it defined. `value` must fit in `name.width` bits (at most 64); PC and the live bits of
/// STATUS are masked.
void write_register(WaveState& state, Generation generation, const RegisterName& name, u64 value);

}  // namespace salu
