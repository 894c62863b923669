/* Atomics of global memory, by all work-groups of a grid. `out` is zero at first. */
#define WAVE_THREADS
#include "kernels.h"

GROUP_KERNEL(global_counters, 256, 1, 1, 1500, 1, 1) {
  const u32 item = group_x() * 256 + local_x(), value = in[item];
  fetch_add(&out[0], 1);
  fetch_add(&out[1], value);
  fetch_add(&out[2 + value % 14], item);
  fetch_sub(&out[16 + value % 3], value);
  /* Each ticket is given once. */
  const u32 ticket = fetch_add(&out[20], 1), other = fetch_sub(&out[21], 2);
  fetch_add(&out[32 + ticket], 1);
  fetch_add(&out[1600 + (0 - other) / 2], 1);
}

GROUP_KERNEL(global_histogram, 192, 1, 1, 1000, 1, 1) {
  const u32 item = group_x() * 192 + local_x();
  for (u32 k = item; k < in_words; k += 1000) fetch_add(&out[in[k] % 100], 1);
}

GROUP_KERNEL(histogram_in_two_levels, 256, 1, 1, 1024, 1, 1) {
  /* In shared memory first. */
  SHARED(u32, counts, 100);
  const u32 id = local_x();
  if (id < 100) counts[id] = 0;
  group_barrier();
  for (u32 k = 0; k < 4; ++k) fetch_add(&counts[in[(group_x() * 256 + id) * 4 + k] % 100], 1);
  group_barrier();
  if (id < 100 && counts[id] != 0) fetch_add(&out[id], counts[id]);
}

GROUP_KERNEL(global_extremes, 128, 1, 1, 900, 1, 1) {
  const u32 item = group_x() * 128 + local_x(), value = in[item];
  GLOBAL i32* const integers = (GLOBAL i32*)(out + 32);
  fetch_max(&out[0], value);
  fetch_max(&out[1 + value % 7], value);
  fetch_min(&out[8], value); /* 0 */
  fetch_min(&integers[0], (i32)value);
  fetch_max(&integers[1], (i32)value);
  fetch_min(&integers[2 + value % 5], (i32)value >> 3);
  /* What is found is never more than the result. */
  const u32 found = fetch_max(&out[16], value & 0xffff);
  fetch_or(&out[17], found > 0xffff);
  const i32 integer = fetch_min(&integers[20], (i32)value);
  fetch_max(&out[18], integer > 0);
}

GROUP_KERNEL(global_bits, 256, 1, 1, 1024, 1, 1) {
  const u32 item = group_x() * 256 + local_x(), value = in[item];
  fetch_or(&out[0], value & 0x01010101);
  fetch_xor(&out[1], value);
  fetch_or(&out[2 + value % 9], 1U << value / 9 % 32);
  fetch_xor(&out[16 + item % 11], value);
  fetch_and(&out[30], value); /* 0 */
  /* Bits are set, and the work-item that has set one clears it. */
  const u32 bit = 1U << value % 32, at = 40 + value / 32 % 8;
  if (!(fetch_or(&out[at], bit) & bit)) {
    fetch_and(&out[at], ~bit);
    fetch_add(&out[60], 0);
  }
  fetch_and(&out[at], ~bit);
  if (fetch_xor(&out[70 + item / 32], 1U << item % 32) >> item % 32 & 1) out[69] = 1;
}

GROUP_KERNEL(global_exchanges, 128, 1, 1, 640, 1, 1) {
  const u32 item = group_x() * 128 + local_x();
  /* All values that were exchanged, and those left. */
  fetch_add(&out[0], exchange(&out[64 + item % 4], in[item]));
  fetch_xor(&out[1], exchange(&out[68], item * 77));
  group_barrier();
  /* The last work-item of all, in whatever order, adds those that are left. */
  if (fetch_add(&out[2], 1) == 639) {
    for (u32 k = 64; k < 68; ++k) fetch_add(&out[0], exchange(&out[k], 0));
    fetch_xor(&out[1], exchange(&out[68], 0));
  }
}

GROUP_KERNEL(global_compare_and_swap, 256, 1, 1, 800, 1, 1) {
  /* Sums modulo a number, by loops. */
  const u32 item = group_x() * 256 + local_x(), term = in[item] % 1000003, at = item % 5;
  u32 found = load_relaxed(&out[at]), before;
  while ((before = compare_swap(&out[at], found, (found + term) % 1000003)) != found) found = before;
  /* The first of those with the same key. */
  if (compare_swap(&out[16 + term % 500], 0, term % 500 + 1) == 0) fetch_add(&out[8], 1);
}

GROUP_KERNEL(global_wrapping_counters, 192, 1, 1, 768, 1, 1) {
  const u32 item = group_x() * 192 + local_x();
  fetch_inc(&out[0], 99);
  fetch_dec(&out[1], 99);
  fetch_inc(&out[2 + item % 6], item % 6 * 10);
  fetch_dec(&out[8 + item % 6], item % 6 * 10);
  fetch_add(&out[16 + fetch_inc(&out[14], 30)], 1);
  fetch_add(&out[64 + fetch_dec(&out[15], 40)], 1);
}

GROUP_KERNEL(global_64_bits, 256, 1, 1, 1000, 1, 1) {
  GLOBAL u64* const numbers = (GLOBAL u64*)out;
  GLOBAL i64* const integers = (GLOBAL i64*)(out + 64);
  const u32 item = group_x() * 256 + local_x();
  const u64 value = (u64)in[item] << 32 | in[item + 1000];
  fetch_add(&numbers[0], value);
  fetch_sub(&numbers[1], value >> 7);
  fetch_max(&numbers[2], value);
  fetch_max(&numbers[3 + item % 5], value);
  fetch_min(&integers[0], (i64)value);
  fetch_max(&integers[1], (i64)value);
  fetch_or(&numbers[10], value & 0x8080808080808080UL);
  fetch_xor(&numbers[11], value);
  fetch_and(&numbers[12], value);
  fetch_add(&numbers[13], exchange(&numbers[14], value));
  const u64 ticket = fetch_add(&numbers[15], 0x100000001UL);
  fetch_add(&out[100 + (u32)(ticket >> 32)], (u32)ticket + 1);
  u64 found = load_relaxed(&numbers[16]), before;
  while ((before = compare_swap64(&numbers[16], found, found * 3 % 1000003)) != found) found = before;
  found = load_relaxed(&numbers[17]);
  while ((before = compare_swap64(&numbers[17], found, found ^ (value + 1))) != found) found = before;
  group_barrier();
  if (fetch_add(&out[90], 1) == 999) fetch_add(&numbers[13], exchange(&numbers[14], 0));
}

GROUP_KERNEL(last_group, 128, 1, 1, 700, 1, 1) {
  /* The last work-group that ends adds the sums of all. */
  SHARED(u32, sum, 1);
  SHARED(u32, is_last, 1);
  const u32 id = local_x(), item = group_x() * 128 + id;
  if (id == 0) sum[0] = 0;
  group_barrier();
  fetch_add(sum, in[item]);
  group_barrier();
  if (id == 0) {
    store_release(&out[16 + group_x()], sum[0]);
    is_last[0] = fetch_sub(&out[0], 1) == 0U - 5;
  }
  group_barrier();
  if (is_last[0] && id < 6) fetch_add(&out[1], load_acquire(&out[16 + id]) * (id + 1));
}

GROUP_KERNEL(buckets, 256, 1, 1, 1024, 1, 1) {
  /* Lists of the work-items with the same key, through what an exchange finds. The order in a list is arbitrary: of
   * each the length, and the sums of its members and of their squares. */
  SHARED(u32, heads, 32);
  SHARED(u16, nexts, 256);
  const u32 id = local_x(), key = in[group_x() * 256 + id] / 4 % 32;
  if (id < 32) heads[id] = 256;
  group_barrier();
  nexts[id] = (u16)exchange(&heads[key], id);
  group_barrier();
  if (id < 32) {
    u32 length = 0, sum = 0, squares = 0;
    for (u32 node = heads[id]; node != 256; node = nexts[node]) {
      ++length;
      sum += node;
      squares += node * node;
    }
    out[(group_x() * 32 + id) * 4] = length;
    out[(group_x() * 32 + id) * 4 + 1] = sum;
    out[(group_x() * 32 + id) * 4 + 2] = squares;
  }
}

GROUP_KERNEL(triangular_counts, 8, 8, 4, 20, 13, 9) {
  /* In three dimensions. */
  const u32 x = group_x() * 8 + local_x(), y = group_y() * 8 + local_y(), z = group_z() * 4 + local_z();
  fetch_add(&out[x], 1);
  fetch_add(&out[32 + y], x);
  fetch_max(&out[64 + z], in[x + 20 * (y + 13 * z)] % (x + 1));
  fetch_add(&out[100 + x + y + z], in[x] ^ z);
}
