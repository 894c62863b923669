#pragma once

#include <type_traits>

#include "core/fusion.hpp"
#include "core/handlers.hpp"

/// Handlers of fused instructions, composed of the handlers of the single instructions.
namespace salu::core {

/// The type of a value as a result writes it to SDST.
template <class R>
using WrittenValue = std::conditional_t<isa::destination_dwords<R> == 2, u64, u32>;

/// One of the fused instructions, with operands that are slots.
template <Insn instruction, auto semantic_function, Forward from_the_one_before = Forward::none>
struct Part {
  static constexpr Insn insn = instruction;
  static constexpr auto function = semantic_function;
  static constexpr Forward forward = from_the_one_before;
};

template <class Part, class... Parts, class Forwarded = u32>
// NOLINTNEXTLINE(readability-non-const-parameter): the frame of an instance writes to the slots.
SALU_INLINE const MicroOp* execute_parts(const MicroOp* op, u32* slots, u32& scc, Interpreter& interpreter,
                                         bool& is_taken, Forwarded forwarded = {}) {
  using R = typename isa::Signature<std::remove_const_t<decltype(Part::function)>>::Result;
  WrittenValue<R> written{};
  using Domain = MachineDomain<Part::insn, Variant::fast, Part::forward, Forwarded, WrittenValue<R>>;
  const Domain domain{op, slots, scc, interpreter, forwarded, &written};
  const MicroOp* const next = Domain::Step::template execute<Part::function>(domain);
  if constexpr (sizeof...(Parts) == 0) {
    static_assert(may_end_fused(Part::insn));
    is_taken = written != 0;
    return next;
  } else {
    static_assert(always_goes_on(Part::insn));
    return execute_parts<Parts...>(next, slots, scc, interpreter, is_taken, written);
  }
}

/// Executes consecutive instructions, each with the same effect as its own handler. `is_taken`: the last one is a
/// branch that is taken.
template <SccBehind scc_behind, class... Parts>
SALU_INLINE const MicroOp* execute_fused(const MicroOp* op, u32* slots, u32& scc, Interpreter& interpreter,
                                         bool& is_taken) {
  u32 new_scc = scc;
  const MicroOp* const next = execute_parts<Parts...>(op, slots, new_scc, interpreter, is_taken);
  if constexpr (scc_behind == SccBehind::live) scc = new_scc;
  return next;
}

}  // namespace salu::core
