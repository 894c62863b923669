#pragma once

#include "equiv/symbolic_pair.hpp"

namespace salu::equiv {

/// Makes the table of `CoverReport`: each row covers something that earlier rows do not cover. Expected values are
/// those of the machine.
void make_table(const ComparedPrograms& compared, SymbolicPair& pair, Questions& questions,
                const proof::ExecutionLimits& limits, CoverReport& report);

}  // namespace salu::equiv
