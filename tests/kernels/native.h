/* Compiles a file of kernels to a program. It writes NAME.bin, the contents of `out` after a kernel, and in.bin, the
 * contents of `in` for all kernels, to the directory in its argument, and prints a line of JSON about each kernel.
 *
 * Lanes are coroutines. A ballot, or another operation on all lanes, waits until all lanes of the wave have reached it
 * or have ended. A GPU does the same if divergent lanes reconverge: in a loop that some lanes leave earlier, code for
 * only some lanes is followed by a `meet()` for all of them.
 *
 * With ITEM_THREADS or WAVE_THREADS the work-items or waves of a work-group are threads, and work-groups run one after
 * the other. Shared memory is filled before each work-group.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef ITEM_THREADS
enum { wave_lanes = 1 };
#else
enum { wave_lanes = 64 };
#endif
#ifdef WAVE_THREADS
enum { has_threads = 1 };
#else
enum { has_threads = 0 };
#endif
enum { stack_bytes = 1 << 17, wave_limit = 1024, seconds_limit = 100 };

struct kernel {
  const char* name;
  void (*run)(PARAMETERS);
  u32 workgroup[3];
  u32 grid[3];
};

/* Tells name, bytes and size of each argument that only this kernel has. */
struct teller {
  const char* kernel;
  void (*tell)(void (*)(const char*, const void*, size_t));
};

struct lane {
  ucontext_t context;
  u8* stack;
  u32 number;
  u32 local[3];
  u32 group[3];
  int is_done;
  int place; /* where it waits */
  int is_at_barrier;
  u32 value; /* what it brings there */
};

/* The wave of this thread. */
static __thread struct lane lanes[wave_lanes];
static __thread u32 lane_count;
static __thread struct lane* current;
static __thread ucontext_t between_lanes;
static __thread u64 met;

/* The barrier of a work-group. */
static pthread_mutex_t barrier_mutex = PTHREAD_MUTEX_INITIALIZER;
static u32 barrier_turn; /* a futex */
static u32 running_waves;
static u32 waiting_waves;

#define IN_SECTION(name) __attribute__((used, section(#name)))
#define SHAPED_KERNEL(name, ...)      \
  static void name(PARAMETERS);       \
  REGISTERED(name, name, __VA_ARGS__) \
  static void name(PARAMETERS)
#define GROUP_KERNEL SHAPED_KERNEL
#define REGISTERED(name, function, wx, wy, wz, gx, gy, gz)                                  \
  static const struct kernel name##_kernel = {#name, function, {wx, wy, wz}, {gx, gy, gz}}; \
  static const struct kernel* const name##_entry IN_SECTION(kernels) = &name##_kernel;

#define KERNEL_WITH(name, ...)                                                                \
  static void name(PARAMETERS EACH(AS_PARAMETER, __VA_ARGS__));                               \
  static const struct name##_values {                                                         \
    EACH(AS_MEMBER, __VA_ARGS__)                                                              \
  } name##_arguments = {EACH(AS_VALUE, __VA_ARGS__)};                                         \
  static void name##_call(PARAMETERS) {                                                       \
    const struct name##_values* const values = &name##_arguments;                             \
    name(out, in, n EACH(AS_ARGUMENT, __VA_ARGS__));                                          \
  }                                                                                           \
  static void name##_tell(void (*tell)(const char*, const void*, size_t)) {                   \
    const struct name##_values* const values = &name##_arguments;                             \
    EACH(AS_TOLD, __VA_ARGS__)                                                                \
  }                                                                                           \
  static const struct teller name##_teller = {#name, name##_tell};                            \
  static const struct teller* const name##_teller_entry IN_SECTION(tellers) = &name##_teller; \
  REGISTERED(name, name##_call, workgroup_items, 1, 1, grid_items, 1, 1)                      \
  static void name(PARAMETERS EACH(AS_PARAMETER, __VA_ARGS__))
#define AS_MEMBER(type, argument, ...) type argument;
#define AS_VALUE(type, argument, ...) __VA_ARGS__,
#define AS_ARGUMENT(type, argument, ...) , values->argument
#define AS_TOLD(type, argument, ...) tell(#argument, &values->argument, sizeof(values->argument));

#define local_x() (current->local[0])
#define local_y() (current->local[1])
#define local_z() (current->local[2])
#define group_x() (current->group[0])
#define group_y() (current->group[1])
#define group_z() (current->group[2])

#define lane_id() (current->number)
#define lanes_below(mask) ((u32)__builtin_popcountll((mask) & ((1UL << current->number) - 1)))
#define ballot(condition) ballot_at(__COUNTER__, condition)
#define read_first_lane(value) read_first_lane_at(__COUNTER__, value)
#define read_lane(value, lane) read_lane_at(__COUNTER__, value, lane)
#define update_dpp(old, value, control, rows, banks, bound) \
  update_dpp_at(__COUNTER__, old, value, control, (rows) << 4 | (banks), bound)
#define SHARED(type, name, count) static type name[count] __attribute__((section("shared"), aligned(16)))
#define meet() meet_at(__COUNTER__, 0)
#define group_barrier() group_barrier_at(__COUNTER__)
#define pause() sched_yield()
#define ATOMIC(operation, ...) __atomic_##operation(__VA_ARGS__)

static u64 meet_at(int place, u32 value) {
  if (wave_lanes == 1) abort(); /* not with ITEM_THREADS */
  current->place = place;
  current->value = value;
  swapcontext(&current->context, &between_lanes);
  return met;
}

__attribute__((unused)) static u64 ballot_at(int place, int condition) {
  u64 mask = meet_at(place, condition != 0);
  for (u32 i = 0; i < lane_count; ++i)
    if (mask >> i & 1 && lanes[i].value == 0) mask &= ~(1UL << i);
  /* No lane continues before all have read. */
  meet_at(place, current->value);
  return mask;
}

__attribute__((unused)) static u32 read_lane_at(int place, u32 value, u32 from) {
  const u64 mask = meet_at(place, value);
  if (from >= lane_count || !(mask >> from & 1)) abort(); /* what a lane that is off holds is not known */
  const u32 read = lanes[from].value;
  meet_at(place, current->value);
  return read;
}

__attribute__((unused)) static u32 read_first_lane_at(int place, u32 value) {
  const u64 mask = meet_at(place, value);
  const u32 read = lanes[__builtin_ctzll(mask)].value;
  meet_at(place, current->value);
  return read;
}

enum { no_lane = 64 };

/* The lane that DPP reads (GCN3 ISA manual, VOP_DPP). */
static u32 dpp_lane(u32 lane, u32 control) {
  const u32 place = lane % 16, distance = control % 16;
  if (control < 0x100) return lane / 4 * 4 + (control >> lane % 4 * 2) % 4;
  if (control < 0x110) return place + distance < 16 ? lane + distance : no_lane;
  if (control < 0x120) return place >= distance ? lane - distance : no_lane;
  if (control < 0x130) return lane / 16 * 16 + (place + 16 - distance) % 16;
  switch (control) {
    case 0x130:
      return lane + 1;
    case 0x134:
      return (lane + 1) % 64;
    case 0x138:
      return lane == 0 ? no_lane : lane - 1;
    case 0x13c:
      return (lane + 63) % 64;
    case 0x140:
      return lane / 16 * 16 + 15 - place;
    case 0x141:
      return lane / 8 * 8 + 7 - lane % 8;
    case 0x142:
      return lane < 16 ? no_lane : lane / 16 * 16 - 1;
    case 0x143:
      return lane < 32 ? no_lane : 31;
    default:
      abort();
  }
}

__attribute__((unused)) static u32 update_dpp_at(int place, u32 old, u32 value, u32 control, u32 masks, int bound) {
  const u64 mask = meet_at(place, value);
  const u32 lane = current->number, from = dpp_lane(lane, control);
  const int is_there = from < no_lane && mask >> from & 1;
  const u32 read = is_there ? lanes[from].value : 0;
  meet_at(place, current->value);
  const int is_enabled = masks >> (4 + lane / 16) & masks >> (lane % 16 / 4) & 1;
  return is_enabled && (is_there || bound) ? read : old;
}

static void pass_barrier(void) {
  waiting_waves = 0;
  __atomic_fetch_add(&barrier_turn, 1, __ATOMIC_ACQ_REL);
  syscall(SYS_futex, &barrier_turn, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

static void wait_at_barrier(void) {
  pthread_mutex_lock(&barrier_mutex);
  const u32 turn = __atomic_load_n(&barrier_turn, __ATOMIC_RELAXED);
  if (++waiting_waves == running_waves) pass_barrier();
  pthread_mutex_unlock(&barrier_mutex);
  while (__atomic_load_n(&barrier_turn, __ATOMIC_ACQUIRE) == turn)
    syscall(SYS_futex, &barrier_turn, FUTEX_WAIT_PRIVATE, turn, NULL, NULL, 0);
}

/* A wave that has ended is not waited for. */
static void end_wave(void) {
  pthread_mutex_lock(&barrier_mutex);
  if (--running_waves == waiting_waves && waiting_waves != 0) pass_barrier();
  pthread_mutex_unlock(&barrier_mutex);
}

__attribute__((unused)) static void group_barrier_at(int place) {
  if (!has_threads) abort();
  if (wave_lanes == 1) {
    wait_at_barrier();
    return;
  }
  current->is_at_barrier = 1;
  meet_at(place, 0);
  current->is_at_barrier = 0;
}

__attribute__((unused)) static u32 fetch_inc(u32* at, u32 limit) {
  u32 found = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (
      !__atomic_compare_exchange_n(at, &found, found >= limit ? 0 : found + 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
  }
  return found;
}

__attribute__((unused)) static u32 fetch_dec(u32* at, u32 limit) {
  u32 found = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(at, &found, found == 0 || found > limit ? limit : found - 1, 0, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED)) {
  }
  return found;
}

static const struct kernel* running;
static u32* out_buffer;
static u32* in_buffer;

static void run_lane(void) {
  running->run(out_buffer, in_buffer, number);
  current->is_done = 1;
}

static void resume(struct lane* next) {
  current = next;
  swapcontext(&between_lanes, &current->context);
}

static void run_wave(void) {
  if (wave_lanes == 1) {
    current = lanes;
    run_lane();
    return;
  }
  for (u32 i = 0; i < lane_count; ++i) {
    struct lane* const next = &lanes[i];
    next->is_done = 0;
    if (next->stack == NULL) next->stack = malloc(stack_bytes);
    getcontext(&next->context);
    next->context.uc_stack.ss_sp = next->stack;
    next->context.uc_stack.ss_size = stack_bytes;
    next->context.uc_link = &between_lanes;
    makecontext(&next->context, run_lane, 0);
    resume(next);
  }
  for (;;) {
    /* Those that are furthest behind, in the order of the source, go on. A barrier is for all lanes. */
    const struct lane* behind = NULL;
    for (u32 i = 0; i < lane_count; ++i) {
      if (lanes[i].is_done) continue;
      const int has_priority = behind != NULL && lanes[i].is_at_barrier != behind->is_at_barrier
                                   ? behind->is_at_barrier
                                   : behind == NULL || lanes[i].place < behind->place;
      if (has_priority) behind = &lanes[i];
    }
    if (behind == NULL) return;
    const int place = behind->place;
    if (behind->is_at_barrier) {
      for (u32 i = 0; i < lane_count; ++i)
        if (!lanes[i].is_done && lanes[i].place != place) abort(); /* lanes are at different barriers */
      wait_at_barrier();
    }
    u64 mask = 0;
    for (u32 i = 0; i < lane_count; ++i)
      if (!lanes[i].is_done && lanes[i].place == place) mask |= 1UL << i;
    for (u32 i = 0; i < lane_count; ++i) {
      met = mask;
      if (mask >> i & 1) resume(&lanes[i]);
    }
  }
}

struct wave {
  const u32* group;
  const u32* size;
  u32 begin;
  u32 end;
};

static void* run_items(void* argument) {
  const struct wave* const wave = argument;
  const u32* const size = wave->size;
  lane_count = wave->end - wave->begin;
  for (u32 i = 0; i < lane_count; ++i) {
    const u32 id = wave->begin + i;
    lanes[i].number = i;
    lanes[i].local[0] = id % size[0];
    lanes[i].local[1] = id / size[0] % size[1];
    lanes[i].local[2] = id / (size[0] * size[1]);
    memcpy(lanes[i].group, wave->group, sizeof(lanes[i].group));
  }
  run_wave();
  if (has_threads) {
    for (u32 i = 0; i < lane_count; ++i) free(lanes[i].stack);
    end_wave();
  }
  return NULL;
}

__attribute__((weak)) extern u8 __start_shared[];
__attribute__((weak)) extern u8 __stop_shared[];

static void run_workgroup(const u32* group) {
  static struct wave waves[wave_limit];
  static pthread_t threads[wave_limit];
  u32 size[3];
  for (int k = 0; k < 3; ++k) {
    const u32 begin = group[k] * running->workgroup[k];
    size[k] = running->grid[k] - begin < running->workgroup[k] ? running->grid[k] - begin : running->workgroup[k];
  }
  const u32 items = size[0] * size[1] * size[2], count = (items + wave_lanes - 1) / wave_lanes;
  if (count > wave_limit) abort();
  running_waves = count;
  if (__start_shared != NULL) memset(__start_shared, 0xa5, (size_t)(__stop_shared - __start_shared));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  for (u32 i = 0; i < count; ++i) {
    const u32 begin = i * wave_lanes, end = begin + wave_lanes < items ? begin + wave_lanes : items;
    waves[i] = (struct wave){group, size, begin, end};
    if (!has_threads) {
      run_items(&waves[i]);
    } else if (pthread_create(&threads[i], &attributes, run_items, &waves[i]) != 0) {
      perror("pthread_create");
      exit(1);
    }
  }
  for (u32 i = 0; has_threads && i < count; ++i) pthread_join(threads[i], NULL);
  pthread_attr_destroy(&attributes);
}

static void run_kernel(void) {
  u32 groups[3];
  for (int k = 0; k < 3; ++k) groups[k] = (running->grid[k] + running->workgroup[k] - 1) / running->workgroup[k];
  u32 group[3];
  for (group[2] = 0; group[2] < groups[2]; ++group[2])
    for (group[1] = 0; group[1] < groups[1]; ++group[1])
      for (group[0] = 0; group[0] < groups[0]; ++group[0]) run_workgroup(group);
}

/* A quarter of the words are near those where widths end, a quarter are small. */
static void fill_input(void) {
  static const u32 edges[] = {0, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffff, 0x800000, 0x7fffffff, 0x80000000};
  u64 state = 1;
  for (int i = 0; i < in_words; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    const u32 random = (u32)(state >> 32);
    switch (random >> 30) {
      case 0:
        in_buffer[i] = edges[random % 11] + (random >> 8) % 3 - 1;
        break;
      case 1:
        in_buffer[i] = random % 300;
        break;
      default:
        in_buffer[i] = (u32)(state >> 17);
        break;
    }
  }
}

static void write_file(const char* folder, const char* name, const void* bytes, size_t size) {
  char path[4096];
  snprintf(path, sizeof(path), "%s/%s.bin", folder, name);
  FILE* file = fopen(path, "wb");
  if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
    perror(path);
    exit(1);
  }
}

static void tell_argument(const char* name, const void* value, size_t bytes) {
  printf(", [\"%s\", \"", name);
  for (size_t i = 0; i < bytes; ++i) printf("%02x", ((const u8*)value)[i]);
  printf("\"]");
}

extern const struct kernel* const __start_kernels[];
extern const struct kernel* const __stop_kernels[];
__attribute__((weak)) extern const struct teller* const __start_tellers[];
__attribute__((weak)) extern const struct teller* const __stop_tellers[];

int main(int count, char** arguments) {
  if (count != 2) return 2;
  out_buffer = malloc(out_words * sizeof(u32));
  in_buffer = malloc(in_words * sizeof(u32));
  fill_input();
  alarm(seconds_limit); /* a deadlock */
  write_file(arguments[1], "in", in_buffer, in_words * sizeof(u32));
  for (const struct kernel* const* entry = __start_kernels; entry < __stop_kernels; ++entry) {
    running = *entry;
    const u32* const w = running->workgroup;
    const u32* const g = running->grid;
    printf("{\"name\": \"%s\", \"workgroup_size\": [%u, %u, %u], \"grid_size\": [%u, %u, %u], \"arguments\": [",
           running->name, w[0], w[1], w[2], g[0], g[1], g[2]);
    printf("[\"n\", \"%02x000000\"]", (unsigned)number);
    for (const struct teller* const* teller = __start_tellers; teller < __stop_tellers; ++teller)
      if (strcmp((*teller)->kernel, running->name) == 0) (*teller)->tell(tell_argument);
    printf("]}\n");
    fflush(stdout);
    memset(out_buffer, 0, out_words * sizeof(u32));
    run_kernel();
    write_file(arguments[1], running->name, out_buffer, out_words * sizeof(u32));
  }
  return 0;
}
