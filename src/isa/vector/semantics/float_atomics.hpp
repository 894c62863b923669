#pragma once

#include <salu/family.hpp>

#include <type_traits>

#include "isa/semantics/atomics.hpp"
#include "isa/vector/instruction.hpp"
#include "isa/vector/semantics/soft_float.hpp"

/// Atomics on floats: the new value in memory from the old one and the operands. They round to the nearest float
/// whatever MODE is, and raise no exceptions.
namespace salu::isa::vector {

namespace semantics {

template <class T>
using FloatOf = std::conditional_t<sizeof(T) == sizeof(u64), F64, F32>;

template <class T>
constexpr T atomic_fadd(T old, T data, T, FloatMode mode) {
  return add(FloatOf<T>{old}, FloatOf<T>{data}, mode).bits;
}
/// The data if `is_chosen`, otherwise the old value.
template <class T>
constexpr T atomic_choice(bool is_chosen, T old, T data, FloatMode mode) {
  const FloatOf<T> choice{is_chosen ? data : old};
  return soft_float::output(soft_float::input(choice, mode), mode).bits;
}
/// A NaN is neither less nor greater, and zeros are equal: the old value stays.
template <class T>
constexpr T atomic_fmin(T old, T data, T, FloatMode mode) {
  return atomic_choice(compare(FloatOf<T>{data}, FloatOf<T>{old}, mode, false).less, old, data, mode);
}
template <class T>
constexpr T atomic_fmax(T old, T data, T, FloatMode mode) {
  return atomic_choice(compare(FloatOf<T>{data}, FloatOf<T>{old}, mode, false).greater, old, data, mode);
}
/// Equal as floats: zeros of different sign are, a NaN is not.
template <class T>
constexpr T atomic_fcmpswap(T old, T data, T compared, FloatMode mode) {
  return compare(FloatOf<T>{old}, FloatOf<T>{compared}, mode, false).equal ? data : old;
}
/// DS_CMPST: the operands of `atomic_fcmpswap` in the other order.
template <class T>
constexpr T atomic_fcmpst(T old, T compared, T data, FloatMode mode) {
  return atomic_fcmpswap(old, data, compared, mode);
}

/// Calls `visit` with the number of the first bit of each 16-bit float.
template <class T, class Visit>
constexpr void for_halves(const Visit& visit) {
  for (u32 first = 0; first < 8 * sizeof(T); first += 16) visit(first);
}
template <class F, class T>
constexpr T packed_sum(T left, T right, FloatMode mode) {
  T sums = 0;
  for_halves<T>([&](u32 first) {
    const F sum = add(F{static_cast<u16>(left >> first)}, F{static_cast<u16>(right >> first)}, mode);
    sums |= static_cast<T>(T{sum.bits} << first);
  });
  return sums;
}
template <class T>
constexpr T atomic_pk_add_f16(T old, T data, T, FloatMode mode) {
  return packed_sum<F16>(old, data, mode);
}
template <class T>
constexpr T atomic_pk_add_bf16(T old, T data, T, FloatMode mode) {
  return packed_sum<BF16>(old, data, mode);
}

}  // namespace semantics

/// The new value for any operation on floats. `second`: 0 if the operation has one operand.
template <class T>
constexpr T float_atomic_result(AtomicOperation operation, T old, T data, T second, FloatMode mode) {
  switch (operation) {
#define SALU_ATOMIC(name, operands, commutes)
#define SALU_FLOAT_ATOMIC(name, operands, commutes) \
  case AtomicOperation::name:                       \
    return semantics::name(old, data, second, mode);
#include "isa/semantics/atomics.def"
#undef SALU_ATOMIC
#undef SALU_FLOAT_ATOMIC
    default:
      break;
  }
  return old;
}

/// The mode of an atomic on floats. `mode`: the register MODE, whose lower two bits of FP_DENORM apply to 32-bit
/// floats.
constexpr FloatMode float_atomic_mode(const Access& access, u32 mode) {
  const bool is_single = access.bytes == 4 && access.atomic != AtomicOperation::atomic_pk_add_f16;
  FloatMode result;
  if (access.denormals == FloatDenormals::by_mode) {
    const u32 kept = mode >> (gcn::mode_bit::fp_denorm + (is_single ? 0 : 2));
    result.keeps_denormal_inputs = (kept & 1) != 0;
    result.keeps_denormal_results = (kept & 2) != 0;
  }
  return access.denormals == FloatDenormals::flushed ? result.flushing() : result;
}

/// True if a word is, or has, a denormal number of the operation's format.
template <class T>
constexpr bool has_denormal(AtomicOperation operation, T word) {
  using soft_float::is_denormal;
  if (operation != AtomicOperation::atomic_pk_add_f16 && operation != AtomicOperation::atomic_pk_add_bf16)
    return is_denormal(semantics::FloatOf<T>{word});
  bool result = false;
  semantics::for_halves<T>([&](u32 first) {
    const auto half = static_cast<u16>(word >> first);
    result =
        result || (operation == AtomicOperation::atomic_pk_add_f16 ? is_denormal(F16{half}) : is_denormal(BF16{half}));
  });
  return result;
}

/// True if the manuals do not specify the effect of denormal numbers: if a comparison flushes them, in FLAT accesses to
/// LDS, and for some formats.
constexpr bool leaves_denormals_open(const InstructionInfo& row, FloatMode mode, bool is_in_lds) {
  const Access& access = row.access;
  const bool flushes = !mode.keeps_denormal_inputs || !mode.keeps_denormal_results;
  const bool is_sum =
      access.atomic == AtomicOperation::atomic_fadd || access.atomic == AtomicOperation::atomic_pk_add_f16;
  return access.denormals == FloatDenormals::unspecified || (flushes && !is_sum) ||
         (row.format == Format::flat && is_in_lds);
}

}  // namespace salu::isa::vector
