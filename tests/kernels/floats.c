/* Floats of 32 bits. */
#define real float
#define R(number) number##f
#define REAL_FUNCTION(name) __builtin_##name##f
#define NAMED(name) name
#define BITS(value) __builtin_bit_cast(u32, (float)(value))

#include "floats.h"
