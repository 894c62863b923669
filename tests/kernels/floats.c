/* Floats of 32 bits. Each operation rounds once, and no result is denormal or a NaN: the bits are the same natively. */
#include "kernels.h"
#pragma STDC FP_CONTRACT OFF

#define BITS(value) __builtin_bit_cast(u32, (float)(value))

/* From -512 to 512, and from 1 to 17. */
#define ANY(k) ((float)(i32)(IN(k) & 0xfffff) / 1024.0f - 512.0f)
#define SOME(k) (1.0f + (float)(IN(k) & 0xffff) / 4096.0f)

KERNEL(sums_and_products) {
  float sum = (float)n;
  for (u32 k = 0; k < 7; ++k) {
    const float a = ANY(k), b = SOME(k + 1);
    sum = sum * 0.5f + a;
    OUT(2 * k) = BITS(a * b - sum);
    OUT(2 * k + 1) = BITS((a + b) * (a - b));
  }
}

KERNEL(quotients) {
  for (u32 k = 0; k < 7; ++k) {
    OUT(2 * k) = BITS(ANY(k) / SOME(k + 1));
    OUT(2 * k + 1) = BITS((float)n / SOME(k) / 3.0f);
  }
}

KERNEL(roots) {
  for (u32 k = 0; k < 7; ++k) {
    OUT(2 * k) = BITS(__builtin_sqrtf(SOME(k)));
    OUT(2 * k + 1) = BITS(1.0f / __builtin_sqrtf(SOME(k) * 1000.0f));
  }
}

KERNEL(fused_sums) {
  float sum = 1;
  for (u32 k = 0; k < 7; ++k) {
    sum = __builtin_fmaf(SOME(k) / 16.0f, sum, ANY(k + 1));
    OUT(2 * k) = BITS(sum);
    OUT(2 * k + 1) = BITS(__builtin_fmaf(-ANY(k), SOME(k), sum));
  }
}

KERNEL(integral_floats) {
  for (u32 k = 0; k < 7; ++k) {
    const float a = ANY(k);
    OUT(2 * k) = BITS(__builtin_floorf(a) + __builtin_ceilf(a * 0.75f));
    OUT(2 * k + 1) = BITS(__builtin_truncf(a) - __builtin_rintf(a * 2.5f));
  }
}

KERNEL(integers_and_floats) {
  for (u32 k = 0; k < 7; ++k) {
    OUT(2 * k) = BITS((float)IN(k)) ^ BITS((float)(i32)IN(k + 1));
    OUT(2 * k + 1) = (u32)(i32)(ANY(k) * 1000.0f) + (u32)(SOME(k) * 100000.0f) + BITS((float)(u8)(IN(k) >> 16));
  }
}

KERNEL(long_integers_and_floats) {
  for (u32 k = 0; k < 7; ++k) {
    const u64 wide = (u64)IN(k) << 32 | IN(k + 1);
    OUT(2 * k) = BITS((float)wide) ^ BITS((float)(i64)wide);
    OUT(2 * k + 1) = (u32)((u64)(SOME(k) * 1e12f) >> 20) + (u32)((i64)(ANY(k) * 1e15f) >> 24);
  }
}

KERNEL(comparisons) {
  for (u32 k = 0; k < 7; ++k) {
    const float a = ANY(k), b = ANY(k + 1);
    OUT(2 * k) = (u32)(a < b) | (u32)(a <= b) << 1 | (u32)(a == b) << 2 | (u32)(a != b) << 3 | (u32) !(a > b) << 4;
    OUT(2 * k + 1) = BITS(a < b ? a * 2.0f : b) ^ (u32)(a >= 100.0f);
  }
}

KERNEL(extremes) {
  float least = 1000, greatest = -1000;
  for (u32 k = 0; k < 7; ++k) {
    const float a = ANY(k), b = SOME(k);
    least = __builtin_fminf(least, a);
    greatest = __builtin_fmaxf(greatest, __builtin_fminf(a, b * 20.0f));
    OUT(2 * k) = BITS(least);
    OUT(2 * k + 1) = BITS(__builtin_fminf(__builtin_fmaxf(a, -1.0f), 1.0f) + greatest);
  }
}

KERNEL(signs) {
  for (u32 k = 0; k < 7; ++k) {
    const float a = ANY(k), b = ANY(k + 1);
    OUT(2 * k) = BITS(__builtin_fabsf(a) - __builtin_fabsf(b));
    OUT(2 * k + 1) = BITS(__builtin_copysignf(a, b) * -__builtin_fabsf(b));
  }
}

KERNEL(horner) {
  for (u32 k = 0; k < 7; ++k) {
    const float x = ANY(k) / 512.0f;
    float value = 0.008333333f;
    value = value * x + 0.041666667f;
    value = value * x + 0.16666667f;
    value = value * x + 0.5f;
    value = value * x + 1.0f;
    OUT(k) = BITS(value * x + 1.0f);
  }
}

KERNEL(mandelbrot) {
  const float x0 = ANY(0) / 256.0f, y0 = ANY(1) / 256.0f;
  float x = 0, y = 0;
  u32 steps = 0;
  while (steps < 60 && x * x + y * y <= 4.0f) {
    const float next = x * x - y * y + x0;
    y = 2.0f * x * y + y0;
    x = next;
    ++steps;
  }
  OUT(0) = steps;
  OUT(1) = BITS(x);
}

KERNEL(matrices) {
  float sums[3][3];
  for (u32 i = 0; i < 3; ++i) {
    for (u32 j = 0; j < 3; ++j) {
      sums[i][j] = 0;
      for (u32 k = 0; k < 2; ++k) sums[i][j] += ANY(i * 2 + k) * SOME(k * 3 + j);
    }
  }
  for (u32 i = 0; i < 9; ++i) OUT(i) = BITS(sums[i / 3][i % 3]);
}

KERNEL(bodies) {
  float x = ANY(0), y = ANY(1), vx = 0, vy = 0;
  for (u32 step = 0; step < 5; ++step) {
    for (u32 k = 0; k < 3; ++k) {
      const float dx = ANY(2 + 2 * k) - x, dy = ANY(3 + 2 * k) - y;
      const float square = dx * dx + dy * dy + 64.0f;
      const float factor = 500.0f / (square * __builtin_sqrtf(square));
      vx += dx * factor;
      vy += dy * factor;
    }
    x += vx;
    y += vy;
    OUT(2 * step) = BITS(x);
    OUT(2 * step + 1) = BITS(y);
  }
}

KERNEL(stencil) {
  float line[8], next[8];
  for (u32 k = 0; k < 8; ++k) line[k] = ANY(k);
  for (u32 step = 0; step < 4; ++step) {
    for (u32 k = 0; k < 8; ++k) next[k] = 0.25f * line[(k + 7) % 8] + 0.5f * line[k] + 0.25f * line[(k + 1) % 8];
    for (u32 k = 0; k < 8; ++k) line[k] = next[k];
  }
  for (u32 k = 0; k < 8; ++k) OUT(k) = BITS(line[k]);
}

KERNEL(sorted_keys) {
  float keys[8];
  for (u32 k = 0; k < 8; ++k) {
    u32 place = k;
    const float key = ANY(k);
    while (place > 0 && keys[place - 1] > key) {
      keys[place] = keys[place - 1];
      --place;
    }
    keys[place] = key;
  }
  for (u32 k = 0; k < 8; ++k) OUT(k) = BITS(keys[k]);
}

KERNEL(butterflies) {
  float re[8], im[8];
  for (u32 k = 0; k < 8; ++k) {
    re[k] = ANY(k);
    im[k] = SOME(k);
  }
  const float cosines[4] = {1.0f, 0.70710678f, 0.0f, -0.70710678f};
  const float sines[4] = {0.0f, -0.70710678f, -1.0f, -0.70710678f};
  for (u32 half = 4; half > 0; half /= 2) {
    for (u32 k = 0; k < 8; ++k) {
      if ((k & half) != 0) continue;
      const u32 turn = (k % half) * (4 / half);
      const float dr = re[k] - re[k + half], di = im[k] - im[k + half];
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
