#include "batch/row_loop.hpp"

#define SALU_BATCH_TABLE baseline_loops
#include "batch/row_loops.inc"
