#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

#include "isa/semantics/signature.hpp"
#include "support/compiler.hpp"

/// The adapter between the semantic functions over plain words and a state (exec/step.inc).
namespace salu::isa {

#include "exec/step.inc"

}  // namespace salu::isa
