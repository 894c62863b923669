#include "assembler/assembler.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>

#include "assembler/mnemonics.hpp"
#include "assembler/text_assembly.hpp"
#include "assembler/vector_operands.hpp"
#include "isa/decode.hpp"
#include "isa/vector/encode.hpp"
#include "support/names.hpp"
#include "support/printable.hpp"

namespace salu::assembler {
namespace {

/// SOPP opcode 127, which does not exist in any generation.
constexpr u32 unencoded_word = 0xbfff0000;

/// Limit for symbols of one text; a text that exceeds it is the output of a faulty generator.
constexpr std::size_t most_symbols = 1'000'000;

}  // namespace

TextAssembly::TextAssembly(std::string_view text, const Options& options)
    : options_(options),
      target_(options.target == nullptr ? find_target(generation_info(options.generation).processor) : options.target),
      sources_(text, options.file, options.first_line, options.first_column),
      lexer_(text),
      diagnostics_(sources_),
      symbols_(*target_),
      sections_(options.base, options.most_words * 4) {
  define_target(*target_);
  for (const auto& [name, number] : options.constants) predefine(name, number);
  for (const auto& [name, number] : options.externals) {
    SymbolTable::Entry& entry = symbols_.at(symbols_.intern(name));
    entry.kind = SymbolTable::Kind::label;
    entry.external = true;
    entry.value = {number, 1};
  }
}

u32 TextAssembly::predefine(std::string_view name, i64 number) {
  const u32 symbol = symbols_.intern(name);
  symbols_.at(symbol).kind = SymbolTable::Kind::constant;
  symbols_.at(symbol).value = {number, 0};
  return symbol;
}

/// Raises a constant to at least the given number.
void TextAssembly::raise(u32 symbol, i64 least) {
  SymbolTable::Entry& entry = symbols_.at(symbol);
  if (entry.kind == SymbolTable::Kind::constant) entry.value.number = std::max(entry.value.number, least);
}

/// The symbols by which a text can query its processor. LLVM defines the first set for HSA and the second for other
/// systems; texts test with `.ifdef` which set is defined.
void TextAssembly::define_target(const Target& target) {
  const ProcessorVersion version = processor_version(target);
  predefine(".amdgcn.gfx_generation_number", version.major);
  predefine(".amdgcn.gfx_generation_minor", version.minor);
  predefine(".amdgcn.gfx_generation_stepping", version.stepping);
  symbols_.at(predefine(".option.machine_version_major", version.major)).implied = true;
  symbols_.at(predefine(".option.machine_version_minor", version.minor)).implied = true;
  symbols_.at(predefine(".option.machine_version_stepping", version.stepping)).implied = true;
  next_free_sgpr_ = predefine(".amdgcn.next_free_sgpr", 0);
  next_free_vgpr_ = predefine(".amdgcn.next_free_vgpr", 0);
}

bool TextAssembly::fail(const TextPosition& place, std::string message) {
  diagnostics_.error(place, std::move(message));
  return false;
}

bool TextAssembly::fail_unknown(const TextPosition& place, std::string message) {
  assembly_.has_unknown = true;
  return fail(place, std::move(message));
}

/// `line 7`, or `file:7` for a position in an included file.
std::string TextAssembly::line_of(const TextPosition& place) const {
  const SourcePlace where = sources_.locate(place);
  if (sources_.at(place.source).file == 0) return fmt::format("line {}", where.line);
  return fmt::format("{}:{}", where.file, where.line);
}

bool TextAssembly::end_of_statement(std::string_view after) {
  const Token token = lexer_.peek();
  if (token.ends_statement()) return true;
  if (token.kind == TokenKind::invalid) return fail(token.place, std::string(token.text));
  return fail(token.place, fmt::format("unexpected '{}' after {}", support::beginning(token.text, 40),
                                       support::beginning(after, 40)));
}

bool TextAssembly::define_label(u32 symbol, const TextPosition& place) {
  SymbolTable::Entry& entry = symbols_.at(symbol);
  if (!sections_.is_assembled()) {
    entry.elsewhere = true;
    return true;
  }
  if (entry.kind != SymbolTable::Kind::undefined) {
    return fail(place, fmt::format("{} is already defined in {}", symbols_.describe(symbol), line_of(entry.place)));
  }
  entry.kind = SymbolTable::Kind::label;
  entry.fixed = true;
  entry.place = place;
  entry.value = location();
  return true;
}

/// `name = expression`; the next token begins the expression.
bool TextAssembly::assign(std::string_view name, const TextPosition& place, bool fixed) {
  if (name == ".") return fail_unknown(place, "'.' cannot be set here; use .space to reserve memory");
  auto parsed = expression();
  if (!parsed) return false;
  if (parsed->relocation != Relocation::none) return fail(parsed->place, "a relocated address cannot be given a name");
  const u32 symbol = symbols_.intern(name);
  SymbolTable::Entry& entry = symbols_.at(symbol);
  if (entry.fixed || (fixed && entry.kind != SymbolTable::Kind::undefined)) {
    return fail(place, fmt::format("{} is already defined in {}", symbols_.describe(symbol), line_of(entry.place)));
  }
  // Addresses in such a section have no value, like its labels.
  if (!sections_.is_assembled() && parsed->has_location()) {
    entry.elsewhere = true;
    return end_of_statement(name);
  }
  const bool has_value = entry.kind != SymbolTable::Kind::undefined && !entry.external;
  if (has_value && entry.awaited) {
    return fail_unknown(place, fmt::format("{} is set in {}, and again here, but was used before it had a value",
                                           symbols_.describe(symbol), line_of(entry.place)));
  }
  entry.fixed = fixed;
  entry.external = false;
  entry.implied = false;
  entry.place = place;
  // Evaluated now if possible, because later definitions may redefine the names in the expression.
  if (const auto value = evaluate(*parsed, symbols_, diagnostics_, Reported::nothing)) {
    entry.kind = SymbolTable::Kind::constant;
    entry.value = *value;
  } else {
    entry.kind = SymbolTable::Kind::deferred;
    entry.expression = std::move(*parsed);
  }
  return end_of_statement(name);
}

bool TextAssembly::instruction(const Token& mnemonic) {
  RegisterCounts used;
  const Context context{options_.generation, lexer_, symbols_, diagnostics_, location(), used};
  const bool is_good = instruction(context, mnemonic);
  raise(next_free_sgpr_, used.sgprs);
  raise(next_free_vgpr_, used.vgprs);
  return is_good;
}

bool TextAssembly::instruction(const Context& context, const Token& mnemonic) {
  const Generation generation = options_.generation;
  if (const auto insn = find_instruction(generation, mnemonic.text)) {
    auto draft = OperandParser(context, *insn).parse();
    return draft && instruction(mnemonic, isa::encode(generation, draft->instruction), std::move(draft->fixup));
  }
  if (const auto found = find_vector_instruction(generation, mnemonic.text)) {
    auto draft = vector::OperandParser(context, *found).parse();
    return draft && instruction(mnemonic, isa::vector::encode(generation, draft->instruction), std::move(draft->fixup));
  }
  if (options_.keeps_unencoded && is_unsupported_instruction(generation, mnemonic.text))
    return keep_unencoded(mnemonic);
  return fail_unknown(mnemonic.place, explain_unknown_instruction(generation, mnemonic.text));
}

/// An instruction that is not encoded, with its operands.
bool TextAssembly::keep_unencoded(const Token& mnemonic) {
  lexer_.skip_statement();
  constexpr isa::EncodedWords placeholder{{unencoded_word}, 1};
  assembly_.unencoded.push_back(
      {sections_.location(), support::printable(lexer_.text_since(mnemonic.place)), sources_.locate(mnemonic.place)});
  return instruction(mnemonic, placeholder, std::nullopt);
}

bool TextAssembly::instruction(const Token& mnemonic, const isa::EncodedWords& encoded, std::optional<Fixup> fixup) {
  const u64 offset = sections_.current().bytes.size();
  if (unfinished_)
    return fail(mnemonic.place,
                fmt::format("this instruction would begin within the dword of {}", line_of(*unfinished_)));
  const TextPosition written = sources_.place_in_file(mnemonic.place);
  assembly_.lines.push_back({sections_.location(), sources_.at(written.source).file, sources_.line_of(written)});
  for (const u32 each : encoded.span()) {
    if (!emit(each, 4, mnemonic.place)) return false;
  }
  if (fixup) pending_.push_back({sections_.current_number(), offset, 0, std::move(*fixup)});
  return true;
}

/// A statement that starts with a name and is not a label; the name has been read.
bool TextAssembly::named_statement(const Token& token) {
  if (lexer_.peek().is("=")) {
    lexer_.next();
    return assign(token.text, token.place, false);
  }
  if (token.kind == TokenKind::string) return fail(token.place, "expected an instruction, a label or a directive");
  if (const auto macro = macros_.find(token.text); macro != macros_.end()) return use_macro(macro->second, token);
  if (token.text.front() == '.') return directive(token) && end_of_statement(token.text);
  if (!sections_.is_assembled()) return true;
  if (sections_.is_code()) return instruction(token);
  return fail(token.place,
              fmt::format("instructions are not allowed in section '{}'; use a section of code such as .text",
                          support::beginning(sections_.current().name, 40)));
}

/// One statement, including the labels before it.
bool TextAssembly::statement() {
  while (true) {
    const Token token = lexer_.next();
    if (token.kind == TokenKind::identifier || token.kind == TokenKind::string) {
      if (!lexer_.accept(":")) return named_statement(token);
      const u32 symbol = symbols_.intern(token.text);
      if (!define_label(symbol, token.place)) return false;
      if (sections_.is_assembled()) labels_.push_back(symbol);
    } else if (token.kind == TokenKind::integer && lexer_.accept(":")) {
      if (!define_label(symbols_.define_numeric(token.integer), token.place)) return false;
    } else if (token.is("#") || !sections_.is_assembled()) {
      // A line directive of the C preprocessor, a comment, or text that a false condition excludes.
      lexer_.skip_line();
      return true;
    } else {
      return fail(token.place, token.kind == TokenKind::invalid ? std::string(token.text)
                                                                : "expected an instruction, a label or a directive");
    }
    if (lexer_.peek().ends_statement()) return true;
  }
}

/// Stops assembling: the rest of the text would take equally long.
void TextAssembly::fail_for_work(const TextPosition& place) {
  fail(place, "evaluating expressions takes too long: definitions refer to each other too often");
  is_given_up_ = true;
}

Assembly TextAssembly::run() {
  while (!diagnostics_.full() && !is_given_up_) {
    const Token token = lexer_.peek();
    if (token.kind == TokenKind::end_of_text) {
      if (!leave_text()) break;
      continue;
    }
    if (token.kind == TokenKind::end_of_statement) {
      lexer_.next();
      continue;
    }
    if (conditionals_.is_ignoring() && !is_conditional(token)) {
      lexer_.skip_statement();
      continue;
    }
    if (symbols_.entries().size() > most_symbols) {
      fail(token.place, fmt::format("more than {} names", most_symbols));
      break;
    }
    if (symbols_.is_exhausted()) {
      fail_for_work(token.place);
      break;
    }
    const bool is_good = statement();
    // The line break may have been consumed in the search for the missing token.
    if (!is_good && !lexer_.is_at_line_start()) lexer_.skip_line();
    if (next_text_) enter_text();
  }
  if (const auto open = conditionals_.innermost()) fail(*open, "this condition is not closed by .endif");
  if (!diagnostics_.full() && !symbols_.is_exhausted()) {
    place_sections();
    resolve_kernels();
    resolve_headers();
    resolve();
    check_definitions();
    hand_out();
  }
  assembly_.files = sources_.files();
  diagnostics_.finish(assembly_);
  return std::move(assembly_);
}

Assembly assemble(std::string_view text, const Options& options) { return TextAssembly(text, options).run(); }

}  // namespace salu::assembler
