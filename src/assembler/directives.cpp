#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <salu/target.hpp>

#include "assembler/text_assembly.hpp"
#include "isa/target_id.hpp"
#include "support/names.hpp"

/// Statements that start with a point. Directives that only inform linkers, debuggers or loaders are accepted and
/// ignored; directives that would change the words in an unsupported way are errors.
namespace salu::assembler {
namespace {

constexpr std::array<std::string_view, 8> without_effect = {
    ".ident",     ".file", ".loc", ".addrsig", ".addrsig_sym", ".hsa_code_object_version", ".hsa_code_object_isa",
    ".amdgpu_lds"};

/// Directives about the binding and visibility of names, which make no difference within one text.
constexpr std::array<std::string_view, 7> bindings = {".globl",     ".global",   ".local",        ".hidden",
                                                      ".protected", ".internal", ".no_dead_strip"};

/// The types of symbols (`.type`), as words and by their ELF names.
constexpr std::array<std::string_view, 13> symbol_types = {"function",
                                                           "STT_FUNC",
                                                           "object",
                                                           "STT_OBJECT",
                                                           "tls_object",
                                                           "STT_TLS",
                                                           "common",
                                                           "STT_COMMON",
                                                           "notype",
                                                           "STT_NOTYPE",
                                                           "gnu_indirect_function",
                                                           "STT_GNU_IFUNC",
                                                           "gnu_unique_object"};

/// Blocks that describe code to a loader and that salu ignores, up to the line `.end_...`.
constexpr std::array<std::string_view, 2> blocks = {".amdgpu_pal_metadata", ".amdgpu_runtime_metadata"};

constexpr std::array<std::string_view, 1> not_supported = {".org"};

template <class Names>
bool contains(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
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

/// `.amdgcn_target "amdgcn-amd-amdhsa--gfx900:xnack-"`; `.amd_amdgpu_isa` with the same argument.
bool TextAssembly::target_directive(const Token& token) {
  const Token name = lexer_.next();
  if (name.kind != TokenKind::string) return fail(name.place, "expected a target in quotes");
  const auto id = isa::parse_target_id(name.text);
  if (!id) return fail(name.place, "expected a target such as \"amdgcn-amd-amdhsa--gfx900\"");
  assembly_.object.target = name.text;
  assembly_.object.system = id->system;
  const Target* target = find_target(id->processor);
  if (target != nullptr && target->generation == options_.generation) return true;
  const std::string is =
      target == nullptr ? "not a supported target" : std::string(generation_name(target->generation));
  return fail(token.place,
              fmt::format("the text is for {}, which is {}, but it is assembled for {}",
                          support::beginning(id->processor, 40), is, generation_name(options_.generation)));
}

bool TextAssembly::code_object_version() {
  const TextPosition place = lexer_.peek().place;
  const auto version = constant();
  if (!version) return false;
  constexpr i64 newest = 6;
  if (*version < 3 || *version > newest) return fail(place, "code object versions are 3 to 6");
  assembly_.object.code_object_version = static_cast<u32>(*version);
  return true;
}

/// `.amdgpu_metadata`: YAML up to `.end_amdgpu_metadata`.
bool TextAssembly::metadata_block(const Token& directive) {
  constexpr std::array<std::string_view, 1> end = {".end_amdgpu_metadata"};
  lexer_.skip_line();
  const auto body = capture_lines(lexer_, end);
  if (!body) return fail(directive.place, ".amdgpu_metadata without .end_amdgpu_metadata");
  if (!assembly_.object.metadata.empty()) return fail(directive.place, ".amdgpu_metadata is given twice");
  assembly_.object.metadata = *body;
  return true;
}

std::optional<std::string_view> TextAssembly::symbol_name() {
  const Token name = lexer_.next();
  if (name.kind == TokenKind::identifier || name.kind == TokenKind::string) return name.text;
  fail(name.place, "expected a name");
  return std::nullopt;
}

/// `.weak name, ...`, or a directive for another property of symbols; the list may be empty.
bool TextAssembly::symbols_that_are(bool weak) {
  if (lexer_.peek().ends_statement()) return true;
  do {
    const auto name = symbol_name();
    if (!name) return false;
    if (weak) symbols_.at(symbols_.intern(*name)).weak = true;
  } while (lexer_.accept(","));
  return true;
}

/// `.type name, @function`; types other than functions make no difference.
bool TextAssembly::symbol_type() {
  const auto name = symbol_name();
  if (!name) return false;
  lexer_.accept(",");
  if (!lexer_.accept("@") && !lexer_.accept("%")) lexer_.accept("#");
  const Token kind = lexer_.next();
  if (!contains(symbol_types, kind.text))
    return fail(kind.place, "expected the type of the symbol, such as @function or @object");
  if (kind.text == "function" || kind.text == "STT_FUNC") declared_[symbols_.intern(*name)].is_function = true;
  return true;
}

/// `.size name, expression`
bool TextAssembly::symbol_size() {
  const auto name = symbol_name();
  if (!name) return false;
  if (!lexer_.accept(",")) return fail(lexer_.peek().place, "expected ',' and a size");
  auto size = expression();
  if (!size) return false;
  declared_[symbols_.intern(*name)].size = std::move(*size);
  return true;
}

/// Skips everything up to the line that closes the block of a directive: `.end_amdgpu_pal_metadata`.
bool TextAssembly::skip_block(const Token& directive) {
  const std::string end = ".end_" + std::string(directive.text.substr(1));
  lexer_.skip_line();
  const std::string_view closer = end;
  if (capture_lines(lexer_, {&closer, 1})) return true;
  return fail(directive.place, std::string(directive.text) + " without " + end);
}

bool TextAssembly::directive(const Token& token) {
  const std::string_view name = token.text;
  if (const DirectiveHandler handler = find_text_directive(name)) return handler(*this, token);
  if (const DirectiveHandler handler = find_section_directive(name)) return handler(*this, token);
  if (name == ".amdgpu_metadata") return metadata_block(token);
  if (contains(blocks, name)) return skip_block(token);
  if (name == ".set" || name == ".equ") return set_directive(false);
  if (name == ".equiv") return set_directive(true);
  if (name == ".weak" || contains(bindings, name)) return symbols_that_are(name == ".weak");
  if (name == ".type") return symbol_type();
  if (name == ".amdgpu_hsa_kernel") return header_kernel();
  if (name == ".size") return symbol_size();
  if (name == ".amdgcn_target" || name == ".amd_amdgpu_isa") return target_directive(token);
  if (name == ".amdhsa_code_object_version") return code_object_version();
  if (name == ".comm" || name == ".lcomm") return common(name == ".comm");
  if (contains(without_effect, name) || name.starts_with(".cfi_") || !sections_.is_assembled()) {
    lexer_.skip_statement();
    return true;
  }
  // The directives below depend on the current section.
  if (name == ".amdhsa_kernel") return kernel_block(token);
  if (name == ".amd_kernel_code_t") return header_block(token);
  if (name == ".p2align") return align(true, 1);
  if (name == ".p2alignw") return align(true, 2);
  if (name == ".p2alignl") return align(true, 4);
  if (name == ".align" || name == ".balign") return align(false, 1);
  if (name == ".balignw") return align(false, 2);
  if (name == ".balignl") return align(false, 4);
  if (const DirectiveHandler handler = find_data_directive(name)) return handler(*this, token);
  if (contains(not_supported, name)) return fail_unknown(token.place, std::string(name) + " is not supported");
  return fail_unknown(token.place, "unknown directive '" + std::string(name.substr(0, 40)) + "'");
}

}  // namespace salu::assembler
