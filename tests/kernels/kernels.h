/* What kernels are written with, so that one file is C or OpenCL C for a GPU, and natively a program that calls each
 * kernel for one work-item after the other. Natively undefined behaviour traps: what a kernel computes does not depend
 * on it.
 *
 *   KERNEL(name) { OUT(0) = IN(0) + n; }
 *
 * is a kernel of 230 work-items in work-groups of 96: the last wave of each work-group is partial. Its arguments are
 * `out`, zeros at first, `in`, and `n`, which is 7. IN(k) and OUT(k) are the work-item's own, of 8 words and of 16.
 */
#pragma once

enum { workgroup_items = 96, grid_items = 230, in_words = 4096, out_words = 4096, number = 7 };

#ifdef __OPENCL_C_VERSION__
#define GLOBAL __global
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
#else
#define KERNEL_FUNCTION __attribute__((amdgpu_kernel, visibility("protected")))
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
#define SHARED(type, name, count) static __attribute__((address_space(3), loader_uninitialized)) type name[count]
#define meet()                                             \
  do {                                                     \
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront"); \
    __builtin_amdgcn_wave_barrier();                       \
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront"); \
  } while (0)

#else
#include "native.h"
#endif

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
