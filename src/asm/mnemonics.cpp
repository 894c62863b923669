#include "asm/mnemonics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

#include "isa/generations.hpp"
#include "support/names.hpp"

namespace salu::assembler {
namespace {

using NameTable = std::unordered_map<std::string_view, isa::Insn>;

NameTable make_table(Generation generation) {
  NameTable table;
  const std::span<const isa::InstructionInfo> rows = isa::all_instructions();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].opcode(generation) != isa::absent) table.emplace(rows[i].mnemonic, static_cast<isa::Insn>(i));
  }
  for (const isa::MnemonicAlias& alias : isa::mnemonic_aliases()) {
    const auto found = table.find(alias.mnemonic);
    if (found != table.end()) table.emplace(alias.alias, found->second);
  }
  return table;
}

const NameTable& table_of(Generation generation) {
  static const isa::GenerationTable<NameTable> tables(make_table);
  return tables[generation];
}

/// Longer than any mnemonic; what is longer is not copied around.
constexpr std::size_t longest_mnemonic = 40;

bool is_vector_mnemonic(std::string_view name) {
  constexpr std::array<std::string_view, 9> prefixes = {"v_",    "ds_",     "buffer_",  "tbuffer_", "image_",
                                                        "flat_", "global_", "scratch_", "exp"};
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

std::string other_generations(const std::string& name) {
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
  const auto found = table.find(support::lower_case(mnemonic));
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

std::string explain_unknown_instruction(Generation generation, std::string_view mnemonic) {
  if (mnemonic.size() > longest_mnemonic) {
    return "unknown instruction '" + std::string(mnemonic.substr(0, longest_mnemonic)) + "...'";
  }
  const std::string name = support::lower_case(mnemonic);
  const std::string others = other_generations(name);
  if (!others.empty()) {
    return fmt::format("{} is not available on {} (it is on {})", name, generation_name(generation), others);
  }
  if (is_vector_mnemonic(name)) {
    return "'" + name + "' is not a scalar instruction; its words can be given with .long";
  }
  std::vector<std::string_view> candidates;
  for (const auto& [candidate, insn] : table_of(generation)) candidates.push_back(candidate);
  std::ranges::sort(candidates);
  return fmt::format("unknown instruction '{}'{}", mnemonic,
                     support::did_you_mean(name, candidates, support::NameStyle::bare));
}

}  // namespace salu::assembler
