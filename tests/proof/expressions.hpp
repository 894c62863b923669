#pragma once

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <random>
#include <vector>

#include "proof/terms.hpp"

namespace salu::proof {

/// A value, and the term for it.
struct Pair {
  u64 value = 0;
  TermId term = 0;
};

/// Random expressions over some inputs, as values computed by C++ and as terms.
class Expressions {
 public:
  explicit Expressions(u64 seed) : random_(seed) {
    for (u32 number = 0; number < inputs.size(); ++number) {
      static constexpr std::array<u32, 8> widths = {32, 32, 32, 64, 1, 8, 5, 32};
      inputs[number] = draw() & support::ones(widths[number]);
      add(widths[number], inputs[number], terms.input(widths[number], number));
    }
  }

  u64 below(u64 count) { return random_() % count; }
  u64 draw() {
    switch (below(5)) {
      case 0:
        return below(70);
      case 1:
        return u64{1} << below(64);
      case 2:
        return ~below(5);
      case 3:
        return support::ones(static_cast<u32>(below(40))) << below(30);
      default:
        return random_();
    }
  }
  /// Picks an existing pair of this width, or a constant.
  Pair pick(u32 width) {
    const std::vector<Pair>& all = made_[width];
    if (all.empty() || below(5) == 0) {
      const u64 value = draw() & support::ones(width);
      return {value, terms.constant(width, value)};
    }
    return all[static_cast<std::size_t>(below(all.size()))];
  }
  void add(u32 width, u64 value, TermId term) {
    ASSERT_EQ(terms.width(term), width);
    made_[width].push_back({value & support::ones(width), term});
  }
  u32 any_width() {
    static constexpr std::array<u32, 8> widths = {32, 32, 32, 64, 1, 8, 5, 27};
    return widths[static_cast<std::size_t>(below(widths.size()))];
  }
  static i64 extended(u64 word, u32 width) { return static_cast<i64>(word << (64 - width)) >> (64 - width); }

  void step() {
    const u32 width = any_width();
    const Pair a = pick(width);
    const Pair b = pick(width);
    const Pair c = pick(1);
    const i64 sa = extended(a.value, width);
    const i64 sb = extended(b.value, width);
    switch (below(20)) {
      case 0:
        return add(width, a.value & b.value, terms.bit_and(a.term, b.term));
      case 1:
        return add(width, a.value | b.value, terms.bit_or(a.term, b.term));
      case 2:
        return add(width, a.value ^ b.value, terms.bit_xor(a.term, b.term));
      case 3:
        return add(width, ~a.value, terms.bit_not(a.term));
      case 4:
        return add(width, a.value + b.value, terms.add(a.term, b.term));
      case 5:
        return add(width, a.value - b.value, terms.subtract(a.term, b.term));
      case 6:
        return add(width, a.value * b.value, terms.multiply(a.term, b.term));
      case 7:
        return add(width, c.value != 0 ? a.value : b.value, terms.select(c.term, a.term, b.term));
      case 8:
        return add(1, a.value == b.value ? 1 : 0, terms.equal(a.term, b.term));
      case 9:
        return add(1, a.value < b.value ? 1 : 0, terms.below(a.term, b.term));
      case 10:
        return add(1, sa < sb ? 1 : 0, terms.below_signed(a.term, b.term));
      case 11: {
        const u32 other = any_width();
        if (other < width) {
          const auto low = static_cast<u32>(below(width - other + 1));
          return add(other, a.value >> low, terms.slice(a.term, low, other));
        }
        if (below(2) == 0) return add(other, a.value, terms.zero_extend(a.term, other));
        return add(other, static_cast<u64>(sa), terms.sign_extend(a.term, other));
      }
      case 12: {
        const Pair high = pick(27);
        const Pair low = pick(5);
        return add(32, high.value << 5 | low.value, terms.join(high.term, low.term));
      }
      case 13:
        return add(width, b.value < width ? a.value << b.value : 0, terms.shift_left(a.term, b.term));
      case 14:
        return add(width, b.value < width ? a.value >> b.value : 0, terms.shift_right(a.term, b.term));
      case 15:
        return add(width, static_cast<u64>(sa >> std::min<u64>(b.value, width - 1)),
                   terms.shift_right_signed(a.term, b.term));
      case 16:
        return add(width, static_cast<u64>(std::popcount(a.value)), terms.count_ones(a.term));
      case 17:
        return add(width, static_cast<u64>(std::countl_zero(a.value)) - (64 - width), terms.leading_zeros(a.term));
      case 18:
        return add(width, a.value == 0 ? width : static_cast<u64>(std::countr_zero(a.value)),
                   terms.trailing_zeros(a.term));
      default: {
        // A product of sign-extended words, as in the computation of upper halves.
        const Pair x = pick(32);
        const Pair y = pick(32);
        const auto wide = [](u64 word) { return static_cast<u64>(extended(word, 32)); };
        return add(64, wide(x.value) * wide(y.value),
                   terms.multiply(terms.sign_extend(x.term, 64), terms.sign_extend(y.term, 64)));
      }
    }
  }

  Terms terms;
  std::array<u64, 8> inputs{};
  [[nodiscard]] const std::vector<Pair>& made(u32 width) const { return made_[width]; }

 private:
  std::mt19937_64 random_;
  std::array<std::vector<Pair>, 65> made_;
};

}  // namespace salu::proof
