#pragma once

#include <salu/state.hpp>

#include <array>
#include <vector>

#include "isa/vector/decode.hpp"

/// What an instruction of the vector ALU does to a whole wave, by the tests' own account: its words, what its operands
/// hold in each lane, and where the results of `vector_reference.hpp` go.
namespace salu::test {

/// The words of an instruction of the ALU in its form.
std::vector<u32> encode_vector(Generation generation, const isa::vector::Instruction& instruction);

/// A lane of a register that may hold any quiet NaN: the manuals do not say which one.
struct AnyNan {
  u32 number = 0;
  u32 lane = 0;
};

/// Executes an instruction; PC stays. Returns what may be any NaN.
std::vector<AnyNan> execute_vector(const isa::vector::Instruction& instruction, WaveState& state);

}  // namespace salu::test
