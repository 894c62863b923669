#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <salu/target.hpp>

#include "asm/text_assembly.hpp"
#include "support/names.hpp"

/// Statements that start with a point. What only tells linkers, debuggers and loaders something is accepted and has no
/// effect; what would change the words in a way that is not done here is an error.
namespace salu::assembler {
namespace {

constexpr std::array<std::string_view, 18> without_effect = {".globl",
                                                             ".global",
                                                             ".weak",
                                                             ".local",
                                                             ".hidden",
                                                             ".protected",
                                                             ".internal",
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

std::optional<std::string_view> TextAssembly::symbol_name() {
  const Token name = lexer_.next();
  if (name.kind == TokenKind::identifier || name.kind == TokenKind::string) return name.text;
  fail(name.place, "expected a name");
  return std::nullopt;
}

/// `.type name, @function`; kinds other than functions make no difference.
bool TextAssembly::symbol_type() {
  const auto name = symbol_name();
  if (!name) return false;
  lexer_.accept(",");
  if (!lexer_.accept("@")) lexer_.accept("%");
  const Token kind = lexer_.next();
  if (kind.text == "function" || kind.text == "STT_FUNC") declared_[symbols_.intern(*name)].is_function = true;
  lexer_.skip_statement();
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
  const std::string_view name = token.text;
  if (const DirectiveHandler handler = find_text_directive(name)) return handler(*this, token);
  if (const DirectiveHandler handler = find_section_directive(name)) return handler(*this, token);
  if (contains(blocks, name)) return skip_block(token);
  if (contains(without_effect, name) || name.starts_with(".cfi_") || !sections_.is_assembled()) {
    lexer_.skip_statement();
    return true;
  }
  if (name == ".set" || name == ".equ") return set_directive(false);
  if (name == ".equiv") return set_directive(true);
  if (name == ".type") return symbol_type();
  if (name == ".size") return symbol_size();
  if (name == ".amdgcn_target") return target_directive(token);
  if (name == ".comm" || name == ".lcomm") return common();
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
