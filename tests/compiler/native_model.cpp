#include "compiler/native_model.hpp"

#include <cstring>

namespace salu::compiler_test {

NativeLaunch& native_launch() {
  static NativeLaunch launch;
  return launch;
}

}  // namespace salu::compiler_test

extern "C" {

salu::u32 model_buffer_dword(salu::u32 word0, salu::u32 word1, salu::u32 word2, salu::u32 offset, salu::u32 index);
salu::u64 model_clock();
salu::u32 model_workgroup_id(salu::u32 dimension);
salu::u64 model_dispatch_id();
const void* model_dispatch_packet();
const void* model_implicit_arguments();
const void* model_kernel_arguments();
void model_results(salu::u32 first, salu::u32 second);

/// Dword `index` from an offset into a buffer whose descriptor has a host address. The RDNA3 manual specifies the rule:
/// a dword at or beyond stride * num_records (num_records bytes with a stride of 0) reads as zero.
salu::u32 model_buffer_dword(salu::u32 word0, salu::u32 word1, salu::u32 word2, salu::u32 offset, salu::u32 index) {
  const salu::u64 base = word0 | salu::u64{word1 & 0xffffU} << 32;
  const salu::u64 stride = word1 >> 16 & 0x3fffU;
  const salu::u64 size_bytes = stride == 0 ? word2 : stride * word2;
  const salu::u64 at = salu::u64{offset} + salu::u64{index} * 4;
  if (at >= size_bytes) {
    return 0;
  }
  salu::u32 dword = 0;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): addresses of the program that is run are addresses here.
  std::memcpy(&dword, reinterpret_cast<const void*>(base + at), sizeof dword);
  return dword;
}

salu::u64 model_clock() {
  static salu::u64 time = 0;
  return ++time;
}

salu::u32 model_workgroup_id(salu::u32 dimension) {
  return salu::compiler_test::native_launch().workgroup_id.at(dimension);
}

salu::u64 model_dispatch_id() { return salu::compiler_test::native_launch().dispatch_id; }

const void* model_dispatch_packet() { return salu::compiler_test::native_launch().dispatch_packet.data(); }

const void* model_implicit_arguments() { return salu::compiler_test::native_launch().implicit_arguments.data(); }

const void* model_kernel_arguments() { return salu::compiler_test::native_launch().kernel_arguments; }

void model_results(salu::u32 first, salu::u32 second) {
  salu::compiler_test::native_launch().results = {first, second};
}

}  // extern "C"
