#pragma once

#include "proof/word.hpp"

/// The names of word types in the source of the semantic functions, for terms.
namespace salu::proof::text {

#include "isa/semantics/word_types.inc"

}  // namespace salu::proof::text
