#include <array>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>

#include "core/compiler.hpp"
#include "isa/hwreg.hpp"
#include "isa/memory_table.hpp"
#include "isa/operand.hpp"
#include "isa/semantics/all.hpp"
#include "isa/table.hpp"
#include "observe/undefined/explore.hpp"
#include "observe/undefined/semantics.hpp"
#include "observe/undefined/step.hpp"

/// The adapter between the semantic functions over words with undefined bits and the shadow of a wave:
/// core/handlers.hpp once more, for what is undefined alone. The values of what it fetches are the machine's.
namespace salu::observe::undefined {
namespace {

using isa::Instruction;

template <class T>
concept ShadowOperand = text::ExplicitOperand<T>;

/// Bits of MODE and STATUS that a wave acts on at once when they change.
constexpr u32 halt_bit = 1U << status_bit::halt;
constexpr u32 mode_csp = 7U << mode_bit::csp;

class Frame {
 public:
  Frame(Step& step, const Instruction& instruction, isa::Format format, const Plan& plan)
      : step_(step), instruction_(instruction), format_(format), plan_(plan) {}

  // ---- operands ----

  template <class T>
  SALU_INLINE T operand(u8 code, const Plan::Place& place) {
    constexpr u32 dwords = WordTraits<T>::bits / 32;
    if (place.kind == Plan::Place::Kind::file) {
      const Mask mask = step_.shadow().scalars(place.code, dwords);
      note(mask, {place.code, dwords}, code);
      return T::of(dwords == 2 ? step_.wave().pair(place.code) : step_.wave().slots[place.code], mask.bits);
    }
    if (place.kind == Plan::Place::Kind::constant) return T::of(place.value, 0);
    if (code == isa::literal_code) {
      const auto literal = static_cast<i32>(instruction_.literal);
      return WordTraits<T>::is_signed ? T::of(static_cast<u64>(i64{literal}), 0) : T::of(instruction_.literal, 0);
    }
    const Mask mask = step_.source(code, dwords);
    note(mask, {register_index(step_.generation(), code), dwords}, code);
    return T::of(step_.wave().source(code, dwords, 0), mask.bits);
  }
  template <class T, std::size_t number>
  SALU_INLINE T fetch() {
    if constexpr (ShadowOperand<T>) {
      if (format_ == isa::Format::sopk) return operand<T>(instruction_.sdst, plan_.sdst);
      return number == 0 ? operand<T>(instruction_.ssrc0, plan_.ssrc0) : operand<T>(instruction_.ssrc1, plan_.ssrc1);
    } else {
      return get(static_cast<T*>(nullptr));
    }
  }
  text::Scc get(text::Scc*) {
    const Mask mask = step_.shadow().scalar(state_index::scc);
    note(mask, {state_index::scc});
    return {Bit(step_.wave().scc != 0, mask.bits != 0)};
  }
  text::u64 pair(u32 code) {
    const Mask mask = step_.shadow().scalars(code, 2);
    note(mask, {code, 2});
    return text::u64::of(step_.wave().pair(code), mask.bits);
  }
  text::Exec get(text::Exec*) { return {pair(code::exec)}; }
  text::Vcc get(text::Vcc*) { return {pair(code::vcc)}; }
  text::M0 get(text::M0*) {
    const Mask mask = step_.shadow().scalar(code::m0);
    return {text::u32::of(step_.wave().slots[code::m0], mask.bits)};
  }
  text::Status get(text::Status*) {
    const Mask mask = step_.shadow().scalar(state_index::status);
    note(mask, {state_index::status});
    return {text::u32::of(step_.wave().status, mask.bits)};
  }
  text::Csp get(text::Csp*) {
    Mask mask = step_.shadow().scalar(state_index::mode);
    mask.bits &= mode_csp;
    note(mask, {state_index::mode});
    return {text::u32::of(step_.wave().csp(), mask.bits >> mode_bit::csp)};
  }
  text::Pc get(text::Pc*) { return {text::u64(step_.pc())}; }
  text::Next get(text::Next*) { return {text::u64(next())}; }
  text::BranchTarget get(text::BranchTarget*) {
    return {text::u64(next() + static_cast<u64>(i64{static_cast<i16>(instruction_.simm16)} * 4))};
  }
  text::Simm16 get(text::Simm16*) const { return {text::i32(static_cast<i16>(instruction_.simm16))}; }
  text::Uimm16 get(text::Uimm16*) const { return {text::u32(instruction_.simm16)}; }
  text::LiteralDword get(text::LiteralDword*) const { return {text::u32(instruction_.literal)}; }
  text::RawSsrc1 get(text::RawSsrc1*) const { return {text::u32(instruction_.ssrc1)}; }
  text::RegisterNumber get(text::RegisterNumber*) {
    const isa::OperandSpec* const ssrc0 = isa::info(instruction_.insn).shape.find(isa::Field::ssrc0);
    return {text::u32(ssrc0->kind == isa::OperandKind::register_source ? instruction_.ssrc0 : instruction_.sdst)};
  }
  text::HwregValue get(text::HwregValue*) {
    const u32 id = hwreg();
    Mask mask = step_.shadow().scalar(hwreg_index(id));
    if (id == isa::hwreg_id::status) {
      mask.add(step_.shadow().scalar(state_index::scc), status_bit::scc);
      mask.add(step_.zero_test(code::exec), status_bit::execz);
      mask.add(step_.zero_test(code::vcc), status_bit::vccz);
    }
    note(mask, {hwreg_index(id)});
    return {text::u32::of(step_.wave().hwreg(id), mask.bits)};
  }
  template <class T>
  text::Old<T> get(text::Old<T>*) {
    return {operand<T>(instruction_.sdst, plan_.sdst)};
  }

  // ---- results ----

  template <ShadowOperand T>
  SALU_INLINE void apply(const T& value) {
    constexpr u32 dwords = WordTraits<T>::bits / 32;
    if (plan_.sdst.kind != Plan::Place::Kind::file) return step_.write(instruction_.sdst, dwords, of(value.undefined));
    const Mask made = step_.made_here(of(value.undefined));
    for (u32 i = 0; i < dwords; ++i)
      step_.shadow().set_scalar(plan_.sdst.code + i, {made.bits >> (32 * i) & 0xffffffff, made.origin});
  }
  template <class T>
  void apply(const text::WithScc<T>& result) {
    apply(result.value);
    apply_scc(result.scc);
  }
  void apply(const text::SccOnly& result) { apply_scc(result.scc); }
  template <class T>
  void apply(const text::Maybe<T>& result) {
    constexpr u32 dwords = WordTraits<T>::bits / 32;
    if (!result.write.undefined) {
      if (result.write.value) apply(result.value);
      return;
    }
    const Mask old = step_.source(instruction_.sdst, dwords);
    const u64 before = step_.wave().source(instruction_.sdst, dwords, 0);
    step_.write(instruction_.sdst, dwords, of(old.bits | result.value.undefined | (before ^ result.value.value)));
  }
  template <class R>
  void apply(const text::Checked<R>& result) {
    is_unspecified_ = result.unspecified.value;
    apply(result.result);
  }
  void apply(const text::ExecUpdate& result) {
    step_.write(code::exec, 2, of(result.exec.undefined));
    step_.write(instruction_.sdst, 2, of(result.value.undefined));
    apply_scc(result.scc);
  }
  void apply(const text::Branch& result) { report_if(result.taken.undefined, {"the branch"}); }
  void apply(const text::Jump& result) { report_if(result.pc.undefined != 0, {"where the jump goes"}); }
  void apply(const text::JumpAndLink& result) {
    report_if(result.pc.undefined != 0, {"where the call goes"});
    apply(result.value);
  }
  void apply(const text::Fork& result) {
    report_if(result.push.undefined || result.pc.undefined != 0, {"which way the fork takes first"});
    const u32 csp = step_.wave().csp();
    Mask mode = step_.shadow().scalar(state_index::mode);
    mode.bits &= mode_csp;
    if (result.push.value) {
      step_.report({state_index::mode}, mode, {"the place on the control stack"});
      const u32 first = 4 * csp;
      if (step_.wave().in_allocation(first, 4)) {
        write_pair(first, of(result.pushed.mask.undefined));
        write_pair(first + 2, of(result.pushed.pc.undefined));
      }
    }
    write_pair(code::exec, of(result.exec.undefined));
  }
  void apply(const text::Join& result) {
    report_if(result.pop.undefined, {"whether the join pops"});
    if (!result.pop.value) return;
    const auto first = static_cast<u32>(4 * result.csp.value);
    const bool is_there = step_.wave().in_allocation(first, 4);
    const u32 mask = is_there ? first : 0;
    const u32 pc = is_there ? first + 2 : 0;
    step_.report({pc, 2}, step_.shadow().scalars(pc, 2), {"where the join goes"});
    write_pair(code::exec, step_.shadow().scalars(mask, 2));
  }
  void apply(const text::ModeUpdate& result) { update(state_index::mode, result.mode); }
  void apply(const text::M0Update& result) { update(code::m0, result.m0); }
  void apply(const text::ModeM0Update& result) {
    update(state_index::mode, result.mode);
    update(code::m0, result.m0);
  }
  void apply(const text::HwregUpdate& result) {
    const u32 id = hwreg();
    const isa::HwregInfo* const info = isa::find_hwreg(step_.generation(), id);
    if (info == nullptr || (info->access == isa::HwregAccess::read_only && !step_.wave().priv())) return;
    update(hwreg_index(id), result.bits);
    if (id == isa::hwreg_id::status && step_.wave().priv()) {
      report_if((result.bits.bits.undefined & halt_bit) != 0, {"whether the wave halts"});
      if ((result.bits.mask.value >> status_bit::scc & 1) != 0)
        apply_scc({false, (result.bits.bits.undefined & 1) != 0});
    }
  }
  template <class T>
  void apply(const text::RelativeSource<T>& result) {
    constexpr u32 dwords = WordTraits<T>::bits / 32;
    report_index(result.index.undefined);
    const u64 index = result.index.value + dwords <= step_.wave().sgprs ? result.index.value : 0;
    step_.write(instruction_.sdst, dwords, step_.shadow().scalars(static_cast<u32>(index), dwords));
  }
  template <class T>
  void apply(const text::RelativeDestination<T>& result) {
    constexpr u32 dwords = WordTraits<T>::bits / 32;
    report_index(result.index.undefined);
    if (result.index.value + dwords > step_.wave().sgprs) return;
    step_.write(static_cast<u8>(result.index.value), dwords, of(result.value.undefined));
  }
  void apply(const text::Trap& result) {
    report_if(result.taken.undefined, {"whether the trap is taken"});
    if (!result.taken.value) return;
    step_.report({state_index::tba, 2}, step_.shadow().scalars(state_index::tba, 2), {"where the trap handler is"});
    write_pair(ttmp_code(step_.generation()), {});
  }
  void apply(const text::ReturnFromException& result) {
    report_if(result.pc.undefined != 0, {"where the trap handler returns to"});
    update(state_index::status, result.status);
  }
  void apply(const text::StatusUpdate& result) { update(state_index::status, result.status); }
  void apply(const text::Unmodelled& result) { update(state_index::status, result.status); }
  void apply(const text::Kill& result) { report_if(result.kill.undefined, {"whether the wave ends"}); }
  void apply(const text::EndProgram& /*result*/) {}
  void apply(const text::Nothing& /*result*/) {}
  void apply(const text::Barrier& /*result*/) {}
  void apply(const text::Undocumented& /*result*/) {}

 private:
  [[nodiscard]] u64 next() const { return step_.pc() + u64{instruction_.dwords} * 4; }
  [[nodiscard]] u32 hwreg() const { return isa::semantics::hwreg_field(instruction_.simm16).id; }
  static u32 hwreg_index(u32 id) {
    return id == isa::hwreg_id::mode     ? state_index::mode
           : id == isa::hwreg_id::status ? state_index::status
                                         : state_index::hwregs + id;
  }
  /// Remembers the operand that is undefined: what comes of it is laid to it.
  SALU_INLINE void note(const Mask& mask, const Location& place, u8 code = 0) {
    if (mask.bits == 0 || (cause_ && decisive(cause_->mask.origin, mask.origin) == cause_->mask.origin)) return;
    cause_ = Cause{mask, place, code};
  }
  /// What a warning calls it.
  [[nodiscard]] Location named_cause() const {
    const isa::OperandClass operand = isa::operand_class(step_.generation(), cause_->code);
    if (operand == isa::OperandClass::vccz) return {code::vcc, 2};
    if (operand == isa::OperandClass::execz) return {code::exec, 2};
    if (operand == isa::OperandClass::scc) return {state_index::scc};
    return cause_->place;
  }
  /// A result's mask.
  [[nodiscard]] SALU_INLINE Mask of(u64 bits) {
    if (is_unspecified_) return step_.unspecified({instruction_.sdst});
    return bits == 0 || !cause_ ? Mask{} : Mask{bits, cause_->mask.origin};
  }
  SALU_INLINE void apply_scc(Bit scc) { step_.write_index(state_index::scc, of(scc.undefined ? 1 : 0)); }
  void write_pair(u32 code, const Mask& mask) {
    step_.write_index(code, {mask.bits & 0xffffffff, mask.origin});
    step_.write_index(code + 1, {mask.bits >> 32, mask.origin});
  }
  void update(u32 index, const text::BitUpdate& result) {
    Mask old = step_.shadow().scalar(index);
    const u64 kept = old.bits & ~result.mask.value;
    const u64 made = result.bits.undefined | result.mask.undefined;
    if (made == 0) {
      step_.shadow().set_scalar(index, {kept, old.origin});
    } else {
      step_.write_index(index, {kept | made, of(made).origin});
    }
  }
  void report_if(bool depends, const Use& use) {
    if (depends && cause_) step_.report(named_cause(), cause_->mask, use);
  }
  void report_index(u64 undefined) {
    if (undefined == 0) return;
    step_.report({code::m0}, step_.shadow().scalar(code::m0), {"which register M0 selects", Use::Kind::address});
  }

  struct Cause {
    Mask mask;
    Location place;
    u8 code = 0;  ///< of the operand, where it is one
  };
  Step& step_;
  const Instruction& instruction_;
  isa::Format format_;
  const Plan& plan_;
  std::optional<Cause> cause_;
  bool is_unspecified_ = false;
};

template <auto function, std::size_t... index>
void call(Frame& frame, std::index_sequence<index...> /*arguments*/) {
  using S = text::Signature<decltype(function)>;
  [[maybe_unused]] const typename S::Arguments arguments{
      frame.fetch<std::tuple_element_t<index, typename S::Arguments>, S::operand_number(index)>()...};
  frame.apply(explore([&] { return function(std::get<index>(arguments)...); }));
}
template <auto function>
void execute(Frame& frame) {
  call<function>(frame, std::make_index_sequence<text::Signature<decltype(function)>::argument_count>{});
}

using Handler = void (*)(Frame&);
constexpr std::array<Handler, isa::alu_insn_count> handlers = {{
#define SALU_INSN(format, name, ...) execute<&text::semantics::name>,
#include "isa/instructions/sop.def"
#undef SALU_INSN
}};

}  // namespace

namespace {

/// A register operand, or an inline constant; `dwords`: how many the instruction names.
Plan::Place place_of(const core::Machine& machine, u8 code, u32 dwords) {
  using enum isa::OperandClass;
  Plan::Place place;
  const isa::OperandClass operand = isa::operand_class(machine.generation(), code);
  const bool is_aligned = dwords == 1 || code % 2 == 0;
  const bool is_there = operand == sgpr ? machine.wave().in_allocation(code, dwords)
                                        : operand == vcc || operand == exec || (operand == m0 && dwords == 1);
  if (is_there && is_aligned) {
    place.kind = Plan::Place::Kind::file;
    place.code = code;
  } else if (isa::is_inline_constant(operand)) {
    place.kind = Plan::Place::Kind::constant;
    place.value = machine.wave().source(code, dwords, 0);
  }
  return place;
}

}  // namespace

Plan::Plan(const core::Machine& machine, const isa::Instruction& instruction) {
  for (const isa::OperandSpec& operand : isa::info(instruction.insn).shape.span()) {
    if (operand.dwords != 1 && operand.dwords != 2) continue;
    if (operand.field == isa::Field::ssrc0) ssrc0 = place_of(machine, instruction.ssrc0, operand.dwords);
    if (operand.field == isa::Field::ssrc1) ssrc1 = place_of(machine, instruction.ssrc1, operand.dwords);
    if (operand.field == isa::Field::sdst) sdst = place_of(machine, instruction.sdst, operand.dwords);
  }
}

void propagate(Step& step, const isa::Instruction& instruction, const Plan& plan) {
  Frame frame(step, instruction, isa::info(instruction.insn).format, plan);
  handlers[static_cast<std::size_t>(instruction.insn)](frame);
}

}  // namespace salu::observe::undefined
