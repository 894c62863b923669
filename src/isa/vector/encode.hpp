#pragma once

#include <salu/target.hpp>

#include "isa/decode.hpp"
#include "isa/vector/decode.hpp"

namespace salu::isa::vector {

/// The words of an instruction as LLVM writes them: what no operand and no modifier uses is zero, but for OP_SEL_HI.
/// The inverse of `decode`, which judges whether there is such an instruction on the generation.
EncodedWords encode(Generation generation, const Instruction& instruction);

}  // namespace salu::isa::vector
