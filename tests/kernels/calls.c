/* Calls of functions that are not inlined: how arguments and results travel, recursion, pointers to functions. */
#include "kernels.h"

struct pair {
  u32 first;
  u32 second;
};

struct mixed {
  u8 a;
  u16 b;
  u64 c;
  i8 d;
};

struct large {
  u32 words[9];
};

NOINLINE u8 of_8(u8 a, i8 b) { return (u8)(a * 3 + b); }
NOINLINE i8 signed_8(i8 a, u8 b) { return (i8)(a - b / 2); }
NOINLINE u16 of_16(u16 a, i16 b) { return (u16)(a * 5 + b); }
NOINLINE i16 signed_16(i16 a, u16 b) { return (i16)(a / 3 - b); }
NOINLINE u32 of_32(u32 a, i32 b) { return a * 7 + (u32)b; }
NOINLINE u64 of_64(u64 a, i64 b) { return a * 9 ^ (u64)b >> 3; }
NOINLINE u128 of_128(u128 a, i128 b) { return a * 3 - (u128)b; }
NOINLINE _Bool is_odd(u64 a, _Bool inverted) { return (a & 1) != inverted; }

KERNEL(calls_with_8_and_16_bits) {
  for (u32 k = 0; k < 4; ++k) {
    const u8 a = of_8((u8)IN(k), (i8)IN(k + 1));
    OUT(4 * k) = a;
    OUT(4 * k + 1) = (u32)signed_8((i8)a, (u8)IN(k + 2));
    const u16 b = of_16((u16)IN(k), (i16)IN(k + 1));
    OUT(4 * k + 2) = b;
    OUT(4 * k + 3) = (u32)signed_16((i16)b, (u16)IN(k + 2));
  }
}

KERNEL(calls_with_32_to_128_bits) {
  OUT(0) = of_32(IN(0), (i32)IN(1));
  OUT64(1, of_64(IN64(0), (i64)IN64(2)));
  const u128 wide = of_128((u128)IN64(0) << 64 | IN64(2), (i128)(i64)IN64(4));
  OUT64(3, (u64)wide);
  OUT64(5, (u64)(wide >> 64));
  OUT(7) = is_odd(IN64(1), IN(3) & 1);
}

NOINLINE u32 of_pair(struct pair p) { return p.first * 3 ^ p.second; }
NOINLINE struct pair swapped(struct pair p, u32 more) { return (struct pair){p.second + more, p.first - more}; }
NOINLINE u64 of_mixed(struct mixed m) { return m.c + m.a * 3U + m.b * 5U + (u64)m.d; }
NOINLINE struct mixed make_mixed(u32 a, u64 b) { return (struct mixed){(u8)a, (u16)(a >> 8), b, (i8)(a >> 24)}; }
NOINLINE u32 of_large(struct large l, u32 by) {
  u32 sum = 0;
  for (u32 k = 0; k < 9; ++k) sum = sum * by + l.words[k];
  l.words[0] = 0;
  return sum;
}
NOINLINE struct large make_large(u32 start, u32 step) {
  struct large made;
  for (u32 k = 0; k < 9; ++k) made.words[k] = start + k * step;
  return made;
}

KERNEL(structures_by_value) {
  struct pair p = {IN(0), IN(1)};
  OUT(0) = of_pair(p);
  p = swapped(p, IN(2));
  OUT(1) = p.first;
  OUT(2) = p.second;
  const struct mixed m = make_mixed(IN(3), IN64(4));
  OUT64(3, of_mixed(m));
  OUT(5) = (u32)m.d;
}

KERNEL(large_structures_by_value) {
  struct large l = make_large(IN(0), IN(1));
  OUT(0) = of_large(l, IN(2));
  OUT(1) = l.words[0];
  if (IN(3) & 1) l = make_large(OUT(0), 3);
  for (u32 k = 0; k < 9; ++k) OUT(k + 2) = l.words[k];
}

NOINLINE void divide(u32 a, u32 b, u32* quotient, u32* rest) {
  *quotient = 0;
  *rest = 0;
  for (i32 bit = 31; bit >= 0; --bit) {
    *rest = *rest << 1 | (a >> bit & 1);
    *quotient <<= 1;
    if (*rest >= b) {
      *rest -= b;
      *quotient |= 1;
    }
  }
}
NOINLINE void reverse(u8* bytes, u32 count) {
  for (u32 k = 0; k < count / 2; ++k) {
    const u8 moved = bytes[k];
    bytes[k] = bytes[count - 1 - k];
    bytes[count - 1 - k] = moved;
  }
}
NOINLINE u64 total(const u64* values, u32 count) {
  u64 sum = 0;
  while (count != 0) sum = sum * 3 + values[--count];
  return sum;
}

KERNEL(pointers_to_locals) {
  u32 quotient, rest;
  divide(IN(0), (IN(1) & 0xffff) + 1, &quotient, &rest);
  OUT(0) = quotient;
  OUT(1) = rest;
  u8 bytes[12];
  for (u32 k = 0; k < 12; ++k) bytes[k] = (u8)(IN(k / 4) >> 8 * (k & 3));
  reverse(bytes, 3 + IN(2) % 10);
  for (u32 k = 0; k < 12; ++k) OUT(2) = OUT(2) * 37 + bytes[k];
  const u64 values[3] = {IN64(0), IN64(2), IN64(4)};
  OUT64(3, total(values + (IN(6) & 1), IN(7) % 3));
}

NOINLINE void add_to(u32* to, const u32* from, u32 count) {
  for (u32 k = 0; k < count; ++k) to[k] += from[k];
}

KERNEL(pointers_to_all_kinds_of_memory) {
  u32 mine[4] = {1, 2, 3, 4};
  u32* const to = IN(0) & 1 ? &OUT(4) : mine;
  add_to(to, &IN(0), 4);
  add_to(&OUT(8), mine, 4);
  add_to(mine, IN(1) & 1 ? &OUT(4) : &IN(4), 4);
  for (u32 k = 0; k < 4; ++k) OUT(k) = mine[k];
}

NOINLINE u32 many(u32 a, u32 b, u32 c, u32 d, u32 e, u32 f, u32 g, u32 h, u32 i, u32 j, u32 k, u32 l, u32 m, u32 o,
                  u32 p, u32 q, u32 r, u32 s, u32 t, u32 u, u32 v, u32 w, u32 x, u32 y, u32 z, u64 aa, u64 bb, u64 cc,
                  u64 dd, u16 ee, u8 ff, i8 gg, struct pair hh) {
  u32 sum = a + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f + 13 * g + 17 * h + 19 * i + 23 * j + 29 * k + 31 * l + 37 * m;
  sum ^= o + 2 * p + 3 * q + 5 * r + 7 * s + 11 * t + 13 * u + 17 * v + 19 * w + 23 * x + 29 * y + 31 * z;
  const u64 wide = aa + 3 * bb + 5 * cc + 7 * dd;
  return sum ^ (u32)wide ^ (u32)(wide >> 32) ^ ee * 3U ^ ff * 5U ^ (u32)(gg * 7) ^ hh.first * 9 ^ hh.second * 11;
}

KERNEL(arguments_on_the_stack) {
  u32 v[32];
  for (u32 k = 0; k < 32; ++k) v[k] = IN(k & 7) * (k + 1);
  for (u32 turn = 0; turn < 1 + IN(7) % 3; ++turn) {
    v[0] = many(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15],
                v[16], v[17], v[18], v[19], v[20], v[21], v[22], v[23], v[24], IN64(0), IN64(2), IN64(3), IN64(5),
                (u16)v[25], (u8)v[26], (i8)v[27], (struct pair){v[28], v[29]});
    OUT(turn) = v[0];
  }
}

NOINLINE u32 factorial(u32 a) { return a < 2 ? 1 : a * factorial(a - 1); }
NOINLINE u32 ackermann(u32 m, u32 a) {
  if (m == 0) return a + 1;
  if (a == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, a - 1));
}
NOINLINE u32 fibonacci(u32 a) { return a < 2 ? a : fibonacci(a - 1) + fibonacci(a - 2); }

KERNEL(recursion) {
  OUT(0) = factorial(IN(0) % 13);
  OUT(1) = fibonacci(IN(1) % 9);
  OUT(2) = ackermann(IN(2) % 3, IN(3) % 4);
}

NOINLINE u32 is_even_by_steps(u32 a);
NOINLINE u32 is_odd_by_steps(u32 a) { return a == 0 ? 0 : is_even_by_steps(a - 1) * 3; }
u32 is_even_by_steps(u32 a) { return a == 0 ? 1 : is_odd_by_steps(a - 1) + 1; }

KERNEL(mutual_recursion) { OUT(0) = is_even_by_steps(IN(0) % 15); }

NOINLINE void quick_sort(u32* a, i32 low, i32 high) {
  while (low < high) {
    const u32 pivot = a[(low + high) / 2];
    i32 i = low, j = high;
    while (i <= j) {
      while (a[i] < pivot) ++i;
      while (a[j] > pivot) --j;
      if (i <= j) {
        const u32 moved = a[i];
        a[i++] = a[j];
        a[j--] = moved;
      }
    }
    quick_sort(a, low, j);
    low = i;
  }
}

KERNEL(quick_sort_of_locals) {
  u32 a[16];
  for (u32 k = 0; k < 16; ++k) a[k] = IN(k & 7) >> (k & 8);
  quick_sort(a, 0, 15);
  for (u32 k = 0; k < 16; ++k) OUT(k) = a[k];
}

NOINLINE u32 hanoi(u32 discs, u32 from, u32 to, u32* pegs) {
  if (discs == 0) return 0;
  const u32 other = 3 - from - to;
  u32 moves = hanoi(discs - 1, from, other, pegs);
  pegs[from] -= discs;
  pegs[to] += discs;
  return moves + 1 + hanoi(discs - 1, other, to, pegs);
}

KERNEL(recursion_with_pointers) {
  const u32 discs = IN(0) % 5;
  u32 pegs[3] = {discs * (discs + 1) / 2, 0, 0};
  OUT(0) = hanoi(discs, 0, 2, pegs);
  for (u32 k = 0; k < 3; ++k) OUT(k + 1) = pegs[k];
}

NOINLINE u32 queens(u32 size, u32 columns, u32 left, u32 right) {
  u32 count = 0;
  if (columns == (1U << size) - 1) return 1;
  for (u32 free = ~(columns | left | right) & ((1U << size) - 1); free != 0; free &= free - 1) {
    const u32 queen = free & (0 - free);
    count += queens(size, columns | queen, (left | queen) << 1, (right | queen) >> 1);
  }
  return count;
}

KERNEL(queens_on_boards) { OUT(0) = queens(IN(0) % 3 + 3, 0, 0, 0); }

NOINLINE u32 in_a_branch(u32 a) {
  if (a & 1) return of_32(a, 3);
  if (a & 2) return of_pair((struct pair){a, a >> 3});
  return factorial(a & 7);
}

KERNEL(calls_in_branches) {
  u32 sum = 0;
  for (u32 k = 0; k < IN(0) % 9; ++k) {
    if (IN(k) & 4)
      sum += in_a_branch(IN(k));
    else
      sum ^= in_a_branch(sum);
  }
  OUT(0) = sum;
}

NOINLINE u32 where(u32 more) { return local_x() + 1000 * group_x() + more; }

KERNEL(ids_in_functions) {
  OUT(0) = where(IN(0));
  if (local_x() & 1) OUT(1) = where(n);
}

typedef u32 operation(u32, u32);
NOINLINE u32 add(u32 a, u32 b) { return a + b; }
NOINLINE u32 subtract(u32 a, u32 b) { return a - b; }
NOINLINE u32 multiply(u32 a, u32 b) { return a * b; }
NOINLINE u32 mix(u32 a, u32 b) { return (a ^ b << 3) + factorial(b & 3); }

KERNEL(pointers_to_functions) {
  u32 a = IN(0);
  for (u32 k = 1; k < 8; ++k) {
    operation* chosen = add;
    if ((IN(k) & 3) == 1) chosen = subtract;
    if ((IN(k) & 3) == 2) chosen = multiply;
    if ((IN(k) & 3) == 3) chosen = mix;
    a = chosen(a, IN(k));
    OUT(k) = a;
  }
}
