#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "proof/word.hpp"

/// The semantic functions over terms: the same text as the machine's (isa/semantics/words.hpp), compiled once more.
namespace salu::proof::text {

using b1 = Bit;
using u8 = Word<8, false>;
using u16 = Word<16, false>;
using u32 = Word<32, false>;
using u64 = Word<64, false>;
using i8 = Word<8, true>;
using i16 = Word<16, true>;
using i32 = Word<32, true>;
using i64 = Word<64, true>;

template <class T>
inline constexpr salu::u32 bits_of = WordTraits<T>::bits;

#include "isa/semantics/values.inc"

#include "isa/semantics/signature.inc"

namespace semantics {

template <class T>
using make_unsigned_t = Word<WordTraits<T>::bits, false>;
template <class T>
using make_signed_t = Word<WordTraits<T>::bits, true>;

template <class T>
constexpr T sum_with_carry(T left, T right, b1 carry) {
  return left + right + T{carry};
}
template <class T>
constexpr T difference_with_borrow(T left, T right, b1 borrow) {
  return left - right - T{borrow};
}

#include "isa/semantics/overflow.inc"

#include "isa/semantics/all.inc"
#include "isa/semantics/scalar_memory.inc"

}  // namespace semantics
}  // namespace salu::proof::text
