#pragma once

// Every semantic function of the scalar ALU and of program control, by the name of its instruction.
#include "isa/semantics/arithmetic.hpp"
#include "isa/semantics/bits.hpp"
#include "isa/semantics/compare.hpp"
#include "isa/semantics/control.hpp"
#include "isa/semantics/logic.hpp"
#include "isa/semantics/move.hpp"
#include "isa/semantics/shift.hpp"
#include "isa/semantics/system.hpp"
