/* Shifts, rotations, counts and permutations of bits. */
#include "kernels.h"

KERNEL(shifts_by_lanes) {
  const u32 by = IN(7);
  for (u32 k = 0; k < 3; ++k) {
    const u32 a = IN(k);
    const u64 b = IN64(k);
    OUT(5 * k) = (a << (by & 31)) ^ (a >> (by >> 5 & 31));
    OUT(5 * k + 1) = (u32)((i32)a >> (by & 31));
    OUT64(5 * k + 2, b << (by & 63) ^ b >> (by >> 6 & 63));
    OUT(5 * k + 4) = (u32)((i64)b >> (by & 63)) + ((u8)a >> (by & 7)) + (u32)((i16)a >> (by & 15));
  }
  OUT(15) = (u32)(u16)(IN(0) << (by & 15)) | (u32)(u8)(IN(1) << (by & 7)) << 16;
}

KERNEL(rotations) {
  for (u32 k = 0; k < 5; ++k) {
    const u32 a = IN(k), by = IN(k + 1);
    const u64 b = IN64(k);
    const u16 c = (u16)a;
    OUT(3 * k) = (a << (by & 31) | a >> (-by & 31)) ^ (a << 7 | a >> 25);
    OUT64(3 * k + 1, (b >> (by & 63) | b << (-by & 63)) + (b << 45 | b >> 19));
    OUT(15) += (u16)(c << (by & 15) | c >> (-by & 15));
  }
}

KERNEL(funnel_shifts) {
  for (u32 k = 0; k < 6; ++k) {
    const u32 high = IN(k), low = IN(k + 1), by = IN(k + 2) & 31;
    OUT(2 * k) = (u32)(((u64)high << 32 | low) >> by);
    OUT(2 * k + 1) = (u32)(((u64)high << 32 | low) << by >> 32) ^ (high << 9 | low >> 23);
  }
}

KERNEL(bit_counts) {
  for (u32 k = 0; k < 6; ++k) {
    const u32 a = IN(k);
    const u64 b = IN64(k);
    OUT(2 * k) = (u32)(__builtin_popcount(a) + 40 * __builtin_popcountl(b) + 4000 * __builtin_popcount((u8)a));
    OUT(2 * k + 1) = (u32)(__builtin_parity(a) + 2 * __builtin_parityl(b));
  }
}

KERNEL(leading_and_trailing_zeros) {
  for (u32 k = 0; k < 6; ++k) {
    const u32 a = IN(k);
    const u64 b = IN64(k) >> (IN(7) & 63);
    const u32 of_32 = a == 0 ? 64 : (u32)(__builtin_clz(a) + 33 * __builtin_ctz(a));
    const u32 of_64 = b == 0 ? 99 : (u32)(__builtin_clzl(b) + 65 * __builtin_ctzl(b));
    OUT(2 * k) = of_32 | (u32)__builtin_clz(a | 1) << 16 | (u32)__builtin_ffs((i32)a) << 24;
    OUT(2 * k + 1) = of_64 + ((u16)a == 0 ? 16U : (u32)__builtin_ctz((u16)a)) * 65536;
  }
}

KERNEL(sign_bits) {
  for (u32 k = 0; k < 7; ++k) {
    const i32 a = (i32)IN(k) >> (IN(7) & 31);
    const i64 b = (i64)IN64(k) >> (IN(7) & 63);
    OUT(2 * k) = (u32)__builtin_clrsb(a);
    OUT(2 * k + 1) = (u32)__builtin_clrsbl(b);
  }
}

KERNEL(swapped_bytes) {
  for (u32 k = 0; k < 4; ++k) {
    OUT(4 * k) = __builtin_bswap32(IN(k));
    OUT64(4 * k + 1, __builtin_bswap64(IN64(k)));
    OUT(4 * k + 3) = __builtin_bswap16((u16)IN(k)) + (IN(k) >> 8 | IN(k + 1) << 24);
  }
}

KERNEL(reversed_bits) {
  for (u32 k = 0; k < 4; ++k) {
    OUT(4 * k) = __builtin_bitreverse32(IN(k));
    OUT64(4 * k + 1, __builtin_bitreverse64(IN64(k)));
    OUT(4 * k + 3) = __builtin_bitreverse16((u16)IN(k)) | (u32)__builtin_bitreverse8((u8)IN(k)) << 16;
  }
}

KERNEL(bit_fields) {
  for (u32 k = 0; k < 7; ++k) {
    const u32 a = IN(k), b = IN(k + 1), offset = IN(7) & 15, width = IN(7) >> 8 & 15;
    const u32 mask = ((1U << width) - 1) << offset;
    const u32 signed_shift = 32 - width - offset;
    const i32 field = width == 0 ? 0 : (i32)(a << signed_shift) >> (32 - width);
    OUT(2 * k) = (a & mask) >> offset | (u32)field << 16;
    OUT(2 * k + 1) = ((a & mask) | (b & ~mask)) ^ (a >> 5 & 0x7f) ^ (u32)((i32)(b << 3) >> 20);
  }
}

KERNEL(morton_codes) {
  for (u32 k = 0; k < 7; ++k) {
    u64 x = IN(k), code = 0;
    for (u32 bit = 0; bit < 32; ++bit) code |= (x >> bit & 1) << (2 * bit);
    u32 y = (u16)IN(k + 1);
    y = (y | y << 8) & 0x00ff00ff;
    y = (y | y << 4) & 0x0f0f0f0f;
    y = (y | y << 2) & 0x33333333;
    y = (y | y << 1) & 0x55555555;
    OUT64(2 * k, code | (u64)y << 1);
  }
}

KERNEL(gray_codes) {
  for (u32 k = 0; k < 7; ++k) {
    const u32 a = IN(k), gray = a ^ a >> 1;
    u32 back = gray;
    for (u32 by = 16; by != 0; by >>= 1) back ^= back >> by;
    OUT(2 * k) = gray;
    OUT(2 * k + 1) = back - a + (a & (0 - a));
  }
}

KERNEL(gathered_bits) {
  for (u32 k = 0; k < 4; ++k) {
    u32 value = IN(k), mask = IN(k + 1), gathered = 0, scattered = 0;
    for (u32 to = 0; mask != 0; mask &= mask - 1, ++to) {
      const u32 lowest = mask & (0 - mask);
      if (value & lowest) gathered |= 1U << to;
      if (value >> to & 1) scattered |= lowest;
    }
    OUT(2 * k) = gathered;
    OUT(2 * k + 1) = scattered;
  }
}

KERNEL(next_permutations) {
  u32 value = (IN(0) & 0xffff) | 1;
  for (u32 k = 0; k < 12; ++k) {
    const u32 smeared = value | (value - 1);
    value = (smeared + 1) | (((~smeared & (0 - ~smeared)) - 1) >> ((u32)__builtin_ctz(value) + 1));
    value |= 1;
    OUT(k) = value;
  }
}

KERNEL(square_roots) {
  u64 rest = IN64(0) >> (IN(2) & 31), root = 0, bit = 1UL << 62;
  while (bit > rest) bit >>= 2;
  for (; bit != 0; bit >>= 2) {
    if (rest >= root + bit) {
      rest -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
  }
  OUT64(0, root);
  OUT64(2, rest);
}

KERNEL(carryless_products) {
  for (u32 k = 0; k < 4; ++k) {
    const u64 a = IN(k);
    const u32 b = IN(k + 1);
    u64 product = 0;
    for (u32 bit = 0; bit < 32; ++bit)
      if (b >> bit & 1) product ^= a << bit;
    OUT64(2 * k, product);
    u8 x = (u8)a, y = (u8)b, field = 0;
    while (y != 0) {
      if (y & 1) field ^= x;
      x = (u8)(x << 1 ^ (x & 0x80 ? 0x1b : 0));
      y >>= 1;
    }
    OUT(8 + k) = field;
  }
}
