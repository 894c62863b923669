#pragma once

#include "proof/word.hpp"

/// What types of words are called in the text of semantic functions when it is compiled for words that are terms.
namespace salu::proof::text {

#include "isa/semantics/word_types.inc"

}  // namespace salu::proof::text
