/* What lanes of a wave tell each other: through SGPRs and through the memory that they share. */
#include "kernels.h"

KERNEL(lane_numbers) {
  OUT(0) = lane_id();
  OUT(1) = lanes_below(0x5555555555555555UL);
  OUT(2) = lanes_below(IN64(0));
}

KERNEL(ballots) {
  const u64 odd = ballot(IN(0) & 1), large = ballot(IN(1) > 0x8000);
  OUT64(0, odd);
  OUT64(2, large);
  OUT(4) = (u32)__builtin_popcountl(odd & large);
  OUT(5) = lanes_below(odd);
}

KERNEL(ballots_in_branches) {
  if (IN(0) & 1) {
    OUT64(0, ballot(1));
    OUT64(2, ballot(IN(1) & 1));
    if (IN(1) & 2) OUT64(4, ballot(IN(2) & 1));
  } else {
    OUT64(6, ballot(IN(1) & 4));
  }
  OUT64(8, ballot(1));
}

KERNEL(ballots_in_loops) {
  u64 all = 0;
  u32 turns = 0;
  for (u32 value = IN(0) % 17; value != 0; --value) {
    all = all * 3 + ballot(value & 1);
    ++turns;
  }
  OUT64(0, all);
  OUT64(2, ballot(turns > 4));
}

KERNEL(first_lanes) {
  OUT(0) = read_first_lane(IN(0));
  if (IN(1) & 1) OUT(1) = read_first_lane(IN(2) + lane_id());
  if (lane_id() > 10) OUT(2) = read_first_lane(lane_id()) + IN(3);
}

KERNEL(lanes_by_number) {
  for (u32 k = 0; k < 10; ++k) OUT(k) = read_lane(IN(0) + k, (k * n) % 20);
  OUT(10) = read_lane(IN(1), in[0] & 15);
}

KERNEL(sums_over_the_wave) {
  const u64 all = ballot(1);
  u32 sum = 0, before = 0, largest = 0;
  for (u32 lane = 0; lane < (u32)__builtin_popcountl(all); ++lane) {
    const u32 value = read_lane(IN(0), lane);
    if (lane < lane_id()) before += value;
    sum += value;
    largest = value > largest ? value : largest;
  }
  OUT(0) = before;
  OUT(1) = sum;
  OUT(2) = largest;
}

KERNEL(wide_sums_over_the_wave) {
  u64 sum = 0;
  for (u64 left = ballot(1); left != 0; left &= left - 1) {
    const u32 from = (u32)__builtin_ctzl(left);
    sum = sum * 5 + ((u64)read_lane(IN(0), from) << 32 | read_lane(IN(1), from));
  }
  OUT64(0, sum);
}

KERNEL(equal_lanes) {
  /* One turn for each value that lanes have: those that have the first lane's value leave. */
  u32 turn = 0;
  for (;;) {
    const u32 value = read_first_lane(IN(0) & 7);
    const u64 same = ballot(value == (IN(0) & 7));
    ++turn;
    if (value == (IN(0) & 7)) {
      OUT64(0, same);
      break;
    }
  }
  OUT(2) = turn;
}

KERNEL(compaction) {
  /* Those that have an even number put it where the lanes before them leave room. */
  const u64 even = ballot(!(IN(0) & 1));
  const u32 first = item() - lane_id();
  if (!(IN(0) & 1)) out[first * 16 + lanes_below(even)] = IN(0);
  if (lane_id() == 0) out[first * 16 + 70] = (u32)__builtin_popcountl(even);
}

KERNEL(bit_matrix) {
  /* Lane k gets bit k of all lanes. */
  u64 column = 0;
  for (u32 bit = 0; bit < 32; ++bit) {
    const u64 row = ballot(IN(0) >> bit & 1);
    if ((lane_id() & 31) == bit) column = row;
  }
  OUT64(0, column);
}

/* Each of the two waves of a work-group has its own part: nothing orders their accesses. */
SHARED(u32, words_of_group, 2 * 128);
SHARED(u64, double_words_of_group, 2 * 64);
SHARED(u8, bytes_of_group, 2 * 256);
SHARED(u16, halves_of_group, 2 * 64);
#define wave_id() (local_x() / 64)
#define words (words_of_group + 128 * wave_id())
#define double_words (double_words_of_group + 64 * wave_id())
#define bytes (bytes_of_group + 256 * wave_id())
#define halves (halves_of_group + 64 * wave_id())

KERNEL(neighbours) {
  words[lane_id()] = IN(0);
  words[lane_id() + 64] = IN(1);
  meet();
  const u32 lanes = (u32)__builtin_popcountl(ballot(1));
  OUT(0) = words[(lane_id() + 1) % lanes];
  OUT(1) = words[64 + (lane_id() + lanes - 1) % lanes];
  OUT(2) = words[IN(2) % lanes];
}

KERNEL(reversal_of_all_widths) {
  const u32 lanes = (u32)__builtin_popcountl(ballot(1)), other = lanes - 1 - lane_id();
  double_words[lane_id()] = IN64(0);
  halves[lane_id()] = (u16)IN(2);
  for (u32 k = 0; k < 4; ++k) bytes[4 * lane_id() + k] = (u8)(IN(3) >> 8 * (3 - k));
  meet();
  OUT64(0, double_words[other]);
  OUT(2) = (u32)(i16)halves[other];
  for (u32 k = 0; k < 4; ++k) OUT(3 + k) = (u32)(i8)bytes[4 * other + k];
}

KERNEL(prefix_sums_in_shared_memory) {
  u32 sum = IN(0);
  words[lane_id()] = sum;
  meet();
  for (u32 by = 1; by < 64; by *= 2) {
    const u32 before = lane_id() >= by ? words[lane_id() - by] : 0;
    meet();
    sum += before;
    words[lane_id()] = sum;
    meet();
  }
  OUT(0) = sum;
}

KERNEL(shared_sort) {
  const u32 lanes = (u32)__builtin_popcountl(ballot(1));
  words[lane_id()] = IN(0);
  meet();
  for (u32 turn = 0; turn < lanes; ++turn) {
    const u32 at = lane_id() * 2 + (turn & 1);
    if (at + 1 < lanes && words[at] > words[at + 1]) {
      const u32 larger = words[at];
      words[at] = words[at + 1];
      words[at + 1] = larger;
    }
    meet();
  }
  OUT(0) = words[lane_id()];
}

NOINLINE u32 total_of_shared(u32 from, u32 to) {
  u32 sum = 0;
  for (u32 k = from; k < to; ++k) sum = sum * 3 + words[k];
  return sum;
}

KERNEL(shared_memory_in_functions) {
  words[lane_id()] = IN(0);
  words[127 - lane_id()] = IN(1);
  meet();
  const u32 lanes = (u32)__builtin_popcountl(ballot(1));
  OUT(0) = total_of_shared(lane_id() / 2, lanes);
  if (IN(2) & 1) OUT(1) = total_of_shared(128 - lanes, 127);
}

SHAPED_KERNEL(shared_tile, 8, 8, 1, 36, 20, 1) {
  const u32 x = group_x() * 8 + local_x(), y = group_y() * 8 + local_y();
  const u32 width = 36 - group_x() * 8 < 8 ? 36 - group_x() * 8 : 8,
            height = 20 - group_y() * 8 < 8 ? 20 - group_y() * 8 : 8;
  words[local_y() * 8 + local_x()] = in[y * 36 + x];
  meet();
  /* Turned by half. */
  out[y * 36 + x] = words[(height - 1 - local_y()) * 8 + width - 1 - local_x()];
}
