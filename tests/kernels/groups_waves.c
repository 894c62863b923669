/* Waves of a work-group with operations on their lanes: they combine results, have different tasks, and wait for each
 * other. */
#define WAVE_THREADS
#include "kernels.h"

#define wave_id() read_first_lane(local_x() / 64)

GROUP_KERNEL(scan_over_waves, 256, 1, 1, 900, 1, 1) {
  SHARED(u32, sums, 4);
  const u32 wave = wave_id(), item = group_x() * 256 + local_x(), value = in[item];
  const u32 lanes = (u32)__builtin_popcountl(ballot(1));
  u32 before = 0, sum = 0;
  for (u32 lane = 0; lane < lanes; ++lane) {
    const u32 other = read_lane(value, lane);
    if (lane < lane_id()) before += other;
    sum += other;
  }
  if (lane_id() == 0) sums[wave] = sum;
  group_barrier();
  for (u32 k = 0; k < wave; ++k) before += sums[k];
  out[item] = before;
}

GROUP_KERNEL(compaction_over_waves, 512, 1, 1, 1100, 1, 1) {
  SHARED(u32, counts, 8);
  const u32 wave = wave_id(), item = group_x() * 512 + local_x(), value = in[item], items = items_of(512, 1100);
  const u64 kept = ballot(value % 5 < 2);
  if (lane_id() == 0) counts[wave] = (u32)__builtin_popcountl(kept);
  group_barrier();
  u32 place = lanes_below(kept), count = 0;
  for (u32 k = 0; k < (items + 63) / 64; ++k) {
    if (k < wave) place += counts[k];
    count += counts[k];
  }
  if (value % 5 < 2) out[group_x() * 600 + place] = value;
  if (local_x() == 1) out[group_x() * 600 + 599] = count;
}

GROUP_KERNEL(histogram_of_waves, 256, 1, 1, 768, 1, 1) {
  /* One ballot for each key, and a histogram for each wave. */
  SHARED(u16, counts, 4 * 32);
  const u32 wave = wave_id(), key = in[group_x() * 256 + local_x()] >> 3 & 31;
  for (u32 k = 0; k < 32; ++k) {
    const u64 same = ballot(key == k);
    if (lane_id() == k) counts[wave * 32 + k] = (u16)__builtin_popcountl(same);
  }
  group_barrier();
  if (local_x() < 32) {
    u32 sum = 0;
    for (u32 k = 0; k < 4; ++k) sum = sum * 100 + counts[k * 32 + local_x()];
    out[group_x() * 32 + local_x()] = sum;
  }
}

GROUP_KERNEL(election_in_each_wave, 320, 1, 1, 960, 1, 1) {
  /* The first lane with the largest value of its wave, then of the work-group. */
  SHARED(u32, largest, 5);
  SHARED(u32, owners, 5);
  const u32 wave = wave_id(), value = in[group_x() * 320 + local_x()];
  u64 candidates = ballot(1);
  for (u32 bit = 32; bit-- != 0;) {
    const u64 set = ballot(value >> bit & 1) & candidates;
    if (set != 0) candidates = set;
  }
  if (lane_id() == (u32)__builtin_ctzl(candidates)) {
    largest[wave] = value;
    owners[wave] = local_x();
  }
  group_barrier();
  u32 best = 0;
  for (u32 k = 1; k < 5; ++k)
    if (largest[k] > largest[best]) best = k;
  if (local_x() == owners[best]) out[group_x()] = value;
  out[16 + group_x() * 320 + local_x()] = owners[best] << 16 | owners[wave];
}

GROUP_KERNEL(checksums_of_waves, 192, 1, 1, 576, 1, 1) {
  /* Each lane has the checksum of some bytes, each wave of its lanes, the work-group of its waves. */
  SHARED(u32, checksums, 3);
  const u32 wave = wave_id();
  u32 crc = ~0U;
  for (u32 k = 0; k < 5; ++k) {
    crc ^= in[group_x() * 960 + local_x() * 5 + k] & 255;
    for (u32 bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
  }
  u32 of_wave = 0;
  for (u32 lane = 0; lane < 64; ++lane) of_wave = (of_wave << 5 | of_wave >> 27) ^ read_lane(crc, lane);
  if (lane_id() == 63) checksums[wave] = of_wave;
  group_barrier();
  u32 all = 0;
  for (u32 k = 0; k < 3; ++k) all = all * 33 + checksums[k];
  out[group_x() * 192 + local_x()] = all ^ of_wave ^ crc;
}

GROUP_KERNEL(waves_that_leave, 512, 1, 1, 1024, 1, 1) {
  /* Whole waves end before a barrier: those that have no large value. */
  SHARED(u32, sums, 8);
  const u32 wave = wave_id(), value = in[group_x() * 512 + local_x()];
  if (lane_id() == 0) sums[wave] = 0;
  group_barrier();
  const u64 large = ballot(value % 64 == 0);
  if (__builtin_popcountl(large) < 5) {
    out[group_x() * 512 + local_x()] = 1;
    return;
  }
  if (lane_id() == 0) sums[wave] = (u32)__builtin_popcountl(large);
  group_barrier();
  u32 sum = 0;
  for (u32 k = 0; k < 8; ++k) sum = sum * 16 + sums[k];
  out[group_x() * 512 + local_x()] = sum;
}

GROUP_KERNEL(tasks_of_waves, 256, 1, 1, 512, 1, 1) {
  /* Each wave has a task of its own, with barriers of its own. */
  SHARED(u32, values, 256);
  SHARED(u32, results, 4);
  const u32 wave = wave_id(), lane = lane_id();
  values[local_x()] = in[group_x() * 256 + local_x()];
  group_barrier();
  if (wave == 0) {
    u32 sum = 0;
    for (u32 k = 0; k < 256; k += 64) sum += values[k + lane];
    for (u32 bit = 0; bit < 32; ++bit) sum += (u32)ballot(sum >> bit & 1);
    group_barrier();
    if (lane == 0) results[0] = read_first_lane(sum);
  } else if (wave == 1) {
    group_barrier();
    u32 count = 0;
    for (u32 k = 0; k < 256; k += 64) count += (u32)__builtin_popcountl(ballot(values[k + lane] & 1));
    if (lane == 0) results[1] = count;
  } else {
    const u32 other = read_lane(values[local_x()], wave * 3);
    group_barrier();
    if (lane == wave) results[wave] = other;
  }
  group_barrier();
  out[group_x() * 256 + local_x()] = results[lane % 4] + values[255 - local_x()];
}

GROUP_KERNEL(flags_between_waves, 256, 1, 1, 512, 1, 1) {
  /* Each wave waits for the flag of the one before. */
  SHARED(u32, flags, 4);
  SHARED(u32, values, 256);
  const u32 wave = wave_id(), lane = lane_id(), item = group_x() * 256 + local_x();
  if (lane == 0) store_relaxed(&flags[wave], 0);
  group_barrier();
  u32 value = in[item];
  if (wave != 0) {
    while (load_acquire(&flags[wave - 1]) == 0) pause();
    value = value * 3 + values[local_x() - 64];
  }
  values[local_x()] = value;
  meet();
  if (lane == 0) store_release(&flags[wave], 1);
  out[item] = value;
}

GROUP_KERNEL(flags_in_global_memory, 192, 1, 1, 576, 1, 1) {
  /* As flags_between_waves, from the last wave to the first, with flags in `out`. */
  const u32 wave = wave_id(), lane = lane_id(), first = group_x() * 256;
  u32 value = in[group_x() * 192 + local_x()];
  if (wave != 2) {
    while (load_acquire(&out[first + 200 + wave + 1]) != group_x() + 1) pause();
    value = value * 5 - out[first + local_x() + 64];
  }
  out[first + local_x()] = value;
  meet();
  if (lane == 0) store_release(&out[first + 200 + wave], group_x() + 1);
}

GROUP_KERNEL(queue_of_one_producer, 128, 1, 1, 256, 1, 1) {
  /* The first wave sends rows of 64 words through a ring of four, the second receives them. */
  SHARED(u32, ring, 4 * 64);
  SHARED(u32, sent, 1);
  SHARED(u32, received, 1);
  const u32 wave = wave_id(), lane = lane_id(), rows = 10 + in[group_x()] % 10;
  if (local_x() == 0) {
    store_relaxed(sent, 0);
    store_relaxed(received, 0);
  }
  group_barrier();
  u32 sum = 0;
  for (u32 row = 0; row < rows; ++row) {
    if (wave == 0) {
      while (row - load_acquire(received) >= 4) pause();
      const u32 value = in[row * 64 + lane] + sum;
      ring[row % 4 * 64 + lane] = value;
      sum ^= value;
      meet();
      if (lane == 0) store_release(sent, row + 1);
    } else {
      while (load_acquire(sent) <= row) pause();
      sum = sum * 7 + ring[row % 4 * 64 + 63 - lane];
      meet();
      if (lane == 0) store_release(received, row + 1);
    }
  }
  out[group_x() * 128 + local_x()] = sum;
}

GROUP_KERNEL(barrier_of_flags, 256, 1, 1, 512, 1, 1) {
  /* A barrier without S_BARRIER: each wave stores its turn, and waits for those of the others. */
  SHARED(u32, turns, 4);
  SHARED(u32, values, 2 * 256);
  const u32 wave = wave_id(), lane = lane_id(), id = local_x();
  if (lane == 0) store_relaxed(&turns[wave], 0);
  u32 value = in[group_x() * 256 + id];
  group_barrier();
  for (u32 turn = 1; turn <= 6; ++turn) {
    values[turn % 2 * 256 + id] = value;
    meet();
    if (lane == 0) store_release(&turns[wave], turn);
    for (u32 k = 0; k < 4; ++k)
      while (load_acquire(&turns[k]) < turn) pause();
    value = value * 9 + values[turn % 2 * 256 + (id * 5 + 64 * turn) % 256];
  }
  out[group_x() * 256 + id] = value;
}

GROUP_KERNEL(rounds_until_agreement, 256, 1, 1, 512, 1, 1) {
  /* Waves repeat until a ballot of each is empty: a loop with barriers whose trip count depends on data. */
  SHARED(u64, masks, 4);
  const u32 wave = wave_id(), id = local_x();
  u32 value = in[group_x() * 256 + id] & 0xffff, turns = 0;
  for (;;) {
    const u64 mask = ballot(value > 1);
    if (lane_id() == 5) masks[wave] = mask;
    group_barrier();
    const u64 left = masks[0] | masks[1] | masks[2] | masks[3];
    group_barrier();
    if (left == 0) break;
    if (left >> (63 - lane_id()) & 1) value = value / 2;
    ++turns;
    if (turns > 100) value = 0;
  }
  out[group_x() * 256 + id] = turns << 20 | value;
}
