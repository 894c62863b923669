#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include <salu/target.hpp>

#include "asm/text_assembly.hpp"
#include "support/names.hpp"

/// Statements that start with a point. What only tells linkers, debuggers and loaders something is accepted and has no
/// effect; what would change the words in a way that is not done here is an error.
namespace salu::assembler {
namespace {

/// S_NOP 0, which fills up aligned code.
constexpr u32 nop_word = 0xbf800000;

constexpr std::array<std::string_view, 20> without_effect = {".globl",
                                                             ".global",
                                                             ".weak",
                                                             ".local",
                                                             ".hidden",
                                                             ".protected",
                                                             ".internal",
                                                             ".type",
                                                             ".size",
                                                             ".ident",
                                                             ".file",
                                                             ".loc",
                                                             ".addrsig",
                                                             ".addrsig_sym",
                                                             ".amdhsa_code_object_version",
                                                             ".amd_amdgpu_isa",
                                                             ".hsa_code_object_version",
                                                             ".hsa_code_object_isa",
                                                             ".amdgpu_hsa_kernel",
                                                             ".amdgpu_lds"};

/// What describes kernels to a loader, in lines up to `.end_...`.
constexpr std::array<std::string_view, 4> blocks = {".amdhsa_kernel", ".amdgpu_metadata", ".amdgpu_pal_metadata",
                                                    ".amdgpu_runtime_metadata"};

constexpr std::array<std::string_view, 12> not_supported = {".macro", ".endm", ".if",   ".ifdef",   ".ifndef", ".else",
                                                            ".endif", ".rept", ".endr", ".include", ".incbin", ".org"};

constexpr std::array<std::string_view, 9> not_dwords = {".byte",  ".2byte", ".short", ".hword", ".half",
                                                        ".value", ".ascii", ".asciz", ".string"};

template <class Names>
bool contains(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string_view unquoted(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') return text.substr(1, text.size() - 2);
  return text;
}

}  // namespace

std::optional<Expression> TextAssembly::expression() {
  return parse_expression(lexer_, symbols_, diagnostics_, location());
}

std::optional<i64> TextAssembly::constant() {
  const auto parsed = expression();
  if (!parsed) return std::nullopt;
  const auto value = evaluate(*parsed, symbols_, diagnostics_);
  if (value && value->addresses == 0) return value->number;
  if (value) fail(parsed->place, "expected a number, not an address");
  return std::nullopt;
}

/// `.set name, expression`
bool TextAssembly::set_directive(bool fixed) {
  const Token name = lexer_.next();
  if (name.kind != TokenKind::identifier && name.kind != TokenKind::string) return fail(name.place, "expected a name");
  if (!lexer_.accept(",")) return fail(lexer_.peek().place, "expected ',' and a value");
  return assign(name.text, name.place, fixed);
}

/// `.long`, `.quad` and their other names.
bool TextAssembly::integers(u32 bytes) {
  if (lexer_.peek().ends_statement()) return true;
  do {
    auto parsed = expression();
    if (!parsed) return false;
    const TextPosition place = parsed->place;
    const std::size_t word = assembly_.words.size();
    i64 number = 0;
    if (parsed->is_constant()) {
      const auto value = evaluate(*parsed, symbols_, diagnostics_);
      if (!value) return false;
      number = value->number;
      if (bytes == 4 && !fits_dword(number)) {
        return fail(place, describe_value(parsed->text, number) + " does not fit in 32 bits");
      }
    } else if (bytes == 8 && parsed->relocation != Relocation::none) {
      return fail(place, "a relocated address is a dword");
    } else {
      pending_.push_back({word, true, bytes == 8, Fixup{Fixup::Kind::literal, 1, false, std::move(*parsed)}});
    }
    if (!emit(static_cast<u32>(number), place)) return false;
    if (bytes == 8 && !emit(static_cast<u32>(static_cast<u64>(number) >> 32), place)) return false;
  } while (lexer_.accept(","));
  return true;
}

bool TextAssembly::floats(bool is_double) {
  do {
    const bool negative = lexer_.accept("-");
    const Token token = lexer_.next();
    if (token.kind != TokenKind::floating && token.kind != TokenKind::integer) {
      return fail(token.place, token.kind == TokenKind::invalid ? std::string(token.text) : "expected a number");
    }
    const double magnitude = token.kind == TokenKind::floating ? token.floating : static_cast<double>(token.integer);
    const double value = negative ? -magnitude : magnitude;
    if (is_double) {
      const u64 bits = std::bit_cast<u64>(value);
      if (!emit(static_cast<u32>(bits), token.place) || !emit(static_cast<u32>(bits >> 32), token.place)) return false;
    } else {
      const auto single = static_cast<float>(value);
      if (std::isinf(single)) return fail(token.place, "this number does not fit in single precision");
      if (!emit(std::bit_cast<u32>(single), token.place)) return false;
    }
  } while (lexer_.accept(","));
  return true;
}

/// `.p2align n, fill, most`, `.balign bytes, fill, most`; with a `w` or `l` at the end the fill is 2 or 4 bytes wide.
bool TextAssembly::align(bool power_of_two, u32 fill_bytes) {
  const TextPosition place = lexer_.peek().place;
  const auto amount = constant();
  if (!amount) return false;
  constexpr i64 largest_power = 16;
  if (power_of_two
          ? *amount < 0 || *amount > largest_power
          : *amount < 1 || *amount > i64{1} << largest_power || !std::has_single_bit(static_cast<u64>(*amount))) {
    return fail(place,
                power_of_two ? "an alignment is from 2^0 to 2^16" : "an alignment is a power of two up to 65536");
  }
  const u64 bytes = power_of_two ? u64{1} << *amount : static_cast<u64>(*amount);
  u32 fill = nop_word;
  u64 most = bytes;
  if (lexer_.accept(",")) {
    if (!lexer_.peek().is(",") && !lexer_.peek().ends_statement()) {
      const auto value = constant();
      if (!value) return false;
      // LLVM fills code with S_NOP unless something else is asked for.
      const auto bits = static_cast<u32>(*value);
      if (bits != 0)
        fill = fill_bytes == 4 ? bits : fill_bytes == 2 ? (bits & 0xffff) * 0x10001U : (bits & 0xff) * 0x01010101U;
    }
    if (lexer_.accept(",")) {
      const auto value = constant();
      if (!value) return false;
      most = static_cast<u64>(std::max<i64>(*value, 0));
    }
  }
  const u64 padding = (bytes - location() % bytes) % bytes;
  if (padding > most) return true;
  for (u64 i = 0; i + 4 <= padding; i += 4) {
    if (!emit(fill, place)) return false;
  }
  return true;
}

/// `count` times the low `pattern_bytes` bytes of a pattern.
bool TextAssembly::emit_bytes(u64 pattern, u32 pattern_bytes, u64 count, const TextPosition& place) {
  if (pattern_bytes == 0 || count == 0) return true;
  constexpr u64 most_bytes = u64{1} << 40;
  if (count > most_bytes || count * pattern_bytes % 4 != 0) {
    return fail(place, "code is made of whole dwords: this is not a multiple of four bytes, or too much");
  }
  u32 word = 0;
  for (u64 i = 0; i < count * pattern_bytes; ++i) {
    const u64 byte = pattern >> (i % pattern_bytes * 8) & 0xff;
    word |= static_cast<u32>(byte) << (i % 4 * 8);
    if (i % 4 != 3) continue;
    if (!emit(word, place)) return false;
    word = 0;
  }
  return true;
}

/// `.fill count, bytes, value`
bool TextAssembly::fill_repeated() {
  const TextPosition place = lexer_.peek().place;
  const auto count = constant();
  if (!count) return false;
  std::optional<i64> size = 1;
  std::optional<i64> value = 0;
  if (lexer_.accept(",")) size = constant();
  if (size && lexer_.accept(",")) value = constant();
  if (!size || !value) return false;
  if (*count < 0 || *size < 0 || *size > 8) return fail(place, "expected a count, a size of 0 to 8 bytes and a value");
  // As GNU and LLVM assemblers do it: no more than four bytes of the value are used.
  return emit_bytes(static_cast<u64>(*value) & 0xffffffff, static_cast<u32>(*size), static_cast<u64>(*count), place);
}

/// `.space bytes, value`, `.zero bytes`
bool TextAssembly::space(bool takes_value) {
  const TextPosition place = lexer_.peek().place;
  const auto bytes = constant();
  if (!bytes) return false;
  std::optional<i64> value = 0;
  if (takes_value && lexer_.accept(",")) value = constant();
  if (!value) return false;
  if (*bytes < 0) return fail(place, "a size cannot be negative");
  return emit_bytes(static_cast<u64>(*value), 1, static_cast<u64>(*bytes), place);
}

/// `.amdgcn_target "amdgcn-amd-amdhsa--gfx900:xnack-"`
bool TextAssembly::target_directive(const Token& token) {
  const Token name = lexer_.next();
  if (name.kind != TokenKind::string) return fail(name.place, "expected a target in quotes");
  std::string_view processor = name.text.substr(0, name.text.find(':'));
  const std::size_t dash = processor.rfind("--");
  if (dash == std::string_view::npos)
    return fail(name.place, "expected a target such as \"amdgcn-amd-amdhsa--gfx900\"");
  processor.remove_prefix(dash + 2);
  while (processor.starts_with('-')) processor.remove_prefix(1);
  const Target* target = find_target(processor);
  if (target != nullptr && target->generation == options_.generation) return true;
  const std::string is = target == nullptr ? "no known target" : std::string(generation_name(target->generation));
  return fail(token.place, fmt::format("the text is for {}, which is {}, but it is assembled for {}",
                                       support::beginning(processor, 40), is, generation_name(options_.generation)));
}

/// Code goes on in `.text` and `.text.*`; everything else is not assembled.
bool TextAssembly::section(std::string_view name) {
  name = unquoted(name);
  previous_in_code_ = in_code_;
  in_code_ = name == ".text" || name.starts_with(".text.");
  return true;
}

bool TextAssembly::section_directive(std::string_view directive) {
  if (directive == ".popsection") {
    if (outer_sections_.empty()) return fail(lexer_.peek().place, ".popsection without .pushsection");
    previous_in_code_ = in_code_;
    in_code_ = outer_sections_.back();
    outer_sections_.pop_back();
  } else if (directive == ".previous") {
    std::swap(in_code_, previous_in_code_);
  } else if (directive == ".text" || directive == ".data" || directive == ".bss" || directive == ".rodata" ||
             directive == ".hsatext" || directive == ".hsadata_global_agent") {
    section(directive == ".hsatext" ? ".text" : directive);
  } else {
    const std::string_view rest = lexer_.rest_of_line();
    const std::string_view name = rest.substr(0, rest.find_first_of(", \t"));
    if (name.empty()) return fail(lexer_.peek().place, "expected the name of a section");
    if (directive == ".pushsection") outer_sections_.push_back(in_code_);
    section(name);
  }
  lexer_.skip_line();
  return true;
}

/// Everything up to the line that closes what a directive opened: `.end_amdhsa_kernel` for `.amdhsa_kernel`.
bool TextAssembly::skip_block(const Token& directive) {
  const std::string end = ".end_" + std::string(directive.text.substr(1));
  while (!lexer_.at_end()) {
    const bool found = lexer_.rest_of_line() == end;
    lexer_.skip_line();
    if (found) return true;
    lexer_.next();
  }
  return fail(directive.place, std::string(directive.text) + " without " + end);
}

bool TextAssembly::directive(const Token& token) {
  constexpr std::array<std::string_view, 10> sections = {
      ".text",        ".data",       ".bss",      ".rodata",  ".section",
      ".pushsection", ".popsection", ".previous", ".hsatext", ".hsadata_global_agent"};
  constexpr std::array<std::string_view, 6> dwords = {".long", ".dword", ".word", ".int", ".4byte", ".uint"};
  constexpr std::array<std::string_view, 4> quads = {".quad", ".8byte", ".xword", ".qword"};
  const std::string_view name = token.text;
  if (contains(sections, name)) return section_directive(name);
  if (contains(blocks, name)) return skip_block(token);
  if (contains(without_effect, name) || name.starts_with(".cfi_") || !in_code_) {
    lexer_.skip_line();
    return true;
  }
  if (name == ".set" || name == ".equ") return set_directive(false);
  if (name == ".equiv") return set_directive(true);
  if (contains(dwords, name)) return integers(4);
  if (contains(quads, name)) return integers(8);
  if (name == ".float" || name == ".single") return floats(false);
  if (name == ".double") return floats(true);
  if (name == ".p2align") return align(true, 1);
  if (name == ".p2alignw") return align(true, 2);
  if (name == ".p2alignl") return align(true, 4);
  if (name == ".align" || name == ".balign") return align(false, 1);
  if (name == ".balignw") return align(false, 2);
  if (name == ".balignl") return align(false, 4);
  if (name == ".fill") return fill_repeated();
  if (name == ".space" || name == ".skip") return space(true);
  if (name == ".zero") return space(false);
  if (name == ".amdgcn_target") return target_directive(token);
  if (contains(not_dwords, name))
    return fail(token.place, std::string(name) + ": code is made of whole dwords; use .long");
  if (contains(not_supported, name)) return fail(token.place, std::string(name) + " is not supported");
  return fail(token.place, "unknown directive '" + std::string(name.substr(0, 40)) + "'");
}

}  // namespace salu::assembler
