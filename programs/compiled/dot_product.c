// A work-group's part of a matrix times a vector. Compiled with
//   clang-19 --target=amdgcn-amd-amdhsa -mcpu=gfx900 -nogpulib -O1 -fno-discard-value-names -c dot_product.c
// (without -fno-discard-value-names the object does not contain the names of its arguments).
#define CONSTANT __attribute__((address_space(4)))
#define GLOBAL __attribute__((address_space(1)))

__attribute__((amdgpu_kernel)) void dot_product(const int CONSTANT* matrix, const int CONSTANT* vector, int GLOBAL* out,
                                                int n) {
  int row = __builtin_amdgcn_workgroup_id_x();
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += matrix[row * n + i] * vector[i];
  out[row] = sum;
}
