#include "batch/row_loop.hpp"

/// From here on, all names of the project are local to this unit: inline functions that are compiled here, for
/// processors with these instructions, must not be linked into other units.
#define salu salu_avx2
#define SALU_BATCH_TABLE wide_loops
#include "batch/row_loops.inc"
