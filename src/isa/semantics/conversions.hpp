#pragma once

#include <salu/integer.hpp>

namespace salu::isa {

/// A built-in integer, for whoever has words that behave as these do (isa/semantics/words.hpp).
struct WordType {
  u32 bits = 32;
  bool is_signed = false;
};

/// What an integer is in an expression: nothing is narrower than an `int` there.
constexpr WordType promoted(WordType type) { return type.bits < 32 ? WordType{32, true} : type; }

/// The type of an operator's result, as the usual arithmetic conversions have it.
constexpr WordType common_type(WordType left, WordType right) {
  const WordType a = promoted(left);
  const WordType b = promoted(right);
  if (a.bits == b.bits) return {a.bits, a.is_signed && b.is_signed};
  return a.bits > b.bits ? a : b;
}

}  // namespace salu::isa
