/* Integers of 128 bits, and of widths that no register has. */
#include "kernels.h"

#define IN128(k) ((u128)IN64(k) | (u128)IN64((k) + 2) << 64)
#define OUT128(k, value)                       \
  do {                                         \
    const u128 value_of_128 = (u128)(value);   \
    OUT64(k, (u64)value_of_128);               \
    OUT64((k) + 2, (u64)(value_of_128 >> 64)); \
  } while (0)

KERNEL(sums_of_128_bits) {
  u128 sum = n;
  for (u32 k = 0; k < 4; ++k) {
    sum += IN128(k);
    sum -= (u128)IN(k) << 50;
    OUT128(4 * k, sum);
  }
}

KERNEL(products_of_128_bits) {
  u128 product = 1;
  for (u32 k = 0; k < 4; ++k) {
    product *= IN128(k) | 1;
    product += (u128)IN64(k) * IN64(k + 2);
    OUT128(4 * k, product);
  }
}

KERNEL(shifts_of_128_bits) {
  const u128 value = IN128(0);
  const u32 by = IN(7);
  OUT128(0, value << (by & 127));
  OUT128(4, value >> (by >> 7 & 127));
  OUT128(8, (i128)value >> (by >> 14 & 127));
  OUT128(12, (value << 37 | value >> 91) ^ value >> 64);
}

KERNEL(compares_of_128_bits) {
  u32 bits = 0;
  for (u32 k = 0; k < 3; ++k) {
    const u128 a = IN128(k), b = k == 2 ? a + (IN(7) & 1) : IN128(k + 1);
    bits = bits << 4 | (u32)(a < b) | (u32)((i128)a < (i128)b) << 1 | (u32)(a == b) << 2 | (u32)((i128)b >= 0) << 3;
  }
  OUT(0) = bits;
}

KERNEL(bits_of_128_bits) {
  const u128 value = IN128(0) >> (IN(7) & 127);
  const u64 low = (u64)value, high = (u64)(value >> 64);
  OUT(0) = (u32)(__builtin_popcountl(low) + __builtin_popcountl(high));
  OUT(1) = high != 0 ? (u32)__builtin_clzl(high) : low != 0 ? 64 + (u32)__builtin_clzl(low) : 128;
  u128 reversed = 0;
  for (u32 k = 0; k < 128; k += 8) reversed |= (u128)(u8)(value >> k) << (120 - k);
  OUT128(2, reversed);
}

KERNEL(unsigned_division_of_128_bits) {
  for (u32 k = 0; k < 2; ++k) {
    const u128 a = IN128(k), b = IN128(4 - k) >> (IN(7) & 127) | 1;
    OUT128(8 * k, a / b);
    OUT128(8 * k + 4, a % b);
  }
}

KERNEL(signed_division_of_128_bits) {
  const i128 a = (i128)(IN128(0) >> 1) - (i128)(IN128(2) >> 1), b = (i128)IN128(4) >> (IN(7) & 127) | 1;
  OUT128(0, a / b);
  OUT128(4, a % b);
  OUT128(8, a / 1000000007);
  OUT128(12, a % 10);
}

KERNEL(modular_products) {
  const u64 modulus = IN64(0) | 1;
  u64 power = 1 % modulus, base = IN64(2) % modulus;
  for (u32 exponent = IN(4) & 15; exponent != 0; exponent >>= 1) {
    if (exponent & 1) power = (u64)((u128)power * base % modulus);
    base = (u64)((u128)base * base % modulus);
  }
  OUT64(0, power);
}

KERNEL(odd_widths) {
  unsigned _BitInt(33) a = (unsigned _BitInt(33))IN64(0);
  unsigned _BitInt(48) b = (unsigned _BitInt(48))IN64(1);
  _BitInt(24) c = (_BitInt(24))(i32)IN(3);
  unsigned _BitInt(7) d = (unsigned _BitInt(7))IN(4);
  unsigned _BitInt(96) e = (unsigned _BitInt(96))IN64(2) << 32 | IN(5);
  for (u32 k = 0; k < 2; ++k) {
    a = (unsigned _BitInt(33))(a * 5 + b);
    b = b >> 3 ^ (b << (d & 15));
    d = (unsigned _BitInt(7))(d + a);
    e = e * 7 + a;
    c = (_BitInt(24))(c / 3 - (_BitInt(24))d);
    OUT64(8 * k, (u64)a);
    OUT64(8 * k + 2, (u64)b);
    OUT64(8 * k + 4, (u64)(e >> 40));
    OUT(8 * k + 6) = (u32)(i32)c;
    OUT(8 * k + 7) = (u32)d;
  }
}

KERNEL(overflow_checks) {
  u32 bits = 0;
  for (u32 k = 0; k < 3; ++k) {
    u32 a;
    i32 b;
    u64 c;
    i64 d;
    i16 e;
    bits = bits << 1 | (u32)__builtin_add_overflow(IN(k), IN(k + 1), &a);
    bits = bits << 1 | (u32)__builtin_sub_overflow((i32)IN(k), (i32)IN(k + 1), &b);
    bits = bits << 1 | (u32)__builtin_mul_overflow(IN64(k), IN(k + 3), &c);
    bits = bits << 1 | (u32)__builtin_mul_overflow((i64)(i32)IN(k) * 65536, (i64)(i32)IN(k + 2), &d);
    bits = bits << 1 | (u32)__builtin_add_overflow((i16)IN(k), (i16)IN(k + 1), &e);
    OUT(4 * k) = a + (u32)b;
    OUT(4 * k + 1) = (u32)(c >> 17);
    OUT(4 * k + 2) = (u32)d;
    OUT(4 * k + 3) = (u32)e;
  }
  OUT(15) = bits;
}
