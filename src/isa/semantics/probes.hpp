#pragma once

#include <concepts>
#include <utility>

#include "isa/semantics/signature.hpp"

/// Properties of semantic functions that their types do not express, found by calls at compile time.
namespace salu::isa::probes {

/// The value that a result writes to the destination.
template <class R>
constexpr auto value_of(const R& result) {
  if constexpr (requires { result.value; })
    return result.value;
  else
    return result;
}
template <class R>
using ValueOf = decltype(value_of(std::declval<R>()));

/// True if all arguments of a function are values like its result, or SCC.
template <class R, class... A>
inline constexpr bool is_of_values =
    std::unsigned_integral<ValueOf<R>> && ((std::same_as<A, ValueOf<R>> || std::same_as<A, Scc>) && ...);

template <class T>
constexpr T argument(u64 value, bool scc) {
  if constexpr (std::same_as<T, Scc>)
    return {scc};
  else
    return static_cast<T>(value);
}

/// True if a function of one unsigned integer, and possibly SCC, returns its argument; tested with 0, -1 and each
/// single bit.
template <auto function, class R, class... A>
constexpr bool returns_argument(R (*)(A...)) {
  if constexpr (is_of_values<R, A...> && Signature<R (*)(A...)>::operand_count == 1) {
    const auto returns = [](u64 value) {
      return value_of(function(argument<A>(value, true)...)) == static_cast<ValueOf<R>>(value);
    };
    for (u32 bit = 0; bit < 64; ++bit) {
      if (!returns(u64{1} << bit)) return false;
    }
    return returns(0) && returns(~u64{0});
  }
  return false;
}

/// True if each quad of bits in the 64-bit result of a function depends only on the same quad of its operands, and
/// possibly on SCC.
template <auto function, class R, class... A>
constexpr bool keeps_quads(R (*)(A...)) {
  if constexpr (is_of_values<R, A...> && std::same_as<ValueOf<R>, u64> && sizeof...(A) != 0) {
    const auto changes_others = [](u64 value, u32 bit, bool scc) {
      const u64 before = value_of(function(argument<A>(value, scc)...));
      const u64 after = value_of(function(argument<A>(value ^ u64{1} << bit, scc)...));
      return ((before ^ after) & ~(u64{15} << (bit & ~3U))) != 0;
    };
    for (u32 bit = 0; bit < 64; ++bit) {
      for (const u64 value : {u64{0}, ~u64{0}}) {
        if (changes_others(value, bit, false) || changes_others(value, bit, true)) return false;
      }
    }
    return true;
  }
  return false;
}

}  // namespace salu::isa::probes
