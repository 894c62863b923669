#pragma once

#include <salu/target.hpp>

#include "isa/vector/decode.hpp"

/// Vector instructions whose text does not stand for them in assembly, with LLVM as with salu.
namespace salu::fuzzing {

/// An inline constant that is a float, in a 16-bit operand: printed as the bits of half precision, it is a literal. Or
/// a literal with the bits of such a constant, which is printed as the number, or whose lower half is one: LLVM prints
/// no more than that.
bool has_half_constant(Generation generation, const isa::vector::Instruction& instruction);

/// Whether the text assembles: an instruction that reads more than one scalar value can be encoded alone.
bool is_assembled(Generation generation, const isa::vector::Instruction& instruction);

}  // namespace salu::fuzzing
