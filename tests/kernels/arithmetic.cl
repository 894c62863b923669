/* Sums, products and their kin, of all widths. */
#include "kernels.h"

KERNEL(sums_of_8_bits) {
  u8 sum = (u8)n;
  i8 difference = (i8)n;
  for (u32 k = 0; k < 8; ++k) {
    sum = (u8)(sum * 3 + (u8)IN(k));
    difference = (i8)(difference - (i8)IN(k) * 5);
    OUT(k) = sum;
    OUT(k + 8) = (u32)(i32)difference;
  }
}

KERNEL(sums_of_16_bits) {
  for (u32 k = 0; k < 7; ++k) {
    const u16 a = (u16)IN(k), b = (u16)IN(k + 1);
    const i16 c = (i16)IN(k), d = (i16)(IN(k + 1) >> 16);
    OUT(k) = (u16)(a + b) | (u32)(u16)((u32)a * b) << 16;
    OUT(k + 8) = (u32)(i32)(i16)((i32)c * d - c) ^ (u16)(a - b) << 3;
  }
}

KERNEL(sums_of_32_bits) {
  u32 sum = n;
  for (u32 k = 0; k < 7; ++k) {
    sum = sum * 33 + IN(k) - (IN(k + 1) << 4);
    OUT(k) = sum;
    OUT(k + 8) = IN(k) * IN(k + 1) + (IN(k) ^ ~IN(k + 1));
  }
}

KERNEL(sums_of_64_bits) {
  u64 sum = n;
  for (u32 k = 0; k < 7; ++k) {
    const u64 a = IN64(k);
    sum = sum * 0x9e3779b97f4a7c15UL + a - (a << 13);
    OUT64(2 * k, sum);
  }
}

KERNEL(high_halves) {
  for (u32 k = 0; k < 7; ++k) {
    const u32 a = IN(k), b = IN(k + 1);
    OUT(2 * k) = (u32)((u64)a * b >> 32);
    OUT(2 * k + 1) = (u32)((i64)(i32)a * (i32)b >> 32);
  }
}

KERNEL(products_of_24_bits) {
  for (u32 k = 0; k < 7; ++k) {
    const u32 a = IN(k) & 0xffffff, b = IN(k + 1) & 0xffffff;
    const i32 c = (i32)(IN(k) << 8) >> 8, d = (i32)(IN(k + 1) << 8) >> 8;
    OUT(2 * k) = a * b + n;
    OUT(2 * k + 1) = (u32)((i64)c * d) + (u32)((u64)a * b >> 32);
  }
}

KERNEL(products_of_64_by_32_bits) {
  u64 sum = IN64(0);
  for (u32 k = 0; k < 6; ++k) {
    sum += (u64)IN(k) * IN(k + 1);
    sum ^= (u64)((i64)(i32)IN(k + 1) * (i32)IN(k));
    OUT64(2 * k, sum);
  }
}

KERNEL(carries) {
  u64 low = IN64(0), high = IN64(2);
  for (u32 k = 0; k < 4; ++k) {
    const u64 a = IN64(k), b = IN64(k + 2);
    const u64 sum = low + a;
    const u64 carry = sum < low;
    low = sum;
    high += b + carry;
    const u64 borrow = low < b;
    low -= b;
    high -= borrow;
    OUT64(4 * k, low);
    OUT64(4 * k + 2, high);
  }
}

KERNEL(saturation) {
  for (u32 k = 0; k < 7; ++k) {
    const u32 a = IN(k), b = IN(k + 1);
    const u32 sum = a + b < a ? ~0U : a + b;
    const u32 difference = a < b ? 0 : a - b;
    const i64 wide = (i64)(i32)a + (i32)b;
    const i32 clamped = wide > 0x7fffffff ? 0x7fffffff : wide < -0x7fffffffL - 1 ? -0x7fffffff - 1 : (i32)wide;
    const i32 small = (i16)a + (i16)b;
    OUT(2 * k) = sum ^ difference;
    OUT(2 * k + 1) = (u32)clamped + (u32)(small > 0x7fff ? 0x7fff : small < -0x8000 ? -0x8000 : small);
  }
}

KERNEL(extremes) {
  for (u32 k = 0; k < 6; ++k) {
    const u32 a = IN(k), b = IN(k + 1), c = IN(k + 2);
    const i32 sa = (i32)a, sb = (i32)b, sc = (i32)c;
    const u32 largest = a > b ? (a > c ? a : c) : (b > c ? b : c);
    const i32 smallest = sa < sb ? (sa < sc ? sa : sc) : (sb < sc ? sb : sc);
    const i32 low = sa < sb ? sa : sb, high = sa < sb ? sb : sa;
    const i32 median = sc < low ? low : sc > high ? high : sc;
    const u64 wide = IN64(k) < IN64(k + 1) ? IN64(k) : IN64(k + 1);
    OUT(2 * k) = largest - (u32)smallest;
    OUT(2 * k + 1) = (u32)median ^ (u32)(wide >> 7);
  }
}

KERNEL(absolute_values) {
  for (u32 k = 0; k < 7; ++k) {
    const i32 a = (i32)IN(k), b = (i32)IN(k + 1);
    const i64 wide = (i64)IN64(k);
    const u32 distance = (u32)a > (u32)b ? (u32)a - (u32)b : (u32)b - (u32)a;
    OUT(2 * k) = (a < 0 ? 0 - (u32)a : (u32)a) + distance;
    OUT(2 * k + 1) = (u32)((wide < 0 ? 0 - (u64)wide : (u64)wide) >> 21) - (u32)((a > 0) - (a < 0));
  }
}

KERNEL(averages) {
  for (u32 k = 0; k < 7; ++k) {
    const u32 a = IN(k), b = IN(k + 1);
    OUT(2 * k) = (a & b) + ((a ^ b) >> 1);
    OUT(2 * k + 1) = (u32)(((u64)a + b + 1) >> 1) ^ (((u8)a + (u8)b + 1) >> 1);
  }
}

KERNEL(bytes_in_a_word) {
  for (u32 k = 0; k < 7; ++k) {
    const u32 a = IN(k), b = IN(k + 1);
    u32 differences = 0, sums = 0;
    for (u32 shift = 0; shift < 32; shift += 8) {
      const u32 x = a >> shift & 0xff, y = b >> shift & 0xff;
      differences += x > y ? x - y : y - x;
      sums |= ((x + y) & 0xff) << shift;
    }
    OUT(2 * k) = differences;
    OUT(2 * k + 1) = sums;
  }
}

KERNEL(compares_of_all_widths) {
  for (u32 k = 0; k < 7; ++k) {
    const u32 a = IN(k), b = IN(k + 1);
    const u64 c = IN64(k), d = IN64(7 - k);
    u32 bits = 0;
    bits |= (u32)((u8)a < (u8)b) << 0 | (u32)((i8)a < (i8)b) << 1 | (u32)((u16)a >= (u16)b) << 2;
    bits |= (u32)((i16)a > (i16)b) << 3 | (u32)(a < b) << 4 | (u32)((i32)a <= (i32)b) << 5;
    bits |= (u32)(c < d) << 6 | (u32)((i64)c < (i64)d) << 7 | (u32)(c == d) << 8 | (u32)((i64)c >= 0) << 9;
    bits |= (u32)((u8)a == 0) << 10 | (u32)((u16)(a ^ b) != 0) << 11 | (u32)((i64)d > (i64)c) << 12;
    OUT(2 * k) = bits;
    OUT(2 * k + 1) = (i64)c < (i64)d ? a : b;
  }
}

KERNEL(polynomials) {
  u32 a = IN(0);
  u64 b = IN64(1);
  u16 c = (u16)IN(3);
  for (u32 k = 0; k < 4; ++k) {
    const u32 x = IN(k + 4);
    a = ((a * x + 5) * x + 3) * x + 11;
    b = ((b * x + 7) * (u64)(i64)(i32)x - 13) * b + 1;
    c = (u16)((u32)(u16)((u32)c * (u16)x + 9) * (u16)x);
    OUT(4 * k) = a;
    OUT64(4 * k + 1, b);
    OUT(4 * k + 3) = c;
  }
}
