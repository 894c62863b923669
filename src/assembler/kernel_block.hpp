#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What `.amdhsa_kernel` says of a kernel, and the 64 bytes that the command processor reads (LLVM AMDGPUUsage, code
/// object V3 kernel descriptor and its assembler directives).
namespace salu::assembler {

class KernelBlock {
 public:
  static constexpr u32 descriptor_bytes = 64;
  /// Where the distance from the descriptor to the first instruction is in it: 8 bytes.
  static constexpr u32 entry_offset = 16;

  /// What a kernel has about which nothing is said. `is_xnack_off`: the code is for processors with XNACK off.
  KernelBlock(const Target& target, bool is_xnack_off);

  /// Takes a directive; what is wrong with it, or nothing.
  std::string set(std::string_view directive, i64 value);

  /// The descriptor, with zeros for the distance; nothing when what was said does not suffice (`problem` says why).
  std::optional<std::array<u8, descriptor_bytes>> descriptor(std::string& problem) const;

 private:
  [[nodiscard]] std::string unavailable(std::string_view directive) const;
  [[nodiscard]] std::optional<u32> sgpr_blocks(std::string& problem) const;
  [[nodiscard]] std::optional<u32> vgpr_blocks(std::string& problem) const;
  [[nodiscard]] std::optional<u32> user_sgprs(std::string& problem) const;

  const Target& target_;
  const GenerationInfo& info_;
  std::vector<std::string_view> said_;
  /// The words of the descriptor, in dwords.
  std::array<u32, descriptor_bytes / 4> dwords_{};
  std::optional<u32> next_free_sgpr_;
  std::optional<u32> next_free_vgpr_;
  std::optional<u32> accum_offset_;
  std::optional<u32> user_sgpr_count_;
  bool reserves_vcc_ = true;
  bool reserves_flat_scratch_;
  bool reserves_xnack_mask_;
};

}  // namespace salu::assembler
