#pragma once

#include <salu/state.hpp>

#include <random>
#include <string>
#include <vector>

#include "semantics/code.hpp"
#include "semantics/reference_alu.hpp"

/// One computation in all the ways in which an instruction can get at its operands: SGPRs, inline constants, literals,
/// special registers, registers beyond the allocation, and every kind of destination.
namespace salu::test {

/// An instruction of SOP1, SOP2, SOPC or SOPK that only computes, with its inputs and what it has to come to.
struct AluCase {
  Generation generation{};
  std::string mnemonic;
  AluInputs in;
  AluResult out;
};

/// The case laid out: the instruction's words, the state before and after, the warnings that are due.
struct Placement {
  std::string text;  ///< where SDST, SSRC0 and SSRC1 are
  std::vector<u32> words;
  WaveState initial;
  WaveState expected;
  std::string warnings;  ///< names, sorted, each once
};

/// Every layout that can hold the case's values.
std::vector<Placement> all_placements(const AluCase& alu_case);

/// SGPRs only.
Placement plain_placement(const AluCase& alu_case);

/// Any one of the possible layouts.
Placement random_placement(const AluCase& alu_case, std::mt19937_64& random);

/// Executes a layout and compares steps, stop, warnings and the whole state. Empty when all is as expected.
std::string run_placement(const AluCase& alu_case, const Placement& placement, Dispatch dispatch = Dispatch::best);

/// A state in which no two registers are alike, with some of them undefined; all lanes' worth of EXEC, 48 SGPRs.
WaveState noisy_state(Generation generation);

/// Value of an inline constant (codes 128 to 208, 240 to 248) for an operand of one or two dwords.
u64 inline_constant(u32 code, u32 dwords);

}  // namespace salu::test
