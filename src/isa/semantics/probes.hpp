#pragma once

#include <cstddef>
#include <utility>

#include "isa/semantics/signature.hpp"

/// Properties of semantic functions that their types do not express, found by calls at compile time.
namespace salu::isa::probes {

/// The value that a result writes to SDST, of a result that writes it and maybe SCC.
template <class T>
constexpr T value_of(T value) {
  return value;
}
template <class T>
constexpr T value_of(const WithScc<T>& result) {
  return result.value;
}
template <class T>
constexpr T value_of(const Maybe<T>& result) {
  return result.value;
}

/// An argument for a probe: an operand, or SCC.
template <class T>
constexpr T argument(u64 operand, bool scc) {
  if constexpr (std::same_as<T, Scc>)
    return {scc};
  else
    return static_cast<T>(operand);
}

/// Whether a predicate holds for 0, -1 and each bit alone.
template <class T, class Predicate>
constexpr bool holds_for_bits(const Predicate& holds) {
  for (u32 bit = 0; bit < sizeof(T) * 8; ++bit) {
    if (!holds(static_cast<T>(T{1} << bit))) return false;
  }
  return holds(T{0}) && holds(static_cast<T>(~T{0}));
}

/// Whether a function of an unsigned integer, and maybe SCC, returns the integer.
template <auto function, class R, class T, class... Others>
constexpr bool returns_argument(R (*)(T, Others...)) {
  if constexpr ((std::same_as<T, u32> || std::same_as<T, u64>) && (std::same_as<Others, Scc> && ...) &&
                (std::same_as<R, T> || std::same_as<R, Maybe<T>>))
    return holds_for_bits<T>([](T value) { return value_of(function(value, argument<Others>(0, true)...)) == value; });
  else
    return false;
}
template <auto function, class R>
constexpr bool returns_argument(R (*)()) {
  return false;
}
template <auto function>
constexpr bool returns_argument() {
  return returns_argument<function>(function);
}

/// Whether each quad of bits in the 64-bit result of a function depends on the same quad of its operands, and maybe on
/// SCC, alone.
template <auto function, class R, class... A>
constexpr bool keeps_quads(R (*)(A...)) {
  using Function = Signature<R (*)(A...)>;
  if constexpr (Function::operand_count != 0 && destination_dwords<R> == 2 &&
                (std::same_as<R, u64> || WritesScc<R> || WritesConditionally<R>) && !std::same_as<R, ExecUpdate> &&
                ((std::same_as<A, u64> || std::same_as<A, Scc>) && ...)) {
    for (const bool scc : {false, true}) {
      for (const u64 others : {u64{0}, ~u64{0}}) {
        // All quads but one have the same result whatever that one has.
        for (u32 bit = 0; bit < 64; ++bit) {
          const u64 quad = u64{15} << (bit & ~3U);
          const u64 flipped = others ^ u64 { 1 } << bit;
          const u64 change =
              value_of(function(argument<A>(others, scc)...)) ^ value_of(function(argument<A>(flipped, scc)...));
          if ((change & ~quad) != 0) return false;
        }
      }
    }
    return true;
  } else {
    return false;
  }
}
template <auto function>
constexpr bool keeps_quads() {
  return keeps_quads<function>(function);
}

}  // namespace salu::isa::probes
