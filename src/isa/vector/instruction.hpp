#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "isa/instruction.hpp"
#include "isa/semantics/atomics.hpp"

/// Vector instructions that compiled scalar code depends on: each instruction once, as in `isa::Insn` for the scalar
/// unit. Of all others (other floats, images, MFMA) only the length is known.
namespace salu::isa::vector {

/// The native encoding of an instruction. VOP1, VOP2 and VOPC instructions also have a form in VOP3.
enum class Format : u8 { vop1, vop2, vopc, vop3, vop3p, mubuf, mtbuf, flat, global, scratch, ds };

/// The registers and constants that an operand accepts.
enum class OperandKind : u8 {
  none,
  vgpr,    ///< VGPRs only
  agpr,    ///< accumulation registers
  source,  ///< VGPRs, scalar registers and constants; a literal if the form allows one. In the short forms of VOP2
           ///< and VOPC the second source is a VGPR.
  inline_source,  ///< VGPRs and inline constants; from CDNA 2 on also scalar registers
  scalar,         ///< a scalar destination
  scalar_source,  ///< a scalar register or constant
  lane,           ///< a lane number: a scalar register or an inline constant
  constant,       ///< the literal that always follows the first dword
};

struct Operand {
  OperandKind kind = OperandKind::none;
  u8 bits = 32;            ///< 16, 32 or 64
  bool takes_sign = true;  ///< false: an integer of a floating-point instruction, without NEG and ABS

  [[nodiscard]] constexpr bool is_there() const { return kind != OperandKind::none; }
  [[nodiscard]] constexpr u8 dwords() const { return bits == 64 ? 2 : 1; }
  friend constexpr bool operator==(const Operand&, const Operand&) = default;
};

/// The operands of an ALU instruction, in the order of assembly: destination, destination mask, sources, source mask.
struct Shape {
  Operand destination;
  std::array<Operand, 3> sources{};
  bool writes_exec = false;     ///< EXEC receives the destination mask, too
  bool is_approximate = false;  ///< the result on hardware may differ
  // Derived from the semantic function.
  bool writes_mask = false;  ///< one bit per lane: VCC in the short form, a pair of SGPRs in VOP3
  bool reads_mask = false;   ///< in the same place
  bool is_swap = false;      ///< the first source is also a destination
  bool accumulates = false;  ///< the destination is also a source

  [[nodiscard]] constexpr u8 source_count() const {
    u8 count = 0;
    for (const Operand& source : sources) count = static_cast<u8>(count + (source.is_there() ? 1 : 0));
    return count;
  }
  /// True if the source mask is an operand. Beside three sources VOP3 lacks a field for it, and VCC is read.
  [[nodiscard]] constexpr bool names_source_mask() const { return reads_mask && source_count() < 3; }
};

/// How an ALU instruction works on lanes.
enum class LaneWork : u8 {
  each,             ///< computes each active lane separately
  no_effect,        ///< V_NOP
  read_lane,        ///< moves a lane, selected by the second source, to a scalar register
  read_first_lane,  ///< moves the first active lane to a scalar register
  write_lane,       ///< moves a scalar to a lane, selected by the second source
  swap,             ///< exchanges two registers in each active lane
  exchange,         ///< exchanges lanes of two registers
  relative,         ///< copies between registers, selected by M0
};

/// Properties of lane operations. isa/vector/traits.hpp derives them from the semantic function.
struct LaneTraits {
  LaneWork work = LaneWork::each;
  bool copies = false;             ///< each active lane that is written receives that of a source unchanged
  bool moves_source = false;       ///< M0 selects the source
  bool moves_destination = false;  ///< M0 selects the destination
  u8 exchange_distance = 0;        ///< distance between the two lanes that are exchanged

  /// True if the second source selects a lane, whatever EXEC is.
  [[nodiscard]] constexpr bool selects_lane() const {
    return work == LaneWork::read_lane || work == LaneWork::write_lane;
  }
};

/// The modifiers that an instruction accepts; one bit each.
using ModifierSet = u16;
namespace modifier {
inline constexpr ModifierSet plain = 0;
inline constexpr ModifierSet sdwa = 1U << 0;    ///< from GCN 1.2 on: a byte or half of each operand
inline constexpr ModifierSet dpp = 1U << 1;     ///< from GCN 1.2 on: the first source in other lanes; not for VOPC
inline constexpr ModifierSet clamp = 1U << 2;   ///< from GCN 1.2 on; for floating-point results on all generations
inline constexpr ModifierSet sign = 1U << 3;    ///< negated and absolute sources
inline constexpr ModifierSet output = 1U << 4;  ///< the result times 2, 4 or 1/2
inline constexpr ModifierSet op_sel = 1U << 5;  ///< a half of each operand
inline constexpr ModifierSet packed = 1U << 6;  ///< a half of each source for each half of the result
inline constexpr ModifierSet dot =
    1U << 7;  ///< a dot product: no half is selected, or with op_sel one of src0 and src1
inline constexpr ModifierSet truth_table = 1U << 8;  ///< OMOD, ABS and NEG are a truth table of three bits
inline constexpr ModifierSet exchange = 1U << 9;     ///< lanes are exchanged: BOUND_CTRL and FI are in OP_SEL
/// Each source is a 32-bit float, or by OP_SEL_HI a half of a register; a 16-bit result is a half of the destination.
inline constexpr ModifierSet mixed = 1U << 10;
inline constexpr ModifierSet high_result = 1U << 11;  ///< the half is the upper one
inline constexpr ModifierSet subdword = sdwa | dpp;
inline constexpr ModifierSet output_modifiers = clamp | output;
inline constexpr ModifierSet float_modifiers = sign | clamp | output;
inline constexpr ModifierSet compare_modifiers = sign | clamp;
}  // namespace modifier

/// The address of a DS access.
enum class SharedAddress : u8 {
  vgpr,  ///< in a VGPR
  lane,  ///< the sum of M0 and four times the number of the lane
  wave,  ///< M0: one access of the wave, to which each active lane contributes 1
};

/// How DS exchanges the data of lanes. LDS is not accessed.
enum class LaneMove : u8 {
  none,
  swizzle,   ///< the offset is a pattern for groups of lanes
  permute,   ///< each lane selects its destination
  bpermute,  ///< each lane selects its source
};

/// The effect of an atomic on denormal floats: operands and results that are flushed become zeros.
enum class FloatDenormals : u8 {
  kept,
  flushed,
  by_mode,      ///< as FP_DENORM of MODE specifies for the format
  unspecified,  ///< not documented; they are kept
};

/// The memory access of each lane.
struct Access {
  u8 bytes = 0;  ///< 0: no access; a cache control instruction
  bool is_store = false;
  bool is_signed = false;     ///< a loaded byte or half is sign-extended
  bool keeps_half = false;    ///< D16: only a half of the register is loaded or stored
  bool is_high_half = false;  ///< the upper half
  bool is_double = false;     ///< at two addresses (DS)
  bool is_far = false;        ///< offsets are in units of 64 times the access size
  bool goes_to_lds = false;   ///< always; for other instructions a bit of the encoding decides
  u8 element_bits = 0;        ///< size of the matrix elements that a transposing load from LDS moves, or 0
  AtomicOperation atomic = AtomicOperation::none;
  bool returns = false;        ///< an atomic of DS has a result: the old value. For other atomics GLC decides
  bool never_returns = false;  ///< GLC is not available for an atomic
  FloatDenormals denormals = FloatDenormals::kept;  ///< of an atomic on floats
  u8 components = 0;              ///< of a typed access; the format decides the size in memory. Otherwise 0
  bool is_d16 = false;            ///< these components are 16-bit floats or integers
  bool packs_components = false;  ///< two of them are in one register
  SharedAddress address = SharedAddress::vgpr;
  LaneMove move = LaneMove::none;

  [[nodiscard]] constexpr bool is_atomic() const { return atomic != AtomicOperation::none; }
  /// True for an access whose elements have a format (BufferFormat).
  [[nodiscard]] constexpr bool is_typed() const { return components != 0; }
  [[nodiscard]] constexpr bool moves_lanes() const { return move != LaneMove::none; }
  [[nodiscard]] constexpr bool reads_memory() const { return bytes != 0 && !is_store && !moves_lanes(); }
  [[nodiscard]] constexpr bool writes_memory() const { return is_store || is_atomic(); }
  /// True if lanes provide data: stores, atomics, permutations. The swizzle of DS has its data in the address register.
  [[nodiscard]] constexpr bool takes_data() const {
    return is_store || (is_atomic() && address != SharedAddress::wave) || move == LaneMove::permute ||
           move == LaneMove::bpermute;
  }
  /// True for an atomic with two operands.
  [[nodiscard]] constexpr bool has_second_operand() const { return traits_of(atomic).operands == 2; }
  /// True if an atomic has both operands in one run of registers: buffers, FLAT and GLOBAL.
  [[nodiscard]] constexpr bool pairs_operands() const {
    return atomic == AtomicOperation::atomic_cmpswap || atomic == AtomicOperation::atomic_fcmpswap;
  }
  /// True if DS has another data register: for the second address, or for the second operand of an atomic.
  [[nodiscard]] constexpr bool takes_second_data() const {
    return (is_double && writes_memory()) || (has_second_operand() && !pairs_operands());
  }
  /// True if VGPRs receive loaded data, or the old value of an atomic. `glc`: GLC of the instruction.
  [[nodiscard]] constexpr bool has_result(bool glc) const {
    return is_atomic() ? returns || (glc && !never_returns) : !is_store;
  }
  /// Dwords of each run of data registers.
  [[nodiscard]] constexpr u8 data_dwords() const {
    return static_cast<u8>(dwords_of_place() * (pairs_operands() ? 2 : 1));
  }
  /// Dwords of the result.
  [[nodiscard]] constexpr u8 result_dwords() const { return static_cast<u8>(dwords_of_place() * (is_double ? 2 : 1)); }
  /// Dwords of the data of a store or atomic, or of the result of a load.
  [[nodiscard]] constexpr u8 dwords() const { return takes_data() ? data_dwords() : result_dwords(); }

 private:
  [[nodiscard]] constexpr u8 dwords_of_place() const { return static_cast<u8>((bytes + 3) / 4); }
};

/// The mnemonics on GCN 1.0 and 1.1, on GCN 1.2, and from GCN 1.4 on.
using Names = std::array<std::string_view, 3>;

/// One row of the tables.
struct InstructionInfo : LaneTraits {
  Names names;
  Format format{};
  Opcodes opcodes{};       ///< of the short form, or of the only form
  Opcodes vop3_opcodes{};  ///< of the VOP3 form
  Shape shape{};
  ModifierSet modifiers = modifier::plain;
  Access access{};

  [[nodiscard]] constexpr std::string_view name(Generation generation) const {
    // No row applies to later generations: RDNA has its own tables.
    return names[std::clamp<u32>(generation_info(generation).gfx, 7, 9) - 7];
  }
  [[nodiscard]] constexpr i16 opcode(Generation generation) const {
    return opcodes[static_cast<std::size_t>(generation)];
  }
  [[nodiscard]] constexpr i16 vop3_opcode(Generation generation) const {
    return vop3_opcodes[static_cast<std::size_t>(generation)];
  }
  [[nodiscard]] constexpr bool is_memory() const { return format >= Format::mubuf; }
  /// True if the instruction names a buffer descriptor.
  [[nodiscard]] constexpr bool is_buffer() const { return format == Format::mubuf || format == Format::mtbuf; }
  /// The width of the floats in a source; 0 for integers, and if a modifier selects the width.
  [[nodiscard]] constexpr u8 float_bits(const Operand& source) const {
    const bool is_float = (modifiers & modifier::sign) != 0 && (modifiers & modifier::mixed) == 0 && source.takes_sign;
    if (!is_float) return 0;
    return (modifiers & modifier::packed) != 0 ? source.bits / 2 : source.bits;
  }
  /// True for a 64-bit float: NEG and ABS change bit 63, and a literal is the high dword.
  [[nodiscard]] constexpr bool is_wide_float(const Operand& source) const { return float_bits(source) == 64; }
  /// True for a 16-bit float, or two of them: constants are 16-bit floats, NEG and ABS change bit 15.
  [[nodiscard]] constexpr bool is_half_float(const Operand& source) const { return float_bits(source) == 16; }
};

/// Every vector instruction, in the order of the declarations in isa/vector/instructions/*.def.
enum class Insn : u16 {
#define SALU_VECTOR(format, name, names, opcodes, vop3, shape, modifiers) name,
#define SALU_VECTOR_MEMORY(format, name, names, opcodes, access) name,
#include "isa/vector/instructions/all.def"
#undef SALU_VECTOR
#undef SALU_VECTOR_MEMORY
};

/// The number of vector instructions.
inline constexpr std::size_t insn_count = 0
#define SALU_VECTOR(format, name, names, opcodes, vop3, shape, modifiers) +1
#define SALU_VECTOR_MEMORY(format, name, names, opcodes, access) +1
#include "isa/vector/instructions/all.def"
#undef SALU_VECTOR
#undef SALU_VECTOR_MEMORY
    ;

/// The row of an instruction.
const InstructionInfo& info(Insn insn);

/// All rows, indexed by `Insn`.
std::span<const InstructionInfo> all_instructions();

}  // namespace salu::isa::vector
