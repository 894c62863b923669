#pragma once

#include <mpfr.h>

#include <optional>

#include "semantics/floats/values.hpp"

/// Results of floats in any format, computed with MPFR.
namespace salu::test::floats {

/// A number of MPFR.
class Real {
 public:
  explicit Real(mpfr_prec_t bits = 64) { mpfr_init2(value_, bits); }
  Real(const Real&) = delete;
  Real& operator=(const Real&) = delete;
  ~Real() { mpfr_clear(value_); }
  // NOLINTNEXTLINE(google-explicit-constructor): MPFR's functions take pointers
  operator mpfr_ptr() { return value_; }

 private:
  mpfr_t value_;
};

inline mpfr_rnd_t direction_of(Rounding rounding) {
  constexpr std::array<mpfr_rnd_t, 4> directions = {MPFR_RNDN, MPFR_RNDU, MPFR_RNDD, MPFR_RNDZ};
  return directions[static_cast<std::size_t>(rounding)];
}

/// Sets a number to a float, exactly. NaNs become that of MPFR.
template <class F>
void assign(mpfr_ptr to, F value) {
  using P = Format<F>;
  const u64 all = magnitude_of(value);
  const bool negative = (value.bits & P::sign) != 0;
  if (all > P::infinity) return mpfr_set_nan(to);
  if (all == P::infinity) return mpfr_set_inf(to, negative ? -1 : 1);
  if (all == 0) return mpfr_set_zero(to, negative ? -1 : 1);
  const int field = static_cast<int>(all >> P::fraction_bits);
  const u64 fraction = all & (P::least_normal - 1);
  mpfr_set_uj_2exp(to, field == 0 ? fraction : fraction | P::least_normal,
                   std::max(field, 1) - P::bias - P::fraction_bits, MPFR_RNDN);
  if (negative) mpfr_neg(to, to, MPFR_RNDN);
}

/// The limits of exponents while a result is rounded as the format does.
template <class F>
class Limits {
 public:
  Limits() : least_(mpfr_get_emin()), greatest_(mpfr_get_emax()) {
    mpfr_set_emin(2 - Format<F>::bias - Format<F>::fraction_bits);
    mpfr_set_emax(Format<F>::bias + 1);
  }
  Limits(const Limits&) = delete;
  Limits& operator=(const Limits&) = delete;
  ~Limits() {
    mpfr_set_emin(least_);
    mpfr_set_emax(greatest_);
  }

 private:
  mpfr_exp_t least_;
  mpfr_exp_t greatest_;
};

/// A result, and whether it was rounded.
template <class F>
struct Result {
  F value;
  bool is_inexact;
};

/// Computes `function(result, direction)`, which rounds and returns the sign of the error like the functions of MPFR.
template <class F, class Function>
Result<F> result_of(Rounding rounding, Function function) {
  using P = Format<F>;
  const mpfr_rnd_t direction = direction_of(rounding);
  static Real number(P::fraction_bits + 1);
  static Real scaled(64);
  bool is_inexact = false;
  {
    int error = function(static_cast<mpfr_ptr>(number), direction);
    const Limits<F> limits;
    error = mpfr_check_range(number, error, direction);
    is_inexact = mpfr_subnormalize(number, error, direction) != 0;
  }
  const u64 sign = mpfr_signbit(number) != 0 ? P::sign : 0;
  if (mpfr_nan_p(number) != 0) return {of_bits<F>(P::infinity | P::quiet), is_inexact};
  if (mpfr_inf_p(number) != 0) return {of_bits<F>(sign | P::infinity), is_inexact};
  if (mpfr_zero_p(number) != 0) return {of_bits<F>(sign), is_inexact};
  // The significand as an integer, in units of the last place.
  const auto exponent = std::max(static_cast<int>(mpfr_get_exp(number)), 2 - P::bias);
  mpfr_abs(scaled, number, MPFR_RNDN);
  mpfr_mul_2si(scaled, scaled, P::fraction_bits + 1 - exponent, MPFR_RNDN);
  const u64 significand = mpfr_get_uj(scaled, MPFR_RNDN);
  const u64 base = static_cast<u64>(exponent + P::bias - 2) << P::fraction_bits;
  return {of_bits<F>(sign | (base + significand)), is_inexact};
}

}  // namespace salu::test::floats
