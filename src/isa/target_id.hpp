#pragma once

#include <optional>
#include <string_view>

namespace salu::isa {

/// The parts of a target identifier of LLVM, `architecture-vendor-system-environment-processor:features`, in
/// `.amdgcn_target`, `.amd_amdgpu_isa` and `amdhsa.target`. LLVM 22 and earlier leave the environment empty:
/// `amdgcn-amd-amdhsa--gfx90a:xnack-`. LLVM 23 writes `amdgcn-amd-amdhsa-unknown-gfx90a:xnack-`, and takes
/// `amdgpu9.0a` for the architecture.
struct TargetId {
  std::string_view triple;     ///< `amdgcn-amd-amdhsa-unknown`, as LLVM's tools take it for -triple
  std::string_view system;     ///< `amdhsa`
  std::string_view processor;  ///< `gfx90a`, `gfx9-4-generic`
  std::string_view features;   ///< `:sramecc+:xnack-`; may be empty
};

/// Splits a target identifier; nothing when the text does not have all five parts.
std::optional<TargetId> parse_target_id(std::string_view text);

}  // namespace salu::isa
