#pragma once

#include "core/handler_info.hpp"

/// Which instructions may run as one with the next.
namespace salu::core {

/// Whether an instruction whose operands are slots always goes on to the next one, and nobody looks at the wave in
/// between. (What reads hardware registers may warn.)
constexpr bool always_goes_on(isa::Insn insn) {
  const isa::InstructionInfo& row = isa::row(insn);
  return row.computes && !row.writes_if_scc && row.unspecified == isa::Unspecified::never &&
         !row.reads_any(isa::effect::hwreg);
}

/// Whether it may be the last one of those that run as one.
constexpr bool may_end_fused(isa::Insn insn) { return always_goes_on(insn) || isa::row(insn).branches(); }

}  // namespace salu::core
