#pragma once

#include "batch/plan.hpp"

namespace salu::batch {

/// Leaves out what nothing reads: SCC that is written again first, the masks of operations whose rows no block takes
/// from the one before, and first values.
void remove_what_nothing_reads(Plan& plan);

/// Puts the blocks into reverse post-order, what leaves a loop behind the loop: states that are in the block of the
/// least number go on first, and wait where ways meet for those that are not there yet.
void order_blocks(Plan& plan);

}  // namespace salu::batch
