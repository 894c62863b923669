#pragma once

#include "batch/plan.hpp"

namespace salu::batch {

/// Removes unused parts of a plan: SCC that is overwritten before it is read, the masks of operations on rows that are
/// not live between blocks, and unused initial values.
void remove_what_nothing_reads(Plan& plan);

/// Puts the blocks into reverse post-order, the exits of a loop after the loop. The states at the block with the lowest
/// number run first, so that states wait for each other where paths join.
void order_blocks(Plan& plan);

}  // namespace salu::batch
