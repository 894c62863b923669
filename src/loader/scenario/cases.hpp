#pragma once

#include <salu/scenario.hpp>

#include <functional>

#include "loader/yaml/reader.hpp"
#include "loader/yaml/yaml_tree.hpp"

/// `cases:` of a scenario: rows of inputs and expectations, inline or in a file.
namespace salu::loader {

/// The columns that a value is for: several if it is for all lanes.
struct CellColumns {
  std::size_t first = 0;
  std::size_t count = 1;
};

/// Called for every value in a row that is not empty, with its row and columns, and the node with its text.
using CellVisitor =
    std::function<void(std::size_t row, CellColumns columns, const Document& document, const Node& value)>;

/// The most values of a table.
inline constexpr std::size_t most_cells = 50'000'000;

/// Reads `cases:`, after the rest of the scenario. A column for s[30:31] removes the return address that the loader set
/// for a function.
CaseTable read_cases(const Document& document, const Node& node, Scenario& scenario, const SymbolIndex& symbols,
                     const LoadOptions& options = {}, const CellVisitor& visitor = {});

}  // namespace salu::loader
