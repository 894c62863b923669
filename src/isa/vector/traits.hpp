#pragma once

#include <concepts>

#include "isa/semantics/probes.hpp"
#include "isa/vector/instruction.hpp"
#include "isa/vector/semantics/all.hpp"

/// Derives what the rows in isa/vector/instructions/*.def leave out from the semantic function of an instruction.
namespace salu::isa::vector::traits {

template <class T>
inline constexpr bool is_mask = std::same_as<T, bool>;
template <class T>
inline constexpr bool is_mask<WithCarry<T>> = true;

template <auto function, class R, class... A>
constexpr LaneTraits traits_of(R (*)(A...)) {
  constexpr bool asks_for_exec = (std::same_as<A, Exec> || ...);
  LaneTraits traits;
  if constexpr (std::same_as<R, Nothing>) traits.work = LaneWork::no_effect;
  if constexpr (std::same_as<R, ToScalar>)
    traits.work = asks_for_exec ? LaneWork::read_first_lane : LaneWork::read_lane;
  if constexpr (std::same_as<R, ToLane>) traits.work = LaneWork::write_lane;
  if constexpr (std::same_as<R, Swapped>) traits.work = LaneWork::swap;
  if constexpr (std::same_as<R, Exchange>) {
    traits.work = LaneWork::exchange;
    traits.exchange_distance = static_cast<u8>(function().distance);
  }
  if constexpr (std::same_as<R, Relative>) {
    traits.work = LaneWork::relative;
    traits.moves_source = function({1}).source != 0;
    traits.moves_destination = function({1}).destination != 0;
  }
  traits.copies =
      traits.work == LaneWork::swap || traits.work == LaneWork::relative || probes::returns_argument<function>();
  return traits;
}

template <class R, class... A>
constexpr Shape complete(Shape shape, R (*)(A...)) {
  constexpr bool is_swap = std::same_as<R, Swapped> || std::same_as<R, Exchange>;
  shape.writes_mask = is_mask<R>;
  shape.reads_mask = (std::same_as<A, MaskBit> || ...);
  shape.is_swap = is_swap;
  shape.accumulates = !is_swap && (std::same_as<A, Destination> || ...);
  return shape;
}

}  // namespace salu::isa::vector::traits

namespace salu::isa::vector {

/// The row of an instruction of the ALU.
template <auto function>
constexpr InstructionInfo described(const Names& names, Format format, const Opcodes& opcodes,
                                    const Opcodes& vop3_opcodes, const Shape& shape, ModifierSet modifiers) {
  return {traits::traits_of<function>(function), names,     format, opcodes, vop3_opcodes,
          traits::complete(shape, function),     modifiers, {}};
}

}  // namespace salu::isa::vector
