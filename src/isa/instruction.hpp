#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <array>
#include <initializer_list>
#include <span>
#include <string_view>

/// The properties of instructions that decoder, assembler, disassembler, executor, documents and tests share.
namespace salu::isa {

/// Encoding formats of the scalar unit. SMRD is the 32-bit scalar memory format of GCN 1.0 and 1.1, SMEM the 64-bit
/// format of later generations.
enum class Format : u8 { sop2, sop1, sopc, sopk, sopp, smrd, smem };
inline constexpr std::size_t format_count = 7;

/// `SOP2`, `SMEM`, ...
std::string_view format_name(Format format);

/// The encoding field of an operand. SMRD and SMEM call SDST `sdata` for loads and stores.
enum class Field : u8 { sdst, ssrc0, ssrc1, simm16, literal, sdata, sbase, offset };

/// The values that an operand field accepts and its assembly syntax.
enum class OperandKind : u8 {
  destination,      ///< a register (codes 0 to 127)
  source,           ///< a register, an inline constant or a literal; a literal for a 64-bit operand is zero-extended
  signed_source,    ///< like `source` for I64 operands: a literal is sign-extended
  inline_source,    ///< a register or an inline constant, never a literal
  register_source,  ///< a register only
  simm16,           ///< sign-extended 16-bit immediate
  uimm16,           ///< zero-extended 16-bit immediate
  branch,           ///< SIMM16 as a dword distance from the next instruction
  hwreg,            ///< SIMM16 as hwreg(id, offset, size)
  waitcnt,          ///< SIMM16 as counters
  sendmsg,          ///< SIMM16 as a message
  gpr_idx,          ///< four enable bits of GPR index mode (SSRC1 of S_SET_GPR_IDX_ON, SIMM16 of S_SET_GPR_IDX_MODE)
  literal,          ///< the mandatory second dword of S_SETREG_IMM32_B32
  memory_data,      ///< SDATA, 1 to 16 dwords
  memory_base,      ///< SBASE: an address pair or a buffer descriptor of four registers
  memory_offset,    ///< OFFSET, SOFFSET, IMM and SOE together
  probe,            ///< SDATA as an 8-bit immediate (S_ATC_PROBE)
};

/// One explicit operand, in the order of the assembly syntax.
struct OperandSpec {
  Field field{};
  OperandKind kind{};
  u8 dwords = 0;  ///< width of the value; 0 for immediates
  bool reads = false;
  bool writes = false;
  bool is_relative = false;  ///< M0 selects the register

  friend constexpr bool operator==(const OperandSpec&, const OperandSpec&) = default;
};

/// The explicit operands of an instruction, at most three.
struct Shape {
  std::array<OperandSpec, 3> operands{};
  u8 count = 0;

  constexpr Shape() = default;
  constexpr Shape(std::initializer_list<OperandSpec> list) {
    for (const OperandSpec& operand : list) add(operand);
  }
  constexpr void add(const OperandSpec& operand) { operands[count++] = operand; }
  [[nodiscard]] constexpr std::span<const OperandSpec> span() const { return {operands.data(), count}; }
  /// The operand in a field, or null.
  [[nodiscard]] constexpr const OperandSpec* find(Field field) const {
    for (u8 i = 0; i < count; ++i) {
      if (operands[i].field == field) return &operands[i];
    }
    return nullptr;
  }
};

/// State that an instruction reads or writes implicitly; one bit each.
using EffectSet = u32;
namespace effect {
inline constexpr EffectSet none = 0;
inline constexpr EffectSet scc = 1U << 0;
inline constexpr EffectSet exec = 1U << 1;
inline constexpr EffectSet vcc = 1U << 2;
inline constexpr EffectSet m0 = 1U << 3;
inline constexpr EffectSet pc = 1U << 4;
inline constexpr EffectSet csp = 1U << 5;
inline constexpr EffectSet stack = 1U << 6;  ///< SGPR[4 * CSP .. +3]
inline constexpr EffectSet vskip = 1U << 7;
inline constexpr EffectSet gpr_idx_en = 1U << 8;
inline constexpr EffectSet hwreg = 1U << 9;  ///< the hardware register in SIMM16
inline constexpr EffectSet priv = 1U << 10;
inline constexpr EffectSet trap_en = 1U << 11;
inline constexpr EffectSet tba = 1U << 12;
inline constexpr EffectSet ttmp01 = 1U << 13;
inline constexpr EffectSet cond_dbg = 1U << 14;
inline constexpr EffectSet halt = 1U << 15;
inline constexpr EffectSet user_prio = 1U << 16;
inline constexpr EffectSet inst_atc = 1U << 17;
inline constexpr EffectSet relative = 1U << 18;  ///< the SGPR that M0 selects
inline constexpr EffectSet end = 1U << 19;       ///< the wave ends
inline constexpr EffectSet memory = 1U << 20;
}  // namespace effect

/// The control flow of an instruction.
enum class Flow : u8 {
  next,              ///< always to the next instruction
  branch,            ///< to the target in SIMM16
  branch_if,         ///< to the target in SIMM16 or to the next instruction
  jump,              ///< to an address in SGPRs: a return, a tail call, any other jump
  call,              ///< to another address; the address of the next instruction is written to SGPRs
  fork,              ///< to one of two addresses; the lanes for the other one wait on the control stack
  join,              ///< to the lanes that wait on the control stack, or to the next instruction
  trap,              ///< to the trap handler
  return_from_trap,  ///< to an address in TTMPs, with STATUS.PRIV cleared
  end_if,            ///< ends the wave, or continues with the next instruction
  end,               ///< ends the wave
};

/// Why the manuals do not define the result of an instruction.
enum class Unspecified : u8 {
  never,
  undescribed,           ///< the manuals list it without a description
  without_priv,          ///< if STATUS.PRIV is 0
  field_beyond_operand,  ///< if the bit field in SSRC1 is wider than the operand
};

/// Operands, implicit reads and writes, and control flow of an instruction. isa/traits.hpp derives them from the type
/// of the semantic function, or from the memory operation.
struct InstructionTraits {
  Shape shape;
  EffectSet reads = effect::none;   ///< in addition to the operands
  EffectSet writes = effect::none;  ///< in addition to the operands
  Flow flow = Flow::next;
  Unspecified unspecified = Unspecified::never;
  bool computes = false;         ///< a pure function of values: writes only SDST, SCC and EXEC
  bool writes_if_scc = false;    ///< SDST keeps its value if SCC is 0
  bool copies = false;           ///< SDST, if it is written, receives SSRC0 unchanged
  bool combines_masks = false;   ///< SDST and EXEC receive masks; each quad depends only on the same quads of masks
  bool is_barrier = false;       ///< waits for the other waves of the work-group
  bool saves_exec = false;       ///< SDST receives the old EXEC
  u8 exec_by_ones = 0;           ///< the new EXEC for two lanes, of which the second is active, if SSRC0 is -1
  bool has_no_effect = false;    ///< neither in this emulator nor on hardware
  bool is_unmodelled = false;    ///< has an effect on hardware, but not in this emulator
  bool is_undocumented = false;  ///< not described by any public document

  [[nodiscard]] constexpr bool reads_any(EffectSet set) const { return (reads & set) != 0; }
  [[nodiscard]] constexpr bool writes_any(EffectSet set) const { return (writes & set) != 0; }
  [[nodiscard]] constexpr bool touches_any(EffectSet set) const { return ((reads | writes) & set) != 0; }
  /// True for a direct branch.
  [[nodiscard]] constexpr bool branches() const { return flow == Flow::branch || flow == Flow::branch_if; }
  /// True if execution may continue at another address than the next instruction.
  [[nodiscard]] constexpr bool ends_block() const {
    return is_undocumented || (flow != Flow::next && flow != Flow::end_if);
  }
  /// True if a literal of a 64-bit operand is sign-extended.
  [[nodiscard]] constexpr bool sign_extends_literal() const {
    for (const OperandSpec& operand : shape.span()) {
      if (operand.kind == OperandKind::signed_source) return true;
    }
    return false;
  }
  /// Dwords of the operand in a field that are read, or written; 0 if there is no such operand.
  [[nodiscard]] constexpr u8 dwords_read(Field field) const {
    const OperandSpec* const operand = shape.find(field);
    return operand != nullptr && operand->reads ? operand->dwords : u8{0};
  }
  [[nodiscard]] constexpr u8 dwords_written(Field field) const {
    const OperandSpec* const operand = shape.find(field);
    return operand != nullptr && operand->writes ? operand->dwords : u8{0};
  }
};

/// Opcode numbers by generation, in the order of `Generation`; `absent` if the generation does not have the
/// instruction.
using Opcodes = std::array<i16, generation_count>;
inline constexpr i16 absent = -1;

/// One row of the instruction tables.
struct InstructionInfo : InstructionTraits {
  std::string_view mnemonic;
  Format format{};
  Opcodes opcodes{};

  [[nodiscard]] constexpr i16 opcode(Generation generation) const {
    return opcodes[static_cast<std::size_t>(generation)];
  }
};

/// Every instruction, in the order of the declarations in isa/instructions/*.def. An instruction that behaves
/// differently on some generations has two entries with the same mnemonic, and no generation has both.
enum class Insn : u16 {
#define SALU_INSN(format, name, ...) name,
#include "isa/instructions/all.def"
#undef SALU_INSN
};

/// The number of instructions.
inline constexpr std::size_t insn_count = 0
#define SALU_INSN(...) +1
#include "isa/instructions/all.def"
#undef SALU_INSN
    ;

/// The row of an instruction.
const InstructionInfo& info(Insn insn);

/// All rows, indexed by `Insn`.
std::span<const InstructionInfo> all_instructions();

/// CLRX spellings that the assembler accepts in addition to LLVM's.
struct MnemonicAlias {
  std::string_view alias;
  std::string_view mnemonic;
};
std::span<const MnemonicAlias> mnemonic_aliases();

}  // namespace salu::isa
