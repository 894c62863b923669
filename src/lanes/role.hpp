#pragma once

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

Role role_of(isa::Insn insn);

}  // namespace salu::lanes
