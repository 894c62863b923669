#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <array>
#include <string>
#include <string_view>

/// amd_kernel_code_t, the 256 bytes before the code of a kernel that `.amd_kernel_code_t` describes: kernels of Mesa
/// and of code object version 2 (LLVM: AMDKernelCodeT.h, AMDKernelCodeTInfo.h).
namespace salu::assembler {

class KernelHeader {
 public:
  static constexpr u32 size_bytes = 256;

  /// A header with default values.
  explicit KernelHeader(const Target& target);

  /// Sets a field to the low bits of the value. Returns an error text, or an empty string.
  std::string set(std::string_view field, i64 value);

  [[nodiscard]] const std::array<u8, size_bytes>& bytes() const { return bytes_; }

 private:
  void put(u32 bit, u32 bits, u64 value);

  std::array<u8, size_bytes> bytes_{};
};

}  // namespace salu::assembler
