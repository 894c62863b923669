#pragma once

#include <salu/integer.hpp>

#include <bit>
#include <type_traits>

/// The words over which the text of the semantic functions computes here: the machine's own integers.
///
/// What an instruction does is written once, in the files `isa/semantics/*.inc`: text without include guard, include
/// and namespace, over `u32` and its relatives, `b1` for what is true or false, and the functions below by their bare
/// names. Whoever wants it over other words (with bits that are undefined, or symbols) includes the text a second time
/// where these names mean those: observe/undefined/semantics.hpp is an example. So there may be `?:`, `if` and `&&` on
/// data in the text, but no `bool` and no `std::` of it.
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

/// A sum and a difference that a carry goes into. Words that know which bits are undefined know more of them at once
/// than of one step after the other.
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
