#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "proof/text_words.hpp"
#include "support/compiler.hpp"

/// The semantic functions over terms: the same text as the machine's (isa/semantics/words.hpp), compiled once more.
namespace salu::proof::text {

#include "isa/semantics/values.inc"

#include "isa/semantics/signature.inc"

#include "exec/step.inc"

namespace semantics {

#include "isa/semantics/overflow.inc"

#include "isa/semantics/all.inc"
#include "isa/semantics/scalar_memory.inc"

}  // namespace semantics
}  // namespace salu::proof::text
