/* Floats of 64 bits. */
#define real double
#define R(number) number
#define REAL_FUNCTION(name) __builtin_##name
#define NAMED(name) wide_##name
#define BITS(value) folded(__builtin_bit_cast(u64, (double)(value)))

#include "kernels.h"

/* Both halves. */
static u32 folded(u64 bits) { return (u32)bits ^ (u32)(bits >> 32) * 3; }

#include "floats.h"
