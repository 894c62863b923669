#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "isa/semantics/atomics.hpp"
#include "proof/text_words.hpp"
#include "support/compiler.hpp"

/// The semantic functions, compiled for terms from the same source as for the machine (isa/semantics/words.hpp).
namespace salu::proof::text {

#include "isa/semantics/values.inc"

#include "isa/semantics/signature.inc"

#include "exec/step.inc"

namespace semantics {

#include "isa/semantics/overflow.inc"

#include "isa/semantics/all.inc"
#include "isa/semantics/atomics.inc"
#include "isa/semantics/scalar_memory.inc"

}  // namespace semantics
}  // namespace salu::proof::text
