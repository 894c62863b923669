#pragma once

#include <salu/integer.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <type_traits>

#include "isa/semantics/conversions.hpp"

/// Words with undefined bits, for the source of the semantic functions (isa/semantics/words.hpp).
///
/// A word has its actual value and a mask of the undefined bits. The defined bits of a result are the same for all
/// values of the undefined bits of the operands; each operator is as precise as its operands alone allow.
namespace salu::observe::undefined {

constexpr u64 low_bits(u32 count) { return count >= 64 ? ~u64{0} : (u64{1} << count) - 1; }
/// All bits up to the highest set one.
constexpr u64 up_to_highest(u64 mask) { return low_bits(64 - static_cast<u32>(std::countl_zero(mask))); }
/// All bits from the lowest set one on.
constexpr u64 from_lowest(u64 mask) { return mask | (0 - mask); }

/// The paths through a semantic function that branches on undefined bits (explore.hpp).
class Ways {
 public:
  static constexpr std::size_t most_questions = 10;
  static constexpr std::size_t most_ways = 256;

  /// The decision on the current path; `actual` on the first path.
  bool decide(bool actual) {
    if (asked_ == most_questions) {
      gave_up_ = true;
      return actual;
    }
    const std::size_t question = asked_++;
    if (question >= fixed_) other_[question] = false;
    return actual != other_[question];
  }
  void begin() { asked_ = 0; }
  /// Advances to the next path; false if all were explored. Gives up after `most_ways`.
  bool next() {
    while (asked_ > 0 && other_[asked_ - 1]) --asked_;
    if (asked_ == 0) return false;
    other_[asked_ - 1] = true;
    fixed_ = asked_;
    gave_up_ |= ++gone_ == most_ways;
    return !gave_up_;
  }
  /// True if there was an undefined decision on the last path.
  [[nodiscard]] bool has_asked() const { return asked_ != 0; }
  /// True if not all paths were explored, so that the result is unknown.
  [[nodiscard]] bool gave_up() const { return gave_up_; }

  /// The current exploration of this thread.
  static Ways*& current() {
    thread_local Ways* ways = nullptr;
    return ways;
  }

 private:
  std::array<bool, most_questions> other_{};  ///< true for a decision that differs from the actual one
  std::size_t asked_ = 0;
  std::size_t fixed_ = 0;  ///< number of decisions that are fixed on this path
  std::size_t gone_ = 0;
  bool gave_up_ = false;
};

/// A truth value that may be undefined.
struct Bit {
  static constexpr bool is_leaf = true;

  bool value = false;
  bool undefined = false;

  constexpr Bit() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): the semantic functions use `true`.
  constexpr Bit(bool of) : value(of) {}
  constexpr Bit(bool of, bool is_undefined) : value(of), undefined(is_undefined) {}

  /// Used by `if`, `?:` and `&&`: explores both cases.
  constexpr explicit operator bool() const { return undefined ? Ways::current()->decide(value) : value; }
  constexpr Bit operator!() const { return {!value, undefined}; }
  friend constexpr Bit operator==(Bit left, Bit right) {
    return {left.value == right.value, left.undefined || right.undefined};
  }
};

template <u32 bits, bool is_signed>
struct Word;

template <class T>
struct WordTraits {
  static constexpr bool is_there = false;
};
template <std::integral T>
struct WordTraits<T> {
  static constexpr bool is_there = true;
  static constexpr u32 bits = sizeof(T) * 8;
  static constexpr bool is_signed = std::is_signed_v<T>;
};
template <u32 n, bool s>
struct WordTraits<Word<n, s>> {
  static constexpr bool is_there = true;
  static constexpr u32 bits = n;
  static constexpr bool is_signed = s;
};

/// An integer of `bits` bits.
template <u32 bits, bool is_signed>
struct Word {
  static constexpr bool is_leaf = true;
  static constexpr u64 all = low_bits(bits);

  u64 value = 0;      ///< without bits above `bits`
  u64 undefined = 0;  ///< without bits above `bits`

  constexpr Word() = default;
  template <std::integral T>
  // NOLINTNEXTLINE(google-explicit-constructor): literals are words.
  constexpr Word(T of) : value(static_cast<u64>(of) & all) {}
  constexpr explicit Word(Bit bit) : value(bit.value ? 1 : 0), undefined(bit.undefined ? 1 : 0) {}
  template <u32 other_bits, bool other_signed>
    requires(other_bits != bits || other_signed != is_signed)
  // NOLINTNEXTLINE(google-explicit-constructor): as integers do.
  constexpr explicit(other_bits > bits) Word(Word<other_bits, other_signed> other)
      : value(static_cast<u64>(other.extended()) & all), undefined(static_cast<u64>(other.extended_mask()) & all) {}

  static constexpr Word of(u64 value, u64 undefined) {
    Word result;
    result.value = value & all;
    result.undefined = undefined & all;
    return result;
  }

  static constexpr i64 extend(u64 word) {
    if constexpr (is_signed && bits < 64) return static_cast<i64>(word << (64 - bits)) >> (64 - bits);
    return static_cast<i64>(word);
  }
  [[nodiscard]] constexpr i64 extended() const { return extend(value); }
  /// The sign-extended mask; copies of an undefined sign are undefined.
  [[nodiscard]] constexpr i64 extended_mask() const { return extend(undefined); }
  /// The least and the greatest possible number, as unsigned bit patterns.
  [[nodiscard]] constexpr u64 least() const { return value & ~undefined; }
  [[nodiscard]] constexpr u64 greatest() const { return value | undefined; }
  /// Flips the sign bit, so that unsigned comparison gives the order of the type.
  static constexpr u64 sign = is_signed ? u64{1} << (bits - 1) : 0;
  [[nodiscard]] constexpr u64 least_in_order() const { return (value ^ sign) & ~undefined; }
  [[nodiscard]] constexpr u64 greatest_in_order() const { return (value ^ sign) | undefined; }
};

/// The result type of an operator by the usual arithmetic conversions.
template <class A, class B>
struct CommonWord {
  static constexpr isa::WordType type = isa::common_type({WordTraits<A>::bits, WordTraits<A>::is_signed},
                                                         {WordTraits<B>::bits, WordTraits<B>::is_signed});
  using Type = Word<type.bits, type.is_signed>;
};
template <class A, class B>
using CommonWordType = typename CommonWord<A, B>::Type;

template <class A, class B>
concept WordOperands = WordTraits<A>::is_there && WordTraits<B>::is_there && !(std::integral<A> && std::integral<B>);

// ---- bits ----

template <u32 n, bool s>
constexpr auto operator~(Word<n, s> word) {
  const CommonWordType<Word<n, s>, Word<n, s>> wide{word};
  return decltype(wide)::of(~wide.value, wide.undefined);
}
/// A zero in either operand makes the result zero.
template <class A, class B>
  requires WordOperands<A, B>
constexpr auto operator&(A left, B right) {
  using T = CommonWordType<A, B>;
  const T a{left};
  const T b{right};
  return T::of(a.value & b.value, (a.undefined | b.undefined) & a.greatest() & b.greatest());
}
template <class A, class B>
  requires WordOperands<A, B>
constexpr auto operator|(A left, B right) {
  using T = CommonWordType<A, B>;
  const T a{left};
  const T b{right};
  return T::of(a.value | b.value, (a.undefined | b.undefined) & ~a.least() & ~b.least());
}
template <class A, class B>
  requires WordOperands<A, B>
constexpr auto operator^(A left, B right) {
  using T = CommonWordType<A, B>;
  const T a{left};
  const T b{right};
  return T::of(a.value ^ b.value, a.undefined | b.undefined);
}

// ---- sums ----

/// A bit of a sum is defined if both operand bits are, and the carry into it is the same in the least and the greatest
/// sum.
template <class A, class B>
  requires WordOperands<A, B>
constexpr auto operator+(A left, B right) {
  using T = CommonWordType<A, B>;
  const T a{left};
  const T b{right};
  const u64 carries = (a.least() + b.least()) ^ (a.greatest() + b.greatest());
  return T::of(a.value + b.value, carries | a.undefined | b.undefined);
}
template <class A, class B>
  requires WordOperands<A, B>
constexpr auto operator-(A left, B right) {
  using T = CommonWordType<A, B>;
  const T a{left};
  const T b{right};
  const u64 borrows = (a.least() - b.greatest()) ^ (a.greatest() - b.least());
  return T::of(a.value - b.value, borrows | a.undefined | b.undefined);
}

/// Like `operator+`, with a carry.
template <u32 n, bool s>
constexpr Word<n, s> sum_with_carry(Word<n, s> left, Word<n, s> right, Bit carry) {
  const Word<n, s> in(carry);
  const u64 carries =
      (left.least() + right.least() + in.least()) ^ (left.greatest() + right.greatest() + in.greatest());
  return Word<n, s>::of(left.value + right.value + in.value, carries | left.undefined | right.undefined);
}
template <u32 n, bool s>
constexpr Word<n, s> difference_with_borrow(Word<n, s> left, Word<n, s> right, Bit borrow) {
  const Word<n, s> in(borrow);
  const u64 borrows =
      (left.least() - right.greatest() - in.greatest()) ^ (left.greatest() - right.least() - in.least());
  return Word<n, s>::of(left.value - right.value - in.value, borrows | left.undefined | right.undefined);
}

// ---- products ----

/// The undefined bits of a product with one defined factor: a sum of shifted copies of the other factor.
template <class T>
constexpr u64 undefined_in_sum(T word, u64 factor) {
  T sum;
  for (; factor != 0; factor &= factor - 1) {
    const auto shift = static_cast<u32>(std::countr_zero(factor));
    sum = sum + T::of(word.value << shift, word.undefined << shift);
  }
  return sum.undefined;
}
/// Bits derived from the lowest ones: a bit of a product depends only on operand bits up to it, and trailing zeros of
/// one factor shift the other.
template <class T>
constexpr u64 undefined_from_below(T a, T b) {
  const auto zeros = [](T word) { return static_cast<u32>(std::countr_zero(word.greatest())); };
  const auto defined = [](T word) { return static_cast<u32>(std::countr_zero(word.undefined)); };
  const u32 first = std::min(defined(a) + zeros(b), defined(b) + zeros(a));
  return first >= 64 ? 0 : ~low_bits(first);
}
/// Bits derived from the highest ones: those that are equal in the least and the greatest product, if neither wraps.
template <class T>
constexpr u64 undefined_from_above(T a, T b, u32 bits) {
  const auto length = [](u64 word) { return 64 - static_cast<u32>(std::countl_zero(word)); };
  if (length(a.greatest()) + length(b.greatest()) > bits) return ~u64{0};
  return up_to_highest((a.least() * b.least()) ^ (a.greatest() * b.greatest()));
}
template <class A, class B>
  requires WordOperands<A, B>
constexpr auto operator*(A left, B right) {
  using T = CommonWordType<A, B>;
  const T a{left};
  const T b{right};
  if (a.undefined == 0 && b.undefined == 0) return T::of(a.value * b.value, 0);
  u64 undefined = undefined_from_below(a, b) & undefined_from_above(a, b, WordTraits<T>::bits);
  if (a.undefined == 0) undefined &= undefined_in_sum(b, a.value);
  if (b.undefined == 0) undefined &= undefined_in_sum(a, b.value);
  return T::of(a.value * b.value, undefined);
}

// ---- shifts ----

/// A word shifted by a partly undefined amount: the union of all possible results.
template <class T, class Move>
constexpr T moved_by_any(T word, u64 amount, u64 undefined, u32 bits, const Move& move) {
  T result = amount < bits ? move(word, static_cast<u32>(amount)) : T{0};
  if (undefined == 0) return result;
  if ((amount | undefined) < bits) {
    // Shifts can be composed: each undefined bit of the amount is an optional shift.
    const auto least = static_cast<u32>(amount & ~undefined);
    T could_be_1 = move(T::of(word.value | word.undefined, 0), least);
    T has_to_be_1 = move(T::of(word.value & ~word.undefined, 0), least);
    for (u32 step = 1; step < bits; step *= 2) {
      const u32 by = static_cast<u32>(undefined) & step;
      could_be_1.value |= move(could_be_1, by).value;
      has_to_be_1.value &= move(has_to_be_1, by).value;
    }
    result.undefined = could_be_1.value & ~has_to_be_1.value;
    return result;
  }
  // The semantic functions never shift by more than the width, so the amount has few bits.
  if ((undefined & ~low_bits(7)) != 0) return T::of(result.value, ~u64{0});
  for (u64 part = undefined; part != 0; part = (part - 1) & undefined) {
    const u64 other = amount ^ part;
    if (other >= bits) continue;
    const T one = move(word, static_cast<u32>(other));
    result.undefined |= one.undefined | (one.value ^ result.value);
  }
  return result;
}
template <class A, class B>
  requires WordOperands<A, B>
constexpr auto operator<<(A left, B right) {
  using T = CommonWordType<A, A>;
  const CommonWordType<B, B> amount{right};
  return moved_by_any(T{left}, amount.value, amount.undefined, WordTraits<T>::bits,
                      [](T word, u32 by) { return T::of(word.value << by, word.undefined << by); });
}
template <class A, class B>
  requires WordOperands<A, B>
constexpr auto operator>>(A left, B right) {
  using T = CommonWordType<A, A>;
  const CommonWordType<B, B> amount{right};
  return moved_by_any(T{left}, amount.value, amount.undefined, WordTraits<T>::bits, [](T word, u32 by) {
    if constexpr (WordTraits<T>::is_signed)
      return T::of(static_cast<u64>(word.extended() >> by), static_cast<u64>(word.extended_mask() >> by));
    else
      return T::of(word.value >> by, word.undefined >> by);
  });
}

// ---- comparisons ----

/// Defined if a defined bit differs.
template <class A, class B>
  requires WordOperands<A, B>
constexpr Bit operator==(A left, B right) {
  using T = CommonWordType<A, B>;
  const T a{left};
  const T b{right};
  const u64 undefined = a.undefined | b.undefined;
  return {a.value == b.value, undefined != 0 && ((a.value ^ b.value) & ~undefined) == 0};
}
template <class A, class B>
  requires WordOperands<A, B>
constexpr Bit operator!=(A left, B right) {
  return !(left == right);
}
/// Defined if the comparisons of the least and the greatest possible numbers agree. Words of one type are not extended
/// first: copies of an undefined sign would count as independent bits.
template <class A, class B>
  requires WordOperands<A, B>
constexpr Bit operator<(A left, B right) {
  using T = std::conditional_t<std::same_as<A, B>, A, CommonWordType<A, B>>;
  const T a{left};
  const T b{right};
  const bool always = a.greatest_in_order() < b.least_in_order();
  const bool never = a.least_in_order() >= b.greatest_in_order();
  return {(a.value ^ T::sign) < (b.value ^ T::sign), !always && !never};
}
template <class A, class B>
  requires WordOperands<A, B>
constexpr Bit operator>(A left, B right) {
  return right < left;
}
template <class A, class B>
  requires WordOperands<A, B>
constexpr Bit operator<=(A left, B right) {
  return !(right < left);
}
template <class A, class B>
  requires WordOperands<A, B>
constexpr Bit operator>=(A left, B right) {
  return !(left < right);
}

// ---- counts ----

using Count = Word<32, true>;

/// A count between two numbers.
constexpr Count between(int actual, int least, int greatest) {
  return Count::of(static_cast<u64>(actual), up_to_highest(static_cast<u64>(least ^ greatest)));
}
template <u32 n, bool s>
constexpr Count popcount(Word<n, s> word) {
  return between(std::popcount(word.value), std::popcount(word.least()), std::popcount(word.greatest()));
}
/// The result is between the index of the lowest possible set bit and that of the lowest certain one.
template <u32 n, bool s>
constexpr Count countr_zero(Word<n, s> word) {
  constexpr int none = n;
  const auto actual = static_cast<u64>(word.value == 0 ? none : std::countr_zero(word.value));
  const u64 certain = word.least();
  u64 undefined = certain == 0 ? actual ^ u64 { none } : actual ^ static_cast<u64>(std::countr_zero(certain));
  for (u64 left = word.undefined & (certain == 0 ? ~u64{0} : (certain & (0 - certain)) - 1); left != 0;
       left &= left - 1)
    undefined |= actual ^ static_cast<u64>(std::countr_zero(left));
  return Count::of(actual, undefined);
}
template <u32 n, bool s>
constexpr Count countl_zero(Word<n, s> word) {
  constexpr int none = n;
  const auto count = [](u64 bits) { return static_cast<u64>(bits == 0 ? none : std::countl_zero(bits) - 64 + none); };
  const u64 actual = count(word.value);
  const u64 certain = word.least();
  u64 undefined = actual ^ count(certain);
  for (u64 left = word.undefined & ~up_to_highest(certain); left != 0; left &= left - 1)
    undefined |= actual ^ count(left & (0 - left));
  return Count::of(actual, undefined);
}

}  // namespace salu::observe::undefined
