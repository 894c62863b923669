#pragma once

#include <concepts>

#include "isa/vector/decode.hpp"
#include "isa/vector/semantics/all.hpp"

/// Arguments of the functions of one lane over plain words (exec/lane_arguments.inc).
namespace salu::isa::vector {

#include "exec/lane_arguments.inc"

}  // namespace salu::isa::vector
