#include "proof/vector_step.hpp"

#include <array>
#include <bit>
#include <optional>

#include "core/vector/allocated.hpp"
#include "isa/vector/semantics/move.hpp"
#include "proof/lane_sources.hpp"

/// Vector instructions: what moves words between scalar registers and lanes is here.
namespace salu::proof {
namespace {

namespace vector = isa::vector;

class VectorStep {
 public:
  VectorStep(Terms& terms, SymbolicState& state, const core::Wave& wave, const vector::Instruction& instruction)
      : terms_(terms), state_(state), wave_(wave), instruction_(instruction) {}

  NextStep run(NextStep next) {
    switch (sources_.row().work) {
      case vector::LaneWork::no_effect:
        return next;
      case vector::LaneWork::swap:
        swap();
        return next;
      case vector::LaneWork::exchange:
        exchange({sources_.row().exchange_distance});
        return next;
      case vector::LaneWork::write_lane: {
        const std::optional<u32> lane = chosen_lane();
        if (!lane) return NextStep::give_up("a lane that the inputs select");
        state_.write_lane(instruction_.destination, *lane, sources_.dword(0, *lane));
        return next;
      }
      case vector::LaneWork::read_lane:
        return to_scalar(chosen_lane(), std::move(next));
      case vector::LaneWork::read_first_lane:
        return to_scalar(first_lane(), std::move(next));
      case vector::LaneWork::each:
      case vector::LaneWork::relative:
        break;
    }
    if (sources_.row().is_memory()) return step_lane_memory(terms_, state_, wave_, instruction_, std::move(next));
    if (step_lanes(terms_, state_, wave_, instruction_)) return next;
    return NextStep::give_up("a vector instruction on floats, or on registers that M0 selects");
  }

 private:
  [[nodiscard]] std::optional<u32> chosen_lane() const {
    const TermId lane = read_operand(terms_, state_, wave_, instruction_.sources[1].code, 1, instruction_.literal);
    const TermId low = terms_.slice(lane, 0, 6);
    if (!terms_.is_constant(low)) return std::nullopt;
    return static_cast<u32>(terms_.value(low));
  }
  /// The first one that is on; lane 0 where none is.
  [[nodiscard]] std::optional<u32> first_lane() const {
    const TermId exec = state_.pair(code::exec);
    if (!terms_.is_constant(exec)) return std::nullopt;
    const u64 lanes = terms_.value(exec);
    return lanes == 0 ? 0 : static_cast<u32>(std::countr_zero(lanes));
  }
  NextStep to_scalar(std::optional<u32> lane, NextStep next) {
    if (!lane) return NextStep::give_up("a lane that the inputs select");
    if (is_written(wave_, instruction_.destination, 1))
      state_.write(register_index(wave_.generation, instruction_.destination), sources_.dword(0, *lane));
    return next;
  }
  void swap() {
    const u32 source = u32{instruction_.sources[0].code} - isa::vector::first_vgpr;
    const u32 destination = instruction_.destination;
    for (u32 lane = 0; lane < state_index::lanes; ++lane) {
      const TermId on = sources_.is_on(lane);
      if (terms_.is_constant(on, 0)) continue;
      const TermId a = state_.lane(source, lane);
      const TermId b = state_.lane(destination, lane);
      state_.write_lane(source, lane, terms_.select(on, b, a));
      state_.write_lane(destination, lane, terms_.select(on, a, b));
    }
  }

  void exchange(vector::Exchange exchange) {
    const u32 source = u32{instruction_.sources[0].code} - isa::vector::first_vgpr;
    const u32 destination = instruction_.destination;
    const u64 upper = vector::semantics::upper_lanes(exchange);
    std::array<TermId, state_index::lanes> results{};
    const auto find = [&](u32 lane, u32 to, u32 from) {
      const u32 other = lane ^ exchange.distance;
      const TermId old = state_.lane(to, lane);
      TermId found = state_.lane(from, other);
      if ((instruction_.op_sel & 1) == 0) {
        const TermId otherwise = (instruction_.op_sel & 2) != 0 ? terms_.constant(32, 0) : old;
        found = terms_.select(sources_.is_on(other), found, otherwise);
      }
      results[lane] = terms_.select(sources_.is_on(lane), found, old);
    };
    const auto is_upper = [&](u32 lane) { return (upper >> lane & 1) != 0; };
    for (u32 lane = 0; lane < state_index::lanes; ++lane)
      is_upper(lane) ? find(lane, destination, source) : find(lane, source, destination);
    for (u32 lane = 0; lane < state_index::lanes; ++lane)
      state_.write_lane(is_upper(lane) ? destination : source, lane, results[lane]);
  }

  Terms& terms_;
  SymbolicState& state_;
  const core::Wave& wave_;
  const vector::Instruction& instruction_;
  LaneSources sources_{terms_, state_, wave_, instruction_};
};

}  // namespace

NextStep step_vector(Terms& terms, SymbolicState& state, const core::Wave& wave, const isa::Instruction& instruction) {
  NextStep next = NextStep::to(terms.constant(64, state.pc + u64{instruction.dwords} * 4));
  const std::optional<vector::Instruction> decoded = core::decode_allocated(wave, instruction.vector_words);
  if (!decoded) return NextStep::give_up("a vector instruction that is not executed");
  const TermId mode = state.read(state_index::mode);
  constexpr u32 redirecting = 1U << mode_bit::vskip | 1U << mode_bit::gpr_idx_en;
  if (!terms.is_constant(mode) || (terms.value(mode) & redirecting) != 0)
    return NextStep::give_up("a vector instruction that MODE skips or redirects");
  return VectorStep(terms, state, wave, *decoded).run(std::move(next));
}

}  // namespace salu::proof
