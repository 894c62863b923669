#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assembler/diagnostics.hpp"
#include "assembler/expression.hpp"
#include "assembler/lexer.hpp"

/// The elements of all operands: registers, constants, names.
namespace salu::assembler {

/// The number of registers used: one more than the highest register number.
struct RegisterCounts {
  u32 sgprs = 0;
  u32 vgprs = 0;
};

/// The context of operand parsing.
struct Context {
  Generation generation;
  Lexer& lexer;
  SymbolTable& symbols;
  Diagnostics& diagnostics;
  Value location;  ///< address of the statement
  RegisterCounts& used;
};

/// A field that depends on labels and is filled in at the end of the text.
struct Fixup {
  enum class Kind : u8 { literal, branch, simm16, uimm16 };
  Kind kind{};
  u8 operand_dwords = 1;   ///< of a literal
  bool is_signed = false;  ///< of a literal
  Expression expression;
};

/// The register file of a run.
enum class RegisterFile : u8 { scalar, vgpr, agpr };

/// Consecutive registers, as written.
struct RegisterRun {
  RegisterFile file{};
  u8 first = 0;  ///< operand code of a scalar register; number of a VGPR or AGPR
  u8 dwords = 1;
};

/// A source operand as written, before an instruction determines its code or literal.
struct WrittenSource {
  enum class Kind : u8 {
    registers,
    special,   ///< `vccz`, `src_shared_base`: an operand code
    integer,   ///< a number whose value is known already
    floating,  ///< a floating-point number
    labels,    ///< an expression that depends on labels
  };
  Kind kind{};
  RegisterRun registers;
  u8 code = 0;
  i64 integer = 0;
  double floating = 0;
  bool is_literal = false;  ///< `lit(...)`: never an inline constant
  Expression expression;    ///< of integers and labels, with the source text
  TextPosition place;
};

/// Parses the elements of operands and reports errors in them.
class OperandReader {
 protected:
  explicit OperandReader(const Context& context) : context_(context), lexer_(context.lexer) {}

  // The functions below have reported an error if they return false or nothing, unless stated otherwise.

  bool fail(const TextPosition& place, std::string message);
  bool expect(std::string_view punctuation, std::string_view where);

  /// A constant expression.
  std::optional<i64> constant();
  /// The next token, if it is a name followed by this punctuation; both are consumed then. Otherwise returns nothing,
  /// without a report.
  std::optional<std::string_view> name_before(std::string_view punctuation);

  /// Reads registers. Returns nothing if the operand is not a register; `failed` is set if it is an invalid one
  /// (reported).
  std::optional<RegisterRun> try_registers(bool& failed);
  std::optional<WrittenSource> read_source();
  /// Advances to the next operand: after a comma, or with a remark if the comma is missing before a token that can only
  /// be an operand. Returns false otherwise, without a report.
  bool next_operand();
  /// True if the next token begins registers or is the name of a special source, and is not a symbol.
  [[nodiscard]] bool is_operand_name() const;

  /// The number in single precision, as bits.
  std::optional<u32> single_precision(double value, const TextPosition& place);

  const Context& context_;
  Lexer& lexer_;

 private:
  std::optional<RegisterRun> read_registers(bool& failed);
  std::optional<RegisterRun> indexed_registers(const Token& name, bool& failed);
  std::optional<RegisterRun> register_list(bool& failed);
  std::optional<i64> index(i64 highest);

  u32 list_depth_ = 0;  ///< nesting of lists of registers around the current one
};

/// True if a number fits into a literal dword, signed or unsigned.
constexpr bool fits_dword(i64 value) { return value >= -(i64{1} << 31) && value < i64{1} << 32; }

/// Why a scalar instruction does not accept these registers: `v3 is a vector register`.
std::string describe_vector_registers(const RegisterRun& run);

}  // namespace salu::assembler
