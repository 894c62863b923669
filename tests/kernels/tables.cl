/* Look-ups in constant memory, by a lane's own index. */
#include "kernels.h"

TABLE u32 crc_nibbles[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                             0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
TABLE u8 nibble_bits[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
TABLE i16 sines[17] = {0, 3212, 6393, 9512, 12539, 15446, 18204, 20787, 23170, 25329, 27245, 28898, 30273, 31356, 32137, 32609, 32767};
TABLE u64 powers_of_ten[20] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000,
                               100000000000, 1000000000000, 10000000000000, 100000000000000, 1000000000000000,
                               10000000000000000, 100000000000000000, 1000000000000000000, 10000000000000000000UL};
TABLE u8 hexadecimal[17] = "0123456789abcdef";
TABLE u8 distances[4][5] = {{0, 4, 9, 2, 7}, {4, 0, 3, 8, 1}, {9, 3, 0, 6, 5}, {2, 8, 6, 0, 10}};
TABLE i8 knight_moves[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
TABLE u8 mix_box[64] = {12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2, 63, 45, 22, 17, 50, 33, 29, 58, 41, 36, 20, 55, 60, 19, 26, 47,
                        35, 61, 18, 44, 57, 24, 30, 49, 52, 38, 21, 62, 27, 43, 16, 59, 34, 53, 40, 25, 46, 31, 56, 37, 28, 48, 23, 51, 32, 42, 39, 54};

KERNEL(crc_by_table) {
  u32 crc = ~0U;
  for (u32 k = 0; k < 8; ++k) {
    u32 word = IN(k);
    for (u32 j = 0; j < 8; ++j, word >>= 4) crc = crc >> 4 ^ crc_nibbles[(crc ^ word) & 15];
    OUT(k) = ~crc;
  }
}

KERNEL(bits_by_table) {
  for (u32 k = 0; k < 8; ++k) {
    u32 count = 0;
    for (u32 word = IN(k); word != 0; word >>= 4) count += nibble_bits[word & 15];
    OUT(k) = count;
  }
}

KERNEL(interpolation) {
  for (u32 k = 0; k < 8; ++k) {
    const u32 angle = IN(k) & 0x3fff, quadrant = IN(k) >> 14 & 3;
    const u32 place = quadrant & 1 ? 0x4000 - angle : angle;
    const u32 index = place >> 10, rest = place & 0x3ff;
    const i32 low = sines[index], high = sines[index == 16 ? 16 : index + 1];
    const i32 sine = low + (i32)(((high - low) * (i32)rest) >> 10);
    OUT(k) = (u32)(quadrant & 2 ? -sine : sine);
  }
}

KERNEL(digits_by_table) {
  for (u32 k = 0; k < 6; ++k) {
    const u64 value = IN64(k) >> (IN(7) & 63);
    u32 digits = 1;
    while (digits < 20 && value >= powers_of_ten[digits]) ++digits;
    OUT64(2 * k, value - powers_of_ten[digits - 1]);
    OUT(15) = OUT(15) * 21 + digits;
  }
}

KERNEL(hexadecimal_text) {
  for (u32 k = 0; k < 8; ++k) {
    u32 low = 0, high = 0;
    for (u32 j = 0; j < 4; ++j) {
      low |= (u32)hexadecimal[IN(k) >> (4 * j) & 15] << (24 - 8 * j);
      high |= (u32)hexadecimal[IN(k) >> (16 + 4 * j) & 15] << (24 - 8 * j);
    }
    OUT(2 * k) = high;
    OUT(2 * k + 1) = low;
  }
}

KERNEL(table_of_two_dimensions) {
  u32 row = IN(0) & 3, length = 0;
  for (u32 k = 0; k < 16; ++k) {
    const u32 column = IN(k & 7) % 5;
    length += distances[row][column];
    row = (column + k) & 3;
  }
  OUT(0) = length;
}

KERNEL(knights) {
  u64 board = 0;
  i32 x = (i32)(IN(0) & 7), y = (i32)(IN(0) >> 3 & 7);
  for (u32 k = 0; k < 24; ++k) {
    board |= 1UL << (8 * y + x);
    const u32 move = IN(k >> 2) >> (k & 3) * 8 & 7;
    const i32 to_x = x + knight_moves[move][0], to_y = y + knight_moves[move][1];
    if (to_x < 0 || to_x > 7 || to_y < 0 || to_y > 7) continue;
    x = to_x;
    y = to_y;
  }
  OUT64(0, board);
}

KERNEL(chained_look_ups) {
  u32 at = IN(0) & 63, sum = 0;
  for (u32 k = 0; k < 20 && at != 17; ++k) {
    at = mix_box[(at + IN(k & 7)) & 63];
    sum = sum * 67 + at;
  }
  OUT(0) = sum;
}

KERNEL(input_as_a_table) {
  u32 at = item();
  for (u32 k = 0; k < 16; ++k) {
    at = in[at & (in_words - 1)] ^ k * n;
    OUT(k) = at;
  }
}
