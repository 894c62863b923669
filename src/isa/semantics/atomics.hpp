#pragma once

#include "isa/semantics/words.hpp"

namespace salu::isa {

/// A read-modify-write operation on memory.
enum class AtomicOperation : u8 {
  none,
#define SALU_ATOMIC(name, operands, commutes) name,
#define SALU_FLOAT_ATOMIC(name, operands, commutes) name,
#include "isa/semantics/atomics.def"
#undef SALU_ATOMIC
#undef SALU_FLOAT_ATOMIC
};

struct AtomicTraits {
  u32 operands = 0;      ///< the data, and for some operations a second value
  bool commutes = true;  ///< two operations on the same memory leave the same value in either order
  bool is_float = false;
};

constexpr AtomicTraits traits_of(AtomicOperation operation) {
  switch (operation) {
#define SALU_ATOMIC(name, operands, commutes) \
  case AtomicOperation::name:                 \
    return {operands, commutes};
#define SALU_FLOAT_ATOMIC(name, operands, commutes) \
  case AtomicOperation::name:                       \
    return {operands, commutes, true};
#include "isa/semantics/atomics.def"
#undef SALU_ATOMIC
#undef SALU_FLOAT_ATOMIC
    case AtomicOperation::none:
      break;
  }
  return {};
}

namespace semantics {
#include "isa/semantics/atomics.inc"
}  // namespace semantics

}  // namespace salu::isa
