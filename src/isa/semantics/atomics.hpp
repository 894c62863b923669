#pragma once

#include "isa/semantics/words.hpp"

namespace salu::isa {

/// A read-modify-write operation on memory.
enum class AtomicOperation : u8 {
  none,
#define SALU_ATOMIC(name, operands, commutes) name,
#include "isa/semantics/atomics.def"
#undef SALU_ATOMIC
};

/// The number of operands: the data, and for some operations a second value.
constexpr u32 operand_count(AtomicOperation operation) {
  switch (operation) {
#define SALU_ATOMIC(name, operands, commutes) \
  case AtomicOperation::name:                 \
    return operands;
#include "isa/semantics/atomics.def"
#undef SALU_ATOMIC
    case AtomicOperation::none:
      break;
  }
  return 0;
}

/// True if two operations on the same memory leave the same value in either order.
constexpr bool commutes(AtomicOperation operation) {
  switch (operation) {
#define SALU_ATOMIC(name, operands, commutes) \
  case AtomicOperation::name:                 \
    return commutes;
#include "isa/semantics/atomics.def"
#undef SALU_ATOMIC
    case AtomicOperation::none:
      break;
  }
  return true;
}

namespace semantics {
#include "isa/semantics/atomics.inc"
}  // namespace semantics

}  // namespace salu::isa
