#pragma once

#include "observe/undefined/word.hpp"

/// What types of words are called in the text of semantic functions when it is compiled for words some of whose bits
/// are undefined.
namespace salu::observe::undefined::text {

#include "isa/semantics/word_types.inc"

}  // namespace salu::observe::undefined::text
