#pragma once

#include <salu/outcome.hpp>

#include <optional>
#include <string>
#include <utility>

#include "isa/decode.hpp"
#include "isa/vector/decode.hpp"
#include "proof/symbolic_state.hpp"

namespace salu::proof {

/// The successors of an instruction.
struct NextStep {
  enum class Kind : u8 { go_on, end, unknown };
  Kind kind = Kind::go_on;
  TermId pc = 0;                         ///< 64 bits
  std::optional<TermId> condition{};     ///< if set: `pc` is the next address only if this holds
  TermId otherwise = 0;                  ///< the next address if `condition` does not hold
  std::optional<SymbolicState> other{};  ///< the state for `otherwise`, if it differs
  StopReason reason = StopReason::end_program;
  std::optional<TermId> except{};  ///< inputs for which the instruction is not supported
  std::string why{};               ///< the unsupported property of the instruction: `a jump to ...`

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

/// Limit for the values of an address (`FewValues`).
inline constexpr u64 most_places = 4096;

/// Executes the scalar instruction at the PC of a state.
NextStep step_scalar(Terms& terms, SymbolicState& state, const core::Wave& wave, const isa::Instruction& instruction);
/// Executes a scalar memory instruction.
NextStep step_memory(Terms& terms, SymbolicState& state, const core::Wave& wave, const isa::Instruction& instruction);
/// Executes a vector instruction.
NextStep step_vector(Terms& terms, SymbolicState& state, const core::Wave& wave, const isa::Instruction& instruction);

/// Executes a vector memory instruction. `next`: its successor.
NextStep step_lane_memory(Terms& terms, SymbolicState& state, const core::Wave& wave,
                          const isa::vector::Instruction& instruction, NextStep next);

/// Returns a scalar operand of one or two dwords as a word. `wave`: the allocation, and the values of constants.
TermId read_operand(Terms& terms, SymbolicState& state, const core::Wave& wave, u32 code, u32 dwords, u32 literal);
/// True if a write to a destination takes effect.
bool is_written(const core::Wave& wave, u32 code, u32 dwords);

}  // namespace salu::proof
