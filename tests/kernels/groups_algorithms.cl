/* Algorithms whose steps a barrier separates. */
#define WAVE_THREADS
#include "kernels.h"

enum { modulus = 12289 }; /* 3 * 4096 + 1 */

GROUP_KERNEL(levels_of_a_search, 128, 1, 1, 384, 1, 1) {
  /* Breadth first, in a graph of 128 nodes, of which each has three edges. It ends when a level is empty. */
  SHARED(u8, levels, 128);
  SHARED(u32, is_found, 128);
  const u32 id = local_x(), first = group_x() * 128;
  levels[id] = id == 5 ? 0 : 255;
  group_barrier();
  for (u32 level = 1;; ++level) {
    u32 found = 0;
    if (levels[id] == 255)
      for (u32 k = 0; k < 3; ++k) found |= levels[in[(first + id) * 3 + k] % 128] == level - 1;
    is_found[id] = found;
    group_barrier();
    if (found) levels[id] = (u8)level;
    u32 is_any_found = 0;
    for (u32 k = 0; k < 128; ++k) is_any_found |= is_found[k];
    group_barrier();
    if (!is_any_found) break;
  }
  out[first + id] = levels[id];
}

GROUP_KERNEL(string_matching, 256, 1, 1, 1000, 1, 1) {
  /* Of patterns with a wildcard in a text of four letters; the first match, and the number of matches. */
  SHARED(u8, text, 256 + 8);
  SHARED(u16, matches, 256);
  const u32 id = local_x(), first = group_x() * 256, items = items_of(256, 1000), length = 2 + group_x();
  for (u32 k = id; k < items + 8; k += items) text[k] = (u8)('a' + (in[first + k] >> 4) % 3);
  group_barrier();
  u32 is_match = 1;
  for (u32 k = 0; k < length; ++k) {
    const u8 letter = k == 1 ? '?' : (u8)('a' + k * 2 % 3);
    is_match &= letter == '?' || text[id + k] == letter;
  }
  matches[id] = is_match;
  group_barrier();
  if (id == items / 2) {
    u32 count = 0, earliest = 0xffff;
    for (u32 k = items; k-- != 0;) {
      count += matches[k];
      if (matches[k]) earliest = k;
    }
    out[1100 + group_x()] = count << 16 | earliest;
  }
  out[first + id] = is_match;
}

GROUP_KERNEL(edit_distance, 128, 1, 1, 256, 1, 1) {
  /* Along the antidiagonals of the table: each work-item has a column. */
  SHARED(u16, diagonals, 3 * 129);
  SHARED(u8, a, 128);
  SHARED(u8, b, 128);
  const u32 id = local_x(), first = group_x() * 128, rows = 90, columns = 128;
  a[id] = (u8)(in[first + id] >> 9 & 3);
  b[id] = (u8)(in[first + id + 500] >> 11 & 3);
  group_barrier();
  /* Cell (row, id + 1) is on diagonal row + id + 1. */
  u32 result = 0;
  for (u32 diagonal = 1; diagonal <= rows + columns; ++diagonal) {
    const u32 now = diagonal % 3 * 129, before = (diagonal + 2) % 3 * 129, earlier = (diagonal + 1) % 3 * 129;
    if (id == 0) diagonals[before] = (u16)(diagonal - 1);
    group_barrier();
    const u32 column = id + 1, row = diagonal - column;
    if (diagonal >= column && row <= rows) {
      u32 best = diagonal;
      if (row != 0) {
        best = diagonals[earlier + column - 1] + (a[column - 1] != b[row - 1]);
        if (diagonals[before + column - 1] + 1U < best) best = diagonals[before + column - 1] + 1U;
        if (diagonals[before + column] + 1U < best) best = diagonals[before + column] + 1U;
      }
      diagonals[now + column] = (u16)best;
      if (row == rows) result = best;
    }
    group_barrier();
  }
  out[first + id] = result;
}

GROUP_KERNEL(list_ranking, 256, 1, 1, 512, 1, 1) {
  /* The distance of each node to the end of its list, by doubling. */
  SHARED(u16, nexts, 256);
  SHARED(u16, ranks, 256);
  const u32 id = local_x(), multiplier = 2 * (in[group_x()] % 100) + 1;
  /* Node k of the list is at k * multiplier. */
  u32 position = 0;
  while ((position * multiplier & 255) != id) ++position;
  nexts[id] = position == 255 ? (u16)id : (u16)((position + 1) * multiplier & 255);
  ranks[id] = position != 255;
  group_barrier();
  for (u32 step = 0; step < 8; ++step) {
    const u16 next = nexts[id], rank = (u16)(ranks[id] + ranks[next]), after = nexts[next];
    group_barrier();
    ranks[id] = rank;
    nexts[id] = after;
    group_barrier();
  }
  out[group_x() * 256 + id] = (u32)ranks[id] << 16 | nexts[id];
}

GROUP_KERNEL(cellular_automaton, 192, 1, 1, 576, 1, 1) {
  SHARED(u8, cells, 192);
  const u32 id = local_x(), rule = 110 + group_x();
  u32 history = 0;
  cells[id] = in[group_x() * 192 + id] >> 3 & 1;
  for (u32 step = 0; step < 40; ++step) {
    group_barrier();
    const u32 around = (u32)cells[(id + 191) % 192] << 2 | (u32)cells[id] << 1 | cells[(id + 1) % 192];
    group_barrier();
    cells[id] = rule >> around & 1;
    history = history << 1 | cells[id];
  }
  out[group_x() * 192 + id] = history;
}

GROUP_KERNEL(transform_modulo_a_prime, 128, 1, 1, 384, 1, 1) {
  /* A number-theoretic transform of 256 numbers. */
  SHARED(u16, values, 256);
  const u32 id = local_x(), first = group_x() * 256;
  for (u32 k = id; k < 256; k += 128) {
    u32 reversed = 0;
    for (u32 bit = 0; bit < 8; ++bit) reversed |= (k >> bit & 1) << (7 - bit);
    values[reversed] = (u16)(in[first + k] % modulus);
  }
  group_barrier();
  for (u32 middle = 1; middle < 256; middle *= 2) {
    /* 11 generates all numbers but 0. */
    u32 factor = 1;
    for (u32 power = (modulus - 1) / (2 * middle) * (id % middle), square = 11; power != 0; power /= 2) {
      if (power & 1) factor = factor * square % modulus;
      square = square * square % modulus;
    }
    const u32 low = id / middle * 2 * middle + id % middle, high = low + middle;
    const u32 a = values[low], b = values[high] * factor % modulus;
    values[low] = (u16)((a + b) % modulus);
    values[high] = (u16)((a + modulus - b) % modulus);
    group_barrier();
  }
  out[first + id] = values[id];
  out[first + id + 128] = values[id + 128];
}

GROUP_KERNEL(knapsack, 256, 1, 1, 512, 1, 1) {
  /* The best value for each capacity, one object after the other. */
  SHARED(u32, best, 256);
  const u32 id = local_x();
  best[id] = 0;
  group_barrier();
  for (u32 k = 0; k < 24; ++k) {
    const u32 weight = in[group_x() * 24 + k] % 60 + 1, value = in[group_x() * 24 + k + 100] % 1000;
    const u32 with = id >= weight ? best[id - weight] + value : 0;
    group_barrier();
    if (with > best[id]) best[id] = with;
    group_barrier();
  }
  out[group_x() * 256 + id] = best[id];
}

GROUP_KERNEL(checksum_of_parts, 128, 1, 1, 384, 1, 1) {
  /* The CRC of 128 words, from the CRCs of the words: a part before 2^k words is multiplied by a power of x. */
  SHARED(u32, parts, 128);
  const u32 id = local_x();
  u32 crc = in[group_x() * 128 + id];
  for (u32 bit = 0; bit < 32; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
  parts[id] = crc;
  u32 power = 0x80000000; /* 1, with the bits reversed */
  for (u32 bit = 0; bit < 32; ++bit) power = power & 1 ? power >> 1 ^ 0xedb88320 : power >> 1;
  for (u32 by = 1; by < 128; by *= 2) {
    group_barrier();
    if (id % (2 * by) == 0) {
      u32 product = 0;
      for (u32 a = parts[id], b = power; b != 0; b <<= 1) {
        if (b >> 31) product ^= a;
        a = a & 1 ? a >> 1 ^ 0xedb88320 : a >> 1;
      }
      parts[id] = product ^ parts[id + by];
    }
    u32 square = 0;
    for (u32 a = power, b = power; b != 0; b <<= 1) {
      if (b >> 31) square ^= a;
      a = a & 1 ? a >> 1 ^ 0xedb88320 : a >> 1;
    }
    power = square;
  }
  group_barrier();
  out[group_x() * 128 + id] = parts[0] + id;
}

GROUP_KERNEL(sieve, 512, 1, 1, 1024, 1, 1) {
  /* Each work-item has two odd numbers, and crosses them out. */
  SHARED(u8, is_composite, 1024);
  const u32 id = local_x(), base = group_x() * 2048;
  is_composite[id] = 0;
  is_composite[id + 512] = 0;
  group_barrier();
  for (u32 divisor = 3; divisor * divisor < base + 2048; divisor += 2) {
    if (base == 0 && is_composite[divisor / 2]) continue; /* for all work-items */
    for (u32 k = id; k < 1024; k += 512) {
      const u32 odd = base + 2 * k + 1;
      if (odd > divisor && odd % divisor == 0) is_composite[k] = 1;
    }
    group_barrier();
  }
  for (u32 k = id; k < 1024; k += 512) out[group_x() * 1024 + k] = is_composite[k] ? 0 : base + 2 * k + 1;
}

GROUP_KERNEL(roots_of_trees, 256, 1, 1, 768, 1, 1) {
  /* Pointers are doubled until none changes: as many turns for each work-item. */
  SHARED(u8, parents, 256);
  SHARED(u8, has_changed, 256);
  const u32 id = local_x(), item = group_x() * 256 + id;
  parents[id] = in[item] % 7 == 0 || id == 0 ? (u8)id : (u8)(id - 1 - in[item] % (id < 4 ? id : 4));
  group_barrier();
  u32 turns = 0;
  for (;;) {
    const u8 parent = parents[id], next = parents[parent];
    group_barrier();
    parents[id] = next;
    has_changed[id] = next != parent;
    group_barrier();
    for (u32 middle = 128; middle != 0; middle /= 2) {
      if (id < middle) has_changed[id] |= has_changed[id + middle];
      group_barrier();
    }
    const u8 is_any_changed = has_changed[0];
    ++turns;
    group_barrier();
    if (!is_any_changed) break;
  }
  out[item] = turns << 8 | parents[id];
}

GROUP_KERNEL(waves_that_end_early, 512, 1, 1, 1200, 1, 1) {
  /* Each wave takes part in as many barriers as its number says; the others go on without it. */
  SHARED(u32, values, 512);
  const u32 id = local_x(), item = group_x() * 512 + id, items = items_of(512, 1200), turns = id / 64 * 3;
  u32 value = in[item];
  values[id] = value;
  group_barrier();
  for (u32 turn = 0; turn < turns; ++turn) {
    /* Reads only what the next wave writes, or what an ended one has left. */
    const u32 other = values[(id + 64) % items];
    group_barrier();
    value = value * 33 ^ other;
    values[id] = value;
    group_barrier();
  }
  out[item] = value;
}

GROUP_KERNEL(triangle_of_binomials, 192, 1, 1, 384, 1, 1) {
  SHARED(u32, row, 193);
  const u32 id = local_x(), turns = 150 + in[group_x()] % 30;
  row[id + 1] = id == 0;
  if (id == 0) row[0] = 0;
  group_barrier();
  for (u32 turn = 0; turn < turns; ++turn) {
    const u32 sum = (row[id] + row[id + 1]) % 1000003;
    group_barrier();
    row[id + 1] = sum;
    group_barrier();
  }
  out[group_x() * 192 + id] = row[id + 1];
}
