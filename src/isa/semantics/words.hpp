#pragma once

#include <salu/integer.hpp>

#include <bit>
#include <type_traits>

/// The words of the machine: the text of the semantic functions, compiled over built-in integers.
///
/// The semantics of instructions are written once, in the files `isa/semantics/*.inc`: text without include guard,
/// includes and namespace, over `u32` and the other integer types, `b1` for truth values, and the functions below by
/// their unqualified names. To compile it over other words (with undefined bits, or symbolic), include the text a
/// second time in a scope where these names have other meanings; observe/undefined/semantics.hpp is an example. So the
/// text may use `?:`, `if` and `&&` on data, but neither `bool` nor `std::`.
namespace salu::isa {

using b1 = bool;

template <class T>
inline constexpr u32 bits_of = sizeof(T) * 8;

namespace semantics {

using std::countl_zero;
using std::countr_zero;
using std::make_signed_t;
using std::make_unsigned_t;
using std::popcount;

/// A sum with a carry and a difference with a borrow. Words with undefined bits are more precise with one operation
/// than with two.
template <class T>
constexpr T sum_with_carry(T left, T right, b1 carry) {
  return left + right + T{carry};
}
template <class T>
constexpr T difference_with_borrow(T left, T right, b1 borrow) {
  return left - right - T{borrow};
}

#include "isa/semantics/overflow.inc"

}  // namespace semantics
}  // namespace salu::isa
