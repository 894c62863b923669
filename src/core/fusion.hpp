#pragma once

#include "core/handler_info.hpp"

/// Instructions that may be fused with the next one.
namespace salu::core {

/// Whether an instruction whose operands are slots always continues with the next one and never warns. (Reads of
/// hardware registers may warn.)
constexpr bool always_goes_on(isa::Insn insn) {
  const isa::InstructionInfo& row = isa::row(insn);
  return row.computes && !row.writes_if_scc && row.unspecified == isa::Unspecified::never &&
         !row.reads_any(isa::effect::hwreg);
}

/// Whether it may be the last of the fused instructions.
constexpr bool may_end_fused(isa::Insn insn) { return always_goes_on(insn) || isa::row(insn).branches(); }

}  // namespace salu::core
