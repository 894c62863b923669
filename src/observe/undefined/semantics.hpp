#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "isa/semantics/atomics.hpp"
#include "observe/undefined/text_words.hpp"
#include "support/compiler.hpp"

/// The semantic functions, compiled for words with undefined bits from the same source as for the machine
/// (isa/semantics/words.hpp).
namespace salu::observe::undefined::text {

#include "isa/semantics/values.inc"

#include "isa/semantics/signature.inc"

#include "exec/step.inc"

namespace semantics {

/// True, false or undefined: the sum is outside of the range of the type. The sums of all possible operands fill the
/// range between the least and the greatest sum, so these two decide.
template <class A, class B>
constexpr Bit is_outside(bool actual, A least, B greatest, salu::i64 first, salu::i64 last) {
  const bool could_be_inside = least <= last && greatest >= first;
  const bool could_be_outside = least < first || greatest > last;
  return {actual, could_be_inside && could_be_outside};
}
constexpr salu::i64 least(Word<32, true> word) {
  return static_cast<salu::i64>(word.least_in_order()) - (salu::i64{1} << 31);
}
constexpr salu::i64 greatest(Word<32, true> word) {
  return static_cast<salu::i64>(word.greatest_in_order()) - (salu::i64{1} << 31);
}
constexpr salu::i64 first_i32 = -(salu::i64{1} << 31);
constexpr salu::i64 last_i32 = (salu::i64{1} << 31) - 1;

// Replaces isa/semantics/overflow.inc: the operands are more precise than the bits of the sum.

constexpr b1 add_carries(u32 left, u32 right, u32 sum) {
  const auto first = static_cast<salu::i64>(left.least() + right.least());
  const auto last = static_cast<salu::i64>(left.greatest() + right.greatest());
  return is_outside(sum.value < left.value, first, last, 0, 0xffffffff);
}
constexpr b1 add_carries(u32 left, u32 right, b1 carry, u32 /*sum*/) {
  return (sum_with_carry(u64{left}, u64{right}, carry) >> 32) != 0;
}
constexpr b1 sub_borrows(u32 left, u32 right, b1 borrow, u32 /*difference*/) {
  return difference_with_borrow(i64{left}, i64{right}, borrow) < 0;
}
constexpr b1 add_overflows(u32 left, u32 right, u32 sum) {
  const i32 a{left};
  const i32 b{right};
  const bool actual = ((left.value ^ sum.value) & (right.value ^ sum.value)) >> 31 != 0;
  return is_outside(actual, least(a) + least(b), greatest(a) + greatest(b), first_i32, last_i32);
}
constexpr b1 sub_overflows(u32 left, u32 right, u32 difference) {
  const i32 a{left};
  const i32 b{right};
  const bool actual = ((left.value ^ right.value) & (left.value ^ difference.value)) >> 31 != 0;
  return is_outside(actual, least(a) - greatest(b), greatest(a) - least(b), first_i32, last_i32);
}

#include "isa/semantics/all.inc"
#include "isa/semantics/atomics.inc"
#include "isa/semantics/scalar_memory.inc"

}  // namespace semantics
}  // namespace salu::observe::undefined::text
