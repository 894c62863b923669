#pragma once

#include <salu/integer.hpp>

#include <array>
#include <vector>

/// A native model of the machine operations that compiled code uses (native_model.ll).
namespace salu::compiler_test {

/// The launch as a kernel sees it, and the kernel's results.
struct NativeLaunch {
  std::array<u32, 3> workgroup_id{};
  u64 dispatch_id = 0;
  std::vector<u8> dispatch_packet;
  std::vector<u8> implicit_arguments;
  const void* kernel_arguments = nullptr;
  std::array<u32, 2> results{};
};

NativeLaunch& native_launch();

}  // namespace salu::compiler_test
