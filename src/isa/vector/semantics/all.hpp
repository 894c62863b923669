#pragma once

#include "isa/vector/semantics/arithmetic.hpp"
#include "isa/vector/semantics/bits.hpp"
#include "isa/vector/semantics/compare.hpp"
#include "isa/vector/semantics/floats.hpp"
#include "isa/vector/semantics/half.hpp"
#include "isa/vector/semantics/move.hpp"
