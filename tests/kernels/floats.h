/* Kernels on floats of one width. The including file defines:
 *
 *   real                  the type
 *   R(number)             a constant
 *   REAL_FUNCTION(name)   the builtin function of this name
 *   NAMED(name)           the name of a kernel
 *   BITS(value)           the bits of a float, as a u32
 *
 * Each operation rounds once, and no result is denormal or a NaN: the bits are the same natively. */
#pragma once

#include "kernels.h"
#pragma STDC FP_CONTRACT OFF

/* From -512 to 512, and from 1 to 17. */
#define ANY(k) ((real)(i32)(IN(k) & 0xfffff) / R(1024.0) - R(512.0))
#define SOME(k) (R(1.0) + (real)(IN(k) & 0xffff) / R(4096.0))

KERNEL(NAMED(sums_and_products)) {
  real sum = (real)n;
  for (u32 k = 0; k < 7; ++k) {
    const real a = ANY(k), b = SOME(k + 1);
    sum = sum * R(0.5) + a;
    OUT(2 * k) = BITS(a * b - sum);
    OUT(2 * k + 1) = BITS((a + b) * (a - b));
  }
}

KERNEL(NAMED(quotients)) {
  for (u32 k = 0; k < 7; ++k) {
    OUT(2 * k) = BITS(ANY(k) / SOME(k + 1));
    OUT(2 * k + 1) = BITS((real)n / SOME(k) / R(3.0));
  }
}

KERNEL(NAMED(roots)) {
  for (u32 k = 0; k < 7; ++k) {
    OUT(2 * k) = BITS(REAL_FUNCTION(sqrt)(SOME(k)));
    OUT(2 * k + 1) = BITS(R(1.0) / REAL_FUNCTION(sqrt)(SOME(k) * R(1000.0)));
  }
}

KERNEL(NAMED(fused_sums)) {
  real sum = 1;
  for (u32 k = 0; k < 7; ++k) {
    sum = REAL_FUNCTION(fma)(SOME(k) / R(16.0), sum, ANY(k + 1));
    OUT(2 * k) = BITS(sum);
    OUT(2 * k + 1) = BITS(REAL_FUNCTION(fma)(-ANY(k), SOME(k), sum));
  }
}

KERNEL(NAMED(integral_floats)) {
  for (u32 k = 0; k < 7; ++k) {
    const real a = ANY(k);
    OUT(2 * k) = BITS(REAL_FUNCTION(floor)(a) + REAL_FUNCTION(ceil)(a * R(0.75)));
    OUT(2 * k + 1) = BITS(REAL_FUNCTION(trunc)(a) - REAL_FUNCTION(rint)(a * R(2.5)));
  }
}

KERNEL(NAMED(integers_and_floats)) {
  for (u32 k = 0; k < 7; ++k) {
    OUT(2 * k) = BITS((real)IN(k)) ^ BITS((real)(i32)IN(k + 1));
    OUT(2 * k + 1) = (u32)(i32)(ANY(k) * R(1000.0)) + (u32)(SOME(k) * R(100000.0)) + BITS((real)(u8)(IN(k) >> 16));
  }
}

KERNEL(NAMED(long_integers_and_floats)) {
  for (u32 k = 0; k < 7; ++k) {
    const u64 wide = (u64)IN(k) << 32 | IN(k + 1);
    OUT(2 * k) = BITS((real)wide) ^ BITS((real)(i64)wide);
    OUT(2 * k + 1) = (u32)((u64)(SOME(k) * R(1e12)) >> 20) + (u32)((i64)(ANY(k) * R(1e15)) >> 24);
  }
}

KERNEL(NAMED(comparisons)) {
  for (u32 k = 0; k < 7; ++k) {
    const real a = ANY(k), b = ANY(k + 1);
    OUT(2 * k) = (u32)(a < b) | (u32)(a <= b) << 1 | (u32)(a == b) << 2 | (u32)(a != b) << 3 | (u32) !(a > b) << 4;
    OUT(2 * k + 1) = BITS(a < b ? a * R(2.0) : b) ^ (u32)(a >= R(100.0));
  }
}

KERNEL(NAMED(extremes)) {
  real least = 1000, greatest = -1000;
  for (u32 k = 0; k < 7; ++k) {
    const real a = ANY(k), b = SOME(k);
    least = REAL_FUNCTION(fmin)(least, a);
    greatest = REAL_FUNCTION(fmax)(greatest, REAL_FUNCTION(fmin)(a, b * R(20.0)));
    OUT(2 * k) = BITS(least);
    OUT(2 * k + 1) = BITS(REAL_FUNCTION(fmin)(REAL_FUNCTION(fmax)(a, -R(1.0)), R(1.0)) + greatest);
  }
}

KERNEL(NAMED(signs)) {
  for (u32 k = 0; k < 7; ++k) {
    const real a = ANY(k), b = ANY(k + 1);
    OUT(2 * k) = BITS(REAL_FUNCTION(fabs)(a) - REAL_FUNCTION(fabs)(b));
    OUT(2 * k + 1) = BITS(REAL_FUNCTION(copysign)(a, b) * -REAL_FUNCTION(fabs)(b));
  }
}

KERNEL(NAMED(horner)) {
  for (u32 k = 0; k < 7; ++k) {
    const real x = ANY(k) / R(512.0);
    real value = R(0.008333333);
    value = value * x + R(0.041666667);
    value = value * x + R(0.16666667);
    value = value * x + R(0.5);
    value = value * x + R(1.0);
    OUT(k) = BITS(value * x + R(1.0));
  }
}

KERNEL(NAMED(mandelbrot)) {
  const real x0 = ANY(0) / R(256.0), y0 = ANY(1) / R(256.0);
  real x = 0, y = 0;
  u32 steps = 0;
  while (steps < 60 && x * x + y * y <= R(4.0)) {
    const real next = x * x - y * y + x0;
    y = R(2.0) * x * y + y0;
    x = next;
    ++steps;
  }
  OUT(0) = steps;
  OUT(1) = BITS(x);
}

KERNEL(NAMED(matrices)) {
  real sums[3][3];
  for (u32 i = 0; i < 3; ++i) {
    for (u32 j = 0; j < 3; ++j) {
      sums[i][j] = 0;
      for (u32 k = 0; k < 2; ++k) sums[i][j] += ANY(i * 2 + k) * SOME(k * 3 + j);
    }
  }
  for (u32 i = 0; i < 9; ++i) OUT(i) = BITS(sums[i / 3][i % 3]);
}

KERNEL(NAMED(bodies)) {
  real x = ANY(0), y = ANY(1), vx = 0, vy = 0;
  for (u32 step = 0; step < 5; ++step) {
    for (u32 k = 0; k < 3; ++k) {
      const real dx = ANY(2 + 2 * k) - x, dy = ANY(3 + 2 * k) - y;
      const real square = dx * dx + dy * dy + R(64.0);
      const real factor = R(500.0) / (square * REAL_FUNCTION(sqrt)(square));
      vx += dx * factor;
      vy += dy * factor;
    }
    x += vx;
    y += vy;
    OUT(2 * step) = BITS(x);
    OUT(2 * step + 1) = BITS(y);
  }
}

KERNEL(NAMED(stencil)) {
  real line[8], next[8];
  for (u32 k = 0; k < 8; ++k) line[k] = ANY(k);
  for (u32 step = 0; step < 4; ++step) {
    for (u32 k = 0; k < 8; ++k) next[k] = R(0.25) * line[(k + 7) % 8] + R(0.5) * line[k] + R(0.25) * line[(k + 1) % 8];
    for (u32 k = 0; k < 8; ++k) line[k] = next[k];
  }
  for (u32 k = 0; k < 8; ++k) OUT(k) = BITS(line[k]);
}

KERNEL(NAMED(sorted_keys)) {
  real keys[8];
  for (u32 k = 0; k < 8; ++k) {
    u32 place = k;
    const real key = ANY(k);
    while (place > 0 && keys[place - 1] > key) {
      keys[place] = keys[place - 1];
      --place;
    }
    keys[place] = key;
  }
  for (u32 k = 0; k < 8; ++k) OUT(k) = BITS(keys[k]);
}

KERNEL(NAMED(butterflies)) {
  real re[8], im[8];
  for (u32 k = 0; k < 8; ++k) {
    re[k] = ANY(k);
    im[k] = SOME(k);
  }
  const real cosines[4] = {R(1.0), R(0.70710678), R(0.0), -R(0.70710678)};
  const real sines[4] = {R(0.0), -R(0.70710678), -R(1.0), -R(0.70710678)};
  for (u32 half = 4; half > 0; half /= 2) {
    for (u32 k = 0; k < 8; ++k) {
      if ((k & half) != 0) continue;
      const u32 turn = (k % half) * (4 / half);
      const real dr = re[k] - re[k + half], di = im[k] - im[k + half];
      re[k] += re[k + half];
      im[k] += im[k + half];
      re[k + half] = dr * cosines[turn] - di * sines[turn];
      im[k + half] = dr * sines[turn] + di * cosines[turn];
    }
  }
  for (u32 k = 0; k < 8; ++k) {
    OUT(2 * k) = BITS(re[k]);
    OUT(2 * k + 1) = BITS(im[k]);
  }
}
