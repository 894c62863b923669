/* Floats of 64 bits. Each operation rounds once, and no result is denormal or a NaN: the bits are the same natively. */
#include "kernels.h"
#pragma STDC FP_CONTRACT OFF

/* Both halves. */
static u32 folded(u64 bits) { return (u32)bits ^ (u32)(bits >> 32) * 3; }
#define BITS(value) folded(__builtin_bit_cast(u64, (double)(value)))

/* From -512 to 512, and from 1 to 17. */
#define ANY(k) ((double)(i32)(IN(k) & 0xfffff) / 1024.0 - 512.0)
#define SOME(k) (1.0 + (double)(IN(k) & 0xffff) / 4096.0)

KERNEL(wide_sums_and_products) {
  double sum = (double)n;
  for (u32 k = 0; k < 7; ++k) {
    const double a = ANY(k), b = SOME(k + 1);
    sum = sum * 0.5 + a;
    OUT(2 * k) = BITS(a * b - sum);
    OUT(2 * k + 1) = BITS((a + b) * (a - b));
  }
}

KERNEL(wide_quotients) {
  for (u32 k = 0; k < 7; ++k) {
    OUT(2 * k) = BITS(ANY(k) / SOME(k + 1));
    OUT(2 * k + 1) = BITS((double)n / SOME(k) / 3.0);
  }
}

KERNEL(wide_roots) {
  for (u32 k = 0; k < 7; ++k) {
    OUT(2 * k) = BITS(__builtin_sqrt(SOME(k)));
    OUT(2 * k + 1) = BITS(1.0 / __builtin_sqrt(SOME(k) * 1000.0));
  }
}

KERNEL(wide_fused_sums) {
  double sum = 1;
  for (u32 k = 0; k < 7; ++k) {
    sum = __builtin_fma(SOME(k) / 16.0, sum, ANY(k + 1));
    OUT(2 * k) = BITS(sum);
    OUT(2 * k + 1) = BITS(__builtin_fma(-ANY(k), SOME(k), sum));
  }
}

KERNEL(wide_integral_floats) {
  for (u32 k = 0; k < 7; ++k) {
    const double a = ANY(k);
    OUT(2 * k) = BITS(__builtin_floor(a) + __builtin_ceil(a * 0.75));
    OUT(2 * k + 1) = BITS(__builtin_trunc(a) - __builtin_rint(a * 2.5));
  }
}

KERNEL(wide_integers_and_floats) {
  for (u32 k = 0; k < 7; ++k) {
    OUT(2 * k) = BITS((double)IN(k)) ^ BITS((double)(i32)IN(k + 1));
    OUT(2 * k + 1) = (u32)(i32)(ANY(k) * 1000.0) + (u32)(SOME(k) * 100000.0) + BITS((double)(u8)(IN(k) >> 16));
  }
}

KERNEL(wide_long_integers_and_floats) {
  for (u32 k = 0; k < 7; ++k) {
    const u64 wide = (u64)IN(k) << 32 | IN(k + 1);
    OUT(2 * k) = BITS((double)wide) ^ BITS((double)(i64)wide);
    OUT(2 * k + 1) = (u32)((u64)(SOME(k) * 1e12) >> 20) + (u32)((i64)(ANY(k) * 1e15) >> 24);
  }
}

KERNEL(wide_comparisons) {
  for (u32 k = 0; k < 7; ++k) {
    const double a = ANY(k), b = ANY(k + 1);
    OUT(2 * k) = (u32)(a < b) | (u32)(a <= b) << 1 | (u32)(a == b) << 2 | (u32)(a != b) << 3 | (u32) !(a > b) << 4;
    OUT(2 * k + 1) = BITS(a < b ? a * 2.0 : b) ^ (u32)(a >= 100.0);
  }
}

KERNEL(wide_extremes) {
  double least = 1000, greatest = -1000;
  for (u32 k = 0; k < 7; ++k) {
    const double a = ANY(k), b = SOME(k);
    least = __builtin_fmin(least, a);
    greatest = __builtin_fmax(greatest, __builtin_fmin(a, b * 20.0));
    OUT(2 * k) = BITS(least);
    OUT(2 * k + 1) = BITS(__builtin_fmin(__builtin_fmax(a, -1.0), 1.0) + greatest);
  }
}

KERNEL(wide_signs) {
  for (u32 k = 0; k < 7; ++k) {
    const double a = ANY(k), b = ANY(k + 1);
    OUT(2 * k) = BITS(__builtin_fabs(a) - __builtin_fabs(b));
    OUT(2 * k + 1) = BITS(__builtin_copysign(a, b) * -__builtin_fabs(b));
  }
}

KERNEL(wide_horner) {
  for (u32 k = 0; k < 7; ++k) {
    const double x = ANY(k) / 512.0;
    double value = 0.008333333;
    value = value * x + 0.041666667;
    value = value * x + 0.16666667;
    value = value * x + 0.5;
    value = value * x + 1.0;
    OUT(k) = BITS(value * x + 1.0);
  }
}

KERNEL(wide_mandelbrot) {
  const double x0 = ANY(0) / 256.0, y0 = ANY(1) / 256.0;
  double x = 0, y = 0;
  u32 steps = 0;
  while (steps < 60 && x * x + y * y <= 4.0) {
    const double next = x * x - y * y + x0;
    y = 2.0 * x * y + y0;
    x = next;
    ++steps;
  }
  OUT(0) = steps;
  OUT(1) = BITS(x);
}

KERNEL(wide_matrices) {
  double sums[3][3];
  for (u32 i = 0; i < 3; ++i) {
    for (u32 j = 0; j < 3; ++j) {
      sums[i][j] = 0;
      for (u32 k = 0; k < 2; ++k) sums[i][j] += ANY(i * 2 + k) * SOME(k * 3 + j);
    }
  }
  for (u32 i = 0; i < 9; ++i) OUT(i) = BITS(sums[i / 3][i % 3]);
}

KERNEL(wide_bodies) {
  double x = ANY(0), y = ANY(1), vx = 0, vy = 0;
  for (u32 step = 0; step < 5; ++step) {
    for (u32 k = 0; k < 3; ++k) {
      const double dx = ANY(2 + 2 * k) - x, dy = ANY(3 + 2 * k) - y;
      const double square = dx * dx + dy * dy + 64.0;
      const double factor = 500.0 / (square * __builtin_sqrt(square));
      vx += dx * factor;
      vy += dy * factor;
    }
    x += vx;
    y += vy;
    OUT(2 * step) = BITS(x);
    OUT(2 * step + 1) = BITS(y);
  }
}

KERNEL(wide_stencil) {
  double line[8], next[8];
  for (u32 k = 0; k < 8; ++k) line[k] = ANY(k);
  for (u32 step = 0; step < 4; ++step) {
    for (u32 k = 0; k < 8; ++k) next[k] = 0.25 * line[(k + 7) % 8] + 0.5 * line[k] + 0.25 * line[(k + 1) % 8];
    for (u32 k = 0; k < 8; ++k) line[k] = next[k];
  }
  for (u32 k = 0; k < 8; ++k) OUT(k) = BITS(line[k]);
}

KERNEL(wide_sorted_keys) {
  double keys[8];
  for (u32 k = 0; k < 8; ++k) {
    u32 place = k;
    const double key = ANY(k);
    while (place > 0 && keys[place - 1] > key) {
      keys[place] = keys[place - 1];
      --place;
    }
    keys[place] = key;
  }
  for (u32 k = 0; k < 8; ++k) OUT(k) = BITS(keys[k]);
}

KERNEL(wide_butterflies) {
  double re[8], im[8];
  for (u32 k = 0; k < 8; ++k) {
    re[k] = ANY(k);
    im[k] = SOME(k);
  }
  const double cosines[4] = {1.0, 0.70710678, 0.0, -0.70710678};
  const double sines[4] = {0.0, -0.70710678, -1.0, -0.70710678};
  for (u32 half = 4; half > 0; half /= 2) {
    for (u32 k = 0; k < 8; ++k) {
      if ((k & half) != 0) continue;
      const u32 turn = (k % half) * (4 / half);
      const double dr = re[k] - re[k + half], di = im[k] - im[k + half];
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
