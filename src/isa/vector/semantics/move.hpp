#pragma once

#include <bit>

#include "isa/vector/semantics/values.hpp"

/// Moves between lanes, and between registers that are selected at run time.
namespace salu::isa::vector::semantics {

constexpr u32 low_lane(u32 number) { return number & 63; }
/// The value of the first active lane; of lane 0 if no lane is active.
constexpr ToScalar v_readfirstlane_b32(AllLanes src0, Exec exec) {
  return {src0.lanes[exec.value == 0 ? 0 : std::countr_zero(exec.value)]};
}
constexpr ToScalar v_readlane_b32(AllLanes src0, u32 src1) { return {src0.lanes[low_lane(src1)]}; }
constexpr ToLane v_writelane_b32(u32 src0, u32 src1) { return {low_lane(src1), src0}; }
constexpr Swapped v_swap_b32(Destination vdst, u32 src0) { return {src0, vdst.value}; }
constexpr Exchange v_permlane16_swap_b32() { return {16}; }
constexpr Exchange v_permlane32_swap_b32() { return {32}; }

/// The lanes that an exchange writes, one bit each. An inactive lane is not written. An active lane whose partner is
/// inactive keeps its value, becomes 0 with BOUND_CTRL, or receives the value of its partner with FI.
struct ExchangedLanes {
  u64 to_destination = 0;
  u64 to_source = 0;
  u64 zeroed = 0;   ///< in both registers
  u64 partial = 0;  ///< active lanes with an inactive partner, without FI
};
/// The upper lane of each pair.
constexpr u64 upper_lanes(Exchange exchange) {
  return exchange.distance == 16 ? 0xffff'0000'ffff'0000 : 0xffff'ffff'0000'0000;
}
constexpr ExchangedLanes exchanged_lanes(Exchange exchange, u64 exec, u8 op_sel) {
  const bool fetches_inactive = (op_sel & 1) != 0;
  const bool writes_zero = (op_sel & 2) != 0;
  const u64 upper = upper_lanes(exchange);
  const u64 others_on = (exec & ~upper) << exchange.distance | (exec & upper) >> exchange.distance;
  ExchangedLanes lanes;
  if (!fetches_inactive) lanes.partial = exec & ~others_on;
  if (writes_zero) lanes.zeroed = lanes.partial;
  const u64 written = fetches_inactive || writes_zero ? exec : exec & others_on;
  lanes.to_destination = written & upper;
  lanes.to_source = written & ~upper;
  return lanes;
}

constexpr Relative v_movreld_b32(Index m0) { return {0, m0.value}; }
constexpr Relative v_movrels_b32(Index m0) { return {m0.value, 0}; }
constexpr Relative v_movrelsd_b32(Index m0) { return {m0.value, m0.value}; }
constexpr Nothing v_nop() { return {}; }

}  // namespace salu::isa::vector::semantics
