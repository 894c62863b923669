/* Floats of 16 bits, alone and in vectors. Each operation rounds to 16 bits: a function returns its result. */
#include "kernels.h"
#pragma STDC FP_CONTRACT OFF

typedef _Float16 half;
typedef half __attribute__((ext_vector_type(2))) half2;
typedef half __attribute__((ext_vector_type(4))) half4;
typedef u16 __attribute__((ext_vector_type(2))) ushort2;

#define BITS(value) ((u32) __builtin_bit_cast(u16, (half)(value)))
#define BITS2(value) __builtin_bit_cast(u32, (half2)(value))

/* From -32 to 32, and from 1 to 5. */
#define ANY(k) ((half)((float)(IN(k) & 0xfff) / 64.0f - 32.0f))
#define SOME(k) ((half)(1.0f + (float)(IN(k) >> 8 & 0xff) / 64.0f))
#define PAIR(k) ((half2){ANY(k), SOME(k)})

static half sum(half a, half b) { return a + b; }
static half difference(half a, half b) { return a - b; }
static half product(half a, half b) { return a * b; }
static half quotient(half a, half b) { return a / b; }
static half2 sums(half2 a, half2 b) { return a + b; }
static half2 products(half2 a, half2 b) { return a * b; }

KERNEL(half_sums) {
  half all = (half)n;
  for (u32 k = 0; k < 7; ++k) {
    all = sum(product(all, (half)0.5f), ANY(k));
    OUT(2 * k) = BITS(all);
    OUT(2 * k + 1) = BITS(difference(product(ANY(k), SOME(k)), SOME(k + 1)));
  }
}

KERNEL(half_quotients) {
  for (u32 k = 0; k < 7; ++k) {
    OUT(2 * k) = BITS(quotient(ANY(k), SOME(k + 1)));
    OUT(2 * k + 1) = BITS(quotient((half)1.0f, ANY(k) == 0 ? (half)2.0f : ANY(k)));
  }
}

KERNEL(denormal_halves) {
  for (u32 k = 0; k < 7; ++k) {
    const half small = product(SOME(k), (half)0x1p-14f);
    OUT(2 * k) = BITS(product(small, (half)0.0625f));
    OUT(2 * k + 1) = BITS(difference(small, product(SOME(k + 1), (half)0x1p-14f)));
  }
}

KERNEL(converted_halves) {
  for (u32 k = 0; k < 7; ++k) {
    const float wide = (float)(i32)(IN(k) & 0xffffff) / 300.0f;
    OUT(2 * k) = BITS((half)wide) | (u32)(u16)(i16)ANY(k) << 16;
    OUT(2 * k + 1) = __builtin_bit_cast(u32, (float)ANY(k) * 3.0f) ^ BITS((half)(i32)(i16)(IN(k) >> 4));
  }
}

KERNEL(compared_halves) {
  for (u32 k = 0; k < 7; ++k) {
    const half a = ANY(k), b = ANY(k + 1);
    OUT(2 * k) = (u32)(a < b) | (u32)(a <= b) << 1 | (u32)(a == b) << 2 | (u32)(a != b) << 3 | (u32) !(a > b) << 4;
    OUT(2 * k + 1) = BITS(a < b ? a : b) | BITS(a < b ? b : a) << 16;
  }
}

KERNEL(pairs_of_halves_as_floats) {
  half2 all = {(half)1.0f, (half)2.0f};
  for (u32 k = 0; k < 7; ++k) {
    all = sums(products(all, (half2)(half)0.25f), PAIR(k));
    OUT(2 * k) = BITS2(all);
    OUT(2 * k + 1) = BITS2(products(-all.yx, PAIR(k + 1)));
  }
}

KERNEL(four_halves) {
  for (u32 k = 0; k < 5; ++k) {
    const half4 a = {ANY(k), SOME(k), ANY(k + 1), SOME(k + 1)};
    const half4 b = a.wzyx * a;
    OUT(3 * k) = BITS2(b.xy);
    OUT(3 * k + 1) = BITS2(b.zw);
    OUT(3 * k + 2) = BITS(sum(sum(b.x, b.y), sum(b.z, b.w)));
  }
}

KERNEL(halves_in_memory) {
  half values[8];
  for (u32 k = 0; k < 8; ++k) values[IN(k) & 7] = sum(ANY(k), (half)(float)k);
  values[n & 7] = (half)-1.0f;
  half total = 0;
  for (u32 k = 0; k < 8; ++k) {
    values[k] = (IN(k) & 8) != 0 ? SOME(k) : ANY(k);
    total = sum(total, values[k]);
    OUT(k) = BITS(total);
  }
}
