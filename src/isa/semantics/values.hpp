#pragma once

#include "isa/semantics/words.hpp"

namespace salu::isa {
#include "isa/semantics/values.inc"
}  // namespace salu::isa
