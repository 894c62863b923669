#pragma once

#include <salu/integer.hpp>

#include <algorithm>
#include <bit>
#include <compare>

namespace salu::isa {

/// A set of scalar registers, by operand code (0 to 127).
class RegisterSet {
 public:
  constexpr RegisterSet() = default;
  /// `dwords` registers from a code on, without those beyond 127.
  static constexpr RegisterSet of(u32 code, u32 dwords) {
    RegisterSet set;
    for (u32 i = code; i < std::min(code + dwords, 128U); ++i) set.halves(i) |= u64{1} << (i & 63);
    return set;
  }

  [[nodiscard]] constexpr bool any() const { return (low_ | high_) != 0; }
  [[nodiscard]] constexpr bool holds(u32 code) const {
    return code < 128 && ((code < 64 ? low_ : high_) >> (code & 63) & 1) != 0;
  }
  [[nodiscard]] constexpr u32 count() const { return static_cast<u32>(std::popcount(low_) + std::popcount(high_)); }
  /// The lowest code in the set; 128 if it is empty.
  [[nodiscard]] constexpr u32 first() const {
    return low_ != 0 ? static_cast<u32>(std::countr_zero(low_)) : 64U + static_cast<u32>(std::countr_zero(high_));
  }

  [[nodiscard]] constexpr u64 hash() const { return low_ * 31 + high_; }

  friend constexpr RegisterSet operator|(RegisterSet a, RegisterSet b) {
    return RegisterSet(a.low_ | b.low_, a.high_ | b.high_);
  }
  friend constexpr RegisterSet operator&(RegisterSet a, RegisterSet b) {
    return RegisterSet(a.low_ & b.low_, a.high_ & b.high_);
  }
  /// The registers that are in `a` and not in `b`.
  friend constexpr RegisterSet operator-(RegisterSet a, RegisterSet b) {
    return RegisterSet(a.low_ & ~b.low_, a.high_ & ~b.high_);
  }
  constexpr RegisterSet& operator|=(RegisterSet other) { return *this = *this | other; }
  friend constexpr auto operator<=>(const RegisterSet&, const RegisterSet&) = default;

 private:
  constexpr RegisterSet(u64 low, u64 high) : low_(low), high_(high) {}
  constexpr u64& halves(u32 code) { return code < 64 ? low_ : high_; }

  u64 low_ = 0;
  u64 high_ = 0;
};

}  // namespace salu::isa
