/* Reductions over the work-items of a work-group, through shared memory and barriers. */
#define WAVE_THREADS
#include "kernels.h"

GROUP_KERNEL(tree_reduction, 256, 1, 1, 700, 1, 1) {
  SHARED(u32, sums, 256);
  const u32 id = local_x(), item = group_x() * 256 + id, items = items_of(256, 700);
  sums[id] = in[item] * n;
  group_barrier();
  for (u32 middle = 128; middle != 0; middle /= 2) {
    if (id < middle && id + middle < items) sums[id] += sums[id + middle];
    group_barrier();
  }
  out[item] = sums[0] ^ id;
}

GROUP_KERNEL(reduction_with_early_exit, 256, 1, 1, 768, 1, 1) {
  SHARED(u32, values, 256);
  const u32 id = local_x();
  values[id] = in[group_x() * 256 + id];
  group_barrier();
  /* Work-items that are not needed any more end; of the waves only one reaches the last barriers. */
  for (u32 middle = 128; middle != 0; middle /= 2) {
    if (id >= middle) return;
    values[id] = values[id] * 31 + values[id + middle];
    group_barrier();
  }
  out[group_x()] = values[0];
}

GROUP_KERNEL(reduction_in_two_levels, 512, 1, 1, 1200, 1, 1) {
  SHARED(u32, values, 512);
  SHARED(u32, of_waves, 8);
  const u32 id = local_x(), item = group_x() * 512 + id, items = items_of(512, 1200);
  values[id] = in[item];
  group_barrier();
  if (id % 64 == 0) {
    u32 largest = 0;
    for (u32 k = id; k < id + 64 && k < items; ++k) largest = values[k] > largest ? values[k] : largest;
    of_waves[id / 64] = largest;
  }
  group_barrier();
  u32 largest = 0;
  for (u32 wave = 0; wave < (items + 63) / 64; ++wave) largest = of_waves[wave] > largest ? of_waves[wave] : largest;
  out[item] = largest - values[id];
}

GROUP_KERNEL(index_of_the_least, 192, 1, 1, 576, 1, 1) {
  SHARED(u32, values, 192);
  SHARED(u32, places, 192);
  const u32 id = local_x();
  values[id] = in[group_x() * 192 + id] % 1000;
  places[id] = id;
  group_barrier();
  for (u32 count = 192; count > 1;) {
    const u32 rest = (count + 1) / 2;
    if (id + rest < count) {
      const u32 other = id + rest;
      if (values[other] < values[id] || (values[other] == values[id] && places[other] < places[id])) {
        values[id] = values[other];
        places[id] = places[other];
      }
    }
    count = rest;
    group_barrier();
  }
  if (id == 0) {
    out[group_x() * 2] = values[0];
    out[group_x() * 2 + 1] = places[0];
  }
}

GROUP_KERNEL(sums_of_64_bits, 128, 1, 1, 450, 1, 1) {
  SHARED(u64, sums, 128);
  const u32 id = local_x(), item = group_x() * 128 + id, items = items_of(128, 450);
  sums[id] = ((u64)in[item] << 32 | in[item + 1000]) * (item + 1);
  for (u32 by = 1; by < 128; by *= 2) {
    group_barrier();
    if (id % (2 * by) == 0 && id + by < items) sums[id] += sums[id + by];
  }
  group_barrier();
  out[item * 2] = (u32)sums[0];
  out[item * 2 + 1] = (u32)(sums[0] >> 32);
}

GROUP_KERNEL(reduction_of_1024, 1024, 1, 1, 2048, 1, 1) {
  SHARED(u32, values, 1024);
  const u32 id = local_x();
  values[id] = in[group_x() * 1024 + id] | 1;
  group_barrier();
  for (u32 middle = 512; middle != 0; middle /= 2) {
    if (id < middle) values[id] *= values[id + middle];
    group_barrier();
  }
  if (id < 4) out[group_x() * 4 + id] = values[0] + id;
}

GROUP_KERNEL(dot_products, 128, 1, 1, 384, 1, 1) {
  /* The number of terms depends on the work-group. */
  SHARED(u32, sums, 128);
  const u32 id = local_x(), count = 100 + in[group_x()] % 500;
  u32 sum = 0;
  for (u32 k = id; k < count; k += 128) sum += in[k] * in[k + 700 * group_x()];
  sums[id] = sum;
  group_barrier();
  for (u32 middle = 64; middle != 0; middle /= 2) {
    if (id < middle) sums[id] += sums[id + middle];
    group_barrier();
  }
  if (id == 0) out[group_x()] = sums[0];
  out[16 + group_x() * 128 + id] = sum;
}

GROUP_KERNEL(bitwise_reductions, 320, 1, 1, 960, 1, 1) {
  SHARED(u32, ands, 320);
  SHARED(u32, ors, 320);
  SHARED(u32, xors, 320);
  const u32 id = local_x();
  const u32 value = in[group_x() * 320 + id];
  ands[id] = value | 0xfffffU << id % 13;
  ors[id] = value & value >> 7 & 0x11111111;
  xors[id] = value;
  group_barrier();
  for (u32 count = 320; count > 5; count /= 2) {
    const u32 middle = count / 2;
    if (id < middle) {
      ands[id] &= ands[id + middle];
      ors[id] |= ors[id + middle];
      xors[id] ^= xors[id + middle];
    }
    group_barrier();
  }
  if (id < 5) {
    out[group_x() * 16 + id] = ands[id];
    out[group_x() * 16 + 5 + id] = ors[id];
    out[group_x() * 16 + 10 + id] = xors[id];
  }
}

GROUP_KERNEL(reduction_of_blocks, 8, 8, 4, 20, 13, 9) {
  /* Work-groups at the ends have fewer work-items in each dimension. */
  SHARED(u32, sums, 256);
  const u32 width = 20 - group_x() * 8 < 8 ? 20 - group_x() * 8 : 8;
  const u32 height = 13 - group_y() * 8 < 8 ? 13 - group_y() * 8 : 8;
  const u32 depth = 9 - group_z() * 4 < 4 ? 9 - group_z() * 4 : 4;
  const u32 id = local_x() + width * (local_y() + height * local_z()), items = width * height * depth;
  const u32 x = group_x() * 8 + local_x(), y = group_y() * 8 + local_y(), z = group_z() * 4 + local_z();
  sums[id] = in[x + 20 * (y + 13 * z)];
  group_barrier();
  for (u32 count = items; count > 1;) {
    const u32 rest = (count + 1) / 2;
    if (id + rest < count) sums[id] += sums[id + rest] * 3;
    count = rest;
    group_barrier();
  }
  out[x + 20 * (y + 13 * z)] = sums[0];
}

GROUP_KERNEL(sums_of_rows, 32, 8, 1, 32, 24, 1) {
  SHARED(u32, rows, 8 * 33);
  const u32 x = local_x(), y = local_y(), row = group_y() * 8 + y;
  u32 sum = 0;
  for (u32 k = x; k < 150; k += 32) sum += in[row * 150 + k];
  rows[y * 33 + x] = sum;
  group_barrier();
  for (u32 middle = 16; middle != 0; middle /= 2) {
    if (x < middle) rows[y * 33 + x] += rows[y * 33 + x + middle];
    group_barrier();
  }
  if (x == 0) out[row] = rows[y * 33];
  /* And of columns of partial sums, which have only 8 elements. */
  u32 column = 0;
  for (u32 k = 1; k < 8; ++k) column = column * 5 + rows[k * 33 + 16 + x / 2];
  out[100 + group_y() * 256 + y * 32 + x] = column;
}

GROUP_KERNEL(until_all_have_ended, 128, 1, 1, 300, 1, 1) {
  /* Turns until the Collatz sequences of all work-items have ended: as many for each work-item. */
  SHARED(u32, running, 128);
  const u32 id = local_x(), item = group_x() * 128 + id, items = items_of(128, 300);
  u32 value = in[item] % 50 + 1, own_turns = 0, turns = 0;
  for (;;) {
    running[id] = value != 1;
    group_barrier();
    for (u32 middle = 64; middle != 0; middle /= 2) {
      if (id < middle && id + middle < items) running[id] |= running[id + middle];
      group_barrier();
    }
    const u32 is_any_running = running[0];
    group_barrier();
    if (!is_any_running) break;
    ++turns;
    if (value != 1) {
      value = value & 1 ? 3 * value + 1 : value / 2;
      ++own_turns;
    }
  }
  out[item] = turns << 16 | own_turns;
}

GROUP_KERNEL(moments, 256, 1, 1, 1024, 1, 1) {
  SHARED(u64, first, 256);
  SHARED(u64, second, 256);
  SHARED(u32, mean, 1);
  const u32 id = local_x(), value = in[group_x() * 256 + id] % 10000;
  first[id] = value;
  group_barrier();
  for (u32 middle = 128; middle != 0; middle /= 2) {
    if (id < middle) first[id] += first[id + middle];
    group_barrier();
  }
  if (id == 77) mean[0] = (u32)(first[0] / 256);
  group_barrier();
  const i32 difference = (i32)value - (i32)mean[0];
  second[id] = (u64)((i64)difference * difference);
  group_barrier();
  for (u32 middle = 128; middle != 0; middle /= 2) {
    if (id < middle) second[id] += second[id + middle];
    group_barrier();
  }
  out[group_x() * 256 + id] = (u32)second[0] + (u32)difference;
}
