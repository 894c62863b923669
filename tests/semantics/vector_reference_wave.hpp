#pragma once

#include <salu/state.hpp>

#include <array>
#include <vector>

#include "isa/vector/decode.hpp"

/// An independent model of an instruction of the vector ALU on a whole wave: its words, the values of its operands in
/// each lane, and the destinations of the results of `vector_reference.hpp`.
namespace salu::test {

/// The words of an ALU instruction in its form.
std::vector<u32> encode_vector(Generation generation, const isa::vector::Instruction& instruction);

/// A lane of a register or of a pair that may hold any quiet NaN: the manuals do not specify it.
struct AnyNan {
  u32 number = 0;  ///< the first register
  u32 lane = 0;
  u32 dwords = 1;
};

/// Executes an instruction; the PC is unchanged. Returns the lanes that may be any NaN.
std::vector<AnyNan> execute_vector(const isa::vector::Instruction& instruction, WaveState& state);

}  // namespace salu::test
