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
inline constexpr bool is_lane_source<F32> = true;
template <>
inline constexpr bool is_lane_source<F64> = true;
template <>
inline constexpr bool is_lane_source<AllLanes> = true;

}  // namespace salu::isa::vector
