/* Atomics of shared memory, with and without use of what they return. Where the order matters, the kernel stores what
 * is the same for each order. */
#define WAVE_THREADS
#include "kernels.h"

GROUP_KERNEL(shared_counters, 256, 1, 1, 700, 1, 1) {
  /* The same counter for all, and one for each residue. Tickets are different for all work-items. */
  SHARED(u32, counters, 8);
  SHARED(u8, is_taken, 256);
  const u32 id = local_x(), item = group_x() * 256 + id, value = in[item];
  if (id < 8) counters[id] = 0;
  is_taken[id] = 0;
  group_barrier();
  fetch_add(&counters[0], 3);
  fetch_add(&counters[1], value);
  fetch_add(&counters[2 + value % 5], value / 5);
  const u32 ticket = fetch_add(&counters[7], 1);
  is_taken[ticket] = 1;
  group_barrier();
  out[item] = counters[id % 8] * 2 + is_taken[id];
}

GROUP_KERNEL(shared_histogram, 512, 1, 1, 1024, 1, 1) {
  SHARED(u32, counts, 64);
  const u32 id = local_x();
  if (id < 64) counts[id] = 0;
  group_barrier();
  for (u32 k = id; k < 1500; k += 512) fetch_add(&counts[in[group_x() * 1500 + k] % 64], 1);
  group_barrier();
  if (id < 64) out[group_x() * 64 + id] = counts[id];
}

GROUP_KERNEL(shared_extremes, 192, 1, 1, 500, 1, 1) {
  SHARED(u32, numbers, 8);
  SHARED(i32, integers, 8);
  const u32 id = local_x(), item = group_x() * 192 + id, value = in[item];
  if (id < 8) {
    numbers[id] = 0x1000 << id;
    integers[id] = 77;
  }
  group_barrier();
  fetch_min(&numbers[0], value);
  fetch_max(&numbers[1], value);
  fetch_min(&integers[0], (i32)value);
  fetch_max(&integers[1], (i32)value);
  fetch_min(&numbers[2 + value % 6], value + 100);
  fetch_max(&integers[2 + value % 6], (i32)value / 3);
  /* A minimum only falls. */
  const u32 before = fetch_min(&numbers[0], item);
  group_barrier();
  out[item] = numbers[id % 8] ^ (u32)integers[id / 8 % 8] ^ (before >= numbers[0]);
}

GROUP_KERNEL(shared_bits, 256, 1, 1, 768, 1, 1) {
  SHARED(u32, words, 12);
  SHARED(u32, seen, 8);
  const u32 id = local_x(), item = group_x() * 256 + id, value = in[item];
  if (id < 12) words[id] = id % 3 == 0 ? ~0U : 0;
  if (id < 8) seen[id] = 0;
  group_barrier();
  fetch_and(&words[0], value | 0xffff);
  fetch_or(&words[1], value & 0x00f0f0f0);
  fetch_xor(&words[2], value);
  fetch_and(&words[3 + id % 3 * 3], ~(1U << value % 32));
  fetch_or(&words[4 + id % 3 * 3], 1U << value % 32);
  fetch_xor(&words[5 + id % 3 * 3], value);
  /* Each bit is found clear once. */
  const u32 bit = 1U << id % 32, other = 1U << (id + 1) % 32;
  const u32 was_clear = !(fetch_or(&seen[id / 32], bit | other) & bit) + !(fetch_xor(&seen[id / 32], 0) & bit);
  group_barrier();
  out[item] = words[id % 12] + (was_clear > 1) + seen[id / 32];
}

GROUP_KERNEL(shared_exchanges, 128, 1, 1, 400, 1, 1) {
  /* Values are exchanged with four cells; the sum of all stays the same. */
  SHARED(u32, cells, 4);
  SHARED(u32, sum, 1);
  const u32 id = local_x(), item = group_x() * 128 + id;
  if (id < 4) cells[id] = id * 1000;
  if (id == 5) sum[0] = 0;
  group_barrier();
  u32 value = in[item];
  for (u32 k = 0; k < 5; ++k) value = exchange(&cells[(id + k) % 4], value);
  fetch_add(sum, value);
  group_barrier();
  out[item] = sum[0] + cells[0] + cells[1] + cells[2] + cells[3] + id;
}

GROUP_KERNEL(sum_of_exchanged, 320, 1, 1, 640, 1, 1) {
  SHARED(u32, cell, 1);
  SHARED(u32, sum, 1);
  const u32 id = local_x(), item = group_x() * 320 + id;
  if (id == 0) {
    cell[0] = 12345;
    sum[0] = 0;
  }
  group_barrier();
  const u32 found = exchange(cell, in[item]);
  fetch_add(sum, found * 3);
  group_barrier();
  if (id == 0) out[group_x()] = sum[0] + cell[0] * 3;
}

GROUP_KERNEL(products_by_compare_and_swap, 256, 1, 1, 700, 1, 1) {
  SHARED(u32, products, 4);
  const u32 id = local_x(), item = group_x() * 256 + id, factor = in[item] | 1;
  if (id < 4) products[id] = 1;
  group_barrier();
  u32 product = load_relaxed(&products[id % 3]), found;
  while ((found = compare_swap(&products[id % 3], product, product * factor)) != product) product = found;
  /* Only one succeeds. */
  if (compare_swap(&products[3], 1, id + 2) == 1) out[2000 + group_x()] = load_relaxed(&products[3]) == id + 2;
  group_barrier();
  out[item] = products[id % 3];
}

GROUP_KERNEL(wrapping_counters, 256, 1, 1, 600, 1, 1) {
  SHARED(u32, counters, 4);
  SHARED(u32, counts, 32);
  const u32 id = local_x(), item = group_x() * 256 + id;
  if (id < 4) counters[id] = id * 5;
  if (id < 32) counts[id] = 0;
  group_barrier();
  fetch_inc(&counters[0], 10);
  fetch_dec(&counters[1], 22);
  fetch_add(&counts[fetch_inc(&counters[2], 12)], 1);
  fetch_add(&counts[16 + fetch_dec(&counters[3], 14) % 16], 1);
  group_barrier();
  out[item] = counts[id % 32] * 100 + counters[id / 32 % 4];
}

GROUP_KERNEL(shared_64_bits, 192, 1, 1, 576, 1, 1) {
  SHARED(u64, numbers, 8);
  SHARED(i64, integers, 2);
  const u32 id = local_x(), item = group_x() * 192 + id;
  const u64 value = (u64)in[item] << 32 | in[item + 700];
  if (id < 8) numbers[id] = id == 1 || id == 3 ? ~0UL : id;
  if (id < 2) integers[id] = 0;
  group_barrier();
  fetch_add(&numbers[0], value);
  fetch_min(&numbers[1], value);
  fetch_max(&numbers[2], value);
  fetch_and(&numbers[3], value | 0xffffffff0000UL);
  fetch_or(&numbers[4], value & 0x1111111111111111UL);
  fetch_xor(&numbers[5], value);
  fetch_min(&integers[0], (i64)value);
  fetch_max(&integers[1], (i64)value);
  fetch_sub(&numbers[6], value / 3);
  u64 found = load_relaxed(&numbers[7]), before;
  while ((before = compare_swap64(&numbers[7], found, found + value * value)) != found) found = before;
  group_barrier();
  const u64 result = numbers[id % 8] ^ (u64)integers[id / 8 % 2];
  out[item * 2] = (u32)result;
  out[item * 2 + 1] = (u32)(result >> 32);
}

GROUP_KERNEL(shared_sums_of_exchanged_64_bits, 128, 1, 1, 256, 1, 1) {
  SHARED(u64, cell, 1);
  SHARED(u64, sum, 1);
  SHARED(u64, ticket, 1);
  const u32 id = local_x(), item = group_x() * 128 + id;
  if (id == 3) {
    cell[0] = 0x123456789abcUL;
    sum[0] = 0;
    ticket[0] = 0xffffffff;
  }
  group_barrier();
  const u64 found = exchange(cell, (u64)in[item] << 20);
  fetch_add(sum, found * 5);
  const u64 number = fetch_add(ticket, 1) - 0xffffffff;
  fetch_xor(sum, number * 0);
  out[16 + group_x() * 128 + (u32)number] = (u32)number + 1;
  group_barrier();
  if (id == 0) {
    const u64 all = sum[0] + cell[0] * 5;
    out[group_x() * 2] = (u32)all;
    out[group_x() * 2 + 1] = (u32)(all >> 32);
  }
}

GROUP_KERNEL(last_of_a_countdown, 256, 1, 1, 700, 1, 1) {
  /* The last work-item that arrives adds what all have stored. */
  SHARED(u32, values, 256);
  SHARED(u32, left, 1);
  const u32 id = local_x(), items = items_of(256, 700);
  if (id == 0) left[0] = items;
  group_barrier();
  values[id] = in[group_x() * 256 + id] * id;
  if (fetch_sub(left, 1) == 1) {
    u32 sum = 0;
    for (u32 k = 0; k < items; ++k) sum = sum * 3 + values[k];
    out[group_x()] = sum;
  }
}
