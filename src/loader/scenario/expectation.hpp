#pragma once

#include <salu/scenario.hpp>

#include <optional>

#include "loader/yaml/memory_blocks.hpp"
#include "loader/yaml/reader.hpp"
#include "loader/yaml/yaml_tree.hpp"

/// `expect:` of a scenario.
namespace salu::loader {

/// A stop reason, or the name of a warning, which is the reason with --strict.
struct ExpectedStop {
  StopReason reason{};
  std::optional<WarningKind> warning;  ///< with `StopReason::warning`
};
ExpectedStop read_stop(const Document& document, const Node& node);

/// Reads the whole block. Memory and symbols are those of `scenario`.
Expectation read_expectation(const Document& document, const Node& node, const Scenario& scenario,
                             const SymbolIndex& symbols, MemoryReader& memory);

}  // namespace salu::loader
