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

/// What all operands are made of, from text: registers, constants, names.
namespace salu::assembler {

/// How many registers are used: one more than the highest number.
struct RegisterCounts {
  u32 sgprs = 0;
  u32 vgprs = 0;
};

/// Everything that operand parsing works on.
struct Context {
  Generation generation;
  Lexer& lexer;
  SymbolTable& symbols;
  Diagnostics& diagnostics;
  Value location;  ///< address of the statement
  RegisterCounts& used;
};

/// What the end of the text decides: a field that waits for labels.
struct Fixup {
  enum class Kind : u8 { literal, branch, simm16, uimm16 };
  Kind kind{};
  u8 operand_dwords = 1;   ///< of a literal
  bool is_signed = false;  ///< of a literal
  Expression expression;
};

/// Which registers a run is of.
enum class RegisterFile : u8 { scalar, vgpr, agpr };

/// Consecutive registers, as written.
struct RegisterRun {
  RegisterFile file{};
  u8 first = 0;  ///< operand code of a scalar register, number of the others
  u8 dwords = 1;
};

/// A source operand as it is written, before an instruction says which code or literal it becomes.
struct WrittenSource {
  enum class Kind : u8 {
    registers,
    special,   ///< `vccz`, `src_shared_base`: an operand code
    integer,   ///< a number that is known here
    floating,  ///< a floating-point number
    labels,    ///< an expression that waits for labels
  };
  Kind kind{};
  RegisterRun registers;
  u8 code = 0;
  i64 integer = 0;
  double floating = 0;
  bool is_literal = false;  ///< `lit(...)`: not as an inline constant
  Expression expression;    ///< of integers and labels; its text is what is written
  TextPosition place;
};

/// Reads the parts of operands and reports what is wrong with them.
class OperandReader {
 protected:
  explicit OperandReader(const Context& context) : context_(context), lexer_(context.lexer) {}

  // What returns false or nothing has reported an error, unless it says otherwise.

  bool fail(const TextPosition& place, std::string message);
  bool expect(std::string_view punctuation, std::string_view where);

  /// A number that is known here.
  std::optional<i64> constant();
  /// The next token if it is a name that stands before this punctuation; both are consumed then. Else nothing, without
  /// a report.
  std::optional<std::string_view> name_before(std::string_view punctuation);

  /// Registers if there are some; `failed` when there is something like a register that is none (reported).
  std::optional<RegisterRun> try_registers(bool& failed);
  std::optional<WrittenSource> read_source();
  /// Goes on to the next operand: behind a comma, or where one is missing before what can only be an operand, which is
  /// remarked upon. False, without a report, where neither is.
  bool next_operand();
  /// Whether the next token begins registers or is the name of a special source, and no symbol.
  [[nodiscard]] bool is_operand_name() const;

  /// The bits of a number in single precision.
  std::optional<u32> single_precision(double value, const TextPosition& place);

  const Context& context_;
  Lexer& lexer_;

 private:
  std::optional<RegisterRun> read_registers(bool& failed);
  std::optional<RegisterRun> indexed_registers(const Token& name, bool& failed);
  std::optional<RegisterRun> register_list(bool& failed);
  std::optional<i64> index(i64 highest);

  u32 list_depth_ = 0;  ///< lists of registers around the one that is being read
};

/// Whether a number can be the literal dword of an operand: as 32 bits with or without sign.
constexpr bool fits_dword(i64 value) { return value >= -(i64{1} << 31) && value < i64{1} << 32; }

/// Why a scalar parser takes none of these: `v3 is a vector register`.
std::string describe_vector_registers(const RegisterRun& run);

}  // namespace salu::assembler
