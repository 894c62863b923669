#pragma once

#include "isa/instruction.hpp"

namespace salu::batch {

/// The execution of an instruction for many states.
enum class Role : u8 {
  row_loop,  ///< a pure function of values
  branch,    ///< to its target or to the next instruction, depending on values
  nothing,   ///< only counted
  end,       ///< S_ENDPGM
  jump,      ///< S_SETPC_B64
  other,     ///< needs the scalar machine
};

Role role_of(isa::Insn insn);

}  // namespace salu::batch
