#pragma once

#include <salu/scenario.hpp>

#include <functional>

#include "loader/yaml/reader.hpp"
#include "loader/yaml/yaml_tree.hpp"

/// `cases:` of a scenario: rows of inputs and expectations, inline or in a file.
namespace salu::loader {

/// The columns that one value is for: several where it is that of all lanes.
struct CellColumns {
  std::size_t first = 0;
  std::size_t count = 1;
};

/// Told of every value in a row that is there: its row and columns, and the node that holds its text.
using CellVisitor =
    std::function<void(std::size_t row, CellColumns columns, const Document& document, const Node& value)>;

/// The most values that a table may hold.
inline constexpr std::size_t most_cells = 50'000'000;

/// Reads `cases:`. The rest of the scenario is there already; a column for s[30:31] takes back the return address that
/// the loader gave a function.
CaseTable read_cases(const Document& document, const Node& node, Scenario& scenario, const SymbolIndex& symbols,
                     const LoadOptions& options = {}, const CellVisitor& visitor = {});

}  // namespace salu::loader
