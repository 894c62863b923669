#include "batch/role.hpp"

#include <cstddef>

#include "batch/kernel.hpp"

namespace salu::batch {
namespace {

/// Whether an instruction has a kernel. Functions with inputs that rows cannot hold do not.
bool has_kernel(isa::Insn insn) {
  return baseline_kernels().kernels[static_cast<std::size_t>(insn)].of[0][0][0] != nullptr;
}

}  // namespace

Role role_of(isa::Insn insn) {
  const isa::InstructionInfo& info = isa::info(insn);
  if (info.computes) return has_kernel(insn) ? Role::kernel : Role::other;
  if (info.branches()) return has_kernel(insn) ? Role::branch : Role::other;
  if (info.has_no_effect) return Role::nothing;
  if (info.flow == isa::Flow::end) return Role::end;
  return info.flow == isa::Flow::jump ? Role::jump : Role::other;
}

}  // namespace salu::batch
