#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "isa/semantics/values.hpp"

/// Reads the contract of a semantic function off its type.
namespace salu::isa {

#include "isa/semantics/signature.inc"

/// Dwords that a result writes to SDST; 0 when it does not.
template <class R>
struct DestinationDwords : std::integral_constant<u8, 0> {};
template <ExplicitOperand T>
struct DestinationDwords<T> : std::integral_constant<u8, sizeof(T) / 4> {};
template <class T>
struct DestinationDwords<WithScc<T>> : std::integral_constant<u8, sizeof(T) / 4> {};
template <class T>
struct DestinationDwords<Maybe<T>> : std::integral_constant<u8, sizeof(T) / 4> {};
template <class T>
struct DestinationDwords<RelativeSource<T>> : std::integral_constant<u8, sizeof(T) / 4> {};
template <class T>
struct DestinationDwords<RelativeDestination<T>> : std::integral_constant<u8, sizeof(T) / 4> {};
template <>
struct DestinationDwords<ExecUpdate> : std::integral_constant<u8, 2> {};
template <>
struct DestinationDwords<JumpAndLink> : std::integral_constant<u8, 2> {};

/// Whether a result carries a new SCC.
template <class R>
struct WritesScc : std::false_type {};
template <class T>
struct WritesScc<WithScc<T>> : std::true_type {};
template <>
struct WritesScc<SccOnly> : std::true_type {};
template <>
struct WritesScc<ExecUpdate> : std::true_type {};

/// Whether a result may be none, so that SDST keeps its value.
template <class R>
struct IsMaybe : std::false_type {};
template <class T>
struct IsMaybe<Maybe<T>> : std::true_type {};

}  // namespace salu::isa
