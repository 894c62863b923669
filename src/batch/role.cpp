#include "batch/role.hpp"

#include <cstddef>

#include "batch/row_loop.hpp"

namespace salu::batch {
namespace {

/// True if an instruction has a row loop. Functions with inputs that rows cannot contain do not.
bool has_row_loop(isa::Insn insn) {
  return baseline_loops().loops[static_cast<std::size_t>(insn)].of[0][0][0] != nullptr;
}

}  // namespace

Role role_of(isa::Insn insn) {
  const isa::InstructionInfo& info = isa::info(insn);
  if (info.computes) return has_row_loop(insn) ? Role::row_loop : Role::other;
  if (info.branches()) return has_row_loop(insn) ? Role::branch : Role::other;
  if (info.has_no_effect) return Role::nothing;
  if (info.flow == isa::Flow::end) return Role::end;
  return info.flow == isa::Flow::jump ? Role::jump : Role::other;
}

}  // namespace salu::batch
