#include "isa/semantics/all.hpp"
#include "isa/semantics/signature.hpp"
#include "isa/table.hpp"

/// Holds every row of the tables against the type of its semantic function. A row without a function, or one whose
/// operand widths, literal extension, effects or flow disagree with it, does not compile.
namespace salu::isa {
namespace {

using enum OperandKind;

constexpr bool is_value(const OperandSpec& operand) { return operand.dwords != 0 && operand.kind != literal; }

/// Explicit operands that the instruction reads, in encoding order: ssrc0, ssrc1, or the SDST field of SOPK.
template <class Function>
constexpr bool sources_agree(const InstructionInfo& info) {
  std::size_t number = 0;
  for (const OperandSpec& operand : info.shape.span()) {
    const bool destination = operand.field == Field::sdst && info.format != Format::sopk;
    if (!is_value(operand) || destination || !operand.reads) continue;
    const bool relative_base = operand.kind == register_source && Function::template asks_for<RegisterNumber>;
    if (relative_base) continue;
    const auto type = Function::operand_type(number++);
    if (type.dwords != operand.dwords || type.sign_extends_literal != (operand.kind == signed_source)) return false;
  }
  return number == Function::operand_count;
}

template <class Function>
constexpr bool destination_agrees(const InstructionInfo& info) {
  const OperandSpec* sdst = info.shape.find(Field::sdst);
  const u8 dwords = sdst != nullptr && sdst->writes ? sdst->dwords : u8{0};
  return DestinationDwords<UncheckedResult<typename Function::Result>>::value == dwords;
}

constexpr bool has(EffectSet set, EffectSet bit) { return (set & bit) != 0; }

template <class Function>
constexpr bool effects_agree(const InstructionInfo& info) {
  using R = UncheckedResult<typename Function::Result>;
  const Effects& effects = info.effects;
  constexpr bool fork_or_join = std::same_as<R, Fork> || std::same_as<R, Join>;
  return has(effects.writes, effect::scc) == WritesScc<R>::value &&
         has(effects.reads, effect::scc) == Function::template asks_for<Scc> &&
         has(effects.reads, effect::hwreg) >= Function::template asks_for<HwregValue> &&
         has(effects.writes, effect::exec) == (std::same_as<R, ExecUpdate> || fork_or_join) &&
         has(effects.writes, effect::csp) == fork_or_join &&
         has(effects.writes, effect::end) == (std::same_as<R, EndProgram> || std::same_as<R, Kill>) &&
         has(effects.reads, effect::exec) >= Function::template asks_for<Exec> &&
         has(effects.reads, effect::vcc) == Function::template asks_for<Vcc> &&
         has(effects.reads, effect::m0) >= Function::template asks_for<M0>;
}

/// How a result decides where the wave goes on.
template <class R>
constexpr bool goes(Flow flow) {
  if constexpr (std::same_as<R, Branch>) return flow == Flow::branch || flow == Flow::branch_if;
  if constexpr (std::same_as<R, Jump>) return flow == Flow::jump;
  if constexpr (std::same_as<R, JumpAndLink>) return flow == Flow::call;
  if constexpr (std::same_as<R, Fork>) return flow == Flow::fork;
  if constexpr (std::same_as<R, Join>) return flow == Flow::join;
  if constexpr (std::same_as<R, Trap>) return flow == Flow::trap;
  if constexpr (std::same_as<R, ReturnFromException>) return flow == Flow::return_from_trap;
  if constexpr (std::same_as<R, Kill>) return flow == Flow::end_if;
  if constexpr (std::same_as<R, EndProgram>) return flow == Flow::end;
  return flow == Flow::next;
}

template <class Function>
constexpr bool remarks_agree(const InstructionInfo& info) {
  using R = typename Function::Result;
  const bool is_unspecified = info.effects.unspecified != Unspecified::never;
  // A branch that asks for nothing is always taken.
  const bool is_conditional = info.effects.flow == Flow::branch_if;
  return goes<UncheckedResult<R>>(info.effects.flow) && is_unspecified == !std::same_as<R, UncheckedResult<R>> &&
         (!std::same_as<R, Branch> || is_conditional == (Function::argument_count != 0)) &&
         info.effects.writes_if_scc == IsMaybe<R>::value && info.effects.is_unmodelled == std::same_as<R, Unmodelled>;
}

/// REGRD forms have operands but no public meaning, so there is nothing for a function to agree with.
template <auto function>
constexpr bool agrees(Insn insn) {
  using F = Signature<decltype(function)>;
  const InstructionInfo& info = row(insn);
  if (std::same_as<typename F::Result, Undocumented>) return true;
  return sources_agree<F>(info) && destination_agrees<F>(info) && effects_agree<F>(info) && remarks_agree<F>(info);
}

#define SALU_INSN(format, name, mnemonic, opcodes, shape, effects) \
  static_assert(agrees<&semantics::name>(Insn::name), mnemonic ": row and function disagree");
#include "isa/instructions/sop.def"
#undef SALU_INSN

}  // namespace
}  // namespace salu::isa
