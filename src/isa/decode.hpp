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

/// The kind of instruction that the words encode.
enum class EncodingClass : u8 {
  scalar,     ///< one of `Insn`
  vector,     ///< a vector, export or vector memory instruction: its length is known, its meaning is not
  truncated,  ///< the first dword requires a second one that is missing
  illegal,    ///< not an instruction of this generation
};

/// Vector encodings, distinguished for messages (semantics.md 10).
enum class VectorFormat : u8 { none, vop1, vop2, vopc, vop3, vintrp, ds, flat, mubuf, mtbuf, mimg, exp };

/// `VOP2`, `MUBUF`, ...
std::string_view vector_format_name(VectorFormat format);

/// The fields of scalar memory instructions, SMRD and SMEM.
struct MemoryFields {
  u8 sdata = 0;    ///< register code of the first data dword, or the immediate of a probe
  u8 sbase = 0;    ///< register code of the first dword of the base (the field times two)
  u8 soffset = 0;  ///< register code of the offset register, if there is one
  bool has_offset_register = false;
  bool has_immediate = false;
  bool has_literal = false;  ///< GCN 1.1: the offset is the literal dword, in dwords
  bool glc = false;
  bool dlc = false;  ///< GFX10
  bool nv = false;   ///< GFX9
  i32 offset = 0;    ///< immediate: dwords for SMRD (as encoded), bytes for SMEM (sign-extended on GFX9)

  friend constexpr bool operator==(const MemoryFields&, const MemoryFields&) = default;
};

/// Length in dwords of the longest instruction of any generation.
inline constexpr std::size_t longest_instruction =
    std::ranges::max(generation_table, {}, &GenerationInfo::instruction_dwords).instruction_dwords;

/// One decoded instruction: its fields as encoded, not yet checked. Fields that the format does not have are zero.
struct Instruction {
  EncodingClass encoding = EncodingClass::illegal;
  VectorFormat vector = VectorFormat::none;
  Insn insn{};    ///< with EncodingClass::scalar
  u8 dwords = 1;  ///< length, including the literal
  bool has_literal = false;
  u8 sdst = 0;   ///< 7-bit register code
  u8 ssrc0 = 0;  ///< 8-bit operand code
  u8 ssrc1 = 0;  ///< 8-bit operand code, or raw bits of S_SET_GPR_IDX_ON
  u16 simm16 = 0;
  u32 literal = 0;  ///< with `has_literal`
  MemoryFields memory;
  std::array<u32, longest_instruction>
      vector_words{};  ///< with EncodingClass::vector: the input of the decoder in isa/vector/

  friend constexpr bool operator==(const Instruction&, const Instruction&) = default;
};

/// Decodes the instruction that starts at `words[0]`. An instruction with illegal operands still decodes;
/// `find_operand_fault` checks the operands. Bits outside all fields are ignored.
Instruction decode(Generation generation, std::span<const u32> words);

/// The operand code in a field of an instruction: SDST, SSRC0, SSRC1, SDATA, SBASE, or the offset register. Nothing for
/// a field without an operand code.
std::optional<u8> operand_code(const Instruction& instruction, Field field);

/// Why the operand in a field is not allowed.
struct OperandFault {
  enum class Kind : u8 { illegal, misaligned };
  Kind kind{};
  Field field{};
  u8 code = 0;  ///< the operand code in the field

  friend constexpr bool operator==(const OperandFault&, const OperandFault&) = default;
};

/// The first operand of a scalar instruction that the generation does not allow, if any.
std::optional<OperandFault> find_operand_fault(Generation generation, const Instruction& instruction);

/// The words of a scalar instruction; unused bits are zero. The inverse of `decode` for canonical words.
struct EncodedWords {
  std::array<u32, longest_instruction> words{};
  u8 count = 0;
  [[nodiscard]] std::span<const u32> span() const { return {words.data(), count}; }
};
EncodedWords encode(Generation generation, const Instruction& instruction);

/// Marks an opcode number that the generation does not use; not a valid `Insn`.
inline constexpr u16 no_insn = 0xffff;

/// `Insn` by opcode number, one array per format, for one generation.
struct OpcodeTable {
  std::array<u16, 128> sop2;  // 7 bits, but the values from 96 up are the other scalar formats
  std::array<u16, 256> sop1;
  std::array<u16, 128> sopc;
  std::array<u16, 32> sopk;
  std::array<u16, 128> sopp;
  std::array<u16, 32> smrd;
  std::array<u16, 256> smem;
};
const OpcodeTable& opcode_table(Generation generation);

/// Length in dwords and format of a vector instruction; `format` is none for an illegal one.
struct VectorLength {
  VectorFormat format;
  u8 dwords;
};
/// `word` is not scalar ALU, program control or scalar memory; `next` is the word after it, which decides whether an
/// RDNA VOP3 has a literal.
VectorLength vector_length(Generation generation, u32 word, u32 next = 0);

/// The scalar registers that a vector instruction writes: the lane mask of a compare, the carry of an addition, the
/// result of V_READLANE and V_READFIRSTLANE. At most one register span and EXEC.
struct ScalarResults {
  std::array<RegisterSpan, 2> spans{};
  u8 count = 0;
  [[nodiscard]] const RegisterSpan* begin() const { return spans.data(); }
  [[nodiscard]] const RegisterSpan* end() const { return spans.data() + count; }
};
/// Finds the scalar results of the vector instruction that starts at `words[0]`; all of its dwords must be present.
ScalarResults vector_scalar_results(Generation generation, std::span<const u32> words);

}  // namespace salu::isa
