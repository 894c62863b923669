#include "assembler/mnemonics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

#include "isa/generations.hpp"
#include "isa/vector/unsupported.hpp"
#include "support/names.hpp"

namespace salu::assembler {
namespace {

using isa::vector::Form;
using isa::vector::Format;

/// The mnemonics of a generation.
struct NameTable {
  std::unordered_map<std::string_view, isa::Insn> scalar;
  std::unordered_map<std::string_view, isa::vector::Insn> vector;

  [[nodiscard]] bool contains(std::string_view name) const { return scalar.contains(name) || vector.contains(name); }
};

bool is_on(Generation generation, const isa::vector::InstructionInfo& row) {
  return row.opcode(generation) != isa::absent || row.vop3_opcode(generation) != isa::absent;
}

NameTable make_table(Generation generation) {
  NameTable table;
  const std::span<const isa::InstructionInfo> rows = isa::all_instructions();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].opcode(generation) != isa::absent) table.scalar.emplace(rows[i].mnemonic, static_cast<isa::Insn>(i));
  }
  for (const isa::MnemonicAlias& alias : isa::mnemonic_aliases()) {
    const auto found = table.scalar.find(alias.mnemonic);
    if (found != table.scalar.end()) table.scalar.emplace(alias.alias, found->second);
  }
  const std::span<const isa::vector::InstructionInfo> vectors = isa::vector::all_instructions();
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    if (is_on(generation, vectors[i]))
      table.vector.emplace(vectors[i].name(generation), static_cast<isa::vector::Insn>(i));
  }
  return table;
}

const NameTable& table_of(Generation generation) {
  static const auto& tables = *new const isa::GenerationTable<NameTable>(make_table);
  return tables[generation];
}

struct Suffix {
  std::string_view text;
  Form form;
};
constexpr std::array<Suffix, 4> suffixes = {
    {{"_e32", Form::e32}, {"_e64", Form::e64}, {"_sdwa", Form::sdwa}, {"_dpp", Form::dpp}}};

/// The name without a suffix for its form.
std::string_view without_suffix(std::string_view name, std::optional<Form>& form) {
  for (const Suffix& suffix : suffixes) {
    if (!name.ends_with(suffix.text)) continue;
    form = suffix.form;
    return name.substr(0, name.size() - suffix.text.size());
  }
  return name;
}

/// Longer names are not looked up; no mnemonic is longer.
constexpr std::size_t longest_mnemonic = 40;

bool is_vector_mnemonic(std::string_view name) {
  constexpr std::array<std::string_view, 9> prefixes = {"v_",    "ds_",     "buffer_",  "tbuffer_", "image_",
                                                        "flat_", "global_", "scratch_", "exp"};
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

std::string other_generations(std::string_view name) {
  std::string list;
  for (const Generation each : all_generations()) {
    if (!table_of(each).contains(name)) continue;
    if (!list.empty()) list += ", ";
    list += generation_name(each);
  }
  return list;
}

}  // namespace

std::optional<isa::Insn> find_instruction(Generation generation, std::string_view mnemonic) {
  if (mnemonic.size() > longest_mnemonic) return std::nullopt;
  const NameTable& table = table_of(generation);
  const std::string name = support::lower_case(mnemonic);
  auto found = table.scalar.find(name);
  // All scalar instructions have the short form.
  if (found == table.scalar.end() && name.ends_with("_e32"))
    found = table.scalar.find(std::string_view(name).substr(0, name.size() - 4));
  return found == table.scalar.end() ? std::nullopt : std::optional(found->second);
}

std::optional<VectorMnemonic> find_vector_instruction(Generation generation, std::string_view mnemonic) {
  if (mnemonic.size() > longest_mnemonic) return std::nullopt;
  const std::string name = support::lower_case(mnemonic);
  VectorMnemonic result;
  const NameTable& table = table_of(generation);
  const auto found = table.vector.find(without_suffix(name, result.form));
  if (found == table.vector.end()) return std::nullopt;
  result.insn = found->second;
  if (isa::vector::info(result.insn).is_memory() && result.form == Form::e32) result.form.reset();
  // Instructions with a lane number have only one form, which LLVM writes without a suffix.
  const bool is_of_lane = isa::vector::info(result.insn).shape.sources[1].kind == isa::vector::OperandKind::lane;
  if (is_of_lane && result.form && !is_extended(*result.form)) result.form.reset();
  if (result.form && std::ranges::count(forms_of(generation, result.insn), *result.form) == 0) return std::nullopt;
  return result;
}

std::vector<Form> forms_of(Generation generation, isa::vector::Insn insn) {
  const isa::vector::InstructionInfo& row = isa::vector::info(insn);
  if (row.is_memory()) return {};
  if (row.format == Format::vop3p) return {Form::e64};
  std::vector<Form> forms;
  const bool is_short = row.opcode(generation) != isa::absent;
  if (is_short) forms.push_back(Form::e32);
  if (row.vop3_opcode(generation) != isa::absent) forms.push_back(Form::e64);
  const bool has_sdwa = generation_info(generation).vector_encoding != VectorEncoding::gfx6;
  if (is_short && has_sdwa && (row.modifiers & isa::vector::modifier::sdwa) != 0) forms.push_back(Form::sdwa);
  if (isa::vector::has_dpp(generation, row)) forms.push_back(Form::dpp);
  return forms;
}

bool is_unsupported_instruction(Generation generation, std::string_view mnemonic) {
  if (mnemonic.size() > longest_mnemonic) return false;
  const std::string name = support::lower_case(mnemonic);
  std::optional<Form> form;
  const std::string_view base = without_suffix(name, form);
  if (isa::vector::is_unsupported(generation, base)) return true;
  const bool has_forms = generation_info(generation).vector_encoding != VectorEncoding::gfx6;
  return form && is_extended(*form) && has_forms && table_of(generation).vector.contains(base);
}

std::string explain_unknown_instruction(Generation generation, std::string_view mnemonic) {
  if (mnemonic.size() > longest_mnemonic) {
    return "unknown instruction '" + std::string(mnemonic.substr(0, longest_mnemonic)) + "...'";
  }
  const std::string name = support::lower_case(mnemonic);
  std::optional<Form> form;
  const std::string_view base = without_suffix(name, form);
  const NameTable& known = table_of(generation);
  if (known.vector.contains(base) || (form && known.scalar.contains(base))) {
    return fmt::format("{} does not have the form {} on {}", base, name.substr(base.size()),
                       generation_name(generation));
  }
  const std::string others = other_generations(base);
  if (!others.empty()) {
    return fmt::format("{} is not available on {} (it is on {})", base, generation_name(generation), others);
  }
  std::vector<std::string_view> candidates;
  for (const auto& [candidate, insn] : table_of(generation).scalar) candidates.push_back(candidate);
  for (const auto& [candidate, insn] : table_of(generation).vector) candidates.push_back(candidate);
  std::ranges::sort(candidates);
  const std::string near = support::did_you_mean(name, candidates, support::NameStyle::bare);
  if (is_vector_mnemonic(name)) {
    return fmt::format("'{}' is not an instruction that salu supports (its words can be given with .long){}", name,
                       near);
  }
  return fmt::format("unknown instruction '{}'{}", mnemonic, near);
}

}  // namespace salu::assembler
