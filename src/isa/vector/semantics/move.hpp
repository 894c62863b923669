#pragma once

#include <bit>

#include "isa/vector/semantics/values.hpp"

/// Moves between lanes, and between registers that are chosen when the instruction runs.
namespace salu::isa::vector::semantics {

constexpr u32 low_lane(u32 number) { return number & 63; }
/// Of the first lane that is on; of lane 0 where none is.
constexpr ToScalar v_readfirstlane_b32(AllLanes src0, Exec exec) {
  return {src0.lanes[exec.value == 0 ? 0 : std::countr_zero(exec.value)]};
}
constexpr ToScalar v_readlane_b32(AllLanes src0, u32 src1) { return {src0.lanes[low_lane(src1)]}; }
constexpr ToLane v_writelane_b32(u32 src0, u32 src1) { return {low_lane(src1), src0}; }
constexpr Swapped v_swap_b32(Destination vdst, u32 src0) { return {src0, vdst.value}; }
constexpr Relative v_movreld_b32(Index m0) { return {0, m0.value}; }
constexpr Relative v_movrels_b32(Index m0) { return {m0.value, 0}; }
constexpr Relative v_movrelsd_b32(Index m0) { return {m0.value, m0.value}; }
constexpr Nothing v_nop() { return {}; }

}  // namespace salu::isa::vector::semantics
