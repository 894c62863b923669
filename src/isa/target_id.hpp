#pragma once

#include <optional>
#include <string_view>

namespace salu::isa {

/// The parts of a target identifier of LLVM, `architecture-vendor-system-environment-processor:features`, in
/// `.amdgcn_target`, `.amd_amdgpu_isa` and `amdhsa.target`. In LLVM 22 and earlier the environment is empty:
/// `amdgcn-amd-amdhsa--gfx90a:xnack-`. LLVM 23 writes `amdgcn-amd-amdhsa-unknown-gfx90a:xnack-`, and accepts
/// `amdgpu9.0a` as the architecture.
struct TargetId {
  std::string_view triple;     ///< `amdgcn-amd-amdhsa-unknown`, the form that LLVM's tools accept for -triple
  std::string_view system;     ///< `amdhsa`
  std::string_view processor;  ///< `gfx90a`, `gfx9-4-generic`
  std::string_view features;   ///< `:sramecc+:xnack-`; may be empty
};

/// Splits a target identifier; nothing if one of the five parts is missing.
std::optional<TargetId> parse_target_id(std::string_view text);

}  // namespace salu::isa
