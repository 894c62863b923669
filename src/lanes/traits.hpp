#pragma once

#include "core/micro_op.hpp"
#include "isa/instruction.hpp"

namespace salu::lanes {

/// What becomes of an instruction that is done state by state.
enum class Role : u8 {
  kernel,   ///< values in, values out
  branch,   ///< to its target or on, by values
  nothing,  ///< it only counts
  end,      ///< S_ENDPGM
  jump,     ///< S_SETPC_B64
  other,    ///< the scalar machine's
};

/// What an instruction reads and writes, worked out from its function.
struct Traits {
  Role role = Role::other;
  u8 sdst_dwords = 0;   ///< that it writes
  u8 ssrc0_dwords = 0;  ///< of SOPK: of the SDST field
  u8 ssrc1_dwords = 0;
  u8 old_dwords = 0;           ///< of SDST that it reads
  bool sign_extends0 = false;  ///< a literal for SSRC0
  bool sign_extends1 = false;
  bool is_sopk = false;
  bool may_keep_sdst = false;  ///< it may write nothing
  bool reads_scc = false;
  bool writes_scc = false;
  bool reads_exec = false;
  bool writes_exec = false;
  bool reads_vcc = false;
  bool may_leave = false;  ///< its result may be one that the manuals do not define
};

/// An instruction of a micro-op and how it finds its operands.
struct HandlerTraits {
  bool is_instruction = false;
  isa::Insn insn{};
  core::Variant variant{};
};

const Traits& traits_of(isa::Insn insn);
HandlerTraits handler_traits(core::HandlerId id);

}  // namespace salu::lanes
