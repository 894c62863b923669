#include "isa/mnemonic_pattern.hpp"

#include <algorithm>
#include <vector>

#include "isa/instruction.hpp"
#include "isa/vector/instruction.hpp"
#include "support/glob.hpp"
#include "support/names.hpp"

namespace salu::isa {

std::optional<std::string> mnemonic_pattern_problem(std::string_view pattern, Generation generation,
                                                    std::span<const std::string_view> others, std::string_view kind) {
  std::vector<std::string_view> names(others.begin(), others.end());
  for (const InstructionInfo& row : all_instructions()) {
    if (row.opcode(generation) != absent) names.push_back(row.mnemonic);
  }
  if (std::ranges::any_of(names, [&](std::string_view name) { return support::fits_pattern(name, pattern); }))
    return std::nullopt;
  const bool is_name = pattern.find_first_of("*?") == std::string_view::npos;
  return "no " + std::string(kind) + " of " + std::string(generation_name(generation)) +
         (is_name ? " has the name " + support::quote(pattern) + support::did_you_mean(pattern, names)
                  : " matches " + support::quote(pattern));
}

std::vector<std::string> vector_mnemonics(Generation generation) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < vector::insn_count; ++i) {
    const vector::InstructionInfo& row = vector::info(static_cast<vector::Insn>(i));
    if (row.opcode(generation) == absent && row.vop3_opcode(generation) == absent) continue;
    names.emplace_back(row.name(generation));
    if (row.is_memory()) continue;
    for (const char* suffix : {"_e32", "_e64", "_sdwa", "_dpp"})
      names.push_back(std::string(row.name(generation)) + suffix);
  }
  return names;
}

}  // namespace salu::isa
