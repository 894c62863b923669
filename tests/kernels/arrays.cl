/* Private arrays: sorted, searched, indexed by what the lane reads. */
#include "kernels.h"

#define SORTED_OUTPUT(array, count) for (u32 k = 0; k < (count); ++k) OUT(k) = (u32)(array)[k]

KERNEL(bubble_sort) {
  u32 a[8];
  for (u32 k = 0; k < 8; ++k) a[k] = IN(k);
  for (u32 end = 7; end != 0; --end)
    for (u32 k = 0; k < end; ++k)
      if (a[k] > a[k + 1]) {
        const u32 larger = a[k];
        a[k] = a[k + 1];
        a[k + 1] = larger;
      }
  SORTED_OUTPUT(a, 8);
}

KERNEL(insertion_sort) {
  i16 a[16];
  for (u32 k = 0; k < 16; ++k) a[k] = (i16)(IN(k >> 1) >> 16 * (k & 1));
  for (u32 k = 1; k < 16; ++k) {
    const i16 value = a[k];
    u32 at = k;
    for (; at != 0 && a[at - 1] > value; --at) a[at] = a[at - 1];
    a[at] = value;
  }
  SORTED_OUTPUT(a, 16);
}

KERNEL(sorting_network) {
  i32 a[8];
  for (u32 k = 0; k < 8; ++k) a[k] = (i32)IN(k);
#define EXCHANGE(x, y)                        \
  {                                           \
    const i32 p = a[x], q = a[y];             \
    a[x] = p < q ? p : q;                     \
    a[y] = p < q ? q : p;                     \
  }
  EXCHANGE(0, 1) EXCHANGE(2, 3) EXCHANGE(4, 5) EXCHANGE(6, 7) EXCHANGE(0, 2) EXCHANGE(1, 3) EXCHANGE(4, 6) EXCHANGE(5, 7)
  EXCHANGE(1, 2) EXCHANGE(5, 6) EXCHANGE(0, 4) EXCHANGE(3, 7) EXCHANGE(1, 5) EXCHANGE(2, 6) EXCHANGE(1, 4) EXCHANGE(3, 6)
  EXCHANGE(2, 4) EXCHANGE(3, 5) EXCHANGE(3, 4)
  SORTED_OUTPUT(a, 8);
}

KERNEL(shell_sort_of_64_bits) {
  u64 a[7];
  for (u32 k = 0; k < 7; ++k) a[k] = IN64(k);
  for (u32 gap = 4; gap != 0; gap >>= 1)
    for (u32 k = gap; k < 7; ++k)
      for (u32 at = k; at >= gap && a[at - gap] > a[at]; at -= gap) {
        const u64 larger = a[at - gap];
        a[at - gap] = a[at];
        a[at] = larger;
      }
  for (u32 k = 0; k < 7; ++k) OUT64(2 * k, a[k]);
}

KERNEL(heap_sort) {
  u8 heap[16];
  for (u32 k = 0; k < 16; ++k) heap[k] = (u8)(IN(k >> 1) >> 8 * (k & 1));
  for (u32 step = 0; step < 24; ++step) {
    const u32 size = step < 8 ? 16 : 24 - step;
    u32 at = step < 8 ? 7 - step : 0;
    if (step >= 8) {
      const u8 last = heap[size - 1];
      OUT(24 - step - 1) = heap[0];
      heap[0] = last;
    }
    for (;;) {
      u32 child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && heap[child + 1] > heap[child]) ++child;
      if (heap[at] >= heap[child]) break;
      const u8 moved = heap[at];
      heap[at] = heap[child];
      heap[child] = moved;
      at = child;
    }
  }
}

KERNEL(histogram) {
  u16 counts[16];
  for (u32 k = 0; k < 16; ++k) counts[k] = (u16)k;
  for (u32 k = 0; k < 64; ++k) ++counts[IN(k >> 3) >> 4 * (k & 7) & 15];
  SORTED_OUTPUT(counts, 16);
}

KERNEL(dynamic_index) {
  u32 a[16];
  for (u32 k = 0; k < 16; ++k) a[k] = k * k + n;
  for (u32 k = 0; k < 12; ++k) {
    const u32 from = IN(k & 7) & 15, to = IN(k & 7) >> 4 & 15;
    a[to] += a[from] * 3;
    OUT(k) = a[(from + to) & 15];
  }
}

KERNEL(dynamic_index_of_a_few) {
  u32 a[4] = {IN(0), IN(1), IN(2), IN(3)};
  u64 b[3] = {IN64(0), IN64(2), IN64(4)};
  for (u32 k = 0; k < 4; ++k) {
    a[IN(k + 4) & 3] ^= k + 1;
    b[IN(k + 4) % 3] += a[k];
  }
  for (u32 k = 0; k < 4; ++k) OUT(k) = a[IN(k) & 3];
  OUT64(4, b[IN(5) % 3]);
}

KERNEL(uniform_index) {
  u32 a[8];
  for (u32 k = 0; k < 8; ++k) a[k] = IN(k);
  for (u32 k = 0; k < 8; ++k) {
    a[(k * n) & 7] += a[(n + k) & 7];
    OUT(k) = a[in[k] & 7];
  }
}

KERNEL(matrix_product) {
  i32 a[3][3], b[3][3];
  for (u32 i = 0; i < 3; ++i)
    for (u32 j = 0; j < 3; ++j) {
      a[i][j] = (i16)IN((3 * i + j) & 7);
      b[i][j] = (i8)IN((3 * j + i + 1) & 7);
    }
  for (u32 i = 0; i < 3; ++i)
    for (u32 j = 0; j < 3; ++j) {
      i32 sum = 0;
      for (u32 k = 0; k < 3; ++k) sum += a[i][k] * b[k][j];
      OUT(3 * i + j) = (u32)sum;
    }
}

KERNEL(sieve) {
  u8 is_composite[64];
  for (u32 k = 0; k < 64; ++k) is_composite[k] = k < 2;
  const u32 end = 10 + IN(0) % 54;
  for (u32 k = 2; k * k < end; ++k)
    if (!is_composite[k])
      for (u32 j = k * k; j < end; j += k) is_composite[j] = 1;
  u64 primes = 0;
  for (u32 k = 0; k < end; ++k) primes |= (u64)!is_composite[k] << k;
  OUT64(0, primes);
}

KERNEL(stack_and_queue) {
  u32 stack[12], queue[8], depth = 0, first = 0, count = 0, sum = 0;
  for (u32 k = 0; k < 32; ++k) {
    const u32 what = IN(k >> 2) >> 8 * (k & 3) & 0xff;
    if (what < 100 && depth < 12) {
      stack[depth++] = what * k;
    } else if (what < 180 && count < 8) {
      queue[(first + count++) & 7] = depth != 0 ? stack[--depth] : what;
    } else if (count != 0) {
      sum = sum * 31 + queue[first & 7];
      ++first;
      --count;
    }
  }
  OUT(0) = sum;
  OUT(1) = depth << 8 | count;
}

KERNEL(permutation_cycles) {
  u8 permutation[16], seen[16];
  for (u32 k = 0; k < 16; ++k) {
    permutation[k] = (u8)k;
    seen[k] = 0;
  }
  for (u32 k = 15; k != 0; --k) {
    const u32 other = IN(k & 7) % (k + 1);
    const u8 moved = permutation[k];
    permutation[k] = permutation[other];
    permutation[other] = moved;
  }
  u32 cycles = 0, longest = 0;
  for (u32 k = 0; k < 16; ++k) {
    if (seen[k]) continue;
    u32 length = 0;
    for (u32 at = k; !seen[at]; at = permutation[at], ++length) seen[at] = 1;
    ++cycles;
    longest = length > longest ? length : longest;
  }
  OUT(0) = cycles;
  OUT(1) = longest;
}

KERNEL(edit_distance) {
  u8 row[9];
  for (u32 k = 0; k < 9; ++k) row[k] = (u8)k;
  for (u32 i = 0; i < 8; ++i) {
    u8 diagonal = row[0];
    row[0] = (u8)(i + 1);
    for (u32 j = 0; j < 8; ++j) {
      const u32 is_other = (IN(0) >> 4 * i & 3) != (IN(1) >> 4 * j & 3);
      u32 best = diagonal + is_other;
      if (row[j] + 1U < best) best = row[j] + 1U;
      if (row[j + 1] + 1U < best) best = row[j + 1] + 1U;
      diagonal = row[j + 1];
      row[j + 1] = (u8)best;
    }
  }
  OUT(0) = row[8];
}
