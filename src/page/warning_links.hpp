#pragma once

#include <salu/integer.hpp>
#include <salu/outcome.hpp>

#include <string>
#include <utility>
#include <vector>

namespace salu::page {

/// An instruction that a warning names.
struct WarningLink {
  std::string name;  ///< `at`, where it appeared, first; then `culprit`, `victim`, ...
  u64 pc = 0;
};

/// By the keys of its JSON: whatever kind of warning there will be, what it names shows up here.
std::vector<WarningLink> links_of(const Warning& warning);

/// What else its JSON says, by name: `needed` 2, `bits` 0x0000ff00.
std::vector<std::pair<std::string, std::string>> facts_of(const Warning& warning);

}  // namespace salu::page
