#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assembler/mnemonics.hpp"
#include "assembler/modifiers.hpp"
#include "assembler/operand_reader.hpp"
#include "isa/vector/decode.hpp"

/// Operands and modifiers of one vector instruction, from text into an `isa::vector::Instruction`. The text is read
/// first, since only it determines the form; then the forms of the instruction are tried, the shortest first.
namespace salu::assembler::vector {

/// The result of parsing an instruction.
struct Draft {
  isa::vector::Instruction instruction;
  std::optional<Fixup> fixup;  ///< for a literal that depends on labels
};

/// An operand as written.
struct WrittenOperand {
  WrittenSource source;
  bool is_off = false;  ///< `off` instead of an address
  bool negate = false;
  bool absolute = false;
  bool sign_extend = false;
};

/// Everything after a mnemonic.
struct WrittenInstruction {
  std::vector<WrittenOperand> operands;
  std::vector<Modifier> modifiers;
  TextPosition end;  ///< after the last operand

  /// The modifier with this name, or null.
  [[nodiscard]] const Modifier* find(std::string_view name) const;
};

/// Why the text does not match the instruction that was tried.
struct Problem {
  TextPosition place;
  std::string message;
};

/// A draft or a problem.
struct Attempt {
  std::optional<Draft> draft;
  Problem problem;
};

/// Tries an ALU instruction in one of its forms. `name`: for messages.
Attempt build_alu(Generation generation, isa::vector::Insn insn, isa::vector::Form form, std::string_view name,
                  const WrittenInstruction& written);

/// Tries a memory instruction.
Attempt build_memory(Generation generation, isa::vector::Insn insn, std::string_view name,
                     const WrittenInstruction& written);

class OperandParser : private OperandReader {
 public:
  OperandParser(const Context& context, VectorMnemonic mnemonic) : OperandReader(context), mnemonic_(mnemonic) {}

  /// Reads everything up to the end of the statement. Nothing if an error was reported.
  std::optional<Draft> parse();

 private:
  std::optional<WrittenInstruction> read();
  std::optional<WrittenOperand> read_operand();
  bool read_value(WrittenOperand& operand);
  bool read_between_bars(WrittenOperand& operand);
  bool accept_sign();

  VectorMnemonic mnemonic_;
};

}  // namespace salu::assembler::vector
