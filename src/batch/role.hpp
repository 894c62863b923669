#pragma once

#include "isa/instruction.hpp"

namespace salu::batch {

/// How an instruction is executed for many states.
enum class Role : u8 {
  row_loop,  ///< values in, values out
  branch,    ///< to its target or on, by values
  nothing,   ///< only counted
  end,       ///< S_ENDPGM
  jump,      ///< S_SETPC_B64
  other,     ///< by the scalar machine
};

Role role_of(isa::Insn insn);

}  // namespace salu::batch
