#pragma once

#include <algorithm>
#include <bit>

#include "isa/vector/semantics/floats.hpp"
#include "isa/vector/semantics/half_floats.hpp"
#include "isa/vector/semantics/move.hpp"
#include "isa/vector/semantics/values.hpp"

/// Every semantic function of the vector unit, by the name of its instruction.
namespace salu::isa::vector::semantics {

using std::countl_zero;
using std::countr_zero;
using std::max;
using std::min;
using std::popcount;

using isa::semantics::difference_with_borrow;
using isa::semantics::sum_with_carry;

#include "isa/vector/semantics/lane_text.inc"

}  // namespace salu::isa::vector::semantics
