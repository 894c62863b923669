/* Tiles of matrices and grids in shared memory, in two and three dimensions. */
#define WAVE_THREADS
#include "kernels.h"

enum { prime = 65521 };

GROUP_KERNEL(tiled_transposition, 16, 16, 1, 60, 52, 1) {
  SHARED(u32, tile, 16 * 17);
  const u32 x0 = group_x() * 16, y0 = group_y() * 16, x = local_x(), y = local_y();
  const u32 width = 60 - x0 < 16 ? 60 - x0 : 16, height = 52 - y0 < 16 ? 52 - y0 : 16;
  tile[y * 17 + x] = in[(y0 + y) * 60 + x0 + x];
  group_barrier();
  /* In the order of the result. */
  const u32 id = y * width + x;
  out[(x0 + id / height) * 52 + y0 + id % height] = tile[id % height * 17 + id / height];
}

GROUP_KERNEL(transposition_by_strips, 32, 8, 1, 64, 16, 1) {
  /* Each work-item has four elements of a tile of 32 x 32. */
  SHARED(u16, tile, 32 * 33);
  const u32 x = local_x(), y = local_y(), x0 = group_x() * 32, y0 = group_y() * 32;
  for (u32 k = 0; k < 32; k += 8) tile[(y + k) * 33 + x] = (u16)in[(y0 + y + k) * 64 + x0 + x];
  group_barrier();
  for (u32 k = 0; k < 32; k += 8) out[(x0 + y + k) * 64 + y0 + x] = tile[x * 33 + y + k];
}

GROUP_KERNEL(tiled_matrix_product, 16, 16, 1, 48, 32, 1) {
  SHARED(u32, a, 256);
  SHARED(u32, b, 256);
  const u32 x = local_x(), y = local_y(), column = group_x() * 16 + x, row = group_y() * 16 + y;
  u32 sum = 0;
  for (u32 tile = 0; tile < 40; tile += 16) {
    a[y * 16 + x] = tile + x < 40 ? in[row * 40 + tile + x] : 0;
    b[y * 16 + x] = tile + y < 40 ? in[1500 + (tile + y) * 48 + column] : 0;
    group_barrier();
    for (u32 k = 0; k < 16; ++k) sum += a[y * 16 + k] * b[k * 16 + x];
    group_barrier();
  }
  out[row * 48 + column] = sum;
}

GROUP_KERNEL(product_of_blocks, 8, 16, 1, 24, 32, 1) {
  /* Each work-item has a block of 2 x 2 of the result, with products of 64 bits. */
  SHARED(u32, a, 32 * 8);
  SHARED(u32, b, 8 * 16);
  const u32 x = local_x(), y = local_y(), id = y * 8 + x, row = group_y() * 32, column = group_x() * 16;
  u64 sums[4] = {0, 0, 0, 0};
  for (u32 tile = 0; tile < 24; tile += 8) {
    for (u32 k = id; k < 256; k += 128) a[k] = in[(row + k / 8) * 24 + tile + k % 8];
    b[id] = in[2000 + (tile + id / 16) * 48 + column + id % 16];
    group_barrier();
    for (u32 k = 0; k < 8; ++k)
      for (u32 i = 0; i < 4; ++i) sums[i] += (u64)a[(2 * y + i / 2) * 8 + k] * b[k * 16 + 2 * x + i % 2];
    group_barrier();
  }
  for (u32 i = 0; i < 4; ++i)
    out[(row + 2 * y + i / 2) * 48 + column + 2 * x + i % 2] = (u32)(sums[i] >> 32) ^ (u32)sums[i];
}

GROUP_KERNEL(stencil_with_halo, 16, 8, 1, 50, 30, 1) {
  SHARED(u32, tile, 18 * 10);
  const u32 x0 = group_x() * 16, y0 = group_y() * 8, x = local_x(), y = local_y();
  const u32 width = 50 - x0 < 16 ? 50 - x0 : 16, height = 30 - y0 < 8 ? 30 - y0 : 8;
  for (u32 k = y * width + x; k < 180; k += width * height) {
    const i32 at_x = (i32)(x0 + k % 18) - 1, at_y = (i32)(y0 + k / 18) - 1;
    tile[k] = at_x >= 0 && at_x < 50 && at_y >= 0 && at_y < 30 ? in[at_y * 50 + at_x] : 77;
  }
  group_barrier();
  u32 sum = 0;
  for (u32 dy = 0; dy < 3; ++dy)
    for (u32 dx = 0; dx < 3; ++dx) sum = sum * 3 + tile[(y + dy) * 18 + x + dx];
  out[(y0 + y) * 50 + x0 + x] = sum;
}

GROUP_KERNEL(convolution, 256, 1, 1, 1000, 1, 1) {
  TABLE u16 weights[9] = {3, 14, 159, 265, 3589, 793, 23, 84, 6};
  SHARED(u32, values, 264);
  const u32 id = local_x(), first = group_x() * 256, items = items_of(256, 1000);
  for (u32 k = id; k < items + 8; k += items) values[k] = in[first + k];
  group_barrier();
  u32 sum = 0;
  for (u32 k = 0; k < 9; ++k) sum += values[id + k] * weights[k];
  out[first + id] = sum;
}

GROUP_KERNEL(stencil_of_three_dimensions, 8, 4, 4, 20, 12, 10) {
  SHARED(u32, block, 10 * 6 * 6);
  const u32 x0 = group_x() * 8, y0 = group_y() * 4, z0 = group_z() * 4;
  const u32 width = 20 - x0 < 8 ? 20 - x0 : 8, depth = 10 - z0 < 4 ? 10 - z0 : 4;
  const u32 x = local_x(), y = local_y(), z = local_z();
  for (u32 k = x + width * (y + 4 * z); k < 360; k += width * 4 * depth) {
    /* The other end continues. */
    const u32 at_x = (x0 + k % 10 + 19) % 20, at_y = (y0 + k / 10 % 6 + 11) % 12, at_z = (z0 + k / 60 + 9) % 10;
    block[k] = in[at_x + 20 * (at_y + 12 * at_z)];
  }
  group_barrier();
  const u32 at = x + 1 + 10 * (y + 1 + 6 * (z + 1));
  out[x0 + x + 20 * (y0 + y + 12 * (z0 + z))] =
      6 * block[at] - block[at - 1] - block[at + 1] - block[at - 10] - block[at + 10] - block[at - 60] - block[at + 60];
}

GROUP_KERNEL(game_of_life, 32, 16, 1, 64, 32, 1) {
  /* Work-groups are separate worlds, whose ends meet. */
  SHARED(u8, cells, 2 * 512);
  const u32 x = local_x(), y = local_y(), id = y * 32 + x;
  u32 from = 0;
  cells[id] = in[(group_y() * 16 + y) * 64 + group_x() * 32 + x] >> 6 & 1;
  group_barrier();
  for (u32 step = 0; step < 5; ++step) {
    u32 count = 0;
    for (u32 k = 0; k < 9; ++k)
      if (k != 4) count += cells[from + (y + 15 + k / 3) % 16 * 32 + (x + 31 + k % 3) % 32];
    cells[512 - from + id] = count == 3 || (count == 2 && cells[from + id]);
    from = 512 - from;
    group_barrier();
  }
  out[(group_y() * 16 + y) * 64 + group_x() * 32 + x] = cells[from + id];
}

GROUP_KERNEL(shortest_paths, 16, 16, 1, 16, 48, 1) {
  /* Between the 16 nodes of a graph; each work-group has one. */
  SHARED(u32, lengths, 256);
  const u32 x = local_x(), y = local_y(), id = y * 16 + x;
  const u32 length = in[group_y() * 256 + id];
  lengths[id] = x == y ? 0 : length % 3 == 0 ? length % 100 + 1 : 100000;
  group_barrier();
  for (u32 k = 0; k < 16; ++k) {
    const u32 by = lengths[y * 16 + k] + lengths[k * 16 + x];
    group_barrier();
    if (by < lengths[id]) lengths[id] = by;
    group_barrier();
  }
  out[group_y() * 256 + id] = lengths[id];
}

GROUP_KERNEL(gcd_table, 16, 12, 1, 40, 40, 1) {
  SHARED(u32, rows, 12);
  SHARED(u32, columns, 16);
  const u32 x0 = group_x() * 16, y0 = group_y() * 12, x = local_x(), y = local_y();
  if (y == 0) columns[x] = in[x0 + x] % 30000 + 1;
  if (x == 0) rows[y] = in[100 + y0 + y] % 30000 + 1;
  group_barrier();
  u32 a = rows[y], b = columns[x];
  while (b != 0) {
    const u32 rest = a % b;
    a = b;
    b = rest;
  }
  out[(y0 + y) * 40 + x0 + x] = a;
}

GROUP_KERNEL(elimination_modulo_a_prime, 16, 8, 1, 48, 8, 1) {
  /* A system of 8 equations, and 8 right sides. The pivot is the first that is not zero. */
  SHARED(u32, matrix, 128);
  SHARED(u32, pivot_row, 1);
  const u32 x = local_x(), y = local_y(), id = y * 16 + x;
  matrix[id] = in[group_x() * 128 + id] % 5 == 0 ? 0 : in[group_x() * 128 + id] % prime;
  group_barrier();
  for (u32 k = 0; k < 8; ++k) {
    if (id == 0) {
      u32 row = k;
      while (row < 8 && matrix[row * 16 + k] == 0) ++row;
      pivot_row[0] = row;
    }
    group_barrier();
    const u32 pivot = pivot_row[0];
    if (pivot == 8) continue; /* for all work-items */
    if (y == k && pivot != k) {
      const u32 other = matrix[pivot * 16 + x];
      matrix[pivot * 16 + x] = matrix[id];
      matrix[id] = other;
    }
    group_barrier();
    u32 inverse = 1;
    for (u32 power = prime - 2, square = matrix[k * 16 + k]; power != 0; power /= 2) {
      if (power & 1) inverse = (u32)((u64)inverse * square % prime);
      square = (u32)((u64)square * square % prime);
    }
    const u32 scaled = (u32)((u64)matrix[k * 16 + x] * inverse % prime), factor = matrix[y * 16 + k];
    group_barrier();
    matrix[id] = y == k ? scaled : (u32)((matrix[id] + (u64)(prime - factor) * scaled) % prime);
    group_barrier();
  }
  out[group_x() * 128 + id] = matrix[id];
}

GROUP_KERNEL(histograms_of_parts, 256, 1, 1, 768, 1, 1) {
  /* A histogram for each of 16 parts of the work-group, then their sum. */
  SHARED(u16, counts, 16 * 64);
  SHARED(u8, keys, 256);
  const u32 id = local_x(), part = id / 16;
  keys[id] = (u8)(in[group_x() * 256 + id] % 64);
  for (u32 k = id; k < 1024; k += 256) counts[k] = 0;
  group_barrier();
  if (id % 16 == 0)
    for (u32 k = 0; k < 16; ++k) ++counts[part * 64 + keys[id + k]];
  group_barrier();
  if (id < 64) {
    u32 sum = 0;
    for (u32 k = 0; k < 16; ++k) sum += counts[k * 64 + id];
    out[group_x() * 64 + id] = sum;
  }
}
