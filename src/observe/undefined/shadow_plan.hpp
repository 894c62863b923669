#pragma once

#include <salu/integer.hpp>

#include "core/machine.hpp"
#include "isa/decode.hpp"

namespace salu::observe::undefined {

/// Where the operands of a scalar instruction lie, found once: what does not depend on the state.
class ShadowPlan {
 public:
  struct OperandPlace {
    enum class Kind : u8 {
      other,     ///< to be found when the instruction comes
      file,      ///< registers of the file that are always there
      constant,  ///< an inline constant
    };
    Kind kind = Kind::other;
    u8 code = 0;    ///< of the first register
    u64 value = 0;  ///< of the constant
  };

  /// Knows nothing.
  ShadowPlan() = default;
  ShadowPlan(const core::Machine& machine, const isa::Instruction& instruction);

  OperandPlace ssrc0;
  OperandPlace ssrc1;
  OperandPlace sdst;
};

}  // namespace salu::observe::undefined
