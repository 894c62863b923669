/* Copies with all widths and alignments, structures, volatile variables. */
#include "kernels.h"

struct __attribute__((packed)) packed {
  u8 a;
  u16 b;
  u32 c;
  u64 d;
  u8 e;
};

struct fields {
  u32 a : 3;
  i32 b : 7;
  u32 c : 22;
  u64 d : 37;
  i64 e : 20;
};

struct node {
  u16 next;
  u8 kind;
  i8 weights[5];
  u64 value;
};

typedef u16 __attribute__((aligned(1))) unaligned_16;
typedef u32 __attribute__((aligned(1))) unaligned_32;
typedef u64 __attribute__((aligned(1))) unaligned_64;
typedef u32 vector4 __attribute__((ext_vector_type(4)));
typedef u32 vector3 __attribute__((ext_vector_type(3)));
typedef u32 vector2 __attribute__((ext_vector_type(2)));

KERNEL(copies_of_bytes) {
  const u8* from = (const u8*)&IN(0);
  u8* to = (u8*)&OUT(0);
  const u32 count = IN(0) % 33;
  for (u32 k = 0; k < count; ++k) to[k + 3] = from[31 - k];
}

KERNEL(copies_of_halves) {
  const u16* from = (const u16*)&IN(0);
  u16* to = (u16*)&OUT(0);
  for (u32 k = 0; k < 15; ++k) to[2 * k + 1] = (u16)(from[k] + from[k + 1]);
}

KERNEL(copies_of_double_words) {
  const u64* from = (const u64*)&IN(0);
  u64* to = (u64*)&OUT(0);
  for (u32 k = 0; k < 4; ++k) to[2 * (k ^ (IN(0) & 3))] = from[k];
}

KERNEL(copies_of_vectors) {
  *(vector4*)&OUT(0) = *(const vector4*)&IN(0);
  *(vector2*)&OUT(4) = *(const vector2*)&IN(6);
  *(vector3*)&OUT(8) = *(const vector3*)&IN(4);
  OUT(11) = 0; /* which three words leave undefined */
  *(vector4*)&OUT(12) = *(const vector4*)&IN(4) + *(const vector4*)&IN(0);
}

KERNEL(sign_extensions) {
  const i8* bytes = (const i8*)&IN(0);
  const i16* halves = (const i16*)&IN(0);
  for (u32 k = 0; k < 8; ++k) {
    OUT(k) = (u32)bytes[k * 3 % 32];
    OUT(k + 8) = (u32)(halves[k] * 3) ^ (u32)((const u8*)bytes)[k];
  }
}

KERNEL(unaligned_accesses) {
  const u8* from = (const u8*)&IN(0);
  u8* to = (u8*)&OUT(0);
  const u32 by = IN(0) & 7;
  *(unaligned_16*)(to + 1) = *(const unaligned_16*)(from + by);
  *(unaligned_32*)(to + 5 + by) = *(const unaligned_32*)(from + 3);
  *(unaligned_64*)(to + 19 + by) = *(const unaligned_64*)(from + by + 9);
  *(unaligned_64*)(to + 35) = *(const unaligned_64*)(from + 13);
  OUT(15) = *(const unaligned_32*)(from + 27);
}

KERNEL(overlapping_moves) {
  u8* bytes = (u8*)&OUT(0);
  for (u32 k = 0; k < 8; ++k) OUT(k) = IN(k);
  __builtin_memmove(bytes + 3, bytes, 20);
  __builtin_memmove(bytes + 8, bytes + 10, 17);
}

KERNEL(block_operations) {
  u8 buffer[48];
  __builtin_memset(buffer, 0x5a, 48);
  __builtin_memcpy(buffer + 5, &IN(0), 19);
  __builtin_memcpy(buffer + 25, buffer + 2, 21);
  __builtin_memset(buffer + 30, 0, 7);
  __builtin_memcpy(&OUT(0), buffer, 48);
}

KERNEL(volatile_locals) {
  volatile u32 a = IN(0);
  volatile u8 b = (u8)IN(1);
  volatile u16 c = (u16)IN(2);
  volatile u64 d = IN64(3);
  volatile u32 array[6] = {1, 2, 3};
  for (u32 k = 0; k < 6; ++k) {
    a = a * 3 + b;
    b = (u8)(b + c);
    c = (u16)(c ^ (u16)a);
    d += a;
    array[IN(k) % 6] = array[k] + (u32)d;
  }
  OUT(0) = a;
  OUT(1) = b;
  OUT(2) = c;
  OUT64(3, d);
  for (u32 k = 0; k < 6; ++k) OUT(k + 5) = array[k];
}

KERNEL(packed_structures) {
  struct packed p[2];
  p[0] = (struct packed){(u8)IN(0), (u16)IN(1), IN(2), IN64(3), (u8)IN(5)};
  p[1] = p[0];
  p[IN(6) & 1].c += p[1].b;
  p[1].d ^= p[0].c;
  __builtin_memcpy(&OUT(0), p, sizeof(p));
}

KERNEL(fields_of_bits) {
  struct fields f = {IN(0) & 7, (i32)(IN(1) << 25) >> 25, IN(2) & 0x3fffff, IN64(3) & 0x1fffffffff, 5};
  f.b = (i32)(f.b ^ f.a);
  f.e = (i64)(f.c & 0x3ffff);
  if (IN(5) & 1) f.d = (f.d + f.c) & 0x1fffffffff;
  f.a = (f.a + 1) & 7;
  OUT(0) = f.a;
  OUT(1) = (u32)f.b;
  OUT(2) = f.c;
  OUT64(3, f.d);
  OUT(5) = (u32)f.e;
}

KERNEL(structure_copies) {
  struct node nodes[5], first;
  for (u32 k = 0; k < 5; ++k) {
    nodes[k].next = (u16)(IN(k) % 5);
    nodes[k].kind = (u8)IN(k + 1);
    for (u32 j = 0; j < 5; ++j) nodes[k].weights[j] = (i8)(IN(k) >> j);
    nodes[k].value = IN64(k);
  }
  first = nodes[0];
  u32 at = 0, sum = 0;
  for (u32 k = 0; k < 9; ++k) {
    const struct node here = nodes[at];
    nodes[at].value += here.kind;
    sum = sum * 3 + (u32)(here.value >> 5) + (u32)here.weights[k % 5];
    if (here.value & 64) nodes[here.next] = first;
    at = here.next;
  }
  OUT(0) = sum;
  OUT64(1, nodes[at].value);
}

KERNEL(unions) {
  union {
    u32 word[2];
    u8 byte[8];
    u16 half[4];
    u64 all;
  } u;
  u.all = IN64(0);
  u.byte[IN(2) & 7] ^= 0xff;
  u.half[IN(3) & 3] += 77;
  u.word[IN(4) & 1] *= 3;
  OUT64(0, u.all);
  OUT(2) = u.byte[IN(5) & 7];
}

KERNEL(reads_after_writes) {
  for (u32 k = 0; k < 8; ++k) OUT(k) = IN(k);
  u8* bytes = (u8*)&OUT(0);
  for (u32 k = 0; k < 12; ++k) {
    bytes[IN(k & 7) & 31] += (u8)k;
    OUT(8) ^= OUT(IN(k & 7) >> 5 & 7);
    *(u16*)(bytes + (IN(k & 7) >> 8 & 30)) -= 3;
  }
}

/* From 0x10000 bytes on, offsets do not fit in an instruction. */
KERNEL(large_private_arrays) {
  u32 array[1200];
  for (u32 k = 0; k < 1200; k += 53) array[k] = IN(k & 7) + k;
  u32 sum = 0;
  for (u32 k = 0; k < 8; ++k) sum = sum * 3 + array[IN(k) % 22 * 53];
  OUT(0) = sum + array[0] + array[1166];
}

NOINLINE u32 measure(const u8* text) {
  const u8* at = text;
  while (*at) ++at;
  return (u32)(at - text);
}
NOINLINE i32 compare(const u8* a, const u8* b) {
  for (; *a && *a == *b; ++a, ++b) {
  }
  return *a - *b;
}

KERNEL(texts) {
  u8 a[12], b[12];
  for (u32 k = 0; k < 11; ++k) {
    a[k] = (u8)(IN(k & 7) >> 4 & 3);
    b[k] = (u8)(k < 2 ? a[k] : IN(k & 7) >> 9 & 3);
  }
  a[11] = b[11] = 0;
  OUT(0) = measure(a);
  OUT(1) = measure(b);
  OUT(2) = (u32)compare(a, b);
  OUT(3) = measure((const u8*)"eleven signs");
}

/* Atomics on words behind those of the work-items. */
#define COMMON(k) out[grid_items * 16 + (k)]

KERNEL(histogram) {
  for (u32 k = 0; k < 4; ++k) __atomic_fetch_add(&COMMON(IN(k) >> 8 & 15), IN(k) & 7, __ATOMIC_RELAXED);
}

KERNEL(atomic_extremes) {
  __atomic_fetch_max(&COMMON(0), IN(0), __ATOMIC_RELAXED);
  __atomic_fetch_max((i32*)&COMMON(1), (i32)IN(1), __ATOMIC_RELAXED);
  __atomic_fetch_min((i32*)&COMMON(2), (i32)IN(2), __ATOMIC_RELAXED);
  __atomic_fetch_max((u64*)&COMMON(4), IN64(0), __ATOMIC_RELAXED);
  __atomic_fetch_min((i64*)&COMMON(6), (i64)IN64(2), __ATOMIC_RELAXED);
}

KERNEL(atomic_bits) {
  __atomic_fetch_or(&COMMON(0), IN(0) & IN(1) & IN(2), __ATOMIC_RELAXED);
  __atomic_fetch_xor(&COMMON(1), IN(0), __ATOMIC_RELAXED);
  __atomic_fetch_sub((u64*)&COMMON(2), IN64(0), __ATOMIC_RELAXED);
  __atomic_fetch_xor((u64*)&COMMON(4), IN64(2), __ATOMIC_RELAXED);
}

/* The value that an atomic returns depends on the order: work-items come one after the other. */
KERNEL(tickets) { OUT(0) = __atomic_fetch_add(&COMMON(0), IN(0) & 15, __ATOMIC_RELAXED); }

KERNEL(exchanges) { OUT(0) = __atomic_exchange_n(&COMMON(IN(0) & 3), IN(1), __ATOMIC_RELAXED); }

KERNEL(exchanges_of_64_bits) {
  OUT64(0, __atomic_exchange_n((u64*)&COMMON(2 * (IN(0) & 3)), IN64(1), __ATOMIC_RELAXED));
}

/* A sum with a limit, which does not depend on the order. */
KERNEL(compare_and_swap) {
  u32* const place = &COMMON(IN(0) & 7);
  u32 old = __atomic_load_n(place, __ATOMIC_RELAXED);
  u32 sum;
  do {
    sum = old + (IN(1) & 63);
    if (sum > 500) sum = 500;
  } while (!__atomic_compare_exchange_n(place, &old, sum, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

KERNEL(compare_and_swap_of_64_bits) {
  u64* const place = (u64*)&COMMON(2 * (IN(0) & 7));
  u64 old = __atomic_load_n(place, __ATOMIC_RELAXED);
  u64 product;
  do {
    product = (old | 1) * (IN64(1) | 1);
  } while (!__atomic_compare_exchange_n(place, &old, product, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}
