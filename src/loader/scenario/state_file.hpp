#pragma once

#include <salu/scenario.hpp>

#include <string>

#include "loader/scenario/registers.hpp"
#include "loader/yaml/reader.hpp"

namespace salu::loader {

inline constexpr std::string_view state_schema = "salu-state-v1";
inline constexpr std::string_view scenario_schema = "salu-scenario-v1";

/// Checks `schema:`, which is optional. Rejects later versions and other schemas.
void check_schema(const Document& document, const Node& root, std::string_view expected);

/// Applies a state dump (YAML or JSON, `salu-state-v1`) to a scenario's initial state and memory. `files` restricts the
/// files that it may name.
void apply_state_file(const std::string& path, const FileRules& files, const SymbolIndex& symbols, Scenario& scenario);

/// Applies one `--set NAME=VALUE`.
void apply_setting(const std::string& setting, const SymbolIndex& symbols, Scenario& scenario, RegisterWriter& writer);

}  // namespace salu::loader
