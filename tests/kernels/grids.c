/* Ids in three dimensions, and arguments by value. */
#include "kernels.h"

struct settings {
  u16 scale;
  i8 offset;
  u64 mask;
  u32 steps[3];
};

struct byte {
  i8 only;
};

typedef u32 vector3 __attribute__((ext_vector_type(3)));
typedef u8 vector4 __attribute__((ext_vector_type(4)));

SHAPED_KERNEL(rows_and_columns, 16, 5, 1, 37, 12, 1) {
  const u32 x = group_x() * 16 + local_x(), y = group_y() * 5 + local_y();
  out[y * 37 + x] = in[x * 12 + y] + 1000 * local_y() + group_x();
}

SHAPED_KERNEL(transposition, 9, 9, 1, 30, 25, 1) {
  const u32 x = group_x() * 9 + local_x(), y = group_y() * 9 + local_y();
  out[x * 25 + y] = in[y * 30 + x] * n;
}

SHAPED_KERNEL(three_dimensions, 5, 3, 7, 13, 7, 10) {
  const u32 x = group_x() * 5 + local_x(), y = group_y() * 3 + local_y(), z = group_z() * 7 + local_z();
  out[(z * 7 + y) * 13 + x] = in[x] + (in[y] << 3) + (in[z] << 7);
}

SHAPED_KERNEL(ids_of_three_dimensions, 4, 6, 5, 6, 8, 11) {
  const u32 x = group_x() * 4 + local_x(), y = group_y() * 6 + local_y(), z = group_z() * 5 + local_z();
  out[x + 6 * (y + 8 * z)] =
      local_x() | local_y() << 4 | local_z() << 8 | group_x() << 12 | group_y() << 16 | group_z() << 20 | 1U << 31;
}

SHAPED_KERNEL(only_z_and_y, 1, 10, 10, 1, 23, 14) {
  const u32 y = group_y() * 10 + local_y(), z = group_z() * 10 + local_z();
  if ((y ^ z) & 1)
    out[z * 23 + y] = in[y * z];
  else
    out[z * 23 + y] = y << 16 | z;
}

SHAPED_KERNEL(columns_of_one, 1, 1, 70, 2, 2, 75) {
  const u32 z = group_z() * 70 + local_z();
  out[z * 4 + group_y() * 2 + group_x()] = in[z] ^ group_x() << 30 ^ group_y() << 31;
}

SHAPED_KERNEL(stencil, 8, 8, 1, 40, 20, 1) {
  const u32 x = group_x() * 8 + local_x(), y = group_y() * 8 + local_y();
  u32 sum = 0;
  for (i32 dy = -1; dy <= 1; ++dy)
    for (i32 dx = -1; dx <= 1; ++dx) {
      const i32 at_x = (i32)x + dx, at_y = (i32)y + dy;
      if (at_x < 0 || at_x >= 40 || at_y < 0 || at_y >= 20) continue;
      sum = sum * 3 + in[at_y * 40 + at_x];
    }
  out[y * 40 + x] = sum;
}

SHAPED_KERNEL(matrices, 8, 4, 1, 20, 18, 1) {
  const u32 x = group_x() * 8 + local_x(), y = group_y() * 4 + local_y();
  u32 sum = 0;
  for (u32 k = 0; k < 15; ++k) sum += in[y * 15 + k] * in[1000 + k * 20 + x];
  out[y * 20 + x] = sum;
}

SHAPED_KERNEL(divergence_by_y, 8, 8, 2, 8, 12, 3) {
  const u32 x = local_x(), y = group_y() * 8 + local_y(), z = group_z() * 2 + local_z();
  u32 value = in[x];
  for (u32 k = 0; k < y; ++k) value = k & z ? value * 3 + x : value ^ in[k + z];
  out[(z * 12 + y) * 8 + x] = value;
}

KERNEL_WITH(arguments_of_all_widths, (i8, a, -100), (u16, b, 60000), (u8, c, 200), (u64, d, 0xfedcba9876543210UL),
            (i16, e, -30000), (u32, f, 0x89abcdef), (i64, g, -5), (_Bool, h, 1)) {
  OUT(0) = (u32)a + IN(0);
  OUT(1) = b * (u32)c;
  OUT64(2, d ^ (u64)g);
  OUT(4) = (u32)e - f;
  OUT(5) = h ? IN(1) : f;
  OUT(6) = (u32)(i32)g;
}

KERNEL_WITH(structures_as_arguments, (struct settings, s, {300, -7, 0xffff0000ffffUL, {3, 5, 8}}), (u8, after, 9),
            (struct byte, b, {-3}), (vector3, v, {1, 2, 3}), (vector4, w, {250, 251, 252, 253}),
            (u128, x, (u128)7 << 70 | 12345)) {
  u32 sum = IN(0) * s.scale + (u32)s.offset;
  for (u32 k = 0; k < s.steps[IN(1) % 3]; ++k) sum = sum * (k & 1 ? v.x : v.z) + w[k & 3] + v.y;
  OUT(0) = sum;
  OUT64(1, IN64(2) & s.mask);
  OUT(3) = after * (u32)b.only;
  OUT64(4, (u64)(x >> 33) + IN(4));
}

KERNEL_WITH(arguments_in_branches, (u32, limit, 5000), (i64, step, -77), (u32, count, 6)) {
  i64 value = IN(0) % 20000;
  for (u32 k = 0; k < count; ++k) {
    if (value > (i64)limit)
      value += step;
    else
      value = value * 2 - step;
  }
  OUT64(0, (u64)value);
}
