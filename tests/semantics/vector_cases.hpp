#pragma once

#include <salu/state.hpp>

#include <random>
#include <string>
#include <vector>

#include "isa/vector/decode.hpp"

/// Random instructions of the vector unit, and waves for them to run in.
namespace salu::test {

using Random = std::mt19937_64;

/// The forms in which a generation has an instruction of the ALU; none where it does not have it.
std::vector<isa::vector::Form> vector_forms(Generation generation, isa::vector::Insn insn);

/// Every vector instruction.
std::vector<isa::vector::Insn> all_vector_insns();

/// An instruction of the ALU with any operands and modifiers that the form lets it have.
isa::vector::Instruction random_vector_instruction(Generation generation, isa::vector::Insn insn,
                                                   isa::vector::Form form, Random& random);

/// Edges of integers and floats, few bits set, or anything.
u32 random_dword(Random& random);

/// A wave with such values in all registers, most of them defined.
WaveState random_wave(Generation generation, Random& random);

/// All lanes on, none, one, or any.
u64 random_mask(Random& random);

/// All in which vector registers differ, a line each, as long as there are not too many.
std::string vector_difference(const WaveState& expected, const WaveState& actual);

}  // namespace salu::test
