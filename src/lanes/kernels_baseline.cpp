#include "lanes/kernel.hpp"

#define SALU_LANES_TABLE baseline_kernels
#include "lanes/kernels.inc"
