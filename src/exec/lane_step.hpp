#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <utility>

#include "isa/vector/decode.hpp"
#include "isa/vector/semantics/all.hpp"
#include "support/compiler.hpp"

/// The adapter between the semantic functions of one lane over plain words and a state (exec/lane_step.inc).
namespace salu::isa::vector {

#include "exec/lane_step.inc"

/// What the machine alone has.
template <>
inline constexpr bool is_lane_source<F32> = true;
template <>
inline constexpr bool is_lane_source<AllLanes> = true;

}  // namespace salu::isa::vector
