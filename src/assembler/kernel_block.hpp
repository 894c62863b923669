#pragma once

#include <salu/integer.hpp>
#include <salu/target.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The block `.amdhsa_kernel` of a kernel, and the 64 bytes that the command processor reads (LLVM AMDGPUUsage, code
/// object V3 kernel descriptor and its assembler directives).
namespace salu::assembler {

class KernelBlock {
 public:
  static constexpr u32 descriptor_bytes = 64;
  /// Offset of the 8-byte distance from the descriptor to the first instruction.
  static constexpr u32 entry_offset = 16;

  /// A kernel with default values. `is_xnack_off`: the code is for processors with XNACK off.
  KernelBlock(const Target& target, bool is_xnack_off);

  /// Applies a directive; returns an error text, or an empty string.
  std::string set(std::string_view directive, i64 value);

  /// The descriptor, with zeros for the distance; nothing if required directives are missing (`problem` says which).
  std::optional<std::array<u8, descriptor_bytes>> descriptor(std::string& problem) const;

 private:
  [[nodiscard]] std::string unavailable(std::string_view directive) const;
  [[nodiscard]] std::optional<u32> sgpr_blocks(std::string& problem) const;
  [[nodiscard]] std::optional<u32> vgpr_blocks(std::string& problem) const;
  [[nodiscard]] std::optional<u32> user_sgprs(std::string& problem) const;

  const Target& target_;
  const GenerationInfo& info_;
  std::vector<std::string_view> said_;
  /// The descriptor, in dwords.
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
