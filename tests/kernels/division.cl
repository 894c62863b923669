/* Quotients and remainders of all widths, and what is made of them. Divisors are not 0, and no quotient overflows. */
#define APPROXIMATES
#include "kernels.h"

KERNEL(unsigned_division_of_8_bits) {
  for (u32 k = 0; k < 7; ++k) {
    const u8 a = (u8)IN(k), b = (u8)(IN(k + 1) | 1);
    OUT(2 * k) = (u8)(a / b);
    OUT(2 * k + 1) = (u8)(a % b);
  }
}

KERNEL(signed_division_of_8_bits) {
  for (u32 k = 0; k < 7; ++k) {
    const i8 a = (i8)IN(k), b = (i8)(IN(k + 1) | 1);
    OUT(2 * k) = (u32)(i8)(a / b);
    OUT(2 * k + 1) = (u32)(i8)(a % b);
  }
}

KERNEL(unsigned_division_of_16_bits) {
  for (u32 k = 0; k < 7; ++k) {
    const u16 a = (u16)IN(k), b = (u16)(IN(k + 1) % 3 == 0 ? IN(k + 1) & 0xff : IN(k + 1));
    const u16 divisor = b == 0 ? 1 : b;
    OUT(2 * k) = (u16)(a / divisor);
    OUT(2 * k + 1) = (u16)(a % divisor);
  }
}

KERNEL(signed_division_of_16_bits) {
  for (u32 k = 0; k < 7; ++k) {
    const i16 a = (i16)IN(k), b = (i16)IN(k + 1);
    const i16 divisor = b == 0 ? -3 : b;
    OUT(2 * k) = (u32)(i16)(a / divisor);
    OUT(2 * k + 1) = (u32)(i16)(a % divisor);
  }
}

/* LLVM 19 divides unsigned numbers of 24 bits through floats, and some quotients are wrong. */
KERNEL(division_of_23_bits) {
  for (u32 k = 0; k < 7; ++k) {
    const u32 a = IN(k) & 0x7fffff, b = (IN(k + 1) & 0x7fffff) + 1;
    const u32 divisor = b > 0x7fffff ? 77 : b;
    const i32 c = (i32)(IN(k) << 9) >> 9, d = ((i32)(IN(k + 1) << 9) >> 9) | 1;
    OUT(2 * k) = a / divisor ^ a % divisor << 8;
    OUT(2 * k + 1) = (u32)(c / d) ^ (u32)(c % d) << 8;
  }
}

KERNEL(unsigned_division_of_32_bits) {
  for (u32 k = 0; k < 7; ++k) {
    const u32 a = IN(k), b = IN(k + 1) == 0 ? 1 : IN(k + 1);
    OUT(2 * k) = a / b;
    OUT(2 * k + 1) = a % b;
  }
}

KERNEL(signed_division_of_32_bits) {
  for (u32 k = 0; k < 7; ++k) {
    const i32 a = (i32)IN(k) == -0x7fffffff - 1 ? -5 : (i32)IN(k), b = (i32)IN(k + 1) == 0 ? -1 : (i32)IN(k + 1);
    OUT(2 * k) = (u32)(a / b);
    OUT(2 * k + 1) = (u32)(a % b);
  }
}

KERNEL(unsigned_division_of_64_bits) {
  for (u32 k = 0; k < 3; ++k) {
    const u64 a = IN64(k), b = IN64(k + 3) >> (IN(k) & 31) | 1;
    OUT64(4 * k, a / b);
    OUT64(4 * k + 2, a % b);
  }
}

KERNEL(signed_division_of_64_bits) {
  for (u32 k = 0; k < 3; ++k) {
    const i64 a = (i64)(IN64(k) >> 1) - (i64)(IN64(k + 1) >> 1), b = (i64)IN64(k + 3) >> (IN(k) & 31) | 1;
    OUT64(4 * k, (u64)(a / b));
    OUT64(4 * k + 2, (u64)(a % b));
  }
}

KERNEL(division_by_constants) {
  const u32 a = IN(0);
  const i32 b = (i32)IN(1);
  const u64 c = IN64(2);
  const i64 d = (i64)IN64(4);
  OUT(0) = a / 3 + a % 7;
  OUT(1) = a / 10 * 16 + a % 10;
  OUT(2) = a / 641 ^ a % 1000000007;
  OUT(3) = (u32)(b / 5) ^ (u32)(b % -9);
  OUT(4) = (u32)(b / 16) + (u32)(b % 64);
  OUT(5) = (u32)(b / -7);
  OUT64(6, c / 10);
  OUT64(8, c % 1000000007);
  OUT64(10, (u64)(d / 1000));
  OUT64(12, (u64)(d % 60));
  OUT(14) = (u32)((u8)a / 11) + (u32)((u16)a % 13);
  OUT(15) = (u32)((i8)b / 3) ^ (u32)((i16)b / -100);
}

KERNEL(division_by_the_argument) {
  for (u32 k = 0; k < 4; ++k) {
    OUT(4 * k) = IN(k) / n;
    OUT(4 * k + 1) = IN(k) % n;
    OUT(4 * k + 2) = (u32)(IN64(k) / n);
    OUT(4 * k + 3) = (u32)((i32)IN(k) / (i32)n);
  }
}

KERNEL(greatest_common_divisors) {
  for (u32 k = 0; k < 4; ++k) {
    u32 a = IN(k), b = IN(k + 1);
    while (b != 0) {
      const u32 rest = a % b;
      a = b;
      b = rest;
    }
    OUT(k) = a;
  }
}

KERNEL(inverses) {
  /* Of an odd number, and of one that a prime does not divide. */
  const u32 odd = IN(0) | 1;
  u32 inverse = odd;
  for (u32 k = 0; k < 5; ++k) inverse *= 2 - odd * inverse;
  i64 r = 65521, next_r = IN(1) % 65520 + 1, t = 0, next_t = 1;
  while (next_r != 0) {
    const i64 quotient = r / next_r;
    const i64 new_r = r - quotient * next_r, new_t = t - quotient * next_t;
    r = next_r;
    t = next_t;
    next_r = new_r;
    next_t = new_t;
  }
  OUT(0) = inverse;
  OUT(1) = (u32)(t < 0 ? t + 65521 : t);
}

KERNEL(decimal_digits) {
  u64 value = IN64(0) >> (IN(2) & 31);
  u32 count = 0, sum = 0;
  do {
    sum = sum * 7 + (u32)(value % 10);
    value /= 10;
    ++count;
  } while (value != 0);
  OUT(0) = count;
  OUT(1) = sum;
}

KERNEL(powers_of_a_modulus) {
  const u32 modulus = IN(0) | 1;
  u32 base = IN(1) % modulus, exponent = IN(2) & 0xfff, power = 1 % modulus;
  while (exponent != 0) {
    if (exponent & 1) power = (u32)((u64)power * base % modulus);
    base = (u32)((u64)base * base % modulus);
    exponent >>= 1;
  }
  OUT(0) = power;
}

KERNEL(primes) {
  const u32 value = IN(0) % 3000;
  u32 divisor = 2;
  if (value < 2) {
    OUT(0) = 0;
    return;
  }
  for (; divisor * divisor <= value; ++divisor)
    if (value % divisor == 0) {
      OUT(0) = divisor;
      return;
    }
  OUT(0) = value;
  OUT(1) = divisor;
}

KERNEL(dates) {
  /* The day of the civil calendar, counted from 1970-01-01. */
  const i32 days = (i32)(IN(0) % 2000000) - 1000000;
  const i32 z = days + 719468;
  const i32 era = (z >= 0 ? z : z - 146096) / 146097;
  const u32 day_of_era = (u32)(z - era * 146097);
  const u32 year = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const u32 day = day_of_era - (365 * year + year / 4 - year / 100);
  const u32 month = (5 * day + 2) / 153;
  OUT(0) = day - (153 * month + 2) / 5 + 1;
  OUT(1) = month < 10 ? month + 3 : month - 9;
  OUT(2) = (u32)((i32)year + era * 400 + (month >= 10));
}
