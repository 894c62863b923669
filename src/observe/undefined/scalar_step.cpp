#include <array>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>

#include "exec/instruction_fields.hpp"
#include "isa/hwreg.hpp"
#include "isa/memory_table.hpp"
#include "isa/operand.hpp"
#include "isa/semantics/all.hpp"
#include "isa/table.hpp"
#include "observe/undefined/explore.hpp"
#include "observe/undefined/semantics.hpp"
#include "observe/undefined/shadow_step.hpp"
#include "support/compiler.hpp"

/// The `Step` domain of words with undefined bits. It updates the shadow of a wave: it computes which bits of the
/// results are undefined, and reports uses that must not depend on undefined bits. The values of operands are the
/// machine's.
namespace salu::observe::undefined {
namespace {

using isa::Instruction;

/// Bits of MODE and STATUS that affect a wave immediately when they change.
constexpr u32 halt_bit = 1U << status_bit::halt;
constexpr u32 mode_csp = 7U << mode_bit::csp;

class ShadowDomain : public exec::InstructionFields {
 public:
  ShadowDomain(ShadowStep& step, const Instruction& instruction, isa::Format format, const ShadowPlan& plan)
      : InstructionFields(instruction, step.pc(), step.wave().address_mask),
        step_(step),
        instruction_(instruction),
        format_(format),
        plan_(plan) {}

  template <auto function, class... Arguments>
  auto evaluate(const Arguments&... arguments) {
    return explore([&] { return function(arguments...); });
  }

  // ---- operands ----

  template <class T>
  SALU_INLINE T read(u8 code, const ShadowPlan::OperandPlace& place) {
    constexpr u32 dwords = WordTraits<T>::bits / 32;
    if (place.kind == ShadowPlan::OperandPlace::Kind::file) {
      const Mask mask = step_.shadow().scalars(place.code, dwords);
      note(mask, {place.code, dwords}, code);
      return T::of(dwords == 2 ? step_.wave().pair(place.code) : step_.wave().slots[place.code], mask.bits);
    }
    if (place.kind == ShadowPlan::OperandPlace::Kind::constant) return T::of(place.value, 0);
    if (code == isa::literal_code) {
      const auto literal = static_cast<i32>(instruction_.literal);
      return WordTraits<T>::is_signed ? T::of(static_cast<u64>(i64{literal}), 0) : T::of(instruction_.literal, 0);
    }
    const Mask mask = step_.source(code, dwords);
    note(mask, {register_index(step_.generation(), code), dwords}, code);
    return T::of(step_.wave().source(code, dwords, 0), mask.bits);
  }
  template <class T, std::size_t number>
  SALU_INLINE T operand() {
    if (format_ == isa::Format::sopk) return read<T>(instruction_.sdst, plan_.sdst);
    return number == 0 ? read<T>(instruction_.ssrc0, plan_.ssrc0) : read<T>(instruction_.ssrc1, plan_.ssrc1);
  }
  template <class T>
  T old_value() {
    return read<T>(instruction_.sdst, plan_.sdst);
  }
  Bit scc() {
    const Mask mask = step_.shadow().scalar(state_index::scc);
    note(mask, {state_index::scc});
    return {step_.wave().scc != 0, mask.bits != 0};
  }
  text::u64 exec() { return pair(code::exec); }
  text::u64 vcc() { return pair(code::vcc); }
  text::u32 m0() { return text::u32::of(step_.wave().slots[code::m0], step_.shadow().scalar(code::m0).bits); }
  text::u32 status() {
    const Mask mask = step_.shadow().scalar(state_index::status);
    note(mask, {state_index::status});
    return text::u32::of(step_.wave().status, mask.bits);
  }
  text::u32 csp() {
    Mask mask = step_.shadow().scalar(state_index::mode);
    mask.bits &= mode_csp;
    note(mask, {state_index::mode});
    return text::u32::of(step_.wave().csp(), mask.bits >> mode_bit::csp);
  }
  text::u32 hwreg_value() {
    const u32 id = hwreg();
    Mask mask = step_.shadow().scalar(hwreg_index(id));
    if (id == isa::hwreg_id::status) {
      mask.add(step_.shadow().scalar(state_index::scc), status_bit::scc);
      mask.add(step_.zero_test(code::exec), status_bit::execz);
      mask.add(step_.zero_test(code::vcc), status_bit::vccz);
    }
    note(mask, {hwreg_index(id)});
    return text::u32::of(step_.wave().hwreg(id), mask.bits);
  }

  // ---- results ----

  template <class T>
  SALU_INLINE void write(const T& value) {
    constexpr u32 dwords = WordTraits<T>::bits / 32;
    if (plan_.sdst.kind != ShadowPlan::OperandPlace::Kind::file)
      return step_.write(instruction_.sdst, dwords, of(value.undefined));
    const Mask made = step_.made_here(of(value.undefined));
    for (u32 i = 0; i < dwords; ++i)
      step_.shadow().set_scalar(plan_.sdst.code + i, {made.bits >> (32 * i) & 0xffffffff, made.origin});
  }
  SALU_INLINE void write_scc(Bit scc) { step_.write_index(state_index::scc, of(scc.undefined ? 1 : 0)); }
  template <class T>
  void write_if(Bit writes, const T& value) {
    constexpr u32 dwords = WordTraits<T>::bits / 32;
    if (!writes.undefined) {
      if (writes.value) write(value);
      return;
    }
    const Mask old = step_.source(instruction_.sdst, dwords);
    const u64 before = step_.wave().source(instruction_.sdst, dwords, 0);
    step_.write(instruction_.sdst, dwords, of(old.bits | value.undefined | (before ^ value.value)));
  }
  template <class R>
  void apply_checked(const text::Checked<R>& result) {
    is_unspecified_ = result.unspecified.value;
    text::Step<ShadowDomain>::apply(*this, result.result);
  }
  void write_exec(const text::u64& exec, const text::u64& /*sdst*/) { step_.write(code::exec, 2, of(exec.undefined)); }
  void update_mode(const text::BitUpdate& update) { update_index(state_index::mode, update); }
  void update_m0(const text::BitUpdate& update) { update_index(code::m0, update); }
  void update_status(const text::BitUpdate& update) { update_index(state_index::status, update); }
  void update_hwreg(const text::BitUpdate& update) {
    const u32 id = hwreg();
    const isa::HwregInfo* const info = isa::find_hwreg(step_.generation(), id);
    if (info == nullptr || (info->access == isa::HwregAccess::read_only && !step_.wave().priv())) return;
    update_index(hwreg_index(id), update);
    if (id == isa::hwreg_id::status && step_.wave().priv()) {
      report_if((update.bits.undefined & halt_bit) != 0, {"whether the wave halts"});
      if ((update.mask.value >> status_bit::scc & 1) != 0) write_scc({false, (update.bits.undefined & 1) != 0});
    }
  }
  template <class T>
  void read_relative(const text::u64& number) {
    constexpr u32 dwords = WordTraits<T>::bits / 32;
    report_index(number.undefined);
    const u64 index = number.value + dwords <= step_.wave().sgprs ? number.value : 0;
    step_.write(instruction_.sdst, dwords, step_.shadow().scalars(static_cast<u32>(index), dwords));
  }
  template <class T>
  void write_relative(const text::u64& number, const T& value) {
    constexpr u32 dwords = WordTraits<T>::bits / 32;
    report_index(number.undefined);
    if (number.value + dwords > step_.wave().sgprs) return;
    step_.write(static_cast<u8>(number.value), dwords, of(value.undefined));
  }

  // ---- control flow ----

  void go_on() {}
  void branch(Bit taken) { report_if(taken.undefined, {"the branch"}); }
  void jump(const text::u64& pc) {
    const bool is_call = isa::info(instruction_.insn).flow == isa::Flow::call;
    report_if(pc.undefined != 0, {is_call ? "the target of the call" : "the target of the jump"});
  }
  void fork(const text::Fork& result) {
    report_if(result.push.undefined || result.pc.undefined != 0, {"the side that the fork runs first"});
    const u32 csp = step_.wave().csp();
    Mask mode = step_.shadow().scalar(state_index::mode);
    mode.bits &= mode_csp;
    if (result.push.value) {
      step_.report({state_index::mode}, mode, {"the entry of the control stack"});
      const u32 first = 4 * csp;
      if (step_.wave().in_allocation(first, 4)) {
        write_pair(first, of(result.pushed.mask.undefined));
        write_pair(first + 2, of(result.pushed.pc.undefined));
      }
    }
    write_pair(code::exec, of(result.exec.undefined));
  }
  void join(const text::Join& result) {
    report_if(result.pop.undefined, {"whether the join pops"});
    if (!result.pop.value) return;
    const auto first = static_cast<u32>(4 * result.csp.value);
    const bool is_there = step_.wave().in_allocation(first, 4);
    const u32 mask = is_there ? first : 0;
    const u32 pc = is_there ? first + 2 : 0;
    step_.report({pc, 2}, step_.shadow().scalars(pc, 2), {"the target of the join"});
    write_pair(code::exec, step_.shadow().scalars(mask, 2));
  }
  void trap(const text::Trap& result) {
    report_if(result.taken.undefined, {"whether the trap is taken"});
    if (!result.taken.value) return;
    step_.report({state_index::tba, 2}, step_.shadow().scalars(state_index::tba, 2),
                 {"the address of the trap handler"});
    write_pair(ttmp_code(step_.generation()), {});
  }
  void return_from_exception(const text::ReturnFromException& result) {
    report_if(result.pc.undefined != 0, {"the return address of the trap handler"});
    update_status(result.status);
  }
  void kill(Bit kills) { report_if(kills.undefined, {"whether the wave ends"}); }
  void unmodelled(const text::BitUpdate& status) { update_status(status); }
  void end_program() {}
  void barrier() {}
  void undocumented() {}

 private:
  text::u64 pair(u32 code) {
    const Mask mask = step_.shadow().scalars(code, 2);
    note(mask, {code, 2});
    return text::u64::of(step_.wave().pair(code), mask.bits);
  }
  [[nodiscard]] u32 hwreg() const { return isa::semantics::hwreg_field(instruction_.simm16).id; }
  static u32 hwreg_index(u32 id) {
    return id == isa::hwreg_id::mode     ? state_index::mode
           : id == isa::hwreg_id::status ? state_index::status
                                         : state_index::hwregs + id;
  }
  /// Records the undefined operand, so that results can be attributed to it.
  SALU_INLINE void note(const Mask& mask, const Location& place, u8 code = 0) {
    if (mask.bits == 0 || (cause_ && decisive(cause_->mask.origin, mask.origin) == cause_->mask.origin)) return;
    cause_ = Cause{mask, place, code};
  }
  /// The operand as a warning names it.
  [[nodiscard]] Location named_cause() const {
    const isa::OperandClass operand = isa::operand_class(step_.generation(), cause_->code);
    if (operand == isa::OperandClass::vccz) return {code::vcc, 2};
    if (operand == isa::OperandClass::execz) return {code::exec, 2};
    if (operand == isa::OperandClass::scc) return {state_index::scc};
    return cause_->place;
  }
  /// The mask of a result.
  [[nodiscard]] SALU_INLINE Mask of(u64 bits) {
    if (is_unspecified_) return step_.unspecified({instruction_.sdst});
    return bits == 0 || !cause_ ? Mask{} : Mask{bits, cause_->mask.origin};
  }
  void write_pair(u32 code, const Mask& mask) {
    step_.write_index(code, {mask.bits & 0xffffffff, mask.origin});
    step_.write_index(code + 1, {mask.bits >> 32, mask.origin});
  }
  void update_index(u32 index, const text::BitUpdate& result) {
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
    u8 code = 0;  ///< operand code, if any
  };
  ShadowStep& step_;
  const Instruction& instruction_;
  isa::Format format_;
  const ShadowPlan& plan_;
  std::optional<Cause> cause_;
  bool is_unspecified_ = false;
};

using Handler = void (*)(ShadowDomain&);
constexpr std::array<Handler, isa::alu_insn_count> handlers = {{
#define SALU_INSN(format, name, ...) text::Step<ShadowDomain>::execute<&text::semantics::name>,
#include "isa/instructions/sop.def"
#undef SALU_INSN
}};

}  // namespace

namespace {

/// A register operand, or an inline constant; `dwords`: the width in the instruction.
ShadowPlan::OperandPlace place_of(const core::Machine& machine, u8 code, u32 dwords) {
  using enum isa::OperandClass;
  ShadowPlan::OperandPlace place;
  const isa::OperandClass operand = isa::operand_class(machine.generation(), code);
  const bool is_aligned = dwords == 1 || code % 2 == 0;
  const bool is_there = operand == sgpr ? machine.wave().in_allocation(code, dwords)
                                        : operand == vcc || operand == exec || (operand == m0 && dwords == 1);
  if (is_there && is_aligned) {
    place.kind = ShadowPlan::OperandPlace::Kind::file;
    place.code = code;
  } else if (isa::is_inline_constant(operand)) {
    place.kind = ShadowPlan::OperandPlace::Kind::constant;
    place.value = machine.wave().source(code, dwords, 0);
  }
  return place;
}

}  // namespace

ShadowPlan::ShadowPlan(const core::Machine& machine, const isa::Instruction& instruction) {
  for (const isa::OperandSpec& operand : isa::info(instruction.insn).shape.span()) {
    if (operand.dwords != 1 && operand.dwords != 2) continue;
    if (operand.field == isa::Field::ssrc0) ssrc0 = place_of(machine, instruction.ssrc0, operand.dwords);
    if (operand.field == isa::Field::ssrc1) ssrc1 = place_of(machine, instruction.ssrc1, operand.dwords);
    if (operand.field == isa::Field::sdst) sdst = place_of(machine, instruction.sdst, operand.dwords);
  }
}

void propagate(ShadowStep& step, const isa::Instruction& instruction, const ShadowPlan& plan) {
  ShadowDomain domain(step, instruction, isa::info(instruction.insn).format, plan);
  handlers[static_cast<std::size_t>(instruction.insn)](domain);
}

}  // namespace salu::observe::undefined
