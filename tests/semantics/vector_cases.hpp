#pragma once

#include <salu/state.hpp>

#include <random>
#include <string>
#include <vector>

#include "isa/vector/decode.hpp"

/// Random instructions of the vector unit, and waves to run them in.
namespace salu::test {

using Random = std::mt19937_64;

/// The forms of an ALU instruction on a generation; empty if it does not exist there.
std::vector<isa::vector::Form> vector_forms(Generation generation, isa::vector::Insn insn);

/// Every vector instruction.
std::vector<isa::vector::Insn> all_vector_insns();

/// An ALU instruction with random operands and modifiers that the form allows.
isa::vector::Instruction random_vector_instruction(Generation generation, isa::vector::Insn insn,
                                                   isa::vector::Form form, Random& random);

/// Edge cases of integers and floats, few bits set, or arbitrary.
u32 random_dword(Random& random);

/// A wave with such values in all registers, most of them defined.
WaveState random_wave(Generation generation, Random& random);

/// All lanes active, none, one, or any.
u64 random_mask(Random& random);

/// The differences in vector registers, one per line, up to a limit.
std::string vector_difference(const WaveState& expected, const WaveState& actual);

}  // namespace salu::test
