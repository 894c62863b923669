/* Loops, branches and returns on which the lanes of a wave part. */
#include "kernels.h"

KERNEL(collatz) {
  u32 value = IN(0) % 500 + 1, steps = 0, largest = value;
  while (value != 1) {
    value = value & 1 ? 3 * value + 1 : value / 2;
    largest = value > largest ? value : largest;
    ++steps;
  }
  OUT(0) = steps;
  OUT(1) = largest;
}

KERNEL(nested_loops) {
  u32 sum = 0;
  for (u32 a = 0; a < IN(0) % 7; ++a)
    for (u32 b = a; b < IN(1) % 9; ++b) {
      sum = sum * 5 + a;
      for (u32 c = b; c > IN(2) % 4; --c) sum ^= c << (b & 15);
    }
  OUT(0) = sum;
}

KERNEL(breaks_and_continues) {
  u32 sum = 0, count = 0;
  for (u32 k = 0; k < 40; ++k) {
    const u32 value = IN(k & 7) >> (k & 15);
    if (value % 3 == 0) continue;
    sum += value;
    if ((sum & 0x1f) == 7) break;
    for (u32 j = 0;; ++j) {
      if (j == (value & 7)) break;
      if (j & 1) continue;
      ++count;
    }
  }
  OUT(0) = sum;
  OUT(1) = count;
}

KERNEL(switch_of_each_lane) {
  u32 a = IN(0), b = IN(1);
  for (u32 k = 0; k < 8; ++k) {
    switch ((a >> k) & 15) {
      case 0: b += a; break;
      case 1: b ^= a; break;
      case 2: b -= 77; /* and */
      case 3: b = b << 1 | b >> 31; break;
      case 4: a *= 3; break;
      case 5: a = ~a; break;
      case 7: b &= 0xffff00ff; break;
      case 9: a += b; /* and */
      case 10: b += 1000000; break;
      case 12: b = a; break;
      case 15: b *= a; break;
      default: b += k; break;
    }
    OUT(k) = b;
  }
  OUT(8) = a;
}

KERNEL(sparse_switch) {
  u32 result;
  switch (IN(0)) {
    case 0: result = 1; break;
    case 127: result = 2; break;
    case 128: result = 3; break;
    case 255: case 256: result = 4; break;
    case 0x7fff: result = 5; break;
    case 0x8000: result = 6; break;
    case 0xffff: result = 7; break;
    case 0x7fffffff: result = 8; break;
    case 0x80000000: result = 9; break;
    case 0xffffffff: result = 10; break;
    default: result = IN(0) < 100 ? 11 : 12; break;
  }
  OUT(0) = result;
  switch ((i64)IN64(1) >> 31) {
    case -1: OUT(1) = 20; break;
    case 0: OUT(1) = 21; break;
    case 1: OUT(1) = 22; break;
    default: OUT(1) = 23; break;
  }
}

KERNEL(early_returns) {
  const u32 a = IN(0);
  OUT(0) = 1;
  if (a & 1) return;
  OUT(1) = 2;
  if (a % 5 == 2) return;
  for (u32 k = 0; k < 12; ++k) {
    if (a >> k == 3) return;
    if ((a >> k & 0x33) == 0x11) {
      OUT(2) = k;
      return;
    }
    OUT(3) += a >> k;
  }
  OUT(4) = a;
}

KERNEL(conditions) {
  const u32 a = IN(0), b = IN(1), c = IN(2), d = IN(3);
  u32 result = 0;
  if (a < b && (c > d || a == d) && !(b & 1)) result |= 1;
  if ((a & 1 && b & 1) || (c & 1 && d & 1)) result |= 2;
  if (a < b ? c < d : c > d) result |= 4;
  if ((a < b) != (c < d)) result |= 8;
  if (a % 3 == 0 || b % 3 == 0 || (c | d) % 3 == 0) result |= 16;
  OUT(0) = result;
  OUT(1) = a < b ? b < c ? c < d ? 1 : 2 : c < d ? 3 : 4 : a < c ? 5 : 6;
}

KERNEL(jumps_between_loops) {
  /* Not reducible: both labels are entered from outside. */
  u32 a = IN(0), steps = 0;
  if (a & 1) goto odd;
even:
  a = a / 2 + steps;
  if (++steps > 60) goto out;
  if (!(a & 1)) goto even;
odd:
  a = a * 5 + 1;
  if (++steps > 60) goto out;
  if (a & 2) goto odd;
  goto even;
out:
  OUT(0) = a;
  OUT(1) = steps;
}

KERNEL(exits_of_a_loop) {
  u32 a = IN(0), b = IN(1) | 1, result;
  for (u32 k = 0;; ++k) {
    a = a * b + k;
    if ((a & 0x70) == 0x30) {
      result = a;
      break;
    }
    if (k > IN(2) % 20) {
      result = 7;
      goto late;
    }
    b ^= a >> 3;
    if (b % 11 == 0) {
      result = b;
      goto out;
    }
  }
  result += 5;
late:
  result *= 3;
out:
  OUT(0) = result;
}

KERNEL(state_machine) {
  /* How many words, numbers and other signs the bytes of the input are. */
  u32 state = 0, words = 0, numbers = 0, signs = 0;
  for (u32 k = 0; k < 32; ++k) {
    const u32 byte = IN(k / 4) >> (8 * (k & 3)) & 0x7f;
    const int is_letter = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z', is_digit = byte >= '0' && byte <= '9';
    switch (state) {
      case 0:
        if (is_letter) { state = 1; ++words; }
        else if (is_digit) { state = 2; ++numbers; }
        else if (byte > ' ') ++signs;
        break;
      case 1:
        if (!is_letter && !is_digit) state = 0;
        break;
      default:
        if (is_letter) { state = 1; --numbers; ++words; }
        else if (!is_digit) state = 0;
        break;
    }
  }
  OUT(0) = words;
  OUT(1) = numbers;
  OUT(2) = signs;
}

KERNEL(binary_search) {
  /* Among squares: the lanes take different ways, and some find theirs early. */
  u32 low = 0, high = 65536, steps = 0;
  const u32 value = (IN(0) & 0xffff) * (IN(0) & 3 ? (IN(0) & 0xffff) : 3);
  while (low + 1 < high) {
    const u32 middle = (low + high) / 2;
    ++steps;
    if (middle * middle == value) {
      low = middle;
      break;
    }
    if (middle * middle < value) low = middle;
    else high = middle;
  }
  OUT(0) = low;
  OUT(1) = steps;
}

KERNEL(fibonacci) {
  const u32 count = IN(0) % 90;
  u64 a = 0, b = 1;
  for (u32 k = 0; k < count; ++k) {
    const u64 sum = a + b;
    a = b;
    b = sum;
  }
  OUT64(0, a);
}

KERNEL(loops_by_lane) {
  /* No input: how long the loops are follows from the lane alone. */
  u32 sum = 0;
  for (u32 k = 0; k <= local_x() % 13; ++k) {
    sum += k * k;
    if (local_x() & 1)
      for (u32 j = 0; j < k; ++j) sum = sum * 3 + j;
    else
      sum ^= group_x() << k;
  }
  OUT(0) = sum;
}

KERNEL(uniform_and_divergent) {
  u32 sum = group_x();
  if (n == 7) sum += 100;
  for (u32 k = 0; k < n; ++k) {
    if (k & 1) sum += in[k];
    else if (IN(0) & 1) sum ^= in[k] + IN(k);
  }
  if (group_x() == 1) OUT(1) = sum;
  else if (group_x() == 2 && IN(1) & 4) OUT(2) = sum;
  OUT(0) = sum;
}
