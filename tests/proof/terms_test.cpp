#include "proof/terms.hpp"

#include <gtest/gtest.h>

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

/// What is known without an input.
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

}  // namespace
}  // namespace salu::proof
