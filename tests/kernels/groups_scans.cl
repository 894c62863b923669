/* Prefix sums and what is built on them, over the work-items of a work-group. */
#define WAVE_THREADS
#include "kernels.h"

GROUP_KERNEL(inclusive_scan, 256, 1, 1, 900, 1, 1) {
  SHARED(u32, sums, 256);
  const u32 id = local_x(), item = group_x() * 256 + id;
  u32 sum = in[item];
  sums[id] = sum;
  group_barrier();
  for (u32 by = 1; by < 256; by *= 2) {
    const u32 before = id >= by ? sums[id - by] : 0;
    group_barrier();
    sum += before;
    sums[id] = sum;
    group_barrier();
  }
  out[item] = sum;
}

GROUP_KERNEL(scan_with_two_buffers, 320, 1, 1, 960, 1, 1) {
  SHARED(u32, buffers, 2 * 320);
  const u32 id = local_x(), item = group_x() * 320 + id;
  u32 from = 0;
  buffers[id] = in[item] | 1;
  group_barrier();
  for (u32 by = 1; by < 320; by *= 2) {
    buffers[320 - from + id] = id >= by ? buffers[from + id - by] * buffers[from + id] : buffers[from + id];
    from = 320 - from;
    group_barrier();
  }
  out[item] = buffers[from + id];
}

GROUP_KERNEL(exclusive_scan, 256, 1, 1, 512, 1, 1) {
  /* Up and down a tree of 512 leaves. */
  SHARED(u32, tree, 512);
  const u32 id = local_x(), first = group_x() * 512;
  tree[id] = in[first + id];
  tree[id + 256] = in[first + id + 256];
  u32 by = 1;
  for (u32 nodes = 256; nodes != 0; nodes /= 2) {
    group_barrier();
    if (id < nodes) tree[by * (2 * id + 2) - 1] += tree[by * (2 * id + 1) - 1];
    by *= 2;
  }
  group_barrier();
  if (id == 0) tree[511] = 0;
  for (u32 nodes = 1; nodes <= 256; nodes *= 2) {
    by /= 2;
    group_barrier();
    if (id < nodes) {
      const u32 left = by * (2 * id + 1) - 1, right = by * (2 * id + 2) - 1, sum = tree[left];
      tree[left] = tree[right];
      tree[right] += sum;
    }
  }
  group_barrier();
  out[first + id] = tree[id];
  out[first + id + 256] = tree[id + 256];
}

GROUP_KERNEL(segmented_scan, 192, 1, 1, 500, 1, 1) {
  SHARED(u32, sums, 192);
  SHARED(u8, heads, 192);
  const u32 id = local_x(), item = group_x() * 192 + id;
  u32 sum = in[item];
  u8 head = id == 0 || in[item + 600] % 5 == 0;
  sums[id] = sum;
  heads[id] = head;
  group_barrier();
  for (u32 by = 1; by < 192; by *= 2) {
    const u32 before = id >= by && !head ? sums[id - by] : 0;
    const u8 head_before = id >= by ? heads[id - by] : 1;
    group_barrier();
    sum += before;
    head |= head_before;
    sums[id] = sum;
    heads[id] = head;
    group_barrier();
  }
  out[item] = sum;
}

GROUP_KERNEL(scan_of_1024, 1024, 1, 1, 2500, 1, 1) {
  /* Of parts of 32 work-items, then of the sums of the parts. */
  SHARED(u32, values, 1024);
  SHARED(u32, parts, 32);
  const u32 id = local_x(), item = group_x() * 1024 + id, items = items_of(1024, 2500);
  values[id] = in[item];
  group_barrier();
  if (id % 32 == 0) {
    u32 sum = 0;
    for (u32 k = id; k < id + 32 && k < items; ++k) {
      sum += values[k];
      values[k] = sum;
    }
    parts[id / 32] = sum;
  }
  group_barrier();
  if (id < 32 && id < (items + 31) / 32) {
    u32 before = 0;
    for (u32 k = 0; k < id; ++k) before += parts[k];
    for (u32 k = id * 32; k < id * 32 + 32 && k < items; ++k) values[k] += before;
  }
  group_barrier();
  out[item] = values[id];
}

GROUP_KERNEL(running_maximum, 128, 1, 1, 400, 1, 1) {
  SHARED(i32, values, 128);
  const u32 id = local_x(), item = group_x() * 128 + id;
  i32 largest = (i32)(in[item] - 50 * id);
  for (u32 by = 1; by < 128; by *= 2) {
    values[id] = largest;
    group_barrier();
    if (id >= by && values[id - by] > largest) largest = values[id - by];
    group_barrier();
  }
  out[item] = (u32)largest;
}

GROUP_KERNEL(scan_of_functions, 256, 1, 1, 700, 1, 1) {
  /* The composition of x -> a x + b is associative but not commutative. */
  SHARED(u32, factors, 256);
  SHARED(u32, terms, 256);
  const u32 id = local_x(), item = group_x() * 256 + id;
  u32 a = in[item] | 1, b = in[item + 800];
  for (u32 by = 1; by < 256; by *= 2) {
    factors[id] = a;
    terms[id] = b;
    group_barrier();
    if (id >= by) {
      b += a * terms[id - by];
      a *= factors[id - by];
    }
    group_barrier();
  }
  out[item * 2] = a;
  out[item * 2 + 1] = b;
}

GROUP_KERNEL(scan_of_64_bits, 128, 1, 1, 512, 1, 1) {
  SHARED(u64, sums, 128);
  const u32 id = local_x(), item = group_x() * 128 + id;
  sums[id] = (u64)in[item] * in[item + 1];
  group_barrier();
  for (u32 by = 1; by < 128; by *= 2) {
    u64 sum = sums[id];
    if (id >= by) sum += sums[id - by];
    group_barrier();
    sums[id] = sum;
    group_barrier();
  }
  const u64 before = id == 0 ? 0 : sums[id - 1];
  out[item * 2] = (u32)before;
  out[item * 2 + 1] = (u32)(before >> 32);
}

GROUP_KERNEL(compaction_by_prefix_sums, 256, 1, 1, 1000, 1, 1) {
  SHARED(u16, places, 256);
  SHARED(u32, kept, 256);
  const u32 id = local_x(), item = group_x() * 256 + id, items = items_of(256, 1000), value = in[item];
  const u32 is_kept = value % 3 != 0;
  places[id] = (u16)is_kept;
  group_barrier();
  for (u32 by = 1; by < 256; by *= 2) {
    const u16 before = id >= by ? places[id - by] : 0;
    group_barrier();
    places[id] = (u16)(places[id] + before);
    group_barrier();
  }
  if (is_kept) kept[places[id] - 1] = value;
  group_barrier();
  const u32 count = places[items - 1];
  if (id < count) out[group_x() * 300 + 1 + id] = kept[id];
  if (id == 0) out[group_x() * 300] = count;
}

GROUP_KERNEL(stable_partition, 192, 1, 1, 768, 1, 1) {
  SHARED(u32, sums, 192);
  SHARED(u32, sorted, 192);
  const u32 id = local_x(), item = group_x() * 192 + id, value = in[item], is_odd = value & 1;
  sums[id] = is_odd;
  group_barrier();
  for (u32 by = 1; by < 192; by *= 2) {
    const u32 before = id >= by ? sums[id - by] : 0;
    group_barrier();
    sums[id] += before;
    group_barrier();
  }
  const u32 even = 192 - sums[191];
  sorted[is_odd ? even + sums[id] - 1 : id - sums[id]] = value;
  group_barrier();
  out[item] = sorted[id];
}

GROUP_KERNEL(run_lengths, 256, 1, 1, 600, 1, 1) {
  SHARED(u32, runs, 256);
  SHARED(u32, starts, 257);
  SHARED(u8, symbols, 256);
  const u32 id = local_x(), item = group_x() * 256 + id, items = items_of(256, 600);
  const u8 symbol = (u8)(in[item] >> 5 & 1);
  symbols[id] = symbol;
  group_barrier();
  const u32 is_start = id == 0 || symbols[id - 1] != symbol;
  runs[id] = is_start;
  group_barrier();
  for (u32 by = 1; by < 256; by *= 2) {
    const u32 before = id >= by ? runs[id - by] : 0;
    group_barrier();
    runs[id] += before;
    group_barrier();
  }
  if (is_start) starts[runs[id] - 1] = id;
  if (id == items - 1) starts[runs[id]] = items;
  group_barrier();
  if (id < runs[items - 1]) out[group_x() * 300 + id] = (u32)symbols[starts[id]] << 16 | (starts[id + 1] - starts[id]);
}

GROUP_KERNEL(carries_of_a_long_sum, 128, 1, 1, 384, 1, 1) {
  /* The sum of two numbers of 128 words: a word generates a carry, or propagates one. */
  SHARED(u8, generates, 128);
  SHARED(u8, propagates, 128);
  const u32 id = local_x(), item = group_x() * 128 + id;
  const u32 a = in[item], b = in[item + 500] % 3 == 0 ? ~a : in[item + 500], sum = a + b;
  u8 generate = sum < a, propagate = sum == ~0U;
  for (u32 by = 1; by < 128; by *= 2) {
    generates[id] = generate;
    propagates[id] = propagate;
    group_barrier();
    if (id >= by) {
      generate |= propagate & generates[id - by];
      propagate &= propagates[id - by];
    }
    group_barrier();
  }
  generates[id] = generate;
  group_barrier();
  out[item] = sum + (id == 0 ? 0 : generates[id - 1]);
}
