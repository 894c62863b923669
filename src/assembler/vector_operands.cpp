#include "assembler/vector_operands.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "isa/operand.hpp"
#include "support/names.hpp"

namespace salu::assembler::vector {
namespace {

using isa::vector::Form;

bool is_id(const Token& token, std::string_view name) {
  return token.kind == TokenKind::identifier && support::lower_case(token.text) == name;
}

/// True if the text can only be an SDWA instruction.
bool asks_for_sdwa(const WrittenInstruction& written) {
  const auto is_extended = [](const WrittenOperand& operand) { return operand.sign_extend; };
  const auto is_select = [](const Modifier& modifier) { return modifier.kind == Modifier::Kind::word; };
  return std::ranges::any_of(written.operands, is_extended) || std::ranges::any_of(written.modifiers, is_select);
}

/// True if the text can only be an instruction with DPP.
bool asks_for_dpp(const WrittenInstruction& written) { return std::ranges::any_of(written.modifiers, is_dpp_control); }

std::string_view suffix_of(Form form) {
  constexpr std::array<std::string_view, 4> suffixes = {"_e32", "_e64", "_sdwa", "_dpp"};
  return suffixes[static_cast<std::size_t>(form)];
}

}  // namespace

const Modifier* WrittenInstruction::find(std::string_view name) const {
  const auto found = std::ranges::find(modifiers, name, &Modifier::name);
  return found == modifiers.end() ? nullptr : &*found;
}

/// Reads a minus sign that negates an operand as a modifier; before a number or a symbol it belongs to the expression.
bool OperandParser::accept_sign() {
  const Lexer before = lexer_;
  if (!lexer_.accept("-")) return false;
  const Token token = lexer_.peek();
  if (is_operand_name() || token.is("|") || is_id(token, "abs")) return true;
  lexer_ = before;
  return false;
}

/// `|v0|`, `|-1.0|`: not an expression, because expressions have the operator `|`.
bool OperandParser::read_between_bars(WrittenOperand& operand) {
  const TextPosition place = lexer_.next().place;
  Lexer ahead = lexer_;
  const bool is_negative = ahead.accept("-");
  const Token number = ahead.next();
  if (number.kind == TokenKind::integer) {
    lexer_ = ahead;
    operand.source.kind = WrittenSource::Kind::integer;
    operand.source.integer = static_cast<i64>(is_negative ? 0 - number.integer : number.integer);
    operand.source.place = place;
    operand.source.expression.text = number.text;
  } else {
    auto source = read_source();
    if (!source) return false;
    operand.source = std::move(*source);
  }
  operand.absolute = true;
  return expect("|", "after an absolute value");
}

bool OperandParser::read_value(WrittenOperand& operand) {
  if (lexer_.peek().is("|")) return read_between_bars(operand);
  auto source = read_source();
  if (!source) return false;
  operand.source = std::move(*source);
  return true;
}

/// A source with its modifiers: `-v0`, `neg(v0)`, `|v0|`, `abs(v0)`, `-|v0|`, `sext(v0)`.
std::optional<WrittenOperand> OperandParser::read_operand() {
  WrittenOperand operand;
  const Token first = lexer_.peek();
  operand.source.place = first.place;
  if (is_id(first, "off")) {
    lexer_.next();
    operand.is_off = true;
    return operand;
  }
  const auto begins = [&](std::string_view name) {
    Lexer ahead = lexer_;
    if (!is_id(ahead.next(), name) || !ahead.accept("(")) return false;
    lexer_ = ahead;
    return true;
  };
  u32 parentheses = 0;
  if (begins("sext")) {
    operand.sign_extend = true;
    ++parentheses;
  } else {
    operand.negate = accept_sign();
    if (!operand.negate && begins("neg")) {
      operand.negate = true;
      ++parentheses;
    }
    if (begins("abs")) {
      operand.absolute = true;
      ++parentheses;
    }
  }
  if (!read_value(operand)) return std::nullopt;
  for (; parentheses != 0; --parentheses) {
    if (!expect(")", "after the operand of a modifier")) return std::nullopt;
  }
  operand.source.place = first.place;
  return operand;
}

std::optional<WrittenInstruction> OperandParser::read() {
  WrittenInstruction written;
  ModifierReader modifiers(context_);
  const bool is_memory = isa::vector::info(mnemonic_.insn).is_memory();
  if (!lexer_.peek().ends_statement() && !modifiers.is_next()) {
    do {
      // `scc` is a modifier of memory instructions only.
      const bool is_scc = !is_memory && is_id(lexer_.peek(), "scc");
      if (modifiers.is_next() && !is_scc) break;
      auto operand = read_operand();
      if (!operand) return std::nullopt;
      written.operands.push_back(std::move(*operand));
    } while (next_operand());
  }
  written.end = lexer_.peek().place;
  auto list = modifiers.read();
  if (!list) return std::nullopt;
  written.modifiers = std::move(*list);
  return written;
}

std::optional<Draft> OperandParser::parse() {
  const auto written = read();
  if (!written) return std::nullopt;
  const Generation generation = context_.generation;
  const isa::vector::InstructionInfo& row = isa::vector::info(mnemonic_.insn);
  const std::string name(row.name(generation));
  Attempt attempt;
  if (row.is_memory()) {
    attempt = build_memory(generation, mnemonic_.insn, name, *written);
  } else {
    std::vector<Form> forms = forms_of(generation, mnemonic_.insn);
    const bool is_forced = mnemonic_.form.has_value();
    const auto has = [&forms](Form form) { return std::ranges::count(forms, form) != 0; };
    if (is_forced) {
      forms = {*mnemonic_.form};
    } else if (has(Form::sdwa) && asks_for_sdwa(*written)) {
      forms = {Form::sdwa};
    } else if (has(Form::dpp) && asks_for_dpp(*written)) {
      forms = {Form::dpp};
    } else {
      std::erase_if(forms, isa::vector::is_extended);
    }
    for (const Form form : forms) {
      const std::string_view suffix = is_forced || forms.size() > 1 ? suffix_of(form) : std::string_view();
      attempt = build_alu(generation, mnemonic_.insn, form, name + std::string(suffix), *written);
      if (attempt.draft) break;
    }
  }
  if (!attempt.draft) fail(attempt.problem.place, std::move(attempt.problem.message));
  return std::move(attempt.draft);
}

}  // namespace salu::assembler::vector
