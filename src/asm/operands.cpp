#include "asm/operands.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "support/names.hpp"
#include "support/numbers.hpp"

namespace salu::assembler {
namespace {

using isa::OperandKind;
using isa::RegisterSpan;

constexpr u8 first_inline_integer = 128;
constexpr u8 first_float_code = 240;
constexpr u8 last_float_code = 248;

struct SpecialSource {
  std::string_view name;
  u8 code;
};

// LLVM's names, then LLVM's and CLRX's short ones.
constexpr std::array<SpecialSource, 16> special_sources = {{
    {"src_shared_base", 235},
    {"src_shared_limit", 236},
    {"src_private_base", 237},
    {"src_private_limit", 238},
    {"src_pops_exiting_wave_id", 239},
    {"src_vccz", 251},
    {"src_execz", 252},
    {"src_scc", 253},
    {"shared_base", 235},
    {"shared_limit", 236},
    {"private_base", 237},
    {"private_limit", 238},
    {"pops_exiting_wave_id", 239},
    {"vccz", 251},
    {"execz", 252},
    {"scc", 253},
}};

bool is_numbered(std::string_view name, std::string_view prefix) {
  return name.size() > prefix.size() && name.starts_with(prefix) &&
         std::ranges::all_of(name.substr(prefix.size()), is_digit);
}

bool is_register_name(std::string_view name) {
  const auto known = [&](Generation generation) { return isa::parse_register(generation, name).has_value(); };
  return is_numbered(name, "s") || is_numbered(name, "ttmp") || std::ranges::any_of(all_generations(), known);
}

std::string missing_register(Generation generation, std::string_view name) {
  std::string message = fmt::format("register {} is not available on {}", name, generation_name(generation));
  if (name.starts_with("s")) message += fmt::format(" (s0 to s{})", sgpr_limit(generation) - 1);
  return message;
}

std::string_view shape_of(u8 dwords) {
  switch (dwords) {
    case 1:
      return "one register, such as s0";
    case 2:
      return "a pair of registers, such as s[0:1]";
    case 4:
      return "four registers, such as s[0:3]";
    case 8:
      return "eight registers, such as s[0:7]";
    default:
      return "sixteen registers, such as s[0:15]";
  }
}

std::string_view field_name(isa::Field field) {
  switch (field) {
    case isa::Field::sdst:
      return "sdst";
    case isa::Field::ssrc0:
      return "ssrc0";
    case isa::Field::ssrc1:
      return "ssrc1";
    case isa::Field::sdata:
      return "sdata";
    case isa::Field::sbase:
      return "sbase";
    case isa::Field::offset:
      return "offset";
    case isa::Field::simm16:
      return "simm16";
    case isa::Field::literal:
      return "literal";
  }
  return {};
}

/// The floating-point inline constant that is exactly these bits.
std::optional<u8> float_code(Generation generation, u64 bits, u8 dwords) {
  for (u8 code = first_float_code; code <= last_float_code; ++code) {
    if (isa::operand_class(generation, code) != isa::OperandClass::floating) continue;
    if ((dwords == 2 ? isa::inline_constant64(code) : isa::inline_constant32(code)) == bits) return code;
  }
  return std::nullopt;
}

std::optional<u8> integer_code(i64 value) {
  if (value >= 0 && value <= 64) return static_cast<u8>(first_inline_integer + value);
  if (value >= -16 && value < 0) return static_cast<u8>(192 - value);
  return std::nullopt;
}

}  // namespace

std::string describe_extension(std::string_view written, i64 value, bool is_signed) {
  const auto low = static_cast<u32>(static_cast<u64>(value));
  const u64 extended = is_signed ? static_cast<u64>(i64{static_cast<i32>(low)}) : u64{low};
  if (extended == static_cast<u64>(value)) return {};
  return fmt::format("the literal of this 64-bit operand is {}-extended: {} becomes {}", is_signed ? "sign" : "zero",
                     describe_value(written, value), support::hex(extended, 16));
}

bool OperandParser::set_code(const isa::OperandSpec& operand, u8 code, const TextPosition& place) {
  const isa::OperandVerdict verdict = isa::judge_operand(context_.generation, operand.kind, operand.dwords, code);
  if (verdict == isa::OperandVerdict::misaligned) {
    return fail(place, fmt::format("{} of {} must start at {}", field_name(operand.field), mnemonic(),
                                   operand.dwords == 2 ? "an even register" : "a register that is a multiple of four"));
  }
  if (verdict == isa::OperandVerdict::illegal) {
    return fail(place, fmt::format("{} of {} cannot be this operand", field_name(operand.field), mnemonic()));
  }
  switch (operand.field) {
    case isa::Field::sdst:
      draft_.instruction.sdst = code;
      break;
    case isa::Field::ssrc0:
      draft_.instruction.ssrc0 = code;
      break;
    case isa::Field::ssrc1:
      draft_.instruction.ssrc1 = code;
      break;
    case isa::Field::sdata:
      draft_.instruction.memory.sdata = code;
      break;
    case isa::Field::sbase:
      draft_.instruction.memory.sbase = code;
      break;
    default:
      break;
  }
  return true;
}

bool OperandParser::expected_register(const isa::OperandSpec& operand, const TextPosition& place) {
  return fail(place,
              fmt::format("{} of {} must be {}", field_name(operand.field), mnemonic(), shape_of(operand.dwords)));
}

bool OperandParser::register_operand(const isa::OperandSpec& operand, RegisterSpan span, const TextPosition& place) {
  if (span.dwords != operand.dwords) return expected_register(operand, place);
  return set_code(operand, span.code, place);
}

std::optional<i64> OperandParser::index() {
  const TextPosition place = lexer_.peek().place;
  const std::optional<i64> value = constant();
  if (value && (*value < 0 || *value > 127)) {
    fail(place, "a register number is from 0 to 127");
    return std::nullopt;
  }
  return value;
}

/// `s[2:3]`, `ttmp[i]`: the name has been read, `[` is next.
std::optional<RegisterSpan> OperandParser::indexed_register(const Token& name, bool& failed) {
  failed = true;
  lexer_.next();
  const std::optional<i64> first = index();
  if (!first) return std::nullopt;
  std::optional<i64> last = first;
  if (lexer_.accept(":")) last = index();
  if (!last || !expect("]", "after the register numbers")) return std::nullopt;
  const std::string range = fmt::format("{}[{}:{}]", support::lower_case(name.text), *first, *last);
  if (*last < *first) {
    fail(name.place, "the first register of " + range + " comes after the last");
    return std::nullopt;
  }
  const auto span = isa::parse_register(context_.generation, range);
  if (!span) fail(name.place, missing_register(context_.generation, range));
  failed = !span;
  return span;
}

/// `[s0,s1]`, `[vcc_lo,vcc_hi]`: `[` is next.
std::optional<RegisterSpan> OperandParser::register_list(bool& failed) {
  constexpr u32 deepest_list = 16;
  failed = true;
  const TextPosition place = lexer_.next().place;
  if (++list_depth_ > deepest_list) {
    fail(place, "this list of registers is nested too deeply");
    return std::nullopt;
  }
  std::optional<RegisterSpan> list;
  do {
    const Token token = lexer_.peek();
    bool element_failed = false;
    const auto element = try_register(element_failed);
    if (element_failed) return std::nullopt;
    if (!element || element->dwords != 1) {
      fail(token.place, "expected a 32-bit register");
      return std::nullopt;
    }
    if (!list) {
      list = element;
    } else if (element->code == list->code + list->dwords && list->dwords < 16) {
      ++list->dwords;
    } else {
      fail(token.place, "the registers of a list must be consecutive");
      return std::nullopt;
    }
  } while (lexer_.accept(","));
  if (!expect("]", "after the list of registers")) return std::nullopt;
  // s100, s101, flat_scratch_lo: consecutive, but no run of registers.
  if (isa::register_name(context_.generation, list->code, list->dwords).empty()) {
    fail(place, "these registers do not form a run");
    return std::nullopt;
  }
  --list_depth_;
  failed = false;
  return list;
}

/// A register if there is one; `failed` when there is something like a register that is none (reported).
std::optional<RegisterSpan> OperandParser::try_register(bool& failed) {
  failed = false;
  const Token token = lexer_.peek();
  if (token.is("[")) return register_list(failed);
  if (token.kind != TokenKind::identifier) return std::nullopt;
  const std::string name = support::lower_case(token.text);
  if (name == "s" || name == "ttmp") {
    Lexer ahead = lexer_;
    ahead.next();
    if (!ahead.peek().is("[")) return std::nullopt;
    lexer_.next();
    return indexed_register(token, failed);
  }
  if (const auto span = isa::parse_register(context_.generation, name)) {
    lexer_.next();
    return span;
  }
  if (is_register_name(name)) {
    fail(token.place, missing_register(context_.generation, name));
    failed = true;
  } else if (is_numbered(name, "v") || is_numbered(name, "a")) {
    fail(token.place, std::string(token.text) + " is a vector register");
    failed = true;
  }
  return std::nullopt;
}

bool OperandParser::literal(const isa::OperandSpec& operand, u32 value, const TextPosition& place) {
  if (operand.kind == OperandKind::inline_source) {
    return fail(
        place,
        fmt::format("{} of {} can be a register or an inline constant (-16 to 64, 0.5, 1.0, 2.0, 4.0), not a literal",
                    field_name(operand.field), mnemonic()));
  }
  isa::Instruction& instruction = draft_.instruction;
  if (draft_.fixup || (instruction.has_literal && instruction.literal != value)) {
    return fail(place, "only one literal is possible in an instruction");
  }
  instruction.has_literal = true;
  instruction.literal = value;
  instruction.dwords = 2;
  return set_code(operand, isa::literal_code, place);
}

bool OperandParser::integer_source(const isa::OperandSpec& operand, i64 value, std::string_view written,
                                   const TextPosition& place, bool force_literal) {
  // A dword given as 0xfffffff0 is the inline constant -16 of a 32-bit operand.
  const i64 meant = operand.dwords == 1 && fits_dword(value) ? i64{static_cast<i32>(static_cast<u32>(value))} : value;
  if (!force_literal) {
    if (const auto code = integer_code(meant)) return set_code(operand, *code, place);
    const u64 bits = operand.dwords == 1 ? u64{static_cast<u32>(meant)} : static_cast<u64>(meant);
    const bool fits = operand.dwords == 2 || fits_dword(value);
    if (const auto code = float_code(context_.generation, bits, operand.dwords); code && fits) {
      return set_code(operand, *code, place);
    }
  }
  if (!fits_dword(value)) {
    return fail(place, describe_value(written, value) + " does not fit in the 32 bits of a literal");
  }
  if (!literal(operand, static_cast<u32>(value), place)) return false;
  if (operand.dwords == 2) {
    std::string warning = describe_extension(written, value, operand.kind == OperandKind::signed_source);
    if (!warning.empty()) context_.diagnostics.remark(place, std::move(warning));
  }
  return true;
}

bool OperandParser::float_source(const isa::OperandSpec& operand, double value, const TextPosition& place) {
  if (operand.dwords == 2) {
    const u64 bits = std::bit_cast<u64>(value);
    if (const auto code = float_code(context_.generation, bits, 2)) return set_code(operand, *code, place);
    if (bits == 0) return set_code(operand, first_inline_integer, place);
    return fail(
        place, "a 64-bit operand takes the floating-point numbers 0.5, 1.0, 2.0, 4.0, their negatives" +
                   std::string(generation_info(context_.generation).has_inverse_two_pi ? ", 0.15915494309189532" : "") +
                   " and 0.0; another one does not fit in a literal");
  }
  const auto single = static_cast<float>(value);
  if (std::isinf(single) || (single == 0) != (value == 0)) {
    return fail(place, "this number does not fit in single precision");
  }
  const auto bits = std::bit_cast<u32>(single);
  return integer_source(operand, static_cast<i32>(bits), {}, place, false);
}

bool OperandParser::wait_for_labels(Fixup::Kind kind, const isa::OperandSpec& operand, Expression expression) {
  if (draft_.fixup) return fail(expression.place, "only one operand of an instruction can depend on labels");
  draft_.fixup = Fixup{kind, operand.dwords, operand.kind == OperandKind::signed_source, std::move(expression)};
  return true;
}

bool OperandParser::source_operand(const isa::OperandSpec& operand) {
  const Token token = lexer_.peek();
  bool failed = false;
  if (const auto span = try_register(failed)) return register_operand(operand, *span, token.place);
  if (failed) return false;

  if (token.kind == TokenKind::identifier) {
    const std::string name = support::lower_case(token.text);
    const auto* const special = std::ranges::find(special_sources, std::string_view(name), &SpecialSource::name);
    if (special != special_sources.end()) {
      lexer_.next();
      if (isa::operand_class(context_.generation, special->code) == isa::OperandClass::reserved) {
        return fail(token.place, name + " is not available on " + std::string(generation_name(context_.generation)));
      }
      return set_code(operand, special->code, token.place);
    }
  }

  // A sign before a floating-point number belongs to the number.
  Lexer ahead = lexer_;
  const bool negative = ahead.accept("-");
  if (const Token number = ahead.next(); number.kind == TokenKind::floating) {
    lexer_ = ahead;
    return float_source(operand, negative ? -number.floating : number.floating, token.place);
  }

  bool force_literal = false;
  if (token.kind == TokenKind::identifier && token.text == "lit") {
    ahead = lexer_;
    ahead.next();
    force_literal = ahead.accept("(");
    if (force_literal) lexer_ = ahead;
  }
  auto expression = parse_expression(lexer_, context_.symbols, context_.diagnostics, context_.location);
  if (!expression || (force_literal && !expect(")", "after lit("))) return false;
  if (!expression->is_constant()) {
    if (draft_.instruction.has_literal) return fail(token.place, "only one literal is possible in an instruction");
    return literal(operand, 0, token.place) && wait_for_labels(Fixup::Kind::literal, operand, std::move(*expression));
  }
  const auto value = evaluate(*expression, context_.symbols, context_.diagnostics);
  return value && integer_source(operand, value->number, expression->text, token.place, force_literal);
}

}  // namespace salu::assembler
