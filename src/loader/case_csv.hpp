#pragma once

#include <salu/for_each.hpp>
#include <salu/integer.hpp>

#include <vector>

#include "loader/case_columns.hpp"
#include "loader/cases.hpp"

namespace salu::loader {

/// Reads comma-separated values: a line of headings, which become `columns`, and rows below it. Empty lines and lines
/// that begin with `#` are skipped. The rows of a block are read at one go, blocks with `for_each`.
std::vector<CaseTable::Block> read_csv(const Document& document, CaseColumns& columns, const ForEach& for_each,
                                       const CellVisitor& visitor);

}  // namespace salu::loader
