#include <string>
#include <utility>

#include "assembler/text_assembly.hpp"

/// Directives that describe kernels: `.amdhsa_kernel`, `.amd_kernel_code_t`.
namespace salu::assembler {

/// `.amdhsa_kernel name`: the settings for the command processor, up to `.end_amdhsa_kernel`. Values may be symbols
/// that are defined later, so the descriptor is filled in at the end of the text.
bool TextAssembly::kernel_block(const Token& directive) {
  const TextPosition name_place = lexer_.peek().place;
  const auto name = symbol_name();
  if (!name) return false;
  if (!end_of_statement(directive.text)) return false;
  if (sections_.current().is_zero) return fail_not_zero(directive.place, sections_.current());
  PendingKernel kernel{directive.place,
                       sections_.current_number(),
                       sections_.current().bytes.size(),
                       KernelBlock(*target_, assembly_.object.target.find(":xnack-") != std::string::npos),
                       {}};
  bool is_good = true;
  while (true) {
    const Token token = lexer_.next();
    if (token.kind == TokenKind::end_of_text) return fail(directive.place, ".amdhsa_kernel without .end_amdhsa_kernel");
    if (token.kind == TokenKind::end_of_statement) continue;
    if (token.text == ".end_amdhsa_kernel") break;
    auto value = expression();
    is_good = value && end_of_statement(token.text) && is_good;
    if (value) kernel.values.emplace_back(token, *std::move(value));
    if (!lexer_.is_at_line_start()) lexer_.skip_line();
  }
  if (!is_good) return false;
  if (!kernel_descriptor(*name, name_place)) return false;
  kernels_.push_back(std::move(kernel));
  return true;
}

/// `.amd_kernel_code_t`: lines `field = value`, up to `.end_amd_kernel_code_t`.
bool TextAssembly::header_block(const Token& directive) {
  if (!end_of_statement(directive.text)) return false;
  if (!sections_.is_code())
    return fail(directive.place, ".amd_kernel_code_t must be in a section of code such as .text");
  PendingHeader header{sections_.current().bytes.size(), {}};
  bool is_good = true;
  while (true) {
    const Token token = lexer_.next();
    if (token.kind == TokenKind::end_of_text)
      return fail(directive.place, ".amd_kernel_code_t without .end_amd_kernel_code_t");
    if (token.kind == TokenKind::end_of_statement) continue;
    if (token.text == ".end_amd_kernel_code_t") break;
    const bool has_value = lexer_.accept("=") || fail(lexer_.peek().place, "expected '=' and a value");
    auto value = has_value ? expression() : std::nullopt;
    is_good = value && end_of_statement(token.text) && is_good;
    if (value) header.values.emplace_back(token, *std::move(value));
    if (!lexer_.is_at_line_start()) lexer_.skip_line();
  }
  if (!is_good) return false;
  headers_.push_back(std::move(header));
  return emit_repeated(0, 8, KernelHeader::size_bytes / 8, directive.place);
}

/// `.amdgpu_hsa_kernel name`: a kernel that begins with a header.
bool TextAssembly::header_kernel() {
  const auto name = symbol_name();
  if (!name) return false;
  declared_[symbols_.intern(*name)].has_header = true;
  return true;
}

/// Defines the symbol of a descriptor, and reserves its bytes.
bool TextAssembly::kernel_descriptor(std::string_view kernel, const TextPosition& place) {
  const u32 symbol = symbols_.intern(sources_.keep(std::string(kernel) + ".kd"));
  if (!define_label(symbol, place)) return false;
  labels_.push_back(symbol);
  Expression size;
  size.steps.push_back({Operation::number, 0, {KernelBlock::descriptor_bytes, 0}, place});
  declared_[symbol].size = std::move(size);
  Expression distance;
  distance.place = place;
  distance.text = kernel;
  distance.steps = {{Operation::symbol, symbols_.intern(kernel), {}, place},
                    {Operation::symbol, symbol, {}, place},
                    {Operation::subtract, 0, {}, place}};
  pending_.push_back({sections_.current_number(), sections_.current().bytes.size() + KernelBlock::entry_offset, 8,
                      Fixup{Fixup::Kind::literal, 1, false, std::move(distance)}});
  assembly_.object.kernels.emplace_back(kernel);
  return emit_repeated(0, 8, KernelBlock::descriptor_bytes / 8, place);
}

/// The final value of an expression; reports an error and returns nothing if it does not have one.
std::optional<i64> TextAssembly::final_number(const Expression& expression) {
  const auto value = evaluate(expression, symbols_, diagnostics_);
  if (value && value->addresses == 0) return value->number;
  if (value) fail(expression.place, "expected a number, not an address");
  return std::nullopt;
}

/// Fills in the headers of kernels.
void TextAssembly::resolve_headers() {
  for (const PendingHeader& pending : headers_) {
    KernelHeader header(*target_);
    for (const auto& [field, expression] : pending.values) {
      if (diagnostics_.full()) return;
      const auto value = final_number(expression);
      std::string problem = value ? header.set(field.text, *value) : std::string();
      if (!problem.empty()) fail(field.place, std::move(problem));
    }
    for (u32 i = 0; i < KernelHeader::size_bytes; ++i) sections_.patch(0, pending.offset + i, header.bytes()[i], 1);
  }
}

/// Fills in the descriptors of kernels.
void TextAssembly::resolve_kernels() {
  for (PendingKernel& kernel : kernels_) {
    bool is_good = true;
    for (const auto& [directive, expression] : kernel.values) {
      if (diagnostics_.full()) return;
      const auto value = final_number(expression);
      const std::string problem = value ? kernel.block.set(directive.text, *value) : std::string();
      if (!problem.empty()) fail(directive.place, problem);
      is_good = value && problem.empty() && is_good;
    }
    if (!is_good) continue;
    std::string problem;
    const auto bytes = kernel.block.descriptor(problem);
    if (!bytes) {
      fail(kernel.place, std::move(problem));
      continue;
    }
    for (u32 i = 0; i < bytes->size(); ++i) sections_.patch(kernel.section, kernel.offset + i, (*bytes)[i], 1);
  }
}

}  // namespace salu::assembler
