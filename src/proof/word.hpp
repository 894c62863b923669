#pragma once

#include <salu/integer.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "isa/semantics/conversions.hpp"
#include "proof/terms.hpp"

/// Words that are terms, for the source of the semantic functions (isa/semantics/words.hpp). Constants are plain
/// values, computed as on the machine.
namespace salu::proof {

/// The term pool for the words of this thread, and the current path through a semantic function.
class Making {
 public:
  explicit Making(Terms& terms) : terms_(terms), outer_(std::exchange(innermost(), this)) {}
  Making(const Making&) = delete;
  Making& operator=(const Making&) = delete;
  ~Making() { innermost() = outer_; }

  static Making& current() { return *innermost(); }
  [[nodiscard]] Terms& terms() const { return terms_; }

  /// The truth value of a condition on this path.
  bool decide(TermId condition) {
    for (std::size_t i = 0; i < asked_; ++i) {
      if (way_[i].condition == condition) return way_[i].answer;
    }
    if (asked_ == way_.size()) way_.push_back({condition, true});
    return way_[asked_++].answer;
  }
  /// Calls a function on all paths and merges the results: `joined(condition, result, other result)`.
  template <class F, class Joined>
  auto explore(const F& function, const Joined& joined) {
    way_.clear();
    return explore_from(function, joined, 0);
  }

 private:
  struct Question {
    TermId condition = 0;
    bool answer = true;
  };
  /// All paths that begin with the first `fixed` decisions.
  template <class F, class Joined>
  std::invoke_result_t<F> explore_from(const F& function, const Joined& joined, std::size_t fixed) {
    asked_ = 0;
    auto result = function();
    const std::vector<Question> way = way_;
    for (std::size_t i = way.size(); i-- > fixed;) {
      way_.assign(way.begin(), way.begin() + static_cast<std::ptrdiff_t>(i));
      way_.push_back({way[i].condition, false});
      joined(way[i].condition, result, explore_from(function, joined, i + 1));
    }
    return result;
  }

  static Making*& innermost() {
    thread_local Making* making = nullptr;
    return making;
  }
  Terms& terms_;
  Making* outer_;
  std::vector<Question> way_;
  std::size_t asked_ = 0;
};

/// Marks a word that is a value, not a term.
inline constexpr TermId no_term = ~TermId{0};

/// A truth value, or a term of 1 bit.
struct Bit {
  static constexpr bool is_leaf = true;

  bool value = false;
  TermId term = no_term;

  constexpr Bit() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): the semantic functions use `true`.
  constexpr Bit(bool of) : value(of) {}
  static Bit of(TermId term) {
    const Terms& terms = Making::current().terms();
    Bit bit(terms.is_constant(term, 1));
    if (!terms.is_constant(term)) bit.term = term;
    return bit;
  }
  [[nodiscard]] constexpr bool is_known() const { return term == no_term; }
  [[nodiscard]] TermId as_term() const {
    return is_known() ? Making::current().terms().constant(1, value ? 1 : 0) : term;
  }

  /// Used by `if`, `?:` and `&&`: explores both cases.
  constexpr explicit operator bool() const { return is_known() ? value : Making::current().decide(term); }
  constexpr Bit operator!() const { return is_known() ? Bit(!value) : of(Making::current().terms().bit_not(term)); }
  friend constexpr Bit operator==(Bit left, Bit right) {
    if (left.is_known() && right.is_known()) return left.value == right.value;
    return of(Making::current().terms().equal(left.as_term(), right.as_term()));
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

/// An integer of `bits` bits, or a term of this width.
template <u32 bits, bool is_signed>
struct Word {
  static constexpr bool is_leaf = true;
  static constexpr u64 all = support::ones(bits);

  u64 value = 0;  ///< without bits above `bits`
  TermId term = no_term;

  constexpr Word() = default;
  template <std::integral T>
  // NOLINTNEXTLINE(google-explicit-constructor): literals are words.
  constexpr Word(T of) : value(static_cast<u64>(of) & all) {}
  constexpr explicit Word(Bit bit) : value(bit.value ? 1 : 0) {
    if (!bit.is_known()) *this = of(Making::current().terms().zero_extend(bit.term, bits));
  }
  template <u32 other_bits, bool other_signed>
    requires(other_bits != bits || other_signed != is_signed)
  // NOLINTNEXTLINE(google-explicit-constructor): as integers do.
  constexpr explicit(other_bits > bits) Word(Word<other_bits, other_signed> other)
      : value(static_cast<u64>(other.extended()) & all) {
    if (!other.is_known()) *this = of(converted(other.term, other_bits, other_signed));
  }

  static Word of(TermId term) {
    const Terms& terms = Making::current().terms();
    Word word;
    if (terms.is_constant(term)) {
      word.value = terms.value(term);
    } else {
      word.term = term;
    }
    return word;
  }
  [[nodiscard]] constexpr bool is_known() const { return term == no_term; }
  [[nodiscard]] TermId as_term() const { return is_known() ? Making::current().terms().constant(bits, value) : term; }
  [[nodiscard]] constexpr i64 extended() const {
    if constexpr (is_signed && bits < 64) return static_cast<i64>(value << (64 - bits)) >> (64 - bits);
    return static_cast<i64>(value);
  }

 private:
  static TermId converted(TermId term, u32 from, bool from_signed) {
    Terms& terms = Making::current().terms();
    if (from >= bits) return terms.slice(term, 0, bits);
    return from_signed ? terms.sign_extend(term, bits) : terms.zero_extend(term, bits);
  }
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

/// Converts both operands to the common type and combines their values with `value`, or their terms with `term(terms,
/// left, right)`.
template <class A, class B, class Value, class Term>
constexpr auto combine(A left, B right, const Value& value, const Term& term) {
  using T = CommonWordType<A, B>;
  const T a{left};
  const T b{right};
  if (a.is_known() && b.is_known()) return T(value(a.value, b.value));
  return T::of(term(Making::current().terms(), a.as_term(), b.as_term()));
}

// ---- bits and numbers ----

template <u32 n, bool s>
constexpr auto operator~(Word<n, s> word) {
  const CommonWordType<Word<n, s>, Word<n, s>> wide{word};
  using T = std::remove_const_t<decltype(wide)>;
  return wide.is_known() ? T(~wide.value) : T::of(Making::current().terms().bit_not(wide.term));
}
template <class A, class B>
  requires WordOperands<A, B>
constexpr auto operator&(A left, B right) {
  return combine(
      left, right, [](u64 a, u64 b) { return a & b; },
      [](Terms& terms, TermId a, TermId b) { return terms.bit_and(a, b); });
}
template <class A, class B>
  requires WordOperands<A, B>
constexpr auto operator|(A left, B right) {
  return combine(
      left, right, [](u64 a, u64 b) { return a | b; },
      [](Terms& terms, TermId a, TermId b) { return terms.bit_or(a, b); });
}
template <class A, class B>
  requires WordOperands<A, B>
constexpr auto operator^(A left, B right) {
  return combine(
      left, right, [](u64 a, u64 b) { return a ^ b; },
      [](Terms& terms, TermId a, TermId b) { return terms.bit_xor(a, b); });
}
template <class A, class B>
  requires WordOperands<A, B>
constexpr auto operator+(A left, B right) {
  return combine(
      left, right, [](u64 a, u64 b) { return a + b; },
      [](Terms& terms, TermId a, TermId b) { return terms.add(a, b); });
}
template <class A, class B>
  requires WordOperands<A, B>
constexpr auto operator-(A left, B right) {
  return combine(
      left, right, [](u64 a, u64 b) { return a - b; },
      [](Terms& terms, TermId a, TermId b) { return terms.subtract(a, b); });
}
template <class A, class B>
  requires WordOperands<A, B>
constexpr auto operator*(A left, B right) {
  return combine(
      left, right, [](u64 a, u64 b) { return a * b; },
      [](Terms& terms, TermId a, TermId b) { return terms.multiply(a, b); });
}

// ---- shifts; the semantic functions guarantee that the amount is less than the width ----

template <class A, class B>
  requires WordOperands<A, B>
constexpr auto operator<<(A left, B right) {
  using T = CommonWordType<A, A>;
  const T word{left};
  const T amount = static_cast<T>(CommonWordType<B, B>{right});
  if (word.is_known() && amount.is_known()) return T(word.value << amount.value);
  return T::of(Making::current().terms().shift_left(word.as_term(), amount.as_term()));
}
template <class A, class B>
  requires WordOperands<A, B>
constexpr auto operator>>(A left, B right) {
  using T = CommonWordType<A, A>;
  constexpr bool is_signed = WordTraits<T>::is_signed;
  const T word{left};
  const T amount = static_cast<T>(CommonWordType<B, B>{right});
  if (word.is_known() && amount.is_known())
    return T(is_signed ? static_cast<u64>(word.extended() >> amount.value) : word.value >> amount.value);
  Terms& terms = Making::current().terms();
  return T::of(is_signed ? terms.shift_right_signed(word.as_term(), amount.as_term())
                         : terms.shift_right(word.as_term(), amount.as_term()));
}

// ---- comparisons ----

template <class A, class B>
  requires WordOperands<A, B>
constexpr Bit operator==(A left, B right) {
  using T = CommonWordType<A, B>;
  const T a{left};
  const T b{right};
  if (a.is_known() && b.is_known()) return a.value == b.value;
  return Bit::of(Making::current().terms().equal(a.as_term(), b.as_term()));
}
template <class A, class B>
  requires WordOperands<A, B>
constexpr Bit operator!=(A left, B right) {
  return !(left == right);
}
template <class A, class B>
  requires WordOperands<A, B>
constexpr Bit operator<(A left, B right) {
  using T = CommonWordType<A, B>;
  constexpr bool is_signed = WordTraits<T>::is_signed;
  const T a{left};
  const T b{right};
  if (a.is_known() && b.is_known()) return is_signed ? a.extended() < b.extended() : a.value < b.value;
  Terms& terms = Making::current().terms();
  return Bit::of(is_signed ? terms.below_signed(a.as_term(), b.as_term()) : terms.below(a.as_term(), b.as_term()));
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

/// Converts a count of the width of the word to `int`, its type in C++.
inline Count count_of(TermId term) {
  Terms& terms = Making::current().terms();
  const u32 width = terms.width(term);
  return Count::of(width >= 32 ? terms.slice(term, 0, 32) : terms.zero_extend(term, 32));
}
template <u32 n, bool s>
constexpr Count popcount(Word<n, s> word) {
  if (word.is_known()) return std::popcount(word.value);
  return count_of(Making::current().terms().count_ones(word.term));
}
template <u32 n, bool s>
constexpr Count countr_zero(Word<n, s> word) {
  if (word.is_known()) return word.value == 0 ? static_cast<int>(n) : std::countr_zero(word.value);
  return count_of(Making::current().terms().trailing_zeros(word.term));
}
template <u32 n, bool s>
constexpr Count countl_zero(Word<n, s> word) {
  if (word.is_known()) return std::countl_zero(word.value) - 64 + static_cast<int>(n);
  return count_of(Making::current().terms().leading_zeros(word.term));
}

// ---- sums with a carry ----

template <u32 n, bool s>
constexpr Word<n, s> sum_with_carry(Word<n, s> left, Word<n, s> right, Bit carry) {
  return left + right + Word<n, s>{carry};
}
template <u32 n, bool s>
constexpr Word<n, s> difference_with_borrow(Word<n, s> left, Word<n, s> right, Bit borrow) {
  return left - right - Word<n, s>{borrow};
}

}  // namespace salu::proof
