#include "batch/row_loop.hpp"

/// From here on every name of the project is one of this unit alone: an inline function that is compiled in here, for
/// processors with these instructions, is none that others could be linked with.
#define salu salu_avx512
#define SALU_BATCH_TABLE wide_loops
#include "batch/row_loops.inc"
