#pragma once

#include <salu/integer.hpp>
#include <salu/location.hpp>
#include <salu/target.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "isa/instruction.hpp"

/// Operand codes 0 to 255 and their meaning on each generation (operands.tsv).
namespace salu::isa {

enum class OperandClass : u8 {
  sgpr,
  flat_scratch,
  xnack_mask,
  vcc,
  tba,
  tma,
  ttmp,
  m0,
  null,  ///< reads as 0; writes are dropped
  exec,
  integer,   ///< inline constants -16 .. 64
  aperture,  ///< SRC_SHARED_BASE .. SRC_PRIVATE_LIMIT
  pops_exiting_wave_id,
  floating,  ///< inline constants 0.5 .. 1/(2*PI)
  vccz,
  execz,
  scc,
  literal,
  reserved,
};

inline constexpr u8 literal_code = 255;  ///< in all families

/// The class of an operand code on a generation.
OperandClass operand_class(Generation generation, u8 code);

/// True for the classes that can be written to (codes 0 to 127): storage and NULL.
constexpr bool is_register(OperandClass operand) { return operand <= OperandClass::exec; }
/// True for constants that the operand code alone determines.
constexpr bool is_inline_constant(OperandClass operand) {
  return operand == OperandClass::integer || operand == OperandClass::floating;
}

/// Value of an inline constant for a 32-bit operand (single precision pattern for the floats).
u32 inline_constant32(u8 code);
/// The constant of a 16-bit operand: a float has 16 bits, an integer is extended to 32.
u32 inline_constant16(u8 code);
/// Value of an inline constant for a 64-bit operand (sign-extended, double precision pattern for the floats).
u64 inline_constant64(u8 code);
/// The code of the inline constant that an operand of one or two dwords reads as these bits, if it exists.
std::optional<u8> inline_constant_code(Generation generation, u64 bits, u8 dwords);
/// The code of the inline constant whose lower half a 16-bit float reads as these bits, if it exists.
std::optional<u8> inline_half_code(Generation generation, u16 bits);
/// The code of the inline constant that two 16-bit floats read as these bits, if it exists.
std::optional<u8> inline_halves_code(Generation generation, u32 bits);

/// The result of checking an operand code against kind and width; `misaligned` for an odd pair, or a quad that does not
/// begin at a multiple of four.
enum class OperandVerdict : u8 { legal, illegal, misaligned };
OperandVerdict judge_operand(Generation generation, OperandKind kind, u8 dwords, u8 code);

/// The assembler's name of registers `code` .. `code + dwords - 1`: `s3`, `s[2:3]`, `vcc`, `exec_hi`, `ttmp[4:7]`,
/// `m0`. Empty if the generation does not have the register. Dwords: 1, 2, 4, 8 or 16.
std::string register_name(Generation generation, u32 code, u32 dwords);

/// The name of one lane of a vector register (1 dword), or of whole registers (64 dwords each), by `state_index`:
/// `v3[7]`, `v3`, `a[0:1]`.
std::string vector_register_name(u32 index, u32 dwords);

/// A run of registers in the operand encoding.
struct RegisterSpan {
  u8 code = 0;
  u8 dwords = 1;
  friend constexpr bool operator==(const RegisterSpan&, const RegisterSpan&) = default;
};

/// Parses a register name in the syntax of `register_name`, or in LLVM's forms other than `[s0,s1]`, such as `s[4:4]`;
/// in upper or lower case. Alignment is not checked.
std::optional<RegisterSpan> parse_register(Generation generation, std::string_view text);

}  // namespace salu::isa
