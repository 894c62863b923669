/* Short vectors, which some targets have packed instructions for. */
#include "kernels.h"

#define VECTOR(type, count) type __attribute__((ext_vector_type(count)))
typedef VECTOR(i16, 2) short2;
typedef VECTOR(u16, 2) ushort2;
typedef VECTOR(i16, 4) short4;
typedef VECTOR(u16, 4) ushort4;
typedef VECTOR(i8, 4) char4;
typedef VECTOR(u8, 4) uchar4;
typedef VECTOR(u8, 16) uchar16;
typedef VECTOR(i32, 4) int4;
typedef VECTOR(u32, 4) uint4;
typedef VECTOR(u32, 8) uint8;
typedef VECTOR(u64, 2) ulong2;

#define AS(type, value) __builtin_bit_cast(type, value)
#define INS(type, k) AS(type, IN(k))

KERNEL(pairs_of_halves) {
  ushort2 sum = {(u16)n, 1};
  for (u32 k = 0; k < 6; ++k) {
    const ushort2 a = INS(ushort2, k), b = INS(ushort2, k + 1);
    sum = sum + a;
    OUT(2 * k) = AS(u32, sum) ^ AS(u32, (ushort2)(a - b));
    OUT(2 * k + 1) = AS(u32, (ushort2)(a & b | ~sum)) + (u32)a.y;
  }
}

KERNEL(products_of_halves) {
  for (u32 k = 0; k < 7; ++k) {
    const ushort2 a = INS(ushort2, k), b = INS(ushort2, k + 1);
    const ushort2 product = {(u16)((u32)a.x * b.x + 3), (u16)((u32)a.y * b.y + n)};
    OUT(2 * k) = AS(u32, product);
    OUT(2 * k + 1) = (u32)((i32)(i16)a.x * (i16)b.y) + (u32)((i32)(i16)a.y * (i16)b.x);
  }
}

KERNEL(shifts_of_halves) {
  for (u32 k = 0; k < 7; ++k) {
    const ushort2 a = INS(ushort2, k), by = INS(ushort2, k + 1) & (ushort2)15;
    const short2 s = INS(short2, k);
    const ushort2 left = a << by, right = a >> by;
    const short2 arithmetic = s >> AS(short2, by);
    OUT(2 * k) = AS(u32, left) ^ AS(u32, arithmetic);
    OUT(2 * k + 1) = AS(u32, right) + AS(u32, (short2)(s >> (short2){3, 9}));
  }
}

KERNEL(extremes_of_halves) {
  for (u32 k = 0; k < 7; ++k) {
    const ushort2 a = INS(ushort2, k), b = INS(ushort2, k + 1);
    const short2 c = INS(short2, k), d = INS(short2, k + 1);
    const ushort2 larger = __builtin_elementwise_max(a, b), smaller = __builtin_elementwise_min(a, b);
    const short2 high = __builtin_elementwise_max(c, d), low = __builtin_elementwise_min(c, d);
    OUT(2 * k) = AS(u32, larger) - AS(u32, low);
    OUT(2 * k + 1) = AS(u32, smaller) ^ AS(u32, high);
  }
}

KERNEL(saturated_halves) {
  for (u32 k = 0; k < 7; ++k) {
    const ushort2 a = INS(ushort2, k), b = INS(ushort2, k + 1);
    const short2 c = INS(short2, k), d = INS(short2, k + 1);
    OUT(2 * k) = AS(u32, __builtin_elementwise_add_sat(a, b)) ^ AS(u32, __builtin_elementwise_sub_sat(c, d));
    OUT(2 * k + 1) = AS(u32, __builtin_elementwise_sub_sat(a, b)) + AS(u32, __builtin_elementwise_add_sat(c, d));
  }
}

KERNEL(saturated_words) {
  for (u32 k = 0; k < 7; ++k) {
    const u32 a = IN(k), b = IN(k + 1);
    OUT(2 * k) = __builtin_elementwise_add_sat(a, b) ^ (u32)__builtin_elementwise_sub_sat((i32)a, (i32)b);
    OUT(2 * k + 1) = __builtin_elementwise_sub_sat(a, b) + (u32)__builtin_elementwise_add_sat((i8)a, (i8)b);
  }
}

KERNEL(halves_in_loops) {
  ushort4 a = {(u16)IN(0), (u16)IN(1), (u16)IN(2), (u16)IN(3)};
  for (u32 k = 0; k < IN(4) % 11; ++k) {
    a = a.yzwx + a;
    a.x ^= (u16)k;
    if (a.y & 1) a = a >> (ushort4){1, 2, 3, 4};
  }
  OUT64(0, AS(u64, a));
  OUT(2) = a[IN(5) & 3];
}

KERNEL(four_bytes) {
  uchar4 sum = {1, 2, 3, 4};
  for (u32 k = 0; k < 7; ++k) {
    const uchar4 a = INS(uchar4, k), b = INS(uchar4, k + 1);
    const char4 c = INS(char4, k);
    sum += a.wzyx;
    OUT(2 * k) = AS(u32, (uchar4)(sum ^ b)) + AS(u32, (char4)(c >> (char4)3));
    OUT(2 * k + 1) = AS(u32, __builtin_elementwise_max(a, b)) ^ AS(u32, (uchar4)(a - b));
  }
}

KERNEL(sixteen_bytes) {
  const uint4 words = {IN(0), IN(1), IN(2), IN(3)};
  uchar16 a = AS(uchar16, words);
  a = a.s13579bdf02468ace + a;
  a[IN(4) & 15] = 99;
  const uint4 result = AS(uint4, a);
  for (u32 k = 0; k < 4; ++k) OUT(k) = result[k];
}

KERNEL(compares_of_vectors) {
  const ushort2 a = INS(ushort2, 0), b = INS(ushort2, 1);
  const int4 c = {(i32)IN(2), (i32)IN(3), (i32)IN(4), (i32)IN(5)}, d = c.wxyz;
  const short2 less = a < b;
  const int4 greater = c > d;
  OUT(0) = AS(u32, less);
  for (u32 k = 0; k < 4; ++k) OUT(k + 1) = (u32)greater[k];
  const int4 chosen = greater ? c : d;
  for (u32 k = 0; k < 4; ++k) OUT(k + 5) = (u32)chosen[k];
}

KERNEL(four_words) {
  uint4 a = {IN(0), IN(1), IN(2), IN(3)}, b = {IN(4), IN(5), IN(6), IN(7)};
  for (u32 k = 0; k < 3; ++k) {
    a = a * 5 + b.wzyx;
    b = b << (a & 15) ^ a >> 3;
  }
  for (u32 k = 0; k < 4; ++k) {
    OUT(k) = a[k];
    OUT(k + 4) = b[k];
  }
}

KERNEL(eight_words) {
  uint8 a;
  for (u32 k = 0; k < 8; ++k) a[k] = IN(k);
  a = a.s70615243 + a.s01234567 * 3;
  a[IN(0) & 7] ^= a[IN(1) & 7];
  for (u32 k = 0; k < 8; ++k) OUT(k) = a[k];
  OUT(8) = __builtin_reduce_add(a);
  OUT(9) = __builtin_reduce_max(a) ^ __builtin_reduce_xor(a);
}

KERNEL(two_double_words) {
  ulong2 a = {IN64(0), IN64(2)}, b = {IN64(4), IN64(6)};
  a = a * b + a.yx;
  b = b >> (a & 63);
  OUT64(0, a.x);
  OUT64(2, a.y);
  OUT64(4, b.x);
  OUT64(6, b.y);
}

KERNEL(division_of_vectors) {
  const short4 a = {(i16)IN(0), (i16)IN(1), (i16)IN(2), (i16)IN(3)};
  const uchar4 b = AS(uchar4, IN(4) | 0x01010101);
  const short4 quotient = {(i16)(a.x / b.x), (i16)(a.y / b.y), (i16)(a.z / b.z), (i16)(a.w / b.w)};
  const uint4 c = {IN(0), IN(1), IN(2), IN(3)}, d = {IN(4) | 1, IN(5) | 1, IN(6) | 1, IN(7) | 1};
  const uint4 e = c / d, f = c % d;
  OUT64(0, AS(u64, quotient));
  for (u32 k = 0; k < 4; ++k) OUT(k + 2) = e[k] ^ f[k] << 1;
}

NOINLINE short2 of_pairs(short2 a, uchar4 b, ulong2 c) { return a + (short2){(i16)b.x, (i16)c.y}; }
NOINLINE uint4 of_words(uint4 a, uint8 b) { return a + b.even * b.odd; }

KERNEL(vectors_in_calls) {
  const short2 a = of_pairs(INS(short2, 0), INS(uchar4, 1), (ulong2){IN64(2), IN64(4)});
  uint8 b;
  for (u32 k = 0; k < 8; ++k) b[k] = IN(k);
  const uint4 c = of_words((uint4){IN(0), IN(2), IN(4), IN(6)}, b);
  OUT(0) = AS(u32, a);
  for (u32 k = 0; k < 4; ++k) OUT(k + 1) = c[k];
}
