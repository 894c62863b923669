#pragma once

#include <salu/integer.hpp>
#include <salu/outcome.hpp>

#include <string>
#include <utility>
#include <vector>

namespace salu::page {

/// An instruction that a warning names.
struct WarningLink {
  std::string name;  ///< `at`, where it appeared, comes first
  u64 pc = 0;
};

/// The instructions of a warning, by the keys of its JSON, so that new kinds of warnings need no change.
std::vector<WarningLink> links_of(const Warning& warning);

/// Further values of its JSON by name: `needed` 2, `bits` 0x0000ff00.
std::vector<std::pair<std::string, std::string>> facts_of(const Warning& warning);

}  // namespace salu::page
