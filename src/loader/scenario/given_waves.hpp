#pragma once

#include <salu/scenario.hpp>

#include "loader/yaml/reader.hpp"
#include "loader/yaml/yaml_tree.hpp"

namespace salu::loader {

/// Reads `work_groups:`: a list of work-groups, each a list of waves with the registers that they have in addition to
/// those of the scenario. All of the waves run. `registers:` and `hwregs:` must be read before.
void read_work_groups(const Document& document, const Node& node, const SymbolIndex& symbols, Scenario& scenario);

}  // namespace salu::loader
