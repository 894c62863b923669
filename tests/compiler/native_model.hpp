#pragma once

#include <salu/integer.hpp>

#include <array>
#include <vector>

/// The native side's model of what compiled code asks of the machine (native_model.ll).
namespace salu::compiler_test {

/// What a kernel sees of its launch, and what it hands over.
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
