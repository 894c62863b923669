#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <utility>

#include "isa/vector/decode.hpp"
#include "proof/text_words.hpp"
#include "support/compiler.hpp"

/// The semantic functions of one lane, and their adapter, compiled for terms from the same source as for the machine
/// (isa/vector/semantics/lane_text.inc).
namespace salu::proof::text::lanes {

#include "isa/vector/semantics/lane_words.inc"

#include "exec/lane_step.inc"

}  // namespace salu::proof::text::lanes
