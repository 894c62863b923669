#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <utility>

#include "isa/semantics/signature.hpp"
#include "support/compiler.hpp"

/// The adapter between a state and the semantic functions, compiled for plain words (exec/step.inc).
namespace salu::isa {

#include "exec/step.inc"

}  // namespace salu::isa
