#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "isa/instruction.hpp"
#include "isa/operand.hpp"

namespace salu::isa {

/// What kind of thing the words are.
enum class EncodingClass : u8 {
  scalar,     ///< one of `Insn`
  vector,     ///< a vector, export or vector memory instruction: its length is known, not its meaning
  truncated,  ///< the first dword asks for a second one that is not there
  illegal,    ///< no instruction of this generation
};

/// Vector encodings, told apart for messages (semantics.md 10).
enum class VectorFormat : u8 { none, vop1, vop2, vopc, vop3, vintrp, ds, flat, mubuf, mtbuf, mimg, exp };

/// `VOP2`, `MUBUF`, ...
std::string_view vector_format_name(VectorFormat format);

/// Scalar memory fields, SMRD and SMEM alike.
struct MemoryFields {
  u8 sdata = 0;    ///< register code of the first data dword, or the immediate of a probe
  u8 sbase = 0;    ///< register code of the first dword of the base (the field times two)
  u8 soffset = 0;  ///< register code of the offset register, when there is one
  bool has_offset_register = false;
  bool has_immediate = false;
  bool has_literal = false;  ///< GCN 1.1: the offset is the literal dword, in dwords
  bool glc = false;
  bool dlc = false;  ///< GFX10
  bool nv = false;   ///< GFX9
  i32 offset = 0;    ///< immediate: dwords for SMRD (as encoded), bytes for SMEM (sign-extended on GFX9)

  friend constexpr bool operator==(const MemoryFields&, const MemoryFields&) = default;
};

/// Dwords of the longest instruction of any generation.
inline constexpr std::size_t longest_instruction =
    std::ranges::max(generation_table, {}, &GenerationInfo::instruction_dwords).instruction_dwords;

/// One decoded instruction: its fields as encoded, not yet judged. Fields that the format lacks are zero.
struct Instruction {
  EncodingClass encoding = EncodingClass::illegal;
  VectorFormat vector = VectorFormat::none;
  Insn insn{};    ///< with EncodingClass::scalar
  u8 dwords = 1;  ///< length, literal included
  bool has_literal = false;
  u8 sdst = 0;   ///< 7-bit register code
  u8 ssrc0 = 0;  ///< 8-bit operand code
  u8 ssrc1 = 0;  ///< 8-bit operand code, or raw bits of S_SET_GPR_IDX_ON
  u16 simm16 = 0;
  u32 literal = 0;  ///< with `has_literal`
  MemoryFields memory;
  std::array<u32, longest_instruction> vector_words{};  ///< with EncodingClass::vector: what isa/vector/ decodes

  friend constexpr bool operator==(const Instruction&, const Instruction&) = default;
};

/// Decodes the instruction that starts at `words[0]`. An instruction whose operands are illegal still decodes:
/// `find_operand_fault` judges them. Bits that no field uses are ignored.
Instruction decode(Generation generation, std::span<const u32> words);

/// The operand code that a field of an instruction holds: SDST, SSRC0, SSRC1, SDATA, SBASE, and the offset register
/// when there is one. Nothing for a field that holds no operand code.
std::optional<u8> operand_code(const Instruction& instruction, Field field);

/// Why an operand field may not hold what it holds.
struct OperandFault {
  enum class Kind : u8 { illegal, misaligned };
  Kind kind{};
  Field field{};
  u8 code = 0;  ///< the operand code found there

  friend constexpr bool operator==(const OperandFault&, const OperandFault&) = default;
};

/// The first operand of a scalar instruction that the generation does not allow, if any.
std::optional<OperandFault> find_operand_fault(Generation generation, const Instruction& instruction);

/// The words of a scalar instruction, unused bits zero. The inverse of `decode` for canonical words.
struct EncodedWords {
  std::array<u32, longest_instruction> words{};
  u8 count = 0;
  [[nodiscard]] std::span<const u32> span() const { return {words.data(), count}; }
};
EncodedWords encode(Generation generation, const Instruction& instruction);

/// Value of no `Insn`: an opcode number that the generation does not use.
inline constexpr u16 no_insn = 0xffff;

/// `Insn` by opcode number, one array per format, for one generation.
struct OpcodeTable {
  std::array<u16, 128> sop2;  // 7 bits, but 96 and up are the other scalar formats
  std::array<u16, 256> sop1;
  std::array<u16, 128> sopc;
  std::array<u16, 32> sopk;
  std::array<u16, 128> sopp;
  std::array<u16, 32> smrd;
  std::array<u16, 256> smem;
};
const OpcodeTable& opcode_table(Generation generation);

/// Length in dwords and format of a vector instruction; `format` none when illegal.
struct VectorLength {
  VectorFormat format;
  u8 dwords;
};
/// Of a word that is not scalar ALU, program control or scalar memory, and the one after it, where RDNA's VOP3 names a
/// literal.
VectorLength vector_length(Generation generation, u32 word, u32 next = 0);

/// The scalar registers that a vector instruction writes: the lane mask of a compare, the carry of an addition, what
/// V_READLANE and V_READFIRSTLANE fetch. An address and EXEC at most.
struct ScalarResults {
  std::array<RegisterSpan, 2> spans{};
  u8 count = 0;
  [[nodiscard]] const RegisterSpan* begin() const { return spans.data(); }
  [[nodiscard]] const RegisterSpan* end() const { return spans.data() + count; }
};
/// For the vector instruction that starts at `words[0]`, all of whose dwords are there.
ScalarResults vector_scalar_results(Generation generation, std::span<const u32> words);

}  // namespace salu::isa
