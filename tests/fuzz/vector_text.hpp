#pragma once

#include <salu/target.hpp>

#include "isa/vector/decode.hpp"

/// Vector instructions whose text is ambiguous in assembly, for LLVM and for salu.
namespace salu::fuzzing {

/// A floating-point inline constant in a 16-bit operand: printed as half-precision bits, it is a literal. Or a literal
/// with the bits of such a constant, which is printed as the number, or whose lower half is one, because LLVM only
/// prints that.
bool has_half_constant(Generation generation, const isa::vector::Instruction& instruction);

/// True if the text assembles: an instruction that reads more than one scalar value can only be encoded.
bool is_assembled(Generation generation, const isa::vector::Instruction& instruction);

}  // namespace salu::fuzzing
