/* Atomics of bytes and halfwords, which are loops of compare-and-swap of words, and of flat pointers to shared memory.
 */
#define WAVE_THREADS
#include "kernels.h"

GROUP_KERNEL(byte_counters, 256, 1, 1, 700, 1, 1) {
  SHARED(u8, counts, 32);
  const u32 id = local_x(), item = group_x() * 256 + id;
  if (id < 32) counts[id] = (u8)(id * 9);
  group_barrier();
  fetch_add(&counts[in[item] % 32], (u8)1);
  fetch_sub(&counts[in[item] / 32 % 32], (u8)3);
  group_barrier();
  if (id < 32) out[group_x() * 32 + id] = counts[id];
}

GROUP_KERNEL(halfword_counters, 128, 1, 1, 384, 1, 1) {
  SHARED(u16, sums, 10);
  const u32 id = local_x(), item = group_x() * 128 + id;
  if (id < 10) sums[id] = 0xfff0;
  group_barrier();
  fetch_add(&sums[id % 10], (u16)in[item]);
  group_barrier();
  if (id < 10) out[group_x() * 10 + id] = sums[id];
}

GROUP_KERNEL(byte_and_halfword_extremes, 192, 1, 1, 576, 1, 1) {
  SHARED(u8, bytes, 4);
  SHARED(i8, signed_bytes, 4);
  SHARED(u16, halves, 4);
  SHARED(i16, signed_halves, 4);
  const u32 id = local_x(), value = in[group_x() * 192 + id] >> 7;
  if (id < 4) {
    bytes[id] = 128;
    signed_bytes[id] = 0;
    halves[id] = 0x8000;
    signed_halves[id] = 0;
  }
  group_barrier();
  fetch_min(&bytes[id % 2], (u8)value);
  fetch_max(&bytes[2 + id % 2], (u8)value);
  fetch_min(&signed_bytes[id % 2], (i8)(u8)value);
  fetch_max(&signed_bytes[2 + id % 2], (i8)(u8)value);
  fetch_min(&halves[id % 2], (u16)value);
  fetch_max(&halves[2 + id % 2], (u16)value);
  fetch_min(&signed_halves[id % 2], (i16)(u16)value);
  fetch_max(&signed_halves[2 + id % 2], (i16)(u16)value);
  group_barrier();
  if (id < 4) {
    out[group_x() * 16 + id] = bytes[id];
    out[group_x() * 16 + 4 + id] = (u32)signed_bytes[id];
    out[group_x() * 16 + 8 + id] = halves[id];
    out[group_x() * 16 + 12 + id] = (u32)signed_halves[id];
  }
}

GROUP_KERNEL(bits_of_bytes, 256, 1, 1, 512, 1, 1) {
  SHARED(u8, bytes, 12);
  const u32 id = local_x();
  const u8 value = (u8)(in[group_x() * 256 + id] >> 3);
  if (id < 12) bytes[id] = id < 4 ? 255 : 0;
  group_barrier();
  fetch_and(&bytes[id % 4], (u8)(value | 0x3c));
  fetch_or(&bytes[4 + id % 4], (u8)(value & 0x55));
  fetch_xor(&bytes[8 + id % 4], value);
  group_barrier();
  if (id < 12) out[group_x() * 12 + id] = bytes[id];
}

GROUP_KERNEL(exchanges_of_bytes, 128, 1, 1, 384, 1, 1) {
  /* All bytes together stay the same. */
  SHARED(u8, cells, 4);
  SHARED(u16, halves, 2);
  SHARED(u32, sums, 2);
  const u32 id = local_x(), item = group_x() * 128 + id;
  if (id < 4) cells[id] = (u8)(id + 200);
  if (id < 2) {
    halves[id] = 50000;
    sums[id] = 0;
  }
  group_barrier();
  fetch_add(&sums[0], exchange(&cells[id % 4], (u8)in[item]));
  fetch_add(&sums[1], exchange(&halves[id % 2], (u16)in[item]));
  group_barrier();
  if (id == 0) out[group_x() * 2] = sums[0] + cells[0] + cells[1] + cells[2] + cells[3];
  group_barrier();
  if (id == 1) out[group_x() * 2 + 1] = sums[1] + halves[0] + halves[1];
}

GROUP_KERNEL(claims_of_bytes, 320, 1, 1, 640, 1, 1) {
  /* Each flag is claimed by one work-item. */
  SHARED(u8, flags, 100);
  SHARED(u32, claimed, 1);
  const u32 id = local_x(), item = group_x() * 320 + id;
  if (id < 100) flags[id] = 7;
  if (id == 0) claimed[0] = 0;
  group_barrier();
  u8 expected = 7;
  const u32 at = in[item] % 100;
  if (ATOMIC(compare_exchange_n, &flags[at], &expected, (u8)(at + 20), 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    fetch_add(claimed, 1);
  else if (expected != at + 20)
    out[3000] = 1;
  group_barrier();
  if (id < 100) out[group_x() * 101 + id] = flags[id];
  if (id == 200) out[group_x() * 101 + 100] = claimed[0];
}

GROUP_KERNEL(global_bytes, 192, 1, 1, 500, 1, 1) {
  u8* const bytes = (u8*)out;
  u16* const halves = (u16*)(out + 100);
  const u32 item = group_x() * 192 + local_x(), value = in[item];
  fetch_add(&bytes[value % 64], (u8)1);
  fetch_xor(&bytes[64 + item % 64], (u8)(value >> 5));
  fetch_max(&bytes[128 + item % 7], (u8)value);
  fetch_add(&halves[value / 64 % 40], (u16)value);
  fetch_max((i16*)&halves[50 + item % 5], (i16)(u16)value);
  fetch_or(&halves[60 + value % 3], (u16)(1 << item % 16));
}

NOINLINE u32 add_by_pointer(u32* at, u32 value) { return fetch_add(at, value); }

GROUP_KERNEL(pointers_to_either_memory, 128, 1, 1, 384, 1, 1) {
  /* Flat atomics, of which some lanes' are of shared and others' of global memory. */
  SHARED(u32, sums, 64);
  const u32 id = local_x(), item = group_x() * 128 + id;
  if (id < 64) sums[id] = 0;
  group_barrier();
  u32* const at = in[item] & 1 ? (u32*)&sums[in[item] / 2 % 64] : &out[1000 + in[item] / 2 % 64];
  fetch_add(at, item + 1);
  fetch_max(at, item + 1); /* changes nothing: others only add */
  add_by_pointer(at, 3);
  u32 found = load_relaxed(at), before;
  while ((before = compare_swap(at, found, found + 7)) != found) found = before;
  group_barrier();
  if (id < 64) out[group_x() * 64 + id] = sums[id];
}
