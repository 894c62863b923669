/* Quotients and square roots of floats: LLVM refines approximations of the hardware, so that the results are exact. */
#define APPROXIMATES
#include "kernels.h"

typedef float f32;
typedef double f64;

static f32 float_of(u32 bits) {
  f32 value;
  __builtin_memcpy(&value, &bits, sizeof(value));
  return value;
}
/* Every NaN has the same bits here: which one an operation produces is not specified. */
static u32 bits_of(f32 value) {
  u32 bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  return value == value ? bits : 0x7fc00000;
}
static f64 double_of(u64 bits) {
  f64 value;
  __builtin_memcpy(&value, &bits, sizeof(value));
  return value;
}
static u64 bits_of_double(f64 value) {
  u64 bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  return value == value ? bits : 0x7ff8000000000000;
}

KERNEL(quotients_of_32_bits) {
  for (u32 k = 0; k < 7; ++k) OUT(k) = bits_of(float_of(IN(k)) / float_of(IN(k + 1)));
  /* Of ordinary size. */
  for (u32 k = 0; k < 7; ++k) OUT(7 + k) = bits_of((f32)(i32)IN(k) / (f32)(IN(k + 1) | 1));
}

KERNEL(reciprocals_of_32_bits) {
  for (u32 k = 0; k < 8; ++k) OUT(k) = bits_of(1.0f / float_of(IN(k)));
  for (u32 k = 0; k < 8; ++k) OUT(8 + k) = bits_of(-1.0f / (f32)IN(k));
}

KERNEL(roots_of_32_bits) {
  for (u32 k = 0; k < 8; ++k) OUT(k) = bits_of(__builtin_sqrtf(float_of(IN(k) & 0x7fffffff)));
  for (u32 k = 0; k < 8; ++k) OUT(8 + k) = bits_of(__builtin_sqrtf((f32)IN(k)));
}

KERNEL(quotients_of_64_bits) {
  for (u32 k = 0; k < 4; ++k) OUT64(2 * k, bits_of_double(double_of(IN64(k)) / double_of(IN64(k + 2))));
  for (u32 k = 0; k < 4; ++k) OUT64(8 + 2 * k, bits_of_double((f64)(i32)IN(k) / (f64)(IN(k + 1) | 1)));
}

KERNEL(roots_of_64_bits) {
  for (u32 k = 0; k < 4; ++k) OUT64(2 * k, bits_of_double(__builtin_sqrt(double_of(IN64(k) & 0x7fffffffffffffff))));
  for (u32 k = 0; k < 4; ++k) OUT64(8 + 2 * k, bits_of_double(__builtin_sqrt((f64)IN(k))));
}
