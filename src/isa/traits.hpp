#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>

#include "isa/instruction.hpp"
#include "isa/semantics/probes.hpp"
#include "isa/semantics/scalar_memory.hpp"
#include "isa/semantics/signature.hpp"

/// Derives operands, implicit reads and writes, and control flow of an instruction from the type of its semantic
/// function. The row in isa/instructions/*.def adds notes (`RowNotes`).
namespace salu::isa {

/// Properties of a row that the type of the function cannot express.
struct RowNotes {
  OperandKind ssrc0 = OperandKind::source;
  OperandKind ssrc1 = OperandKind::source;
  OperandKind immediate = OperandKind::source;  ///< of SIMM16; `source`: derived from the type
  EffectSet reads = effect::none;
  EffectSet writes = effect::none;
  Unspecified unspecified = Unspecified::never;
  Shape shape{};  ///< of an undocumented instruction
};

namespace traits {

/// True if the manuals do not define the result for some inputs.
template <class Function>
inline constexpr bool may_be_undefined =
    !std::same_as<typename Function::Result, UncheckedResult<typename Function::Result>>;

/// True if a type is one of a list.
template <class T, class... Ts>
inline constexpr bool is_any_of = (std::same_as<T, Ts> || ...);

/// True if a function has one of these implicit inputs.
template <class Function, class... Inputs>
inline constexpr bool asks_for_any = (Function::template asks_for<Inputs> || ...);

/// The control flow of a result type.
template <class Function>
constexpr Flow flow_of() {
  using R = UncheckedResult<typename Function::Result>;
  // A branch without arguments is always taken.
  if constexpr (std::same_as<R, Branch>) return Function::argument_count == 0 ? Flow::branch : Flow::branch_if;
  if constexpr (std::same_as<R, Jump>) return Flow::jump;
  if constexpr (std::same_as<R, JumpAndLink>) return Flow::call;
  if constexpr (std::same_as<R, Fork>) return Flow::fork;
  if constexpr (std::same_as<R, Join>) return Flow::join;
  if constexpr (std::same_as<R, Trap>) return Flow::trap;
  if constexpr (std::same_as<R, ReturnFromException>) return Flow::return_from_trap;
  if constexpr (std::same_as<R, Kill>) return Flow::end_if;
  if constexpr (std::same_as<R, EndProgram>) return Flow::end;
  return Flow::next;
}

constexpr OperandSpec destination(u8 dwords, bool is_read = false, bool is_relative = false) {
  return {Field::sdst, OperandKind::destination, dwords, is_read, true, is_relative};
}
constexpr OperandSpec source(Field field, OperandKind kind, u8 dwords) { return {field, kind, dwords, true, false}; }

/// The kind of SIMM16; empty for an instruction that ignores it.
template <class Function>
constexpr std::optional<OperandKind> immediate_of(const RowNotes& notes) {
  using R = UncheckedResult<typename Function::Result>;
  if (notes.immediate != OperandKind::source) return notes.immediate;
  if (std::same_as<R, Branch> || Function::template asks_for<BranchTarget>) return OperandKind::branch;
  if (std::same_as<R, HwregUpdate> || Function::template asks_for<HwregValue>) return OperandKind::hwreg;
  if (Function::template asks_for<Simm16>) return OperandKind::simm16;
  if (Function::template asks_for<Uimm16>) return OperandKind::uimm16;
  return std::nullopt;
}

/// The spec of explicit operand `number` in a field. A literal for a signed 64-bit operand is sign-extended.
template <class Function>
constexpr OperandSpec explicit_source(std::size_t number, Field field, OperandKind kind) {
  const auto type = Function::operand_type(number);
  if (type.sign_extends_literal) kind = OperandKind::signed_source;
  return source(field, kind, static_cast<u8>(type.dwords));
}

template <class Function>
constexpr Shape shape_of(Format format, const RowNotes& notes) {
  using R = UncheckedResult<typename Function::Result>;
  if (notes.shape.count != 0) return notes.shape;
  Shape shape;
  const std::optional<OperandKind> immediate = immediate_of<Function>(notes);
  const auto add_immediate = [&] {
    if (immediate) shape.add(source(Field::simm16, *immediate, 0));
  };
  constexpr u8 written = destination_dwords<R>;
  if (format == Format::sopk) {
    // The hardware register is the first operand of S_SETREG.
    if (std::same_as<R, HwregUpdate>) add_immediate();
    if (Function::template asks_for<LiteralDword>) shape.add(source(Field::literal, OperandKind::literal, 1));
    if (written != 0)
      shape.add(destination(written, Function::operand_count != 0));
    else if (Function::operand_count != 0)
      shape.add(explicit_source<Function>(0, Field::sdst, OperandKind::register_source));
    if (!std::same_as<R, HwregUpdate>) add_immediate();
    return shape;
  }
  constexpr bool reads_old = asks_for_any<Function, Old<u32>, Old<u64>>;
  constexpr bool is_relative = is_any_of<R, RelativeDestination<u32>, RelativeDestination<u64>>;
  if (written != 0) shape.add(destination(written, reads_old, is_relative));
  if (Function::operand_count > 0) shape.add(explicit_source<Function>(0, Field::ssrc0, notes.ssrc0));
  if (Function::operand_count > 1) shape.add(explicit_source<Function>(1, Field::ssrc1, notes.ssrc1));
  // S_MOVRELS is relative to the register in SSRC0, and S_MOVRELD to the register in SDST.
  if (Function::operand_count == 0 && Function::template asks_for<RegisterNumber>)
    shape.add({Field::ssrc0, OperandKind::register_source, written, true, false, true});
  if (Function::template asks_for<RawSsrc1>) shape.add(source(Field::ssrc1, OperandKind::gpr_idx, 0));
  add_immediate();
  return shape;
}

template <auto function>
constexpr InstructionTraits traits_of(Format format, const RowNotes& notes) {
  using namespace effect;
  using Function = Signature<decltype(function)>;
  using R = UncheckedResult<typename Function::Result>;
  InstructionTraits traits;
  traits.shape = shape_of<Function>(format, notes);
  traits.reads = notes.reads;
  traits.writes = notes.writes;
  const auto reads = [&](bool condition, EffectSet set) { traits.reads |= condition ? set : none; };
  const auto writes = [&](bool condition, EffectSet set) { traits.writes |= condition ? set : none; };
  constexpr bool is_fork = std::same_as<R, Fork>;
  constexpr bool is_join = std::same_as<R, Join>;
  constexpr bool is_trap = std::same_as<R, Trap>;
  constexpr bool is_return = std::same_as<R, ReturnFromException>;
  constexpr bool is_jump = is_any_of<R, Jump, JumpAndLink>;
  constexpr bool is_branch = std::same_as<R, Branch>;
  constexpr bool asks_for_address = asks_for_any<Function, Pc, Next, BranchTarget>;

  reads(Function::template asks_for<Scc>, scc);
  reads(Function::template asks_for<Exec>, exec);
  reads(Function::template asks_for<Vcc>, vcc);
  reads(Function::template asks_for<M0> || WritesM0<R>, m0);
  reads(Function::template asks_for<HwregValue> || std::same_as<R, HwregUpdate>, hwreg);
  reads(asks_for_address || is_branch || is_join, pc);
  reads(is_branch && Function::template asks_for<Status>, cond_dbg);
  reads(is_fork, csp);
  reads(is_join, csp | stack);
  reads(is_trap, trap_en | tba);
  reads(is_return, priv);
  writes(WritesScc<R>, scc);
  writes(std::same_as<R, ExecUpdate>, exec);
  writes(WritesM0<R>, m0);
  writes(std::same_as<R, HwregUpdate>, hwreg);
  writes(is_branch || is_jump, pc);
  writes(is_fork, exec | pc | csp | stack);
  writes(is_join, exec | pc | csp);
  writes(is_trap, pc | priv | ttmp01);
  writes(is_return, pc | priv);
  writes(is_any_of<R, EndProgram, Kill>, end);
  reads(is_any_of<R, RelativeSource<u32>, RelativeSource<u64>>, relative);
  writes(is_any_of<R, RelativeDestination<u32>, RelativeDestination<u64>>, relative);
  traits.flow = flow_of<Function>();
  traits.unspecified = notes.unspecified;
  traits.computes = ExplicitOperand<R> || WritesScc<R> || WritesConditionally<R>;
  traits.writes_if_scc = WritesConditionally<R>;
  traits.copies = probes::returns_argument<function>(function);
  traits.combines_masks = std::same_as<R, ExecUpdate> || probes::keeps_quads<function>(function);
  if constexpr (std::same_as<R, ExecUpdate>) {
    constexpr u64 active = 0b10;
    constexpr ExecUpdate update = function(~u64{0}, Exec{active});
    traits.saves_exec = update.value == active;
    traits.exec_by_ones = update.exec & 0b11;
  }
  traits.has_no_effect = std::same_as<R, Nothing>;
  traits.is_barrier = std::same_as<R, Barrier>;
  traits.is_unmodelled = std::same_as<R, Unmodelled>;
  traits.is_undocumented = std::same_as<R, Undocumented>;
  return traits;
}

/// In place of the dwords of SDATA: SDATA is an 8-bit immediate (S_ATC_PROBE).
inline constexpr u8 probe_data = 255;

constexpr InstructionTraits memory_traits(const MemoryOperation& operation, u8 data_dwords, u8 base_dwords) {
  using enum MemoryOperation::Kind;
  const bool is_stored = operation.kind == store || operation.kind == atomic;
  const bool is_loaded = operation.kind == load || operation.kind == atomic;
  InstructionTraits traits;
  // An atomic writes SDATA if GLC is set. A compare-and-swap reads {new value, compare value} and writes only the first
  // half.
  if (data_dwords == probe_data)
    traits.shape.add(source(Field::sdata, OperandKind::probe, 0));
  else if (data_dwords != 0)
    traits.shape.add({Field::sdata, OperandKind::memory_data, data_dwords, is_stored, operation.kind != store});
  if (base_dwords != 0) {
    traits.shape.add(source(Field::sbase, OperandKind::memory_base, base_dwords));
    traits.shape.add(source(Field::offset, OperandKind::memory_offset, 0));
  }
  traits.reads = is_loaded ? effect::memory : effect::none;
  traits.writes = is_stored ? effect::memory : effect::none;
  return traits;
}

}  // namespace traits

/// The row of an instruction with a semantic function.
template <auto function>
constexpr InstructionInfo described(std::string_view mnemonic, Format format, const Opcodes& opcodes,
                                    const RowNotes& notes) {
  using F = Signature<decltype(function)>;
  static_assert(F::operand_count <= 2);
  constexpr bool is_undocumented = std::same_as<typename F::Result, Undocumented>;
  if (is_undocumented != (notes.shape.count != 0)) throw "a row has operands() if its function is Undocumented";
  if (traits::may_be_undefined<F> != (notes.unspecified != Unspecified::never))
    throw "a row has unspecified() if the result of its function is Checked";
  return {traits::traits_of<function>(format, notes), mnemonic, format, opcodes};
}

/// The row of a scalar memory instruction: dwords of SDATA and of SBASE, 0 for a missing operand.
constexpr InstructionInfo described_memory(std::string_view mnemonic, Format format, const Opcodes& opcodes,
                                           const MemoryOperation& operation, u8 data_dwords = 0, u8 base_dwords = 0) {
  return {traits::memory_traits(operation, data_dwords, base_dwords), mnemonic, format, opcodes};
}

}  // namespace salu::isa
