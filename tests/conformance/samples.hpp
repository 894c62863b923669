#pragma once

#include <salu/target.hpp>

#include <vector>

#include "isa/decode.hpp"

/// Encodings to compare: every row of the tables with every operand code and many immediates.
namespace salu::conformance {

struct Sample {
  isa::Instruction instruction;
  isa::EncodedWords words;
};

/// Every instruction of a generation; each operand field in turn takes all of its codes, legal or not, while the other
/// fields have plain registers. Literals have values around the limits of inline constants and extensions.
std::vector<Sample> operand_samples(Generation generation);

/// Every instruction with an immediate, with edge cases. With `exhaustive`, all 65536 values for the first instruction
/// of each kind of immediate.
std::vector<Sample> immediate_samples(Generation generation, bool exhaustive);

/// Every scalar memory instruction with all forms of offset and all modifiers.
std::vector<Sample> memory_samples(Generation generation);

/// The instruction with legal operands that differ from each other.
isa::Instruction plain_instruction(Generation generation, isa::Insn insn);

/// All instructions of a generation.
std::vector<isa::Insn> instructions_of(Generation generation);

}  // namespace salu::conformance
