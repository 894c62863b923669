#pragma once

#include "observe/undefined/word.hpp"

/// The names of word types in the source of the semantic functions, for words with undefined bits.
namespace salu::observe::undefined::text {

#include "isa/semantics/word_types.inc"

}  // namespace salu::observe::undefined::text
