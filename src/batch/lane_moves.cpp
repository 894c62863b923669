#include "batch/lane_moves.hpp"

#include <bit>

#include "isa/vector/instruction.hpp"

namespace salu::batch {
namespace {

using isa::vector::Instruction;

bool is_sgpr(const core::Wave& wave, u32 code) { return code < wave.sgprs; }

/// True if a scalar source is always a slot: a register of the wave, or a constant.
bool is_slot(const core::Wave& wave, u32 code) {
  const bool is_integer = code >= 128 && code <= 208;
  const bool is_float = code >= 240 && code <= 247;
  const bool is_register = is_sgpr(wave, code) || (code | 1U) == gcn::operands.vcc + 1U || code == gcn::operands.m0;
  return is_register || is_integer || is_float;
}

bool take_source(LaneMove& move, const Instruction& instruction, const core::Wave& wave) {
  const isa::vector::Source& source = instruction.sources[0];
  if (source.negate || source.absolute) return false;
  if (source.is_vgpr()) {
    move.source = LaneMove::Source::vector;
    move.source_vgpr = static_cast<u8>(source.code - isa::vector::first_vgpr);
    return move.kind == LaneMove::Kind::to_all;
  }
  if (source.code == isa::literal_code) {
    move.source = LaneMove::Source::literal;
    move.literal = instruction.literal;
    return true;
  }
  move.slot = source.code;
  return is_slot(wave, source.code);
}

/// The lane, if it is a constant.
std::optional<u8> lane_of(const Instruction& instruction, const core::Wave& wave) {
  const u32 code = instruction.sources[1].code;
  if (code < 128 || code > 208) return std::nullopt;
  return static_cast<u8>(wave.slots[code] & 63);
}

}  // namespace

std::optional<LaneMove> LaneMove::of(const Instruction& instruction, const core::Wave& initial, bool knows_exec) {
  using isa::vector::LaneWork;
  constexpr isa::vector::Operand dword{isa::vector::OperandKind::vgpr, 32};
  if (isa::vector::is_extended(instruction.form) || instruction.clamp || instruction.output_modifier != 0)
    return std::nullopt;
  LaneMove move;
  const isa::vector::InstructionInfo& row = isa::vector::info(instruction.insn);
  switch (row.work) {
    case LaneWork::each:
      // V_MOV_B32.
      if (!row.copies || row.format != isa::vector::Format::vop1 || row.shape.destination != dword) return std::nullopt;
      move.vgpr = instruction.destination;
      if (!knows_exec || !take_source(move, instruction, initial)) return std::nullopt;
      return move;
    case LaneWork::write_lane: {
      const std::optional<u8> lane = lane_of(instruction, initial);
      move.kind = Kind::to_lane;
      move.vgpr = instruction.destination;
      move.lane = lane.value_or(0);
      if (!lane || !take_source(move, instruction, initial)) return std::nullopt;
      return move;
    }
    case LaneWork::read_lane:
    case LaneWork::read_first_lane: {
      std::optional<u8> lane;
      if (row.work == LaneWork::read_lane) lane = lane_of(instruction, initial);
      const u64 exec = initial.pair(state_index::exec);
      if (row.work == LaneWork::read_first_lane && knows_exec)
        lane = static_cast<u8>(exec == 0 ? 0 : std::countr_zero(exec));
      move.kind = Kind::from_lane;
      move.sdst = instruction.destination;
      if (!lane || !instruction.sources[0].is_vgpr() || !is_sgpr(initial, move.sdst)) return std::nullopt;
      move.vgpr = static_cast<u8>(instruction.sources[0].code - isa::vector::first_vgpr);
      move.lane = *lane;
      return move;
    }
    default:
      return std::nullopt;
  }
}

void MovedVectors::add(const LaneMove& move) {
  is_moved_[move.vgpr] = true;
  if (move.kind != LaneMove::Kind::to_all) own_lanes_[move.vgpr] |= u64{1} << move.lane;
  if (move.source != LaneMove::Source::vector) return;
  is_moved_[move.source_vgpr] = true;
  copies_.emplace_back(move.source_vgpr, move.vgpr);
}

void MovedVectors::settle() {
  // A copy also copies lanes with values of their own.
  for (bool changes = true; changes;) {
    changes = false;
    for (const auto& [from, to] : copies_) {
      const u64 lanes = own_lanes_[to] | (own_lanes_[from] & exec_);
      changes = changes || lanes != own_lanes_[to];
      own_lanes_[to] = lanes;
    }
  }
}

bool MovedVectors::is_uniform(u32 vgpr) const {
  for (u64 lanes = shared_lanes(vgpr); lanes != 0; lanes &= lanes - 1) {
    if (initial(vgpr, static_cast<u32>(std::countr_zero(lanes))) != initial(vgpr)) return false;
  }
  return true;
}

u32 MovedVectors::initial(u32 vgpr) const {
  const u64 lanes = shared_lanes(vgpr);
  return lanes == 0 ? 0 : initial(vgpr, static_cast<u32>(std::countr_zero(lanes)));
}

}  // namespace salu::batch
