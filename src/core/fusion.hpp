#pragma once

#include "core/handler_info.hpp"

/// Instructions that may be fused with the next one.
namespace salu::core {

/// The explicit operand of an instruction that the fused instruction before it has just written.
enum class Forward : u8 { none, ssrc0, ssrc1 };

/// The possible reads of SCC after the fused instructions.
enum class SccBehind : u8 { live, dead };

/// The number of fused handlers. In the table of a dispatch loop they follow the handlers that have a HandlerId.
inline constexpr std::size_t fused_handler_count = 0
#define SALU_FUSED2(forward, behind, first, second) +1
#define SALU_FUSED3(forward, behind, first, second, third) +1
#include "core/fused_handlers.def"
#undef SALU_FUSED2
#undef SALU_FUSED3
    ;

/// True if an instruction whose operands are slots always continues with the next one and never warns. (Reads of
/// hardware registers may warn.)
constexpr bool always_goes_on(isa::Insn insn) {
  const isa::InstructionInfo& row = isa::row(insn);
  return row.computes && !row.writes_if_scc && row.unspecified == isa::Unspecified::never &&
         !row.reads_any(isa::effect::hwreg);
}

/// True if it can be the last of the fused instructions.
constexpr bool may_end_fused(isa::Insn insn) { return always_goes_on(insn) || isa::row(insn).branches(); }

}  // namespace salu::core
