#include "batch/kernel.hpp"

#define SALU_BATCH_TABLE baseline_kernels
#include "batch/kernels.inc"
