// The largest value in a linked list, and the number of its nodes. Compiled with
//   clang-19 --target=amdgcn-amd-amdhsa -mcpu=gfx803 -nogpulib -O1 -c list_maximum.c
#define CONSTANT __attribute__((address_space(4)))
#define GLOBAL __attribute__((address_space(1)))

struct node {
  const struct node CONSTANT* next;
  unsigned value;
};

__attribute__((amdgpu_kernel)) void list_maximum(const struct node CONSTANT* first, unsigned GLOBAL* out) {
  unsigned largest = 0;
  unsigned count = 0;
  for (const struct node CONSTANT* node = first; node; node = node->next) {
    if (node->value > largest) largest = node->value;
    ++count;
  }
  out[0] = largest;
  out[1] = count;
}
