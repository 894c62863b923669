/* What kernels are written with, so that one file is C or OpenCL C for a GPU, and natively a program that calls each
 * kernel for one work-item after the other. Natively undefined behaviour traps: what a kernel computes does not depend
 * on it.
 *
 *   KERNEL(name) { OUT(0) = IN(0) + n; }
 *
 * is a kernel of 230 work-items in work-groups of 96: the last wave of each work-group is partial. Its arguments are
 * `out`, zeros at first, `in`, and `n`, which is 7. IN(k) and OUT(k) are the work-item's own, of 8 words and of 16.
 *
 * A file whose kernels use barriers or atomics defines WAVE_THREADS before it includes this one: natively each wave of
 * a work-group is a thread. With -DITEM_THREADS each work-item is one, if the file has no operations between lanes; for
 * -fsanitize=thread.
 *
 * A file whose kernels compute exact results from approximations of the hardware, such as quotients, defines
 * APPROXIMATES: they are run with each rounding of approximations.
 *
 *   GROUP_KERNEL(name, 256, 1, 1, 700, 1, 1) {
 *     SHARED(u32, words, 256);
 *     words[local_x()] = in[local_x()];
 *     group_barrier();
 *     ...
 */
#pragma once

enum { workgroup_items = 96, grid_items = 230, in_words = 4096, out_words = 4096, number = 7 };

#ifdef __OPENCL_C_VERSION__
#define GLOBAL __global
#define LOCAL __local
#define TABLE __constant
typedef uchar u8;
typedef char i8;
typedef ushort u16;
typedef short i16;
typedef uint u32;
typedef int i32;
typedef ulong u64;
typedef long i64;
#else
#define GLOBAL
#ifdef __AMDGCN__
#define LOCAL __attribute__((address_space(3)))
#else
#define LOCAL
#endif
#define TABLE static const
typedef unsigned char u8;
typedef signed char i8;
typedef unsigned short u16;
typedef short i16;
typedef unsigned int u32;
typedef int i32;
typedef unsigned long u64;
typedef long i64;
typedef unsigned __int128 u128;
typedef __int128 i128;
#endif

#define NOINLINE static __attribute__((noinline))
#define PARAMETERS GLOBAL u32 *out, GLOBAL const u32 *in, u32 n

/* SHAPED_KERNEL(name, sizes of a work-group in x, y and z, sizes of the grid).
 * GROUP_KERNEL is the same for work-groups of up to 1024 work-items, which OpenCL C limits to 256 by default.
 * KERNEL_WITH(name, (type, argument, value)...) has more arguments behind `n`, eight at most. */
#define KERNEL(name) SHAPED_KERNEL(name, workgroup_items, 1, 1, grid_items, 1, 1)

#define EACH(what, ...) EACH_N(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1)(what, __VA_ARGS__)
#define EACH_N(a, b, c, d, e, f, g, h, count, ...) EACH_COUNTED(count)
#define EACH_COUNTED(count) EACH_PASTED(count)
#define EACH_PASTED(count) EACH_##count
#define EACH_1(what, a) what a
#define EACH_2(what, a, ...) what a EACH_1(what, __VA_ARGS__)
#define EACH_3(what, a, ...) what a EACH_2(what, __VA_ARGS__)
#define EACH_4(what, a, ...) what a EACH_3(what, __VA_ARGS__)
#define EACH_5(what, a, ...) what a EACH_4(what, __VA_ARGS__)
#define EACH_6(what, a, ...) what a EACH_5(what, __VA_ARGS__)
#define EACH_7(what, a, ...) what a EACH_6(what, __VA_ARGS__)
#define EACH_8(what, a, ...) what a EACH_7(what, __VA_ARGS__)
#define AS_PARAMETER(type, argument, ...) , type argument

#ifdef __AMDGCN__

#ifdef __OPENCL_C_VERSION__
#define KERNEL_FUNCTION __kernel
#define GROUP_KERNEL(name, wx, wy, wz, ...) \
  __attribute__((amdgpu_flat_work_group_size(1, wx * wy * wz))) __kernel void name(PARAMETERS)
#else
#define KERNEL_FUNCTION __attribute__((amdgpu_kernel, visibility("protected")))
#define GROUP_KERNEL SHAPED_KERNEL
#endif
#define SHAPED_KERNEL(name, ...) KERNEL_FUNCTION void name(PARAMETERS)
#define KERNEL_WITH(name, ...) KERNEL_FUNCTION void name(PARAMETERS EACH(AS_PARAMETER, __VA_ARGS__))

#define local_x() __builtin_amdgcn_workitem_id_x()
#define local_y() __builtin_amdgcn_workitem_id_y()
#define local_z() __builtin_amdgcn_workitem_id_z()
#define group_x() __builtin_amdgcn_workgroup_id_x()
#define group_y() __builtin_amdgcn_workgroup_id_y()
#define group_z() __builtin_amdgcn_workgroup_id_z()

/* Operations between the lanes of a wave, and memory that a work-group shares. */
#define lane_id() __builtin_amdgcn_mbcnt_hi(~0U, __builtin_amdgcn_mbcnt_lo(~0U, 0))
#define lanes_below(mask) __builtin_amdgcn_mbcnt_hi((u32)((mask) >> 32), __builtin_amdgcn_mbcnt_lo((u32)(mask), 0))
#define ballot(condition) __builtin_amdgcn_ballot_w64(condition)
#define read_first_lane(value) ((u32)__builtin_amdgcn_readfirstlane((i32)(value)))
#define read_lane(value, lane) ((u32)__builtin_amdgcn_readlane((i32)(value), (i32)(lane)))
/* The value of another lane by a control of DPP, or `old` for lanes without one; with `bound` 0. */
#define update_dpp(old, value, control, rows, banks, bound) \
  ((u32)__builtin_amdgcn_update_dpp((i32)(old), (i32)(value), control, rows, banks, bound))
#ifdef __OPENCL_C_VERSION__
#define SHARED(type, name, count) __local type name[count]
#else
#define SHARED(type, name, count) static __attribute__((address_space(3), loader_uninitialized)) type name[count]
#endif
#define meet()                                             \
  do {                                                     \
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront"); \
    __builtin_amdgcn_wave_barrier();                       \
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront"); \
  } while (0)

/* Operations between the waves of a work-group. Atomics of memory are those of all types of integers, except
 * compare_swap, fetch_inc and fetch_dec, which are of u32, and compare_swap64. */
#define group_barrier()                                    \
  do {                                                     \
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
    __builtin_amdgcn_s_barrier();                          \
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); \
  } while (0)
#define pause() __builtin_amdgcn_s_sleep(1)
#define ATOMIC(operation, ...) __scoped_atomic_##operation(__VA_ARGS__, __MEMORY_SCOPE_DEVICE)
#define fetch_inc(at, limit) __builtin_amdgcn_atomic_inc32(at, limit, __ATOMIC_ACQ_REL, "agent")
#define fetch_dec(at, limit) __builtin_amdgcn_atomic_dec32(at, limit, __ATOMIC_ACQ_REL, "agent")

#else
#include "native.h"
#endif

/* Atomics return the previous value. Those that locks and queues need are ordered, the others are relaxed. */
#define fetch_add(at, value) ATOMIC(fetch_add, at, value, __ATOMIC_RELAXED)
#define fetch_sub(at, value) ATOMIC(fetch_sub, at, value, __ATOMIC_ACQ_REL)
#define fetch_and(at, value) ATOMIC(fetch_and, at, value, __ATOMIC_RELAXED)
#define fetch_or(at, value) ATOMIC(fetch_or, at, value, __ATOMIC_RELAXED)
#define fetch_xor(at, value) ATOMIC(fetch_xor, at, value, __ATOMIC_RELAXED)
#define fetch_min(at, value) ATOMIC(fetch_min, at, value, __ATOMIC_RELAXED)
#define fetch_max(at, value) ATOMIC(fetch_max, at, value, __ATOMIC_RELAXED)
#define exchange(at, value) ATOMIC(exchange_n, at, value, __ATOMIC_ACQ_REL)
#define load_relaxed(at) ATOMIC(load_n, at, __ATOMIC_RELAXED)
#define load_acquire(at) ATOMIC(load_n, at, __ATOMIC_ACQUIRE)
#define store_relaxed(at, value) ATOMIC(store_n, at, value, __ATOMIC_RELAXED)
#define store_release(at, value) ATOMIC(store_n, at, value, __ATOMIC_RELEASE)
#define compare_swap(at, expected, desired) COMPARE_SWAP(u32, at, expected, desired)
#define compare_swap64(at, expected, desired) COMPARE_SWAP(u64, at, expected, desired)
#define COMPARE_SWAP(type, at, expected, desired)                                                           \
  ({                                                                                                        \
    type found_by_swap = (expected);                                                                        \
    ATOMIC(compare_exchange_n, at, &found_by_swap, (type)(desired), 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE); \
    found_by_swap;                                                                                          \
  })

/* The number of work-items of this work-group, of a grid in one dimension. */
#define items_of(workgroup, grid) \
  ((grid) - group_x() * (workgroup) < (workgroup) ? (grid) - group_x() * (workgroup) : (workgroup))

#define item() (group_x() * workgroup_items + local_x())
#define IN(k) in[item() * 8 + (k)]
#define IN64(k) ((u64)IN(k) | (u64)IN((k) + 1) << 32)
#define OUT(k) out[item() * 16 + (k)]
#define OUT64(k, value)                      \
  do {                                       \
    const u64 value_of_64 = (value);         \
    OUT(k) = (u32)value_of_64;               \
    OUT((k) + 1) = (u32)(value_of_64 >> 32); \
  } while (0)
