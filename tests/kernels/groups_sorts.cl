/* Sorts of the values of a work-group in shared memory. */
#define WAVE_THREADS
#include "kernels.h"

GROUP_KERNEL(bitonic_sort, 256, 1, 1, 768, 1, 1) {
  SHARED(u32, keys, 256);
  const u32 id = local_x(), item = group_x() * 256 + id;
  keys[id] = in[item];
  group_barrier();
  for (u32 size = 2; size <= 256; size *= 2)
    for (u32 by = size / 2; by != 0; by /= 2) {
      const u32 other = id ^ by;
      if (other > id) {
        const u32 a = keys[id], b = keys[other];
        if ((a > b) == ((id & size) == 0)) {
          keys[id] = b;
          keys[other] = a;
        }
      }
      group_barrier();
    }
  out[item] = keys[id];
}

GROUP_KERNEL(bitonic_sort_of_1024, 512, 1, 1, 1024, 1, 1) {
  /* Two keys for each work-item. */
  SHARED(i32, keys, 1024);
  const u32 id = local_x(), first = group_x() * 1024;
  keys[id] = (i32)in[first + id];
  keys[id + 512] = (i32)in[first + id + 512];
  group_barrier();
  for (u32 size = 2; size <= 1024; size *= 2)
    for (u32 by = size / 2; by != 0; by /= 2) {
      const u32 low = 2 * id - (id & (by - 1)), high = low + by;
      const i32 a = keys[low], b = keys[high];
      if (low & size ? a < b : a > b) {
        keys[low] = b;
        keys[high] = a;
      }
      group_barrier();
    }
  out[first + id] = (u32)keys[id];
  out[first + id + 512] = (u32)keys[id + 512];
}

GROUP_KERNEL(pairs_by_bitonic_sort, 128, 1, 1, 256, 1, 1) {
  SHARED(u64, pairs, 128);
  const u32 id = local_x(), item = group_x() * 128 + id;
  pairs[id] = (u64)(in[item] % 50) << 32 | id;
  for (u32 size = 2; size <= 128; size *= 2)
    for (u32 by = size / 2; by != 0; by /= 2) {
      group_barrier();
      const u32 other = id ^ by;
      const u64 mine = pairs[id], others = pairs[other];
      group_barrier();
      const int keeps_smaller = (other > id) == ((id & size) == 0);
      pairs[id] = keeps_smaller == (others < mine) ? others : mine;
    }
  out[item * 2] = (u32)(pairs[id] >> 32);
  out[item * 2 + 1] = (u32)pairs[id];
}

GROUP_KERNEL(odd_even_sort, 128, 1, 1, 320, 1, 1) {
  SHARED(u32, keys, 128);
  const u32 id = local_x(), item = group_x() * 128 + id, items = items_of(128, 320);
  keys[id] = in[item];
  group_barrier();
  for (u32 turn = 0; turn < items; ++turn) {
    if (id % 2 == turn % 2 && id + 1 < items && keys[id] > keys[id + 1]) {
      const u32 larger = keys[id];
      keys[id] = keys[id + 1];
      keys[id + 1] = larger;
    }
    group_barrier();
  }
  out[item] = keys[id];
}

GROUP_KERNEL(odd_even_merge_sort, 256, 1, 1, 512, 1, 1) {
  SHARED(u16, keys, 256);
  const u32 id = local_x(), item = group_x() * 256 + id;
  keys[id] = (u16)in[item];
  group_barrier();
  for (u32 p = 1; p < 256; p *= 2)
    for (u32 k = p; k != 0; k /= 2) {
      const u32 start = k % p, other = id + k;
      if (id >= start && (id - start) / k % 2 == 0 && other < 256 && id / (2 * p) == other / (2 * p)) {
        const u16 a = keys[id], b = keys[other];
        if (a > b) {
          keys[id] = b;
          keys[other] = a;
        }
      }
      group_barrier();
    }
  out[item] = keys[id];
}

GROUP_KERNEL(radix_sort, 192, 1, 1, 500, 1, 1) {
  /* A bit in each pass. */
  SHARED(u32, keys, 192);
  SHARED(u32, ones, 192);
  const u32 id = local_x(), item = group_x() * 192 + id, items = items_of(192, 500);
  u32 key = in[item] & 0xfff;
  for (u32 bit = 0; bit < 12; ++bit) {
    const u32 is_one = key >> bit & 1;
    u32 sum = is_one;
    for (u32 by = 1; by < 192; by *= 2) {
      ones[id] = sum;
      group_barrier();
      if (id >= by) sum += ones[id - by];
      group_barrier();
    }
    ones[id] = sum;
    group_barrier();
    const u32 zeros = items - ones[items - 1];
    keys[is_one ? zeros + sum - 1 : id - sum] = key;
    group_barrier();
    key = keys[id];
    group_barrier();
  }
  out[item] = key;
}

GROUP_KERNEL(radix_pass, 128, 1, 1, 512, 1, 1) {
  /* By four bits, with a count for each work-item and digit. */
  SHARED(u8, counts, 16 * 128);
  SHARED(u32, bases, 17);
  const u32 id = local_x(), item = group_x() * 128 + id, digit = in[item] >> 3 & 15;
  for (u32 k = 0; k < 16; ++k) counts[k * 128 + id] = k == digit;
  group_barrier();
  for (u32 by = 1; by < 128; by *= 2) {
    u32 sums[16];
    for (u32 k = 0; k < 16; ++k) sums[k] = counts[k * 128 + id] + (u32)(id >= by ? counts[k * 128 + id - by] : 0);
    group_barrier();
    for (u32 k = 0; k < 16; ++k) counts[k * 128 + id] = (u8)sums[k];
    group_barrier();
  }
  if (id <= 16) {
    u32 base = 0;
    for (u32 k = 0; k < id; ++k) base += counts[k * 128 + 127];
    bases[id] = base;
  }
  group_barrier();
  out[group_x() * 128 + bases[digit] + counts[digit * 128 + id] - 1] = in[item];
}

GROUP_KERNEL(sort_by_ranks, 256, 1, 1, 900, 1, 1) {
  SHARED(u32, keys, 256);
  const u32 id = local_x(), first = group_x() * 256, items = items_of(256, 900);
  const u32 key = in[first + id];
  keys[id] = key;
  group_barrier();
  u32 rank = 0;
  for (u32 k = 0; k < items; ++k) rank += (keys[k] < key) | ((keys[k] == key) & (k < id));
  out[first + rank] = key;
}

GROUP_KERNEL(merge_sort, 256, 1, 1, 768, 1, 1) {
  /* The place of each key in the merged run is the sum of its places in both. */
  SHARED(u32, buffers, 2 * 256);
  const u32 id = local_x(), item = group_x() * 256 + id;
  u32 from = 0;
  buffers[id] = in[item];
  group_barrier();
  for (u32 run = 1; run < 256; run *= 2) {
    const u32 key = buffers[from + id], is_right = (id & run) != 0, other = (id ^ run) & ~(run - 1);
    u32 low = 0;
    for (u32 step = run; step != 0; step /= 2) {
      const u32 middle = low + step;
      if (middle > run) continue;
      const u32 there = buffers[from + other + middle - 1];
      if (is_right ? there <= key : there < key) low = middle;
    }
    buffers[256 - from + (id & ~(2 * run - 1)) + (id & (run - 1)) + low] = key;
    from = 256 - from;
    group_barrier();
  }
  out[item] = buffers[from + id];
}

GROUP_KERNEL(counting_sort, 128, 1, 1, 512, 1, 1) {
  /* A histogram for each of eight parts, with 32 keys. */
  SHARED(u32, histograms, 8 * 32);
  SHARED(u8, keys, 512);
  const u32 id = local_x(), part = id / 16;
  for (u32 k = id; k < 512; k += 128) keys[k] = (u8)(in[group_x() * 512 + k] % 32);
  for (u32 k = id; k < 256; k += 128) histograms[k] = 0;
  group_barrier();
  if (id % 16 == 0)
    for (u32 k = part * 64; k < part * 64 + 64; ++k) ++histograms[part * 32 + keys[k]];
  group_barrier();
  if (id == 127) {
    u32 sum = 0;
    for (u32 key = 0; key < 32; ++key)
      for (u32 k = 0; k < 8; ++k) {
        const u32 count = histograms[k * 32 + key];
        histograms[k * 32 + key] = sum;
        sum += count;
      }
  }
  group_barrier();
  if (id % 16 == 3)
    for (u32 k = part * 64; k < part * 64 + 64; ++k)
      out[group_x() * 512 + histograms[part * 32 + keys[k]]++] = (u32)keys[k] << 16 | k;
}

GROUP_KERNEL(selection_by_bits, 256, 1, 1, 700, 1, 1) {
  /* The key of a rank: its bits from the highest, each by the number of keys that have it clear. */
  SHARED(u32, counts, 256);
  const u32 id = local_x(), item = group_x() * 256 + id, items = items_of(256, 700), key = in[item];
  u32 rank = items / 3, prefix = 0;
  for (u32 bit = 32; bit-- != 0;) {
    const u32 above = bit == 31 ? 0 : ~0U << (bit + 1);
    counts[id] = (key & above) == prefix && !(key >> bit & 1);
    group_barrier();
    for (u32 middle = 128; middle != 0; middle /= 2) {
      if (id < middle && id + middle < items) counts[id] += counts[id + middle];
      group_barrier();
    }
    const u32 count = counts[0];
    group_barrier();
    if (rank >= count) {
      rank -= count;
      prefix |= 1U << bit;
    }
  }
  out[item] = key - prefix;
}

GROUP_KERNEL(comb_sort, 192, 1, 1, 576, 1, 1) {
  /* Until no work-item has exchanged keys: as many turns for each. */
  SHARED(u32, keys, 192);
  SHARED(u8, has_changed, 192);
  const u32 id = local_x(), item = group_x() * 192 + id;
  keys[id] = in[item];
  u32 gap = 192, turns = 0;
  for (;;) {
    gap = gap * 10 / 13;
    if (gap == 0) gap = 1;
    u8 changed = 0;
    for (u32 phase = 0; phase < 2; ++phase) {
      group_barrier();
      if (id / gap % 2 == phase && id + gap < 192 && keys[id] > keys[id + gap]) {
        const u32 larger = keys[id];
        keys[id] = keys[id + gap];
        keys[id + gap] = larger;
        changed = 1;
      }
    }
    has_changed[id] = changed;
    ++turns;
    group_barrier();
    u32 is_any_changed = gap > 1;
    for (u32 k = 0; k < 192; ++k) is_any_changed |= has_changed[k];
    group_barrier();
    if (!is_any_changed) break;
  }
  out[item] = keys[id];
  if (id == 0) out[1000 + group_x()] = turns;
}
