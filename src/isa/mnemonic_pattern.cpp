#include "isa/mnemonic_pattern.hpp"

#include <algorithm>
#include <vector>

#include "isa/instruction.hpp"
#include "support/glob.hpp"
#include "support/names.hpp"

namespace salu::isa {

std::optional<std::string> mnemonic_pattern_problem(std::string_view pattern, Generation generation,
                                                    std::span<const std::string_view> others) {
  std::vector<std::string_view> names(others.begin(), others.end());
  for (const InstructionInfo& row : all_instructions()) {
    if (row.opcode(generation) != absent) names.push_back(row.mnemonic);
  }
  if (std::ranges::any_of(names, [&](std::string_view name) { return support::fits_pattern(name, pattern); }))
    return std::nullopt;
  const bool is_name = pattern.find_first_of("*?") == std::string_view::npos;
  return "no scalar instruction of " + std::string(generation_name(generation)) +
         (is_name ? " is called " + support::quote(pattern) + support::did_you_mean(pattern, names)
                  : " is like " + support::quote(pattern));
}

}  // namespace salu::isa
