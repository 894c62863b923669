#include "proof/terms.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "expressions.hpp"
#include "repetitions.hpp"

namespace salu::proof {
namespace {

TEST(Terms, AreWhatTheyAreMadeOf) {
  for (int seed = 0; seed < test::repetitions(3000); ++seed) {
    Expressions all(static_cast<u64>(seed));
    for (int i = 0; i < 60; ++i) all.step();
    Evaluation evaluation(all.terms, all.inputs);
    for (u32 width = 1; width <= 64; ++width) {
      for (const Pair& each : all.made(width))
        ASSERT_EQ(evaluation.value(each.term), each.value) << "seed " << seed << " width " << width;
    }
  }
}

/// Replaces an input by another word, and a term by its own value.
TEST(Terms, WithOthersInTheirPlace) {
  for (int seed = 0; seed < test::repetitions(600); ++seed) {
    Expressions all(static_cast<u64>(seed));
    for (int i = 0; i < 40; ++i) all.step();
    Terms& terms = all.terms;
    const u64 drawn = all.draw() & support::ones(32);
    const std::array<u64, 2> others = {drawn, all.inputs[0] ^ all.inputs[2]};
    const std::array<TermId, 2> by = {terms.constant(32, drawn), terms.bit_xor(terms.input(32, 0), terms.input(32, 2))};
    for (u32 width = 1; width <= 64; ++width) {
      const std::vector<Pair> made = all.made(width);
      for (const Pair& each : made) {
        for (std::size_t i = 0; i < by.size(); ++i) {
          std::array<u64, 8> inputs = all.inputs;
          inputs[1] = others[i];
          const TermId changed = terms.substitute(each.term, terms.input(32, 1), by[i]);
          ASSERT_EQ(Evaluation(terms, all.inputs).value(changed), Evaluation(terms, inputs).value(each.term))
              << "seed " << seed << " width " << width;
        }
        const Pair piece = made[static_cast<std::size_t>(all.below(made.size()))];
        const TermId changed = terms.substitute(each.term, piece.term, terms.constant(width, piece.value));
        ASSERT_EQ(Evaluation(terms, all.inputs).value(changed), each.value) << "seed " << seed << " width " << width;
      }
    }
  }
}

TEST(Terms, WhatIsInTheirPlaceIsMadeSimple) {
  Terms t;
  const TermId x = t.input(32, 0);
  const TermId y = t.input(32, 1);
  const TermId chosen = t.select(t.below(x, y), t.add(x, y), t.multiply(x, y));
  EXPECT_EQ(t.substitute(chosen, y, t.constant(32, 0)), t.constant(32, 0));
  EXPECT_EQ(t.substitute(chosen, t.below(x, y), t.yes()), t.add(x, y));
  EXPECT_EQ(t.substitute(chosen, chosen, x), x);
  EXPECT_EQ(t.substitute(chosen, t.input(32, 2), x), chosen);
}

/// Simplifications that do not depend on the values of inputs.
TEST(Terms, OneFormOfWhatIsTheSame) {
  Terms t;
  const TermId x = t.input(32, 0);
  const TermId y = t.input(32, 1);
  const auto c = [&t](u64 value) { return t.constant(32, value); };
  EXPECT_EQ(t.add(t.shift_left(x, c(2)), x), t.multiply(x, c(5)));
  EXPECT_EQ(t.subtract(t.shift_left(x, c(3)), x), t.multiply(c(7), x));
  EXPECT_EQ(t.add(t.bit_not(x), c(1)), t.subtract(c(0), x));
  EXPECT_EQ(t.multiply(t.subtract(c(0), x), y), t.subtract(c(0), t.multiply(y, x)));
  EXPECT_EQ(t.bit_or(t.shift_left(x, c(16)), t.bit_and(y, c(0xffff))),
            t.add(t.shift_left(x, c(16)), t.bit_and(y, c(0xffff))));
  EXPECT_EQ(t.shift_right(t.shift_left(x, c(24)), c(24)), t.bit_and(x, c(255)));
  EXPECT_EQ(t.shift_right_signed(t.shift_left(x, c(24)), c(24)), t.sign_extend(t.slice(x, 0, 8), 32));
  EXPECT_EQ(t.select(t.equal(x, y), x, y), y);
  EXPECT_EQ(t.bit_not(t.bit_and(x, y)), t.bit_or(t.bit_not(x), t.bit_not(y)));
  EXPECT_EQ(t.below(t.add(x, y), x), t.below(t.add(x, y), y));
  EXPECT_EQ(t.bit_not(t.below(c(6), x)), t.below(x, c(7)));
  EXPECT_EQ(t.equal(t.subtract(x, y), c(0)), t.equal(y, x));
  EXPECT_EQ(t.below_signed(x, c(0)), t.slice(x, 31, 1));
  const TermId first = t.slice(x, 0, 1);
  const TermId second = t.slice(y, 0, 1);
  EXPECT_EQ(t.bit_and(first, t.bit_or(t.bit_not(first), second)), t.bit_and(first, second));
  EXPECT_EQ(t.bit_or(first, t.bit_and(t.bit_not(first), second)), t.bit_or(first, second));
}

TEST(Terms, OneFormOfParts) {
  Terms t;
  const TermId x = t.input(32, 0);
  const TermId y = t.input(32, 1);
  const TermId bit = t.input(1, 2);
  const auto c = [&t](u64 value) { return t.constant(32, value); };
  EXPECT_EQ(t.join(t.slice(x, 16, 16), t.slice(x, 0, 16)), x);
  const TermId second_byte = t.slice(x, 8, 8);
  EXPECT_EQ(t.slice(t.bit_and(y, x), 0, 8), t.bit_and(t.slice(x, 0, 8), t.slice(y, 0, 8)));
  EXPECT_EQ(t.join(t.slice(x, 16, 8), second_byte), t.slice(x, 8, 16));
  EXPECT_EQ(t.join(t.slice(t.add(x, y), 8, 24), t.slice(t.add(x, y), 0, 8)), t.add(x, y));
  EXPECT_EQ(t.bit_and(x, t.bit_or(x, y)), x);
  EXPECT_EQ(t.bit_or(x, t.bit_and(x, y)), x);
  EXPECT_EQ(t.bit_and(t.bit_and(x, y), t.bit_not(x)), c(0));
  EXPECT_EQ(t.bit_or(t.bit_or(x, y), t.bit_not(y)), c(0xffffffff));
  EXPECT_EQ(t.bit_xor(t.bit_xor(x, y), t.bit_not(x)), t.bit_not(y));
  EXPECT_EQ(t.bit_and(x, c(0xff00)), t.shift_left(t.zero_extend(t.slice(x, 8, 8), 32), c(8)));
  EXPECT_EQ(t.bit_and(t.bit_or(x, c(0xff)), c(0xff)), c(0xff));
  EXPECT_EQ(t.sign_extend(t.zero_extend(t.slice(x, 0, 8), 16), 32), t.bit_and(x, c(0xff)));
  EXPECT_EQ(t.sign_extend(t.sign_extend(t.slice(x, 0, 8), 16), 32), t.sign_extend(t.slice(x, 0, 8), 32));
  EXPECT_EQ(t.slice(t.sign_extend(t.slice(x, 0, 8), 32), 0, 8), t.slice(x, 0, 8));
  EXPECT_EQ(t.slice(t.select(bit, x, y), 8, 8), t.select(bit, t.slice(x, 8, 8), t.slice(y, 8, 8)));
  EXPECT_EQ(t.bit_not(t.select(bit, x, y)), t.select(bit, t.bit_not(x), t.bit_not(y)));
  EXPECT_EQ(t.bit_not(t.sign_extend(t.slice(x, 0, 8), 32)), t.sign_extend(t.bit_not(t.slice(x, 0, 8)), 32));
}

TEST(Terms, OneFormOfNumbers) {
  Terms t;
  const TermId x = t.input(32, 0);
  const TermId y = t.input(32, 1);
  const TermId z = t.input(32, 2);
  const auto c = [&t](u64 value) { return t.constant(32, value); };
  EXPECT_EQ(t.multiply(t.add(x, c(1)), y), t.add(y, t.multiply(y, x)));
  EXPECT_EQ(t.multiply(t.add(x, y), t.subtract(x, y)), t.subtract(t.multiply(x, x), t.multiply(y, y)));
  EXPECT_EQ(t.multiply(t.multiply(x, y), z), t.multiply(y, t.multiply(z, x)));
  EXPECT_EQ(t.subtract(t.add(x, y), t.add(y, x)), c(0));
  EXPECT_EQ(t.subtract(t.subtract(c(5), x), c(5)), t.multiply(x, c(0xffffffff)));
  const TermId wide = t.sign_extend(x, 64);
  EXPECT_EQ(t.multiply(wide, t.constant(64, 3)), t.add(t.add(wide, wide), wide));
  EXPECT_EQ(t.multiply(t.constant(64, 3), wide), t.add(t.add(wide, wide), wide));
  EXPECT_EQ(t.slice(t.multiply(wide, t.sign_extend(y, 64)), 0, 32), t.multiply(x, y));
  EXPECT_EQ(t.slice(t.add(wide, t.zero_extend(y, 64)), 0, 32), t.add(x, y));
  EXPECT_EQ(t.shift_left(t.shift_right(x, c(4)), c(4)), t.bit_and(x, c(0xfffffff0)));
  EXPECT_EQ(t.shift_right_signed(x, c(40)), t.shift_right_signed(x, c(31)));
  EXPECT_EQ(t.shift_left(x, c(32)), c(0));
  // Arithmetic on one bit becomes logic.
  const TermId low = t.slice(x, 0, 1);
  const TermId other = t.slice(y, 0, 1);
  EXPECT_EQ(t.add(low, other), t.bit_xor(low, other));
  EXPECT_EQ(t.multiply(low, other), t.bit_and(low, other));
}

TEST(Terms, OneFormOfChoices) {
  Terms t;
  const TermId x = t.input(32, 0);
  const TermId y = t.input(32, 1);
  const TermId z = t.input(32, 2);
  const TermId bit = t.input(1, 3);
  const TermId other = t.input(1, 4);
  const auto c = [&t](u64 value) { return t.constant(32, value); };
  EXPECT_EQ(t.select(bit, t.select(bit, x, y), z), t.select(bit, x, z));
  EXPECT_EQ(t.select(bit, x, t.select(bit, y, z)), t.select(bit, x, z));
  EXPECT_EQ(t.select(t.bit_not(bit), x, y), t.select(bit, y, x));
  EXPECT_EQ(t.select(bit, t.yes(), other), t.bit_or(bit, other));
  EXPECT_EQ(t.select(bit, other, t.no()), t.bit_and(bit, other));
  EXPECT_EQ(t.select(bit, other, t.bit_not(other)), t.bit_not(t.bit_xor(bit, other)));
  EXPECT_EQ(t.select(bit, t.bit_or(t.shift_left(x, c(8)), c(7)), c(7)),
            t.bit_or(t.shift_left(t.select(bit, t.bit_and(x, c(0xffffff)), c(0)), c(8)), c(7)));
  EXPECT_EQ(t.equal(y, t.add(x, y)), t.equal(x, c(0)));
  EXPECT_EQ(t.equal(t.add(x, c(3)), t.add(y, c(3))), t.equal(x, y));
  EXPECT_EQ(t.equal(t.multiply(x, c(3)), c(6)), t.equal(x, c(2)));
  EXPECT_EQ(t.equal(t.bit_xor(x, c(5)), c(6)), t.equal(x, c(3)));
  EXPECT_EQ(t.equal(t.select(bit, c(1), c(2)), c(1)), bit);
  EXPECT_EQ(t.equal(t.sign_extend(t.slice(x, 0, 8), 32), c(0x80)), t.no());
  EXPECT_EQ(t.equal(t.bit_or(x, y), c(0)), t.bit_and(t.equal(x, c(0)), t.equal(y, c(0))));
  EXPECT_EQ(t.equal(t.bit_and(x, y), c(0xffffffff)), t.bit_and(t.equal(x, c(0xffffffff)), t.equal(y, c(0xffffffff))));
  EXPECT_EQ(t.equal(t.subtract(c(7), x), c(7)), t.equal(x, c(0)));
  const TermId a = t.slice(x, 0, 8);
  const TermId b = t.slice(y, 0, 8);
  EXPECT_EQ(t.below_signed(t.sign_extend(a, 32), t.sign_extend(b, 32)), t.below_signed(a, b));
  EXPECT_EQ(t.below_signed(t.zero_extend(a, 32), t.zero_extend(b, 32)), t.below(a, b));
  EXPECT_EQ(t.below(t.zero_extend(a, 32), t.zero_extend(b, 32)), t.below(a, b));
  EXPECT_EQ(t.below(t.zero_extend(a, 32), c(256)), t.yes());
  EXPECT_EQ(t.below(x, c(1)), t.equal(x, c(0)));
  EXPECT_EQ(t.below(c(0), x), t.bit_not(t.equal(x, c(0))));
  EXPECT_EQ(t.below(t.add(x, c(5)), x), t.bit_not(t.below(x, c(0xfffffffb))));
  EXPECT_EQ(t.below_signed(c(0xffffffff), x), t.bit_not(t.slice(x, 31, 1)));
  EXPECT_EQ(t.below_signed(x, c(0x80000000)), t.no());
  EXPECT_EQ(t.below_signed(x, c(0x7fffffff)), t.bit_not(t.equal(x, c(0x7fffffff))));
}

}  // namespace
}  // namespace salu::proof
