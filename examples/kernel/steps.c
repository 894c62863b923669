// Counts the steps of the Collatz sequence from each number to 1, in a loop that lanes leave one after the other.

#ifdef __AMDGCN__

__attribute__((amdgpu_kernel)) void steps(unsigned* out) {
  const unsigned item = 64 * __builtin_amdgcn_workgroup_id_x() + __builtin_amdgcn_workitem_id_x();
  unsigned number = item + 1;
  unsigned count = 0;
  while (number != 1) {
    if (number % 2 == 0)
      number = number / 2;
    else
      number = 3 * number + 1;
    ++count;
  }
  out[item] = count;
}

#else

#include <stdio.h>

int main(void) {
  for (unsigned item = 0; item < 150; ++item) {
    unsigned number = item + 1;
    unsigned count = 0;
    for (; number != 1; ++count) number = number % 2 == 0 ? number / 2 : 3 * number + 1;
    fwrite(&count, sizeof(count), 1, stdout);
  }
}

#endif
