#pragma once

#include <salu/outcome.hpp>

#include <optional>
#include <string>
#include <utility>

#include "isa/decode.hpp"
#include "isa/vector/decode.hpp"
#include "proof/symbolic_state.hpp"

namespace salu::proof {

/// Where a wave goes on after an instruction.
struct NextStep {
  enum class Kind : u8 { go_on, end, unknown };
  Kind kind = Kind::go_on;
  TermId pc = 0;                         ///< 64 bits
  std::optional<TermId> condition{};     ///< where it holds it goes to `pc`
  TermId otherwise = 0;                  ///< and here where it does not,
  std::optional<SymbolicState> other{};  ///< with this state, if it is another one
  StopReason reason = StopReason::end_program;
  std::optional<TermId> except{};  ///< where it holds the instruction is not followed
  std::string why{};               ///< as `a jump ...`: what of the instruction cannot be followed

  static NextStep give_up(std::string why) {
    NextStep step;
    step.kind = Kind::unknown;
    step.why = std::move(why);
    return step;
  }
  static NextStep to(TermId pc) {
    NextStep step;
    step.pc = pc;
    return step;
  }
};

/// A word or an address may have so many values (`FewValues`).
inline constexpr u64 most_places = 4096;

/// Executes the scalar instruction at the state's PC on it.
NextStep step_scalar(Terms& terms, SymbolicState& state, const core::Wave& wave, const isa::Instruction& instruction);
/// A scalar memory instruction.
NextStep step_memory(Terms& terms, SymbolicState& state, const core::Wave& wave, const isa::Instruction& instruction);
/// A vector instruction.
NextStep step_vector(Terms& terms, SymbolicState& state, const core::Wave& wave, const isa::Instruction& instruction);

/// One of memory. `next`: where it goes on.
NextStep step_lane_memory(Terms& terms, SymbolicState& state, const core::Wave& wave,
                          const isa::vector::Instruction& instruction, NextStep next);

/// A scalar operand of one or two dwords as a word. `wave`: the constants of the generation.
TermId read_operand(Terms& terms, SymbolicState& state, const core::Wave& wave, u32 code, u32 dwords, u32 literal);
/// Whether a destination takes what is written to it.
bool is_written(const core::Wave& wave, u32 code, u32 dwords);

}  // namespace salu::proof
