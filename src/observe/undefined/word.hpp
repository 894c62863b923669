#pragma once

#include <salu/integer.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <type_traits>

#include "isa/semantics/conversions.hpp"

/// Words some of whose bits are undefined, for the text of the semantic functions (isa/semantics/words.hpp).
///
/// A word has its value, which the machine computes with, and a mask of the bits that could be otherwise. What is known
/// of a result holds whatever the undefined bits of the operands are; each operator says as much of it as can be said
/// of its operands alone.
namespace salu::observe::undefined {

constexpr u64 low_bits(u32 count) { return count >= 64 ? ~u64{0} : (u64{1} << count) - 1; }
/// All bits up to the highest one that is set.
constexpr u64 up_to_highest(u64 mask) { return low_bits(64 - static_cast<u32>(std::countl_zero(mask))); }
/// All bits from the lowest one on that is set.
constexpr u64 from_lowest(u64 mask) { return mask | (0 - mask); }

/// The ways through a semantic function that asks for bits which are undefined (explore.hpp).
class Ways {
 public:
  static constexpr std::size_t most_questions = 10;
  static constexpr std::size_t most_ways = 256;

  /// The answer on the way that is being gone; `actual` on the first one.
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
  /// Goes on to the next way; false where there is none. After `most_ways` it gives up.
  bool next() {
    while (asked_ > 0 && other_[asked_ - 1]) --asked_;
    if (asked_ == 0) return false;
    other_[asked_ - 1] = true;
    fixed_ = asked_;
    gave_up_ |= ++gone_ == most_ways;
    return !gave_up_;
  }
  /// Whether there was a question on the way that was gone last.
  [[nodiscard]] bool has_asked() const { return asked_ != 0; }
  /// Whether not all ways were gone, so that nothing is known of the result.
  [[nodiscard]] bool gave_up() const { return gave_up_; }

  /// The exploration that is going on in this thread.
  static Ways*& current() {
    thread_local Ways* ways = nullptr;
    return ways;
  }

 private:
  std::array<bool, most_questions> other_{};  ///< whether a question has the answer that is not the actual one
  std::size_t asked_ = 0;
  std::size_t fixed_ = 0;  ///< how many answers the way begins with
  std::size_t gone_ = 0;
  bool gave_up_ = false;
};

/// What is true or false, or could be either.
struct Bit {
  static constexpr bool is_leaf = true;

  bool value = false;
  bool undefined = false;

  constexpr Bit() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): the text writes `true`.
  constexpr Bit(bool of) : value(of) {}
  constexpr Bit(bool of, bool is_undefined) : value(of), undefined(is_undefined) {}

  /// In `if`, `?:`, `&&`: both ways, one after the other.
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

/// A built-in integer of so many bits.
template <u32 bits, bool is_signed>
struct Word {
  static constexpr bool is_leaf = true;
  static constexpr u64 all = low_bits(bits);

  u64 value = 0;      ///< without bits above `bits`
  u64 undefined = 0;  ///< likewise

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
  /// The mask; bits that repeat an undefined sign are undefined.
  [[nodiscard]] constexpr i64 extended_mask() const { return extend(undefined); }
  /// The least and the greatest number that it could be, as patterns of bits without sign.
  [[nodiscard]] constexpr u64 least() const { return value & ~undefined; }
  [[nodiscard]] constexpr u64 greatest() const { return value | undefined; }
  /// Likewise with an order that is that of the type.
  static constexpr u64 sign = is_signed ? u64{1} << (bits - 1) : 0;
  [[nodiscard]] constexpr u64 least_in_order() const { return (value ^ sign) & ~undefined; }
  [[nodiscard]] constexpr u64 greatest_in_order() const { return (value ^ sign) | undefined; }
};

/// The type of an operator's result, as the usual arithmetic conversions have it.
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
/// A zero in either operand, whatever the other is, is a zero.
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

/// A bit of a sum is defined where both operands' bits are, and the carry into it is the same in the least sum and in
/// the greatest one.
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

/// The same of a sum that a carry goes into, and of a difference.
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

/// What can be said of a product by one factor that is defined: a sum of the other one, moved.
template <class T>
constexpr u64 undefined_in_sum(T word, u64 factor) {
  T sum;
  for (; factor != 0; factor &= factor - 1) {
    const auto shift = static_cast<u32>(std::countr_zero(factor));
    sum = sum + T::of(word.value << shift, word.undefined << shift);
  }
  return sum.undefined;
}
/// By the lowest bits: a bit of a product depends on those up to it, and zeros at the end of a factor move them.
template <class T>
constexpr u64 undefined_from_below(T a, T b) {
  const auto zeros = [](T word) { return static_cast<u32>(std::countr_zero(word.greatest())); };
  const auto defined = [](T word) { return static_cast<u32>(std::countr_zero(word.undefined)); };
  const u32 first = std::min(defined(a) + zeros(b), defined(b) + zeros(a));
  return first >= 64 ? 0 : ~low_bits(first);
}
/// By the highest bits: those that the least and the greatest product have in common, where neither wraps.
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

/// A word moved by an amount some of whose bits are undefined: all that it could be.
template <class T, class Move>
constexpr T moved_by_any(T word, u64 amount, u64 undefined, u32 bits, const Move& move) {
  T result = amount < bits ? move(word, static_cast<u32>(amount)) : T{0};
  if (undefined == 0) return result;
  if ((amount | undefined) < bits) {
    // Moves one behind the other add up: each bit of the amount that is undefined is a move that may be left out.
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
  // More than the width is asked for by no text, and its bits that are undefined are few.
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

/// Defined where a defined bit differs.
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
/// Defined where the least and the greatest numbers that the operands could be agree. Words of one type are not made
/// wider first: the bits that repeat an undefined sign would count as independent.
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

/// What a count is that lies between two numbers.
constexpr Count between(int actual, int least, int greatest) {
  return Count::of(static_cast<u64>(actual), up_to_highest(static_cast<u64>(least ^ greatest)));
}
template <u32 n, bool s>
constexpr Count popcount(Word<n, s> word) {
  return between(std::popcount(word.value), std::popcount(word.least()), std::popcount(word.greatest()));
}
/// The number of a bit is that of one that could be set, up to the first one that certainly is.
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
