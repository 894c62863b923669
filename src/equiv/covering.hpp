#pragma once

#include <string>

#include "equiv/symbolic_pair.hpp"

namespace salu::equiv {

/// A scenario of program A with a table of cases that takes its branches both ways and brings about both values of SCC
/// wherever it is written: one row for what the rows before do not do yet. Expected is what the machine leaves.
std::string covering_table(const ComparedPrograms& compared, SymbolicPair& pair, Questions& questions,
                           const proof::ExecutionLimits& limits, CoverReport& report);

}  // namespace salu::equiv
