#include <gtest/gtest.h>
#include <salu/approximations.hpp>

#include <string>

namespace salu::test {
namespace {

using Rounding = Approximations::Rounding;

TEST(ApproximationTexts, AreRead) {
  EXPECT_EQ(parse_approximations("nearest"), Approximations{});
  EXPECT_EQ(parse_approximations("low"), (Approximations{Rounding::low, 0}));
  EXPECT_EQ(parse_approximations("high"), (Approximations{Rounding::high, 0}));
  EXPECT_EQ(parse_approximations("seed 7"), (Approximations{Rounding::seeded, 7}));
  EXPECT_EQ(parse_approximations("seed=0x10"), (Approximations{Rounding::seeded, 16}));
  EXPECT_EQ(parse_approximations("seed 18446744073709551615"), (Approximations{Rounding::seeded, ~u64{0}}));
  for (const char* const text :
       {"", "Low", "lowest", "all", "seed", "seed ", "seed7", "seed x", "seed -1", "seed 18446744073709551616"})
    EXPECT_EQ(parse_approximations(text), std::nullopt) << text;
}

TEST(ApproximationTexts, AreReadAgain) {
  for (const Approximations approximations : {Approximations{}, Approximations{Rounding::low, 0},
                                              Approximations{Rounding::high, 0}, Approximations{Rounding::seeded, 9}})
    EXPECT_EQ(parse_approximations(approximations_text(approximations)), approximations);
  EXPECT_EQ(approximations_text({Rounding::seeded, 9}), "seed 9");
}

}  // namespace
}  // namespace salu::test
