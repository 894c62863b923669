#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

#include "assembler/operands.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

/// The operands of an instruction in order; the syntax of each kind of operand is in the other files of this folder.
namespace salu::assembler {

OperandParser::OperandParser(const Context& context, isa::Insn insn) : OperandReader(context), info_(isa::info(insn)) {
  draft_.instruction.encoding = isa::EncodingClass::scalar;
  draft_.instruction.insn = insn;
  if (info_.format == isa::Format::smem) draft_.instruction.dwords = 2;
}

std::string OperandParser::mnemonic() const { return std::string(info_.mnemonic); }

/// True if the next token is an unknown name alone between `(` or `,` and the next `,` or `)`.
bool OperandParser::is_unknown_name() {
  Lexer ahead = lexer_;
  const Token token = ahead.next();
  if (token.kind != TokenKind::identifier || token.text == ".") return false;
  if (!ahead.peek().is(",") && !ahead.peek().is(")")) return false;
  return context_.symbols.at(context_.symbols.intern(token.text)).kind == SymbolTable::Kind::undefined;
}

/// Reports an unknown name. `what` is the kind of thing that was expected; the message suggests the nearest known
/// names.
bool OperandParser::fail_unknown(const Token& name, std::string_view what, const std::vector<std::string>& known) {
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  return fail(name.place, fmt::format("no {} {} on {}{}", what, support::beginning(name.text, 40),
                                      generation_name(context_.generation),
                                      support::did_you_mean(name.text, candidates, support::NameStyle::bare)));
}

bool OperandParser::parse_operand(const isa::OperandSpec& operand) {
  using isa::OperandKind;
  switch (operand.kind) {
    case OperandKind::source:
    case OperandKind::signed_source:
    case OperandKind::inline_source:
      return source_operand(operand);
    case OperandKind::simm16:
    case OperandKind::uimm16:
      return immediate16(operand);
    case OperandKind::branch:
      return branch();
    case OperandKind::hwreg:
      return hwreg();
    case OperandKind::waitcnt:
      return waitcnt();
    case OperandKind::sendmsg:
      return sendmsg();
    case OperandKind::gpr_idx:
      return gpr_idx(operand);
    case OperandKind::literal:
      return mandatory_literal(operand);
    case OperandKind::memory_offset:
      return memory_offset();
    case OperandKind::probe:
      return probe();
    case OperandKind::destination:
    case OperandKind::register_source:
    case OperandKind::memory_data:
    case OperandKind::memory_base:
      break;
  }
  const TextPosition place = lexer_.peek().place;
  bool failed = false;
  if (const auto span = try_register(failed)) return register_operand(operand, *span, place);
  return !failed && expected_register(operand, place);
}

std::optional<Draft> OperandParser::parse() {
  bool first = true;
  for (const isa::OperandSpec& operand : info_.shape.span()) {
    const Token token = lexer_.peek();
    const bool offset_follows = operand.kind == isa::OperandKind::memory_offset && token.text == "offset";
    if (token.ends_statement() || (!first && !offset_follows && !next_operand())) {
      // A scalar memory instruction without an offset has the offset 0.
      if (operand.kind == isa::OperandKind::memory_offset) {
        if (!memory_immediate(0, token.place)) return std::nullopt;
        break;
      }
      if (token.ends_statement()) {
        fail(token.place, fmt::format("{} takes {}", mnemonic(), support::counted(info_.shape.count, "operand")));
      } else {
        fail(token.place, "expected ',' before the next operand of " + mnemonic());
      }
      return std::nullopt;
    }
    first = false;
    if (operand.kind == isa::OperandKind::memory_offset) {
      // `s_load_dword s0, s[2:3], glc`: a modifier in place of the offset.
      const Token next = lexer_.peek();
      if (next.kind == TokenKind::identifier && (next.text == "glc" || next.text == "nv")) {
        if (!memory_immediate(0, next.place)) return std::nullopt;
        break;
      }
    }
    if (!parse_operand(operand)) return std::nullopt;
  }
  if (info_.shape.find(isa::Field::sbase) != nullptr) {
    if (!memory_modifiers()) return std::nullopt;
  } else if (draft_.instruction.insn == isa::Insn::s_endpgm && !lexer_.peek().ends_statement()) {
    // LLVM accepts an immediate here that the hardware ignores.
    const TextPosition place = lexer_.peek().place;
    if (!set_simm16(constant(), place)) return std::nullopt;
  }
  const Token rest = lexer_.peek();
  if (!rest.ends_statement()) {
    fail(rest.place, rest.kind == TokenKind::invalid ? std::string(rest.text)
                                                     : fmt::format("unexpected '{}' after the operands of {}",
                                                                   support::beginning(rest.text, 40), mnemonic()));
    return std::nullopt;
  }
  return std::move(draft_);
}

}  // namespace salu::assembler
