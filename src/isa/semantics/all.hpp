#pragma once

#include "isa/semantics/values.hpp"

/// Every semantic function of the scalar ALU and of program control, by the name of its instruction.
namespace salu::isa::semantics {
#include "isa/semantics/all.inc"
}  // namespace salu::isa::semantics
