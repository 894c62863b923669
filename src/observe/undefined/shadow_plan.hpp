#pragma once

#include <salu/integer.hpp>

#include "core/machine.hpp"
#include "isa/decode.hpp"

namespace salu::observe::undefined {

/// The locations of the operands of a scalar instruction as far as they do not depend on the state; computed once.
class ShadowPlan {
 public:
  struct OperandPlace {
    enum class Kind : u8 {
      other,     ///< to be resolved when the instruction is executed
      file,      ///< registers of the operand file that always exist
      constant,  ///< an inline constant
    };
    Kind kind = Kind::other;
    u8 code = 0;    ///< code of the first register
    u64 value = 0;  ///< value of the constant
  };

  /// An empty plan.
  ShadowPlan() = default;
  ShadowPlan(const core::Machine& machine, const isa::Instruction& instruction);

  OperandPlace ssrc0;
  OperandPlace ssrc1;
  OperandPlace sdst;
};

}  // namespace salu::observe::undefined
