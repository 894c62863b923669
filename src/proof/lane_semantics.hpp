#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <utility>

#include "isa/vector/decode.hpp"
#include "proof/text_words.hpp"
#include "support/compiler.hpp"

/// The semantic functions of one lane over terms: the same text as the machine's (isa/vector/semantics/lane_text.inc),
/// compiled once more, and the adapter for them.
namespace salu::proof::text::lanes {

#include "isa/vector/semantics/lane_words.inc"

#include "exec/lane_step.inc"

}  // namespace salu::proof::text::lanes
