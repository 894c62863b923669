#pragma once

#include <array>
#include <bit>
#include <cfenv>
#include <cfloat>
#include <cmath>
#include <limits>
#include <type_traits>

#include "semantics/vector_reference.hpp"

/// Floats that the host computes, for models of instructions.
namespace salu::test {

/// Wide enough for the products of doubles.
#if LDBL_MANT_DIG == 113
using Quad = long double;
#else
__extension__ using Quad = __float128;
#endif
__extension__ using QuadBits = unsigned __int128;

/// Properties of the host's formats.
template <class F>
struct HostFormat {
  static constexpr bool is_wide = false;
  using Bits = u32;
  using Wider = double;
};
template <>
struct HostFormat<double> {
  static constexpr bool is_wide = true;
  using Bits = u64;
  using Wider = Quad;
};
template <class F>
using BitsOf = typename HostFormat<F>::Bits;
template <class F>
using Wider = typename HostFormat<F>::Wider;
template <class F>
inline constexpr u32 fraction_bits = std::numeric_limits<F>::digits - 1;

/// MODE has separate fields for 32-bit floats, and for 16-bit and 64-bit floats.
struct FloatMode {
  explicit FloatMode(u32 mode, bool is_wide = false)
      : keeps_input_denormals((mode >> (is_wide ? 6 : 4) & 1) != 0),
        keeps_output_denormals((mode >> (is_wide ? 7 : 5) & 1) != 0),
        clamps_nan((mode >> 8 & 1) != 0),
        is_ieee((mode >> 9 & 1) != 0) {
    constexpr std::array<int, 4> roundings = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    rounding = roundings[mode >> (is_wide ? 2 : 0) & 3];
  }
  int rounding;
  bool keeps_input_denormals;
  bool keeps_output_denormals;
  bool clamps_nan;
  bool is_ieee;
};
template <class F>
FloatMode mode_of(const LaneInputs& in) {
  return FloatMode(in.mode, HostFormat<F>::is_wide);
}

class HostRounding {
 public:
  explicit HostRounding(int rounding) : before_(std::fegetround()) { std::fesetround(rounding); }
  HostRounding(const HostRounding&) = delete;
  HostRounding& operator=(const HostRounding&) = delete;
  ~HostRounding() { std::fesetround(before_); }

 private:
  int before_;
};

/// Replaces a denormal by a zero with the same sign.
template <class F>
F without_denormal(F value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(F{0}, value) : value;
}

template <class F = float>
F float_source(u64 bits, bool keeps_denormals) {
  const auto value = std::bit_cast<F>(static_cast<BitsOf<F>>(bits));
  return keeps_denormals ? value : without_denormal(value);
}

/// Compilers must neither move these operations across a change of the rounding mode nor compute them.
template <class F>
F multiply(F a, std::type_identity_t<F> b) {
  const volatile F x = a;
  const volatile F y = b;
  const volatile F result = x * y;
  return result;
}
template <class F>
F add(F a, std::type_identity_t<F> b) {
  const volatile F x = a;
  const volatile F y = b;
  const volatile F result = x + y;
  return result;
}
template <class F>
F multiply_add(F a, F b, F c) {
  const volatile F x = a;
  const volatile F y = b;
  const volatile F z = c;
  const volatile F result = std::fma(x, y, z);
  return result;
}
template <class F>
F divide(std::type_identity_t<F> a, F b) {
  const volatile F x = a;
  const volatile F y = b;
  const volatile F result = x / y;
  return result;
}

/// The output modifier applies if MODE flushes output denormals (also for rows that always do) and IEEE mode is off;
/// then there is no -0. The clamp to 0 .. 1 is last.
template <class F>
LaneResult float_result(const LaneInputs& in, F value, bool keeps_denormals) {
  const FloatMode mode = mode_of<F>(in);
  if (!keeps_denormals) value = without_denormal(value);
  if (in.output_modifier != 0 && !mode.is_ieee && !mode.keeps_output_denormals) {
    constexpr std::array<F, 4> factors = {1, 2, 4, 0.5F};
    const HostRounding rounding(mode.rounding);
    if (!mode.keeps_input_denormals) value = without_denormal(value);
    value = without_denormal(multiply(value, factors[in.output_modifier]));
    if (value == 0) value = 0;
  }
  if (in.clamp) {
    if (std::isnan(value)) {
      if (mode.clamps_nan) value = 0;
    } else if (value <= 0) {
      value = 0;
    } else if (value > 1) {
      value = 1;
    }
  }
  return {std::bit_cast<BitsOf<F>>(value), false, std::isnan(value)};
}

template <class F>
using SourcesOf = std::array<F, 3>;
using Sources = SourcesOf<float>;
using WideSources = SourcesOf<double>;
/// Rows that follow MODE in all respects.
template <class F = float, class Function>
LaneModel float_model(Function function) {
  return [function](const LaneInputs& in) {
    const FloatMode mode = mode_of<F>(in);
    SourcesOf<F> sources{};
    for (std::size_t i = 0; i < 3; ++i) sources[i] = float_source<F>(in.s[i], mode.keeps_input_denormals);
    F result = 0;
    {
      const HostRounding rounding(mode.rounding);
      result = function(sources);
    }
    return float_result(in, result, mode.keeps_output_denormals);
  };
}

/// The sum of a product and a number, rounded to odd: a wide result that can be scaled and rounded again.
template <class F>
Wider<F> odd_sum(F a, F b, F c) {
  using Bits = std::conditional_t<HostFormat<F>::is_wide, QuadBits, u64>;
  const HostRounding rounding(FE_TOWARDZERO);
  std::feclearexcept(FE_INEXACT);
  const volatile Wider<F> x = Wider<F>{a} * Wider<F>{b};
  const volatile Wider<F> y = c;
  const volatile Wider<F> sum = x + y;
  const Wider<F> result = sum;
  if (std::fetestexcept(FE_INEXACT) == 0) return result;
  return std::bit_cast<Wider<F>>(std::bit_cast<Bits>(result) | 1);
}

}  // namespace salu::test
