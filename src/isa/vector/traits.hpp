#pragma once

#include <concepts>

#include "isa/semantics/probes.hpp"
#include "isa/vector/instruction.hpp"
#include "isa/vector/semantics/all.hpp"

/// Completes the rows in isa/vector/instructions/*.def with properties derived from the semantic functions.
namespace salu::isa::vector::traits {

template <class R>
inline constexpr bool is_mask = std::same_as<R, bool>;
template <class T>
inline constexpr bool is_mask<WithCarry<T>> = true;

/// Returns a row with the properties of its semantic function.
template <auto function, class R, class... A>
constexpr InstructionInfo completed(InstructionInfo row, R (*)(A...)) {
  if constexpr (std::same_as<R, Nothing>) row.work = LaneWork::no_effect;
  if constexpr (std::same_as<R, ToScalar>)
    row.work = (std::same_as<A, Exec> || ...) ? LaneWork::read_first_lane : LaneWork::read_lane;
  if constexpr (std::same_as<R, ToLane>) row.work = LaneWork::write_lane;
  if constexpr (std::same_as<R, Swapped>) row.work = LaneWork::swap;
  if constexpr (std::same_as<R, Exchange>) {
    row.work = LaneWork::exchange;
    row.exchange_distance = static_cast<u8>(function().distance);
  }
  if constexpr (std::same_as<R, Relative>) {
    row.work = LaneWork::relative;
    row.moves_source = function({1}).source != 0;
    row.moves_destination = function({1}).destination != 0;
  }
  row.copies =
      row.work == LaneWork::swap || row.work == LaneWork::relative || probes::returns_argument<function>(function);
  row.shape.writes_mask = is_mask<R>;
  row.shape.reads_mask = (std::same_as<A, MaskBit> || ...);
  row.shape.is_swap = row.work == LaneWork::swap || row.work == LaneWork::exchange;
  row.shape.accumulates =
      !row.shape.is_swap && ((std::same_as<A, Destination> || std::same_as<A, WideDestination>) || ...);
  return row;
}

}  // namespace salu::isa::vector::traits
