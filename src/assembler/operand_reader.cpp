#include "assembler/operand_reader.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "isa/operand.hpp"
#include "support/names.hpp"

namespace salu::assembler {
namespace {

constexpr i64 highest_scalar = 127;
constexpr i64 highest_vgpr = 255;
/// Limit for the registers of one operand.
constexpr u8 most_registers = 16;

struct SpecialSource {
  std::string_view name;
  u8 code;
};

// LLVM's names, then the short names of LLVM and CLRX.
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

std::optional<RegisterFile> vector_file(std::string_view letter) {
  if (letter == "v") return RegisterFile::vgpr;
  if (letter == "a") return RegisterFile::agpr;
  return std::nullopt;
}

/// `v12`, `a0`
std::optional<RegisterRun> vector_register(std::string_view name) {
  const auto file = vector_file(name.substr(0, 1));
  if (!file || !is_numbered(name, name.substr(0, 1))) return std::nullopt;
  u32 number = 0;
  for (const char digit : name.substr(1)) number = std::min(10 * number + static_cast<u32>(digit - '0'), 1000U);
  if (number > highest_vgpr || (name[1] == '0' && name.size() > 2)) return std::nullopt;
  return RegisterRun{*file, static_cast<u8>(number), 1};
}

RegisterRun scalar_run(const isa::RegisterSpan& span) { return {RegisterFile::scalar, span.code, span.dwords}; }

/// True if registers with consecutive numbers can be used as one operand; `s101, flat_scratch_lo` cannot.
bool is_run(Generation generation, const RegisterRun& run) {
  return run.file != RegisterFile::scalar || !isa::register_name(generation, run.first, run.dwords).empty();
}

}  // namespace

std::string describe_vector_registers(const RegisterRun& run) {
  const char letter = run.file == RegisterFile::agpr ? 'a' : 'v';
  if (run.dwords == 1) return fmt::format("{}{} is a vector register", letter, run.first);
  return fmt::format("{}[{}:{}] are vector registers", letter, run.first, run.first + run.dwords - 1);
}

bool OperandReader::fail(const TextPosition& place, std::string message) {
  context_.diagnostics.error(place, std::move(message));
  return false;
}

bool OperandReader::expect(std::string_view punctuation, std::string_view where) {
  if (lexer_.accept(punctuation)) return true;
  return fail(lexer_.peek().place, fmt::format("expected '{}' {}", punctuation, where));
}

std::optional<i64> OperandReader::constant() {
  const auto expression = parse_expression(lexer_, context_.symbols, context_.diagnostics, context_.location);
  if (!expression) return std::nullopt;
  const auto value = evaluate(*expression, context_.symbols, context_.diagnostics);
  if (!value) return std::nullopt;
  if (value->addresses != 0 || expression->relocation != Relocation::none) {
    fail(expression->place, "expected a number, not an address");
    return std::nullopt;
  }
  return value->number;
}

std::optional<std::string_view> OperandReader::name_before(std::string_view punctuation) {
  Lexer ahead = lexer_;
  const Token token = ahead.next();
  if (token.kind != TokenKind::identifier || !ahead.accept(punctuation)) return std::nullopt;
  lexer_ = ahead;
  return token.text;
}

std::optional<i64> OperandReader::index(i64 highest) {
  const TextPosition place = lexer_.peek().place;
  const std::optional<i64> value = constant();
  if (value && (*value < 0 || *value > highest)) {
    fail(place, fmt::format("a register number must be from 0 to {}", highest));
    return std::nullopt;
  }
  return value;
}

/// `s[2:3]`, `ttmp[i]`, `v[4:5]`: the name has been read, the next token is `[`.
std::optional<RegisterRun> OperandReader::indexed_registers(const Token& name, bool& failed) {
  failed = true;
  lexer_.next();
  const std::string prefix = support::lower_case(name.text);
  const auto file = vector_file(prefix);
  const i64 highest = file ? highest_vgpr : highest_scalar;
  const std::optional<i64> first = index(highest);
  if (!first) return std::nullopt;
  std::optional<i64> last = first;
  if (lexer_.accept(":")) last = index(highest);
  if (!last || !expect("]", "after the register numbers")) return std::nullopt;
  const std::string range = fmt::format("{}[{}:{}]", prefix, *first, *last);
  if (*last < *first) {
    fail(name.place, "the first register of " + range + " comes after the last");
    return std::nullopt;
  }
  if (file && *last - *first >= most_registers) {
    fail(name.place, fmt::format("no operand has more than {} registers", most_registers));
    return std::nullopt;
  }
  if (file) {
    failed = false;
    return RegisterRun{*file, static_cast<u8>(*first), static_cast<u8>(*last - *first + 1)};
  }
  const auto span = isa::parse_register(context_.generation, range);
  failed = !span;
  if (span) return scalar_run(*span);
  fail(name.place, missing_register(context_.generation, range));
  return std::nullopt;
}

/// `[s0,s1]`, `[vcc_lo,vcc_hi]`: the next token is `[`.
std::optional<RegisterRun> OperandReader::register_list(bool& failed) {
  constexpr u32 deepest_list = 16;
  failed = true;
  const TextPosition place = lexer_.next().place;
  if (++list_depth_ > deepest_list) {
    fail(place, "this list of registers is nested too deeply");
    return std::nullopt;
  }
  std::optional<RegisterRun> list;
  do {
    const Token token = lexer_.peek();
    bool element_failed = false;
    const auto element = try_registers(element_failed);
    if (element_failed) return std::nullopt;
    if (!element || element->dwords != 1) {
      fail(token.place, "expected a 32-bit register");
      return std::nullopt;
    }
    if (!list) {
      list = element;
    } else if (element->file == list->file && element->first == list->first + list->dwords &&
               list->dwords < most_registers) {
      ++list->dwords;
    } else {
      fail(token.place, "the registers of a list must be consecutive");
      return std::nullopt;
    }
  } while (lexer_.accept(","));
  if (!expect("]", "after the list of registers")) return std::nullopt;
  if (!is_run(context_.generation, *list)) {
    fail(place, "these registers do not form a run");
    return std::nullopt;
  }
  --list_depth_;
  failed = false;
  return list;
}

std::optional<RegisterRun> OperandReader::try_registers(bool& failed) {
  const auto run = read_registers(failed);
  if (!run) return run;
  const u32 end = u32{run->first} + run->dwords;
  if (run->file == RegisterFile::vgpr) context_.used.vgprs = std::max(context_.used.vgprs, end);
  if (run->file == RegisterFile::scalar && end <= sgpr_limit(context_.generation))
    context_.used.sgprs = std::max(context_.used.sgprs, end);
  return run;
}

std::optional<RegisterRun> OperandReader::read_registers(bool& failed) {
  failed = false;
  const Token token = lexer_.peek();
  if (token.is("[")) return register_list(failed);
  if (token.kind != TokenKind::identifier) return std::nullopt;
  const std::string name = support::lower_case(token.text);
  if (name == "s" || name == "ttmp" || vector_file(name)) {
    Lexer ahead = lexer_;
    ahead.next();
    if (!ahead.peek().is("[")) return std::nullopt;
    lexer_.next();
    return indexed_registers(token, failed);
  }
  if (const auto span = isa::parse_register(context_.generation, name)) {
    lexer_.next();
    return scalar_run(*span);
  }
  if (const auto run = vector_register(name)) {
    lexer_.next();
    return run;
  }
  if (is_numbered(name, "v") || is_numbered(name, "a")) {
    failed = !fail(token.place, fmt::format("no register {} ({}0 to {}{})", name, name[0], name[0], highest_vgpr));
  } else if (is_register_name(name)) {
    failed = !fail(token.place, missing_register(context_.generation, name));
  }
  return std::nullopt;
}

bool OperandReader::next_operand() {
  if (lexer_.accept(",")) return true;
  const Token token = lexer_.peek();
  const bool is_number = token.kind == TokenKind::integer || token.kind == TokenKind::floating;
  if (!is_number && !token.is("-") && !token.is("(") && !token.is("|") && !is_operand_name()) return false;
  // LLVM accepts this without a message.
  context_.diagnostics.remark(token.place, "a comma is missing here, between two operands");
  return true;
}

bool OperandReader::is_operand_name() const {
  Lexer ahead = lexer_;
  const Token token = ahead.next();
  if (token.kind != TokenKind::identifier) return token.is("[");
  const std::string name = support::lower_case(token.text);
  const bool is_indexed = name == "s" || name == "ttmp" || vector_file(name);
  return (is_indexed && ahead.peek().is("[")) || vector_register(name) || is_register_name(name) ||
         std::ranges::find(special_sources, std::string_view(name), &SpecialSource::name) != special_sources.end();
}

std::optional<WrittenSource> OperandReader::read_source() {
  using Kind = WrittenSource::Kind;
  const Token token = lexer_.peek();
  WrittenSource source;
  source.place = token.place;
  bool failed = false;
  if (const auto run = try_registers(failed)) {
    source.registers = *run;
    return source;
  }
  if (failed) return std::nullopt;

  if (token.kind == TokenKind::identifier) {
    const std::string name = support::lower_case(token.text);
    const auto* const special = std::ranges::find(special_sources, std::string_view(name), &SpecialSource::name);
    if (special != special_sources.end()) {
      lexer_.next();
      if (isa::operand_class(context_.generation, special->code) == isa::OperandClass::reserved) {
        fail(token.place, name + " is not available on " + std::string(generation_name(context_.generation)));
        return std::nullopt;
      }
      source.kind = Kind::special;
      source.code = special->code;
      return source;
    }
  }

  // A sign before a floating-point number is part of the number.
  Lexer ahead = lexer_;
  const bool negative = ahead.accept("-");
  if (const Token number = ahead.next(); number.kind == TokenKind::floating) {
    lexer_ = ahead;
    source.kind = Kind::floating;
    source.floating = negative ? -number.floating : number.floating;
    return source;
  }

  if (token.kind == TokenKind::identifier && token.text == "lit") {
    ahead = lexer_;
    ahead.next();
    source.is_literal = ahead.accept("(");
    if (source.is_literal) lexer_ = ahead;
  }
  auto expression = parse_expression(lexer_, context_.symbols, context_.diagnostics, context_.location);
  if (!expression || (source.is_literal && !expect(")", "after lit("))) return std::nullopt;
  source.expression = std::move(*expression);
  source.kind = source.expression.is_constant() ? Kind::integer : Kind::labels;
  if (source.kind == Kind::labels) return source;
  const auto value = evaluate(source.expression, context_.symbols, context_.diagnostics);
  if (!value) return std::nullopt;
  source.integer = value->number;
  return source;
}

std::optional<u32> OperandReader::single_precision(double value, const TextPosition& place) {
  const auto single = static_cast<float>(value);
  if (!std::isinf(single) && (single == 0) == (value == 0)) return std::bit_cast<u32>(single);
  fail(place, "this number does not fit in single precision");
  return std::nullopt;
}

}  // namespace salu::assembler
