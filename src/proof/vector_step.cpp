#include <array>
#include <optional>

#include "isa/vector/decode.hpp"
#include "proof/instruction_step.hpp"

/// What moves words between scalar registers and lanes of vector registers: results of functions, and spilled SGPRs.
namespace salu::proof {
namespace {

using isa::vector::Insn;
using isa::vector::Instruction;

u32 lane_index(u32 vgpr, u32 lane) { return state_index::vgprs + vgpr * state_index::lanes + lane; }

}  // namespace

NextStep step_vector(Terms& terms, SymbolicState& state, const core::Wave& wave, const isa::Instruction& instruction) {
  NextStep next = NextStep::to(terms.constant(64, state.pc + u64{instruction.dwords} * 4));
  const std::optional<Instruction> decoded = isa::vector::decode(wave.generation, instruction.vector_words);
  const bool is_plain =
      decoded && decoded->form != isa::vector::Form::sdwa && !decoded->clamp && decoded->output_modifier == 0;
  if (!is_plain) return NextStep::give_up("a vector instruction");
  const TermId mode = state.read(state_index::mode);
  constexpr u32 redirecting = 1U << mode_bit::vskip | 1U << mode_bit::gpr_idx_en;
  if (!terms.is_constant(mode) || (terms.value(mode) & redirecting) != 0)
    return NextStep::give_up("a vector instruction that MODE skips or redirects");
  const isa::vector::Source& source = decoded->sources[0];
  const bool has_modifiers = source.negate || source.absolute;
  const auto scalar = [&](const isa::vector::Source& of) {
    return read_operand(terms, state, wave, of.code, 1, decoded->literal);
  };
  const auto vgpr = [](const isa::vector::Source& of) { return u32{of.code} - isa::vector::first_vgpr; };
  const auto known_lane = [&]() -> std::optional<u32> {
    const TermId lane = scalar(decoded->sources[1]);
    if (!terms.is_constant(lane)) return std::nullopt;
    return static_cast<u32>(terms.value(lane) & 63);
  };
  switch (decoded->insn) {
    case Insn::v_mov_b32: {
      if (has_modifiers) break;
      const TermId exec = state.pair(code::exec);
      std::array<TermId, state_index::lanes> moved{};
      for (u32 lane = 0; lane < state_index::lanes; ++lane) {
        const TermId word = source.is_vgpr() ? state.read(lane_index(vgpr(source), lane)) : scalar(source);
        const TermId old = state.read(lane_index(decoded->destination, lane));
        moved[lane] = terms.select(terms.slice(exec, lane, 1), word, old);
      }
      for (u32 lane = 0; lane < state_index::lanes; ++lane)
        state.write(lane_index(decoded->destination, lane), moved[lane]);
      return next;
    }
    case Insn::v_writelane_b32: {
      const std::optional<u32> lane = known_lane();
      if (!lane || has_modifiers || source.is_vgpr()) break;
      state.write(lane_index(decoded->destination, *lane), scalar(source));
      return next;
    }
    case Insn::v_readlane_b32:
    case Insn::v_readfirstlane_b32: {
      if (has_modifiers || !source.is_vgpr()) break;
      std::optional<u32> lane;
      if (decoded->insn == Insn::v_readlane_b32) {
        lane = known_lane();
      } else if (const TermId exec = state.pair(code::exec); terms.is_constant(exec)) {
        const u64 lanes = terms.value(exec);
        lane = lanes == 0 ? 0 : static_cast<u32>(std::countr_zero(lanes));
      }
      if (!lane) return NextStep::give_up("a lane that the inputs select");
      if (is_written(wave, decoded->destination, 1))
        state.write(register_index(wave.generation, decoded->destination), state.read(lane_index(vgpr(source), *lane)));
      return next;
    }
    default:
      break;
  }
  return NextStep::give_up("a vector instruction that computes");
}

}  // namespace salu::proof
