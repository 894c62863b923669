#pragma once

#include <salu/integer.hpp>

namespace salu::isa {

/// A built-in integer type, for other kinds of words that must behave like it (isa/semantics/words.hpp).
struct WordType {
  u32 bits = 32;
  bool is_signed = false;
};

/// The type of an integer in an expression: types narrower than `int` are promoted.
constexpr WordType promoted(WordType type) { return type.bits < 32 ? WordType{32, true} : type; }

/// The result type of an operator by the usual arithmetic conversions.
constexpr WordType common_type(WordType left, WordType right) {
  const WordType a = promoted(left);
  const WordType b = promoted(right);
  if (a.bits == b.bits) return {a.bits, a.is_signed && b.is_signed};
  return a.bits > b.bits ? a : b;
}

}  // namespace salu::isa
