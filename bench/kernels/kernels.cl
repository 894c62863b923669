// Kernels that oclgrind and salu both run (bench/compare_oclgrind.py). oclgrind has OpenCL's functions; for salu they are
// built from what clang offers for the processor.
#ifdef __AMDGCN__
#define get_local_id(axis) __builtin_amdgcn_workitem_id_x()
#define get_group_id(axis) __builtin_amdgcn_workgroup_id_x()
#define get_global_id(axis) (get_group_id(0) * GROUP + get_local_id(0))
#define barrier(flags)                                    \
  do {                                                    \
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
    __builtin_amdgcn_s_barrier();                         \
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); \
  } while (0)
#define atomic_inc(place) __scoped_atomic_fetch_add(place, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#define atomic_add(place, value) __scoped_atomic_fetch_add(place, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)
#endif
#define GROUP 256

// FNV-1a with a final mix, `n` rounds.
kernel void hash(global uint* out, uint n) {
  const uint item = get_global_id(0);
  uint h = 2166136261u ^ item;
  for (uint i = 0; i < n; ++i) {
    h = (h ^ ((item >> (i & 31)) & 0xff)) * 16777619u;
    h ^= h >> 15;
  }
  out[item] = h;
}

// 1 for each prime number below the number of work-items, by trial division.
kernel void sieve(global uint* out, uint n) {
  const uint item = get_global_id(0) + n;
  uint is_prime = item > 1;
  for (uint divisor = 2; divisor * divisor <= item; ++divisor) {
    if (item % divisor == 0) is_prime = 0;
  }
  out[get_global_id(0)] = is_prime;
}

// Each work-group sorts its part `n` times, bitonic.
kernel void sort(global uint* out, uint n) {
  local uint part[GROUP];
  const uint item = get_local_id(0);
  part[item] = get_global_id(0) * 2654435761u;
  for (uint i = 0; i < n; ++i) {
    part[item] = part[item] * 1664525u + i;
    for (uint size = 2; size <= GROUP; size *= 2) {
      for (uint stride = size / 2; stride > 0; stride /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint other = item ^ stride;
        if (other > item) {
          const uint low = part[item], high = part[other];
          if ((low > high) == ((item & size) == 0)) {
            part[item] = high;
            part[other] = low;
          }
        }
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = part[item];
}

// Counts in shared memory first.
kernel void histogram(global uint* out, uint n) {
  local uint bins[64];
  const uint item = get_local_id(0);
  if (item < 64) bins[item] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint state = get_global_id(0) * 2654435761u;
  for (uint i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    atomic_inc(&bins[state >> 26]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < 64) atomic_add(&out[item], bins[item]);
}
