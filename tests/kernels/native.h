/* Compiles a file of kernels to a program. It writes NAME.bin, the contents of `out` after a kernel, and in.bin, the
 * contents of `in` for all kernels, to the directory in its argument, and prints a line of JSON about each kernel.
 *
 * Lanes are coroutines. A ballot, or another operation on all lanes, waits until all lanes of the wave have reached it
 * or have ended. A GPU does the same if divergent lanes reconverge: in a loop that some lanes leave earlier, code for
 * only some lanes is followed by a `meet()` for all of them.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { wave_lanes = 64, stack_bytes = 1 << 17 };

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
  u32 value; /* what it brings there */
};

static struct lane lanes[wave_lanes];
static u32 lane_count;
static struct lane* current;
static ucontext_t between_lanes;
static u64 met;

#define IN_SECTION(name) __attribute__((used, section(#name)))
#define SHAPED_KERNEL(name, ...)      \
  static void name(PARAMETERS);       \
  REGISTERED(name, name, __VA_ARGS__) \
  static void name(PARAMETERS)
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
#define SHARED(type, name, count) static type name[count]
#define meet() meet_at(__COUNTER__, 0)

static u64 meet_at(int place, u32 value) {
  current->place = place;
  current->value = value;
  swapcontext(&current->context, &between_lanes);
  return met;
}

__attribute__((unused)) static u64 ballot_at(int place, int condition) {
  u64 mask = meet_at(place, condition != 0);
  for (u32 i = 0; i < lane_count; ++i)
    if (mask >> i & 1 && lanes[i].value == 0) mask &= ~(1UL << i);
  /* Nobody goes on before all have looked. */
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
    /* Those that are furthest behind, in the order of the source, go on. */
    const struct lane* behind = NULL;
    for (u32 i = 0; i < lane_count; ++i)
      if (!lanes[i].is_done && (behind == NULL || lanes[i].place < behind->place)) behind = &lanes[i];
    if (behind == NULL) return;
    const int place = behind->place;
    u64 mask = 0;
    for (u32 i = 0; i < lane_count; ++i)
      if (!lanes[i].is_done && lanes[i].place == place) mask |= 1UL << i;
    for (u32 i = 0; i < lane_count; ++i) {
      met = mask;
      if (mask >> i & 1) resume(&lanes[i]);
    }
  }
}

static void run_workgroup(const u32* group) {
  u32 size[3];
  for (int k = 0; k < 3; ++k) {
    const u32 begin = group[k] * running->workgroup[k];
    size[k] = running->grid[k] - begin < running->workgroup[k] ? running->grid[k] - begin : running->workgroup[k];
  }
  const u32 items = size[0] * size[1] * size[2];
  for (u32 begin = 0; begin < items; begin += wave_lanes) {
    lane_count = items - begin < wave_lanes ? items - begin : wave_lanes;
    for (u32 i = 0; i < lane_count; ++i) {
      const u32 id = begin + i;
      lanes[i].number = i;
      lanes[i].local[0] = id % size[0];
      lanes[i].local[1] = id / size[0] % size[1];
      lanes[i].local[2] = id / (size[0] * size[1]);
      memcpy(lanes[i].group, group, sizeof(lanes[i].group));
    }
    run_wave();
  }
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
