#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <utility>

#include "isa/vector/decode.hpp"
#include "observe/undefined/text_words.hpp"
#include "support/compiler.hpp"

/// The semantic functions of one lane over words with some undefined bits: the same text as the machine's
/// (isa/vector/semantics/lane_text.inc), compiled a second time, and the adapter for them.
namespace salu::observe::undefined::text::lanes {

#include "isa/vector/semantics/lane_words.inc"

#include "exec/lane_step.inc"

}  // namespace salu::observe::undefined::text::lanes
