#pragma once

#include <salu/scenario.hpp>

#include "loader/reader.hpp"
#include "loader/yaml_tree.hpp"

/// `cases:` of a scenario: rows of inputs and expectations, inline or in a file.
namespace salu::loader {

/// Reads `cases:`. The rest of the scenario is there already; a column for s[30:31] takes back the return address that
/// the loader gave a function.
CaseTable read_cases(const Document& document, const Node& node, Scenario& scenario, const SymbolIndex& symbols);

}  // namespace salu::loader
