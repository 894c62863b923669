#include "assembler/modifiers.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>

#include "support/names.hpp"

namespace salu::assembler {
namespace {

using ModifierKind = Modifier::Kind;

struct ModifierName {
  std::string_view name;
  ModifierKind kind;
};

constexpr std::array<ModifierName, 29> modifier_names = {{
    {"clamp", ModifierKind::flag},        {"mul", ModifierKind::number},      {"div", ModifierKind::number},
    {"op_sel", ModifierKind::bits},       {"op_sel_hi", ModifierKind::bits},  {"neg_lo", ModifierKind::bits},
    {"neg_hi", ModifierKind::bits},       {"dst_sel", ModifierKind::word},    {"src0_sel", ModifierKind::word},
    {"src1_sel", ModifierKind::word},     {"dst_unused", ModifierKind::word}, {"offset", ModifierKind::number},
    {"offset0", ModifierKind::number},    {"offset1", ModifierKind::number},  {"offen", ModifierKind::flag},
    {"idxen", ModifierKind::flag},        {"addr64", ModifierKind::flag},     {"lds", ModifierKind::flag},
    {"gds", ModifierKind::flag},          {"tfe", ModifierKind::flag},        {"glc", ModifierKind::flag},
    {"slc", ModifierKind::flag},          {"scc", ModifierKind::flag},        {"sc0", ModifierKind::flag},
    {"sc1", ModifierKind::flag},          {"nt", ModifierKind::flag},         {"bitop3", ModifierKind::number},
    {"bound_ctrl", ModifierKind::number}, {"fi", ModifierKind::number},
}};

/// One bit for each of three sources and one for the result.
constexpr u8 most_bits = 4;

const ModifierName* find_name(std::string_view name) {
  constexpr std::size_t longest = 10;
  if (name.size() > longest) return nullptr;
  const std::string lower = support::lower_case(name);
  const auto* const found = std::ranges::find(modifier_names, std::string_view(lower), &ModifierName::name);
  return found == modifier_names.end() ? nullptr : found;
}

/// True for names that belong to DPP, which salu does not support.
bool is_of_dpp(std::string_view name) {
  return name == "quad_perm" || name == "bank_mask" || name == "bound_ctrl" || name.starts_with("row_") ||
         name.starts_with("wave_");
}

}  // namespace

bool ModifierReader::is_next() const {
  const Token token = lexer_.peek();
  return token.kind == TokenKind::identifier && find_name(token.text) != nullptr;
}

/// `[0,1]`; the next token is `[`.
bool ModifierReader::read_bits(Modifier& modifier) {
  if (!expect("[", "after " + std::string(modifier.name) + ":")) return false;
  do {
    const TextPosition place = lexer_.peek().place;
    const auto bit = constant();
    if (!bit) return false;
    if (*bit != 0 && *bit != 1) return fail(place, fmt::format("the parts of {} must be 0 or 1", modifier.name));
    if (modifier.count == most_bits) return fail(place, fmt::format("{} has too many parts", modifier.name));
    modifier.bits |= static_cast<u32>(*bit) << modifier.count++;
  } while (lexer_.accept(","));
  return expect("]", "after the parts of " + std::string(modifier.name));
}

bool ModifierReader::read_value(Modifier& modifier) {
  if (modifier.kind == ModifierKind::flag) return true;
  if (!expect(":", "after " + std::string(modifier.name))) return false;
  if (modifier.kind == ModifierKind::bits) return read_bits(modifier);
  if (modifier.kind == ModifierKind::number) {
    const auto number = constant();
    modifier.number = number.value_or(0);
    return number.has_value();
  }
  const Token word = lexer_.next();
  modifier.word = word.text;
  return word.kind == TokenKind::identifier ||
         fail(word.place, fmt::format("expected a name such as {} after {}:",
                                      modifier.name == "dst_unused" ? "UNUSED_PAD" : "WORD_0", modifier.name));
}

std::optional<std::vector<Modifier>> ModifierReader::read() {
  std::vector<Modifier> modifiers;
  while (!lexer_.peek().ends_statement()) {
    if (!modifiers.empty()) lexer_.accept(",");
    const Token token = lexer_.next();
    const ModifierName* const name = token.kind == TokenKind::identifier ? find_name(token.text) : nullptr;
    if (name == nullptr) {
      if (token.kind == TokenKind::invalid) {
        fail(token.place, std::string(token.text));
      } else if (token.kind == TokenKind::identifier && is_of_dpp(token.text)) {
        fail(token.place,
             fmt::format("{} belongs to DPP, which salu does not support", support::beginning(token.text, 40)));
      } else {
        fail(token.place, fmt::format("unexpected '{}' after the operands", support::beginning(token.text, 40)));
      }
      return std::nullopt;
    }
    if (std::ranges::find(modifiers, name->name, &Modifier::name) != modifiers.end()) {
      fail(token.place, fmt::format("{} is given twice", name->name));
      return std::nullopt;
    }
    Modifier modifier;
    modifier.name = name->name;
    modifier.kind = name->kind;
    modifier.place = token.place;
    if (!read_value(modifier)) return std::nullopt;
    modifiers.push_back(modifier);
  }
  return modifiers;
}

}  // namespace salu::assembler
