#include "isa/pattern.hpp"

#include <algorithm>
#include <vector>

#include "isa/instruction.hpp"
#include "isa/name_text.hpp"

namespace salu::isa {

bool fits_pattern(std::string_view text, std::string_view pattern) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;  // the last one; what it stands for ends at `star_end`
  std::size_t star_end = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_end = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_end;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::optional<std::string> mnemonic_pattern_problem(std::string_view pattern, Generation generation,
                                                    std::span<const std::string_view> others) {
  std::vector<std::string_view> names(others.begin(), others.end());
  for (const InstructionInfo& row : all_instructions()) {
    if (row.opcode(generation) != absent) names.push_back(row.mnemonic);
  }
  if (std::ranges::any_of(names, [&](std::string_view name) { return fits_pattern(name, pattern); }))
    return std::nullopt;
  const bool is_name = pattern.find_first_of("*?") == std::string_view::npos;
  return "no scalar instruction of " + std::string(generation_name(generation)) +
         (is_name ? " is called " + quote(pattern) + did_you_mean(pattern, names) : " is like " + quote(pattern));
}

}  // namespace salu::isa
