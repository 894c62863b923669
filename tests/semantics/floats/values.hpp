#pragma once

#include <array>
#include <random>
#include <string>
#include <vector>

#include "isa/vector/semantics/soft_float.hpp"

/// Operands and modes for tests of the arithmetic on floats.
namespace salu::test::floats {

using isa::vector::BF16;
using isa::vector::F16;
using isa::vector::F32;
using isa::vector::F64;
using isa::vector::FloatMode;
using isa::vector::Rounding;

using Random = std::mt19937_64;

/// The properties of a format, from IEEE 754 (and of bfloat16).
template <class F>
struct Format {
  static constexpr int fraction_bits = static_cast<int>(F::fraction_bits);
  static constexpr int exponent_bits = static_cast<int>(F::bit_count) - 1 - fraction_bits;
  static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
  static constexpr u64 sign = u64{1} << (F::bit_count - 1);
  static constexpr u64 least_normal = u64{1} << fraction_bits;
  static constexpr u64 infinity = ((u64{1} << exponent_bits) - 1) << fraction_bits;
  static constexpr u64 quiet = u64{1} << (fraction_bits - 1);
};

template <class F>
F of_bits(u64 bits) {
  return {static_cast<typename F::Bits>(bits)};
}
template <class F>
u64 magnitude_of(F value) {
  return value.bits & (Format<F>::sign - 1);
}
template <class F>
bool is_nan(F value) {
  return magnitude_of(value) > Format<F>::infinity;
}
template <class F>
bool is_denormal(F value) {
  return magnitude_of(value) != 0 && magnitude_of(value) < Format<F>::least_normal;
}

/// Limits of the format, neighbours of powers of two, integers and their halves, infinities and NaNs, with both signs.
template <class F>
std::vector<F> edge_values() {
  using P = Format<F>;
  const auto power = [](int exponent) { return static_cast<u64>(exponent + P::bias) << P::fraction_bits; };
  const u64 one = power(0);
  std::vector<u64> bits = {0,
                           1,
                           2,
                           P::least_normal / 2,
                           P::least_normal - 1,
                           P::least_normal,
                           P::least_normal + 1,
                           2 * P::least_normal,
                           one - 1,
                           one,
                           one + 1,
                           one | P::quiet,
                           power(1) - 1,
                           power(1),
                           power(1) | P::quiet / 2,
                           power(1) | P::quiet,
                           power(-1),
                           power(-1) + 1,
                           power(-2) | P::quiet,
                           power(P::fraction_bits),
                           power(P::fraction_bits) + 1,
                           power(P::fraction_bits - 1) + 1,
                           power(-P::fraction_bits - 1),
                           power(P::bias / 2) + 1,
                           P::infinity - 1,
                           power(P::bias),
                           P::infinity,
                           P::infinity | P::quiet,
                           P::infinity | 1,
                           P::infinity | P::quiet | 3};
  std::vector<F> values;
  for (const u64 value : bits) {
    values.push_back(of_bits<F>(value));
    values.push_back(of_bits<F>(value | P::sign));
  }
  return values;
}

/// A float of any size, or one near `other`.
template <class F>
F random_value(Random& random, F other) {
  const u64 bits = random();
  switch (random() % 4) {
    case 0: {
      // The exponents are close, so that sums cancel and products round.
      const int field = static_cast<int>(magnitude_of(other) >> Format<F>::fraction_bits);
      const int most = (1 << Format<F>::exponent_bits) - 2;
      const int close = std::clamp(field + static_cast<int>(random() % 9) - 4, 0, most);
      return of_bits<F>((bits & Format<F>::sign) | static_cast<u64>(close) << Format<F>::fraction_bits |
                        (bits & (Format<F>::least_normal - 1)));
    }
    case 1:
      // Few bits set: exact results and ties.
      return of_bits<F>(bits & random() & random());
    default:
      return of_bits<F>(bits);
  }
}

constexpr std::array<Rounding, 4> roundings = {Rounding::to_nearest_even, Rounding::up, Rounding::down,
                                               Rounding::to_zero};

/// All settings of rounding and denormal numbers.
inline std::vector<FloatMode> all_modes() {
  std::vector<FloatMode> modes;
  for (const Rounding rounding : roundings) {
    for (const bool keeps_inputs : {false, true}) {
      for (const bool keeps_results : {false, true}) modes.push_back({rounding, keeps_inputs, keeps_results});
    }
  }
  return modes;
}
inline FloatMode random_mode(Random& random) { return {roundings[random() % 4], random() % 2 == 0, random() % 2 == 0}; }

/// Replaces a denormal number by a zero with the same sign.
template <class F>
F flushed(F value, bool keeps) {
  return keeps || !is_denormal(value) ? value : of_bits<F>(value.bits & Format<F>::sign);
}

inline std::string text_of(FloatMode mode) {
  constexpr std::array<const char*, 4> names = {"nearest", "up", "down", "zero"};
  return std::string(names[static_cast<std::size_t>(mode.rounding)]) +
         (mode.keeps_denormal_inputs ? "" : ", flushed inputs") +
         (mode.keeps_denormal_results ? "" : ", flushed results");
}

}  // namespace salu::test::floats
