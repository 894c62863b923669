#pragma once

#include <salu/state.hpp>

#include <random>
#include <string>
#include <vector>

#include "semantics/code.hpp"
#include "semantics/reference_alu.hpp"

/// One computation with its operands in all possible places: SGPRs, inline constants, literals, special registers,
/// registers beyond the allocation, and every kind of destination.
namespace salu::test {

/// An instruction of SOP1, SOP2, SOPC or SOPK that only computes, with its inputs and the expected result.
struct AluCase {
  Generation generation{};
  std::string mnemonic;
  AluInputs in;
  AluResult out;
};

/// One layout of a case: the words of the instruction, the state before and after, the expected warnings.
struct Placement {
  std::string text;  ///< the places of SDST, SSRC0 and SSRC1
  std::vector<u32> words;
  WaveState initial;
  WaveState expected;
  std::string warnings;  ///< names, sorted, without duplicates
};

/// All layouts that can hold the case's values.
std::vector<Placement> all_placements(const AluCase& alu_case);

/// SGPRs only.
Placement plain_placement(const AluCase& alu_case);

/// Any one of the possible layouts.
Placement random_placement(const AluCase& alu_case, std::mt19937_64& random);

/// Executes a layout and compares steps, stop, warnings and the whole state. Empty if everything is as expected.
std::string run_placement(const AluCase& alu_case, const Placement& placement, Dispatch dispatch = Dispatch::best);

/// A state in which all registers differ and some are undefined, with all lanes active and 48 SGPRs.
WaveState noisy_state(Generation generation);

/// Value of an inline constant (codes 128 to 208, 240 to 248) for an operand of one or two dwords.
u64 inline_constant(u32 code, u32 dwords);

}  // namespace salu::test
