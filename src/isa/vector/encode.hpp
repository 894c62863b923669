#pragma once

#include <salu/target.hpp>

#include "isa/decode.hpp"
#include "isa/vector/decode.hpp"

namespace salu::isa::vector {

/// The words of an instruction as LLVM writes them: bits that no operand and no modifier uses are zero, except in
/// OP_SEL_HI. The inverse of `decode`, which checks that the generation has the instruction.
EncodedWords encode(Generation generation, const Instruction& instruction);

}  // namespace salu::isa::vector
