/* Values that lanes read from other lanes by data-parallel primitives (DPP). */
#include "kernels.h"

KERNEL(dpp_in_quads) {
  OUT(0) = update_dpp(IN(1), IN(0), 0x1b, 0xf, 0xf, 0);
  OUT(1) = update_dpp(IN(1), IN(0), 0xb1, 0xf, 0xf, 0);
  OUT(2) = update_dpp(0, IN(0), 0x00, 0xf, 0xf, 1);
  OUT(3) = update_dpp(IN(1), IN(0), 0x93, 0xa, 0xf, 0);
  OUT(4) = update_dpp(IN(1), IN(0), 0x4e, 0xf, 0x6, 0);
}

KERNEL(dpp_in_rows) {
  OUT(0) = update_dpp(IN(1), IN(0), 0x101, 0xf, 0xf, 0);
  OUT(1) = update_dpp(IN(1), IN(0), 0x10f, 0xf, 0xf, 1);
  OUT(2) = update_dpp(IN(1), IN(0), 0x113, 0xf, 0xf, 0);
  OUT(3) = update_dpp(IN(1), IN(0), 0x118, 0xf, 0xf, 1);
  OUT(4) = update_dpp(IN(1), IN(0), 0x121, 0xf, 0xf, 0);
  OUT(5) = update_dpp(IN(1), IN(0), 0x12b, 0x7, 0xd, 1);
  OUT(6) = update_dpp(IN(1), IN(0), 0x140, 0xf, 0xf, 0);
  OUT(7) = update_dpp(IN(1), IN(0), 0x141, 0xf, 0xf, 0);
}

KERNEL(dpp_in_waves) {
  OUT(0) = update_dpp(IN(1), IN(0), 0x130, 0xf, 0xf, 0);
  OUT(1) = update_dpp(IN(1), IN(0), 0x134, 0xf, 0xf, 1);
  OUT(2) = update_dpp(IN(1), IN(0), 0x138, 0xf, 0xf, 0);
  OUT(3) = update_dpp(IN(1), IN(0), 0x138, 0xf, 0xf, 1);
  OUT(4) = update_dpp(IN(1), IN(0), 0x13c, 0xf, 0xf, 0);
  OUT(5) = update_dpp(IN(1), IN(0), 0x142, 0xa, 0xf, 0);
  OUT(6) = update_dpp(IN(1), IN(0), 0x142, 0xf, 0xf, 1);
  OUT(7) = update_dpp(IN(1), IN(0), 0x143, 0xc, 0xf, 0);
  OUT(8) = update_dpp(IN(1), IN(0), 0x143, 0xf, 0xf, 0);
}

/* Lanes that are off have no value. */
KERNEL(dpp_in_branches) {
  if (IN(0) & 1) {
    OUT(0) = update_dpp(IN(1), IN(2), 0x111, 0xf, 0xf, 0);
    OUT(1) = update_dpp(IN(1), IN(2), 0x111, 0xf, 0xf, 1);
    if (IN(1) & 2) OUT(2) = update_dpp(IN(3), IN(2), 0x4e, 0xf, 0xf, 0);
  } else {
    OUT(3) = update_dpp(IN(1), IN(2), 0x134, 0xf, 0x5, 1);
  }
}

/* A prefix sum in six steps, which compilers make for atomics. */
KERNEL(dpp_prefix_sums) {
  u32 sum = IN(0);
  sum += update_dpp(0, sum, 0x111, 0xf, 0xf, 0);
  sum += update_dpp(0, sum, 0x112, 0xf, 0xf, 0);
  sum += update_dpp(0, sum, 0x114, 0xf, 0xf, 0);
  sum += update_dpp(0, sum, 0x118, 0xf, 0xf, 0);
  sum += update_dpp(0, sum, 0x142, 0xa, 0xf, 0);
  sum += update_dpp(0, sum, 0x143, 0xc, 0xf, 0);
  OUT(0) = sum;
}

#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define SMALLER(a, b) ((i32)(a) < (i32)(b) ? (a) : (b))
KERNEL(dpp_reductions) {
  u32 largest = IN(0), smallest = IN(0), bits = IN(1);
  largest = LARGER(largest, update_dpp(0, largest, 0xb1, 0xf, 0xf, 1));
  largest = LARGER(largest, update_dpp(0, largest, 0x4e, 0xf, 0xf, 1));
  largest = LARGER(largest, update_dpp(0, largest, 0x141, 0xf, 0xf, 1));
  largest = LARGER(largest, update_dpp(0, largest, 0x140, 0xf, 0xf, 1));
  smallest = SMALLER(smallest, update_dpp(0x7fffffff, smallest, 0x128, 0xf, 0xf, 0));
  smallest = SMALLER(smallest, update_dpp(0x7fffffff, smallest, 0x124, 0xf, 0xf, 0));
  smallest = SMALLER(smallest, update_dpp(0x7fffffff, smallest, 0x111, 0xf, 0xf, 0));
  bits &= update_dpp(~0U, bits, 0x118, 0xf, 0xf, 0);
  bits |= update_dpp(0, bits, 0x101, 0xf, 0xf, 1);
  bits ^= update_dpp(0, bits, 0x130, 0xf, 0xf, 1);
  OUT(0) = largest;
  OUT(1) = smallest;
  OUT(2) = bits;
}

KERNEL(dpp_wide_sums) {
  u64 sum = IN64(0);
  sum += (u64)update_dpp(0, (u32)(sum >> 32), 0x111, 0xf, 0xf, 0) << 32 | update_dpp(0, (u32)sum, 0x111, 0xf, 0xf, 0);
  sum += (u64)update_dpp(0, (u32)(sum >> 32), 0x142, 0xa, 0xf, 0) << 32 | update_dpp(0, (u32)sum, 0x142, 0xa, 0xf, 0);
  OUT64(0, sum);
}

static inline u32 bits_of(float value) { return __builtin_bit_cast(u32, value); }
static inline float dpp_float(float value, int step) {
  const u32 bits = bits_of(value);
  return __builtin_bit_cast(float, step == 0   ? update_dpp(0, bits, 0x111, 0xf, 0xf, 1)
                                   : step == 1 ? update_dpp(0, bits, 0x4e, 0xf, 0xf, 1)
                                               : update_dpp(0, bits, 0x13c, 0xf, 0xf, 1));
}

/* The signs of operands are in the same instruction. */
KERNEL(dpp_floats) {
  const float x = (float)(i32)IN(0), y = (float)(IN(1) % 1000) * 0.25f;
  OUT(0) = bits_of(x + dpp_float(x, 0));
  OUT(1) = bits_of(__builtin_fabsf(dpp_float(x, 1)) * -y);
}

KERNEL(dpp_float_differences) {
  const float y = (float)(IN(1) % 1000) * -0.25f;
  OUT(0) = bits_of(__builtin_fabsf(y) - __builtin_fabsf(dpp_float(y, 2)));
  OUT(1) = bits_of(-dpp_float(y, 2) * y);
}
