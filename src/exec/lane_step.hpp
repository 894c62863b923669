#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <utility>

#include "isa/vector/decode.hpp"
#include "isa/vector/semantics/all.hpp"
#include "support/compiler.hpp"

/// The adapter between a state and the semantic functions of one lane, compiled for plain words (exec/lane_step.inc).
namespace salu::isa::vector {

#include "exec/lane_step.inc"

// Sources that only the machine supports.
template <>
inline constexpr bool is_lane_source<F16> = true;
template <>
inline constexpr bool is_lane_source<Mixed> = true;
template <>
inline constexpr bool is_lane_source<Halves> = true;
template <>
inline constexpr bool is_lane_source<F32> = true;
template <>
inline constexpr bool is_lane_source<F64> = true;
template <>
inline constexpr bool is_lane_source<AllLanes> = true;

template <>
inline constexpr bool is_read_by_domain<Mixed> = true;
template <>
inline constexpr bool is_read_by_domain<Halves> = true;
template <>
inline constexpr bool may_be_packed<F16> = true;
template <>
inline constexpr bool may_be_packed<F32> = true;
template <>
inline constexpr bool may_be_half_of_pair<F32> = true;

}  // namespace salu::isa::vector
