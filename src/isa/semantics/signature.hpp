#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "isa/semantics/values.hpp"

/// Derives the contract of a semantic function from its type.
namespace salu::isa {

#include "isa/semantics/signature.inc"

// The names of the members of a result type determine its effects.

/// The result carries a new SCC.
template <class R>
concept WritesScc = requires(R result) { result.scc; };
/// The result carries new bits of M0.
template <class R>
concept WritesM0 = requires(R result) { result.m0; };
/// SDST keeps its value unless `write` is set.
template <class R>
concept WritesConditionally = requires(R result) { result.write; };

/// Dwords that a result writes to SDST: those of the member `value`, or of a plain integer; 0 if there is neither.
template <class R>
inline constexpr u8 destination_dwords = 0;
template <ExplicitOperand T>
inline constexpr u8 destination_dwords<T> = sizeof(T) / 4;
template <class R>
  requires requires(R result) { result.value; }
inline constexpr u8 destination_dwords<R> = sizeof(R::value) / 4;
template <class T>
inline constexpr u8 destination_dwords<RelativeSource<T>> = sizeof(T) / 4;

}  // namespace salu::isa
