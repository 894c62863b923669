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

/// An explicit operand: a plain 32- or 64-bit integer parameter.
template <class T>
concept ExplicitOperand = std::same_as<T, u32> || std::same_as<T, i32> || std::same_as<T, u64> || std::same_as<T, i64>;

template <class Function>
struct Signature;

template <class R, class... A>
struct Signature<R (*)(A...)> {
  using Result = R;
  using Arguments = std::tuple<A...>;
  static constexpr std::size_t argument_count = sizeof...(A);

  /// How many explicit operands come before argument `index`: its own number when it is one.
  static constexpr std::size_t operand_number(std::size_t index) {
    constexpr std::array<bool, argument_count + 1> is_operand{ExplicitOperand<A>..., false};
    std::size_t count = 0;
    for (std::size_t i = 0; i < index; ++i) count += is_operand[i] ? 1 : 0;
    return count;
  }
  static constexpr std::size_t operand_count = operand_number(argument_count);

  /// Whether an implicit input of this type is asked for.
  template <class T>
  static constexpr bool asks_for = (std::same_as<A, T> || ...);

  /// Width in dwords of explicit operand `number`, and whether a literal there is sign-extended; 0 when there is none.
  struct OperandType {
    u8 dwords = 0;
    bool sign_extends_literal = false;
  };
  static constexpr OperandType operand_type([[maybe_unused]] std::size_t number) {
    OperandType found;
    [[maybe_unused]] std::size_t count = 0;
    (
        [&] {
          if constexpr (ExplicitOperand<A>) {
            if (count++ == number) found = {sizeof(A) / 4, std::same_as<A, i64>};
          }
        }(),
        ...);
    return found;
  }
};

/// Peels `Checked<R>` off.
template <class R>
struct Unchecked {
  using Type = R;
};
template <class R>
struct Unchecked<Checked<R>> {
  using Type = R;
};
template <class R>
using UncheckedResult = typename Unchecked<R>::Type;

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

/// Whether control may go elsewhere than to the next instruction: such an instruction ends a block.
template <class R>
struct EndsBlock : std::false_type {};
template <>
struct EndsBlock<Branch> : std::true_type {};
template <>
struct EndsBlock<Jump> : std::true_type {};
template <>
struct EndsBlock<JumpAndLink> : std::true_type {};
template <>
struct EndsBlock<Fork> : std::true_type {};
template <>
struct EndsBlock<Join> : std::true_type {};
template <>
struct EndsBlock<Trap> : std::true_type {};
template <>
struct EndsBlock<ReturnFromException> : std::true_type {};
template <>
struct EndsBlock<EndProgram> : std::true_type {};
template <>
struct EndsBlock<Undocumented> : std::true_type {};

}  // namespace salu::isa
