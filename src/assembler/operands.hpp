#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assembler/operand_reader.hpp"
#include "isa/decode.hpp"
#include "isa/instruction.hpp"
#include "isa/operand.hpp"
#include "isa/symbolic.hpp"

/// Operands of one instruction, from text into the fields of an `isa::Instruction`.
namespace salu::assembler {

/// The result of parsing an instruction.
struct Draft {
  isa::Instruction instruction;
  std::optional<Fixup> fixup;  ///< at most one field of an instruction can be deferred
};

class OperandParser : private OperandReader {
 public:
  OperandParser(const Context& context, isa::Insn insn);

  /// Reads all operands up to the end of the statement. Nothing if an error was reported.
  std::optional<Draft> parse();

 private:
  // The functions here return false after they have reported an error.
  bool parse_operand(const isa::OperandSpec& operand);
  bool is_unknown_name();
  bool fail_unknown(const Token& name, std::string_view what, const std::vector<std::string>& known);

  // registers and sources (operands.cpp)
  std::optional<isa::RegisterSpan> try_register(bool& failed);
  bool register_operand(const isa::OperandSpec& operand, isa::RegisterSpan span, const TextPosition& place);
  bool expected_register(const isa::OperandSpec& operand, const TextPosition& place);
  bool source_operand(const isa::OperandSpec& operand);
  bool float_source(const isa::OperandSpec& operand, double value, const TextPosition& place);
  bool integer_source(const isa::OperandSpec& operand, i64 value, std::string_view written, const TextPosition& place,
                      bool force_literal);
  bool literal(const isa::OperandSpec& operand, u32 value, const TextPosition& place);
  bool set_code(const isa::OperandSpec& operand, u8 code, const TextPosition& place);
  bool wait_for_labels(Fixup::Kind kind, const isa::OperandSpec& operand, Expression expression);

  // immediates (immediates.cpp)
  bool immediate16(const isa::OperandSpec& operand);
  bool branch();
  bool mandatory_literal(const isa::OperandSpec& operand);
  bool hwreg();
  bool structured_hwreg();
  bool hwreg_fields(i64 id, i64 offset, i64 size, const TextPosition& id_place, const TextPosition& offset_place,
                    const TextPosition& size_place);
  bool waitcnt();
  bool wait_counter(std::string_view name, const TextPosition& place);
  bool sendmsg();
  const isa::MessageName* emit_cut(const isa::MessageName* operation);
  bool gpr_idx(const isa::OperandSpec& operand);
  bool probe();
  bool set_simm16(std::optional<i64> value, const TextPosition& place);

  // scalar memory (memory_operands.cpp)
  bool memory_offset();
  bool memory_immediate(i64 value, const TextPosition& place);
  bool memory_modifiers();
  bool memory_modifier(const Token& token);
  [[nodiscard]] bool is_buffer() const;

  [[nodiscard]] std::string mnemonic() const;

  const isa::InstructionInfo& info_;
  Draft draft_;
};

/// The warning for a literal of a 64-bit operand that hardware extends to a different number; empty if it is unchanged.
/// `written` is the source text of the number.
std::string describe_extension(std::string_view written, i64 value, bool is_signed);
/// The warning for a branch distance of 32768 to 65535 dwords.
std::string describe_wrapped_distance(std::string_view written, i64 distance);

}  // namespace salu::assembler
