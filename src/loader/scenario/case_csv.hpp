#pragma once

#include <salu/for_each.hpp>
#include <salu/integer.hpp>

#include <vector>

#include "loader/scenario/case_columns.hpp"
#include "loader/scenario/cases.hpp"

namespace salu::loader {

/// Reads comma-separated values into the rows of a table: a line of headings, which become `columns`, and rows below
/// it. Empty lines and lines that begin with `#` are skipped. Rows are read in large groups with `for_each`.
void read_csv(const Document& document, CaseColumns& columns, const ForEach& for_each, const CellVisitor& visitor,
              CaseTable& table);

}  // namespace salu::loader
