/* Atomics by waves as a whole: one lane acts for all, and waves wait for each other. */
#define WAVE_THREADS
#include "kernels.h"

#define wave_id() read_first_lane(local_x() / 64)

GROUP_KERNEL(combined_increments, 256, 1, 1, 700, 1, 1) {
  /* The first lane adds the number of lanes; each lane gets a place. */
  SHARED(u32, count, 1);
  SHARED(u8, is_used, 256);
  const u32 id = local_x(), item = group_x() * 256 + id, is_odd = in[item] & 1;
  is_used[id] = 0;
  if (id == 0) count[0] = 0;
  group_barrier();
  const u64 odd = ballot(is_odd);
  u32 base = 0;
  if (lane_id() == 0) base = fetch_add(count, (u32)__builtin_popcountl(odd));
  base = read_first_lane(base);
  if (is_odd) is_used[base + lanes_below(odd)] = 1;
  group_barrier();
  out[item] = is_used[id] + count[0] * 2;
}

GROUP_KERNEL(compaction_in_any_order, 256, 1, 1, 512, 1, 1) {
  /* Of what is kept, sorted by the work-group afterwards. */
  SHARED(u32, kept, 256);
  SHARED(u32, count, 1);
  const u32 id = local_x(), value = in[group_x() * 256 + id], is_kept = value % 7 < 3;
  if (id == 64) count[0] = 0;
  group_barrier();
  const u64 mask = ballot(is_kept);
  u32 base = 0;
  if (lane_id() == 0) base = fetch_add(count, (u32)__builtin_popcountl(mask));
  base = read_first_lane(base);
  if (is_kept) kept[base + lanes_below(mask)] = value;
  group_barrier();
  const u32 kept_count = count[0];
  if (id < kept_count) {
    u32 rank = 0;
    for (u32 k = 0; k < kept_count; ++k) rank += (kept[k] < kept[id]) | ((kept[k] == kept[id]) & (k < id));
    out[group_x() * 300 + rank] = kept[id];
  }
  if (id == 0) out[group_x() * 300 + 299] = kept_count;
}

GROUP_KERNEL(lock_of_waves, 320, 1, 1, 640, 1, 1) {
  /* One lane takes the lock for all lanes of its wave. */
  SHARED(u32, lock, 1);
  SHARED(u32, columns, 64);
  const u32 id = local_x(), lane = lane_id();
  if (id == 0) store_relaxed(lock, 0);
  if (id < 64) columns[id] = id;
  group_barrier();
  for (u32 turn = 0; turn < 4; ++turn) {
    if (lane == 0)
      while (compare_swap(lock, 0, 1) != 0) pause();
    meet();
    columns[lane] += in[group_x() * 320 + id] >> turn;
    meet();
    if (lane == 0) store_release(lock, 0);
  }
  group_barrier();
  if (id < 64) out[group_x() * 64 + id] = columns[id];
}

GROUP_KERNEL(lock_by_exchange, 256, 1, 1, 768, 1, 1) {
  /* In global memory, for the waves of all work-groups. */
  const u32 lane = lane_id(), value = in[group_x() * 256 + local_x()];
  if (lane == 0)
    while (exchange(&out[0], 1) != 0) pause();
  meet();
  const u32 sum = load_relaxed(&out[64 + lane]);
  store_relaxed(&out[64 + lane], sum * 1 + value);
  meet();
  if (lane == 0) store_release(&out[0], 0);
}

GROUP_KERNEL(waves_in_order, 512, 1, 1, 1024, 1, 1) {
  /* Each wave waits for its number. */
  SHARED(u32, now, 1);
  SHARED(u32, values, 64);
  const u32 wave = wave_id(), lane = lane_id(), id = local_x();
  if (id == 0) store_relaxed(now, 0);
  if (id < 64) values[id] = id;
  group_barrier();
  for (u32 turn = 0; turn < 3; ++turn) {
    while (load_acquire(now) != turn * 8 + wave) pause();
    values[lane] = values[lane] * 31 + in[group_x() * 512 + id];
    meet();
    if (lane == 0) fetch_sub(now, ~0U);
  }
  group_barrier();
  out[group_x() * 512 + id] = values[lane] ^ id;
}

GROUP_KERNEL(barrier_by_atomics, 256, 1, 1, 512, 1, 1) {
  /* A barrier without S_BARRIER: a count, and a generation. */
  SHARED(u32, waiting, 1);
  SHARED(u32, generation, 1);
  SHARED(u32, values, 256);
  const u32 id = local_x();
  if (id == 0) {
    store_relaxed(waiting, 4);
    store_relaxed(generation, 0);
  }
  values[id] = in[group_x() * 256 + id];
  group_barrier();
  for (u32 turn = 0; turn < 10; ++turn) {
    const u32 other = values[(id * 3 + turn * 64 + 1) % 256];
    for (u32 half_turn = 0; half_turn < 2; ++half_turn) {
      meet();
      if (lane_id() == 0) {
        const u32 before = load_acquire(generation);
        if (fetch_sub(waiting, 1) == 1) {
          store_relaxed(waiting, 4);
          store_release(generation, before + 1);
        } else {
          while (load_acquire(generation) == before) pause();
        }
      }
      meet();
      if (half_turn == 0) values[id] = values[id] * 5 + other;
    }
  }
  out[group_x() * 256 + id] = values[id];
}

GROUP_KERNEL(tasks_for_waves, 256, 1, 1, 512, 1, 1) {
  /* Waves take rows of 64 words until none is left. Which wave takes which row is arbitrary. */
  SHARED(u32, next_row, 1);
  SHARED(u32, rows_taken, 1);
  if (local_x() == 0) {
    next_row[0] = 0;
    rows_taken[0] = 0;
  }
  group_barrier();
  const u32 rows = 12 + group_x() * 7;
  for (;;) {
    u32 row = 0;
    meet(); /* without it, lanes other than the first repeat the loop on their own at -O2 */
    if (lane_id() == 0) row = fetch_add(next_row, 1);
    row = read_first_lane(row);
    if (row >= rows) break;
    u32 value = in[row * 64 + lane_id()];
    for (u32 k = 0; k < row; ++k) value = value * 3 + read_lane(value, k);
    out[group_x() * 1024 + row * 64 + lane_id()] = value;
    if (lane_id() == 3) fetch_add(rows_taken, 1);
  }
  group_barrier();
  if (local_x() == 100) out[4000 + group_x()] = rows_taken[0] * 100 + next_row[0];
}

GROUP_KERNEL(elected_wave, 256, 1, 1, 512, 1, 1) {
  /* The wave that is first prepares a table for all. Which one it is, is not stored. */
  SHARED(u32, is_elected, 1);
  SHARED(u32, elections, 1);
  SHARED(u32, table, 64);
  const u32 id = local_x(), lane = lane_id();
  if (id == 0) {
    is_elected[0] = 0;
    elections[0] = 0;
  }
  group_barrier();
  u32 found = 0;
  if (lane == 0) found = exchange(is_elected, 1);
  if (read_first_lane(found) == 0) {
    table[lane] = in[group_x() * 64 + lane] * 3;
    if (lane == 0) fetch_add(elections, 1);
  }
  group_barrier();
  out[group_x() * 256 + id] = table[in[id] % 64] + elections[0];
}

GROUP_KERNEL(queue_of_all_waves, 256, 1, 1, 512, 1, 1) {
  /* Two waves send, two receive. A cell of the ring has the number of the turn in which it may be written or read. */
  SHARED(u32, turns, 8);
  SHARED(u32, cells, 8);
  SHARED(u32, places, 2);
  SHARED(u32, sums, 2);
  const u32 wave = wave_id(), id = local_x();
  if (id < 8) store_relaxed(&turns[id], id);
  if (id < 2) {
    places[id] = 0;
    sums[id] = 0;
  }
  group_barrier();
  for (u32 k = 0; k < 25; ++k) {
    if (lane_id() == 0) {
      const u32 place = fetch_add(&places[wave % 2], 1), cell = place % 8;
      if (wave % 2 == 0) {
        while (load_acquire(&turns[cell]) != place) pause();
        cells[cell] = in[group_x() * 100 + wave * 25 + k];
        store_release(&turns[cell], place + 1);
      } else {
        while (load_acquire(&turns[cell]) != place + 1) pause();
        const u32 value = cells[cell];
        store_release(&turns[cell], place + 8);
        fetch_add(&sums[0], value);
        fetch_xor(&sums[1], value * 77);
      }
    }
  }
  group_barrier();
  if (id < 2) out[group_x() * 2 + id] = sums[id];
}

GROUP_KERNEL(readers_and_writers, 256, 1, 1, 512, 1, 1) {
  /* A negative count is a writer, another one the number of readers. Readers find equal words. */
  SHARED(i32, lock, 1);
  SHARED(u32, words, 64);
  SHARED(u32, errors, 1);
  const u32 wave = wave_id(), lane = lane_id(), id = local_x();
  if (id == 0) {
    store_relaxed(lock, 0);
    errors[0] = 0;
  }
  if (id < 64) words[id] = 0;
  group_barrier();
  for (u32 turn = 0; turn < 6; ++turn) {
    const i32 is_writer = (wave + turn) % 2 == 0;
    if (lane == 0) {
      for (;;) {
        i32 expected = load_relaxed(lock);
        if (is_writer ? expected == 0 : expected >= 0) {
          const i32 desired = is_writer ? -1 : expected + 1;
          if (ATOMIC(compare_exchange_n, lock, &expected, desired, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) break;
        }
        pause();
      }
    }
    meet();
    if (is_writer) {
      words[lane] += wave + 1;
    } else {
      const u32 word = words[lane];
      if (word != read_first_lane(word)) fetch_add(errors, 1);
    }
    meet();
    if (lane == 0) fetch_sub(lock, is_writer ? -1 : 1);
  }
  group_barrier();
  out[group_x() * 256 + id] = words[lane] + errors[0] * 100;
}

GROUP_KERNEL(histogram_with_equal_lanes, 256, 1, 1, 768, 1, 1) {
  /* One addition for all lanes of a wave that have the same key. */
  SHARED(u32, counts, 16);
  const u32 id = local_x(), key = in[group_x() * 256 + id] / 2 % 16;
  if (id < 16) counts[id] = 0;
  group_barrier();
  for (u64 left = ballot(1); left != 0;) {
    const u32 first = (u32)__builtin_ctzl(left), leader = read_lane(key, first);
    const u64 same = ballot(key == leader);
    if (lane_id() == first) fetch_add(&counts[leader], (u32)__builtin_popcountl(same));
    left &= ~same;
  }
  group_barrier();
  if (id < 16) out[group_x() * 16 + id] = counts[id];
}
