#pragma once

#include "equiv/symbolic_pair.hpp"

namespace salu::equiv {

/// Makes the table of `CoverReport`: one row for what the rows before do not do yet. Expected is what the machine
/// leaves.
void make_table(const ComparedPrograms& compared, SymbolicPair& pair, Questions& questions,
                const proof::ExecutionLimits& limits, CoverReport& report);

}  // namespace salu::equiv
