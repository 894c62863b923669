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
#include "proof/explore.hpp"
#include "proof/instruction_step.hpp"
#include "proof/semantics.hpp"

/// The domain of `Step` for terms.
namespace salu::proof {

TermId read_operand(Terms& terms, SymbolicState& state, const core::Wave& wave, u32 code, u32 dwords, u32 literal) {
  using isa::OperandClass;
  const OperandClass operand = isa::operand_class(wave.generation, static_cast<u8>(code));
  const u32 width = 32 * dwords;
  const auto flag = [&](TermId bit) { return terms.zero_extend(bit, width); };
  const auto is_zero = [&](u32 pair) { return terms.equal(state.pair(pair), terms.constant(64, 0)); };
  switch (operand) {
    case OperandClass::literal:
      return terms.constant(width, literal);
    case OperandClass::vccz:
      return flag(is_zero(code::vcc));
    case OperandClass::execz:
      return flag(is_zero(code::exec));
    case OperandClass::scc:
      return flag(state.read(state_index::scc));
    default:
      break;
  }
  const bool is_hidden = operand == OperandClass::ttmp && wave.hides_ttmps();
  if (!isa::is_register(operand) || is_hidden)
    return terms.constant(width, wave.source(static_cast<u8>(code), dwords, literal));
  const u32 first = wave.is_beyond_allocation(code, dwords) ? 0 : register_index(wave.generation, code);
  return dwords == 1 ? state.read(first) : state.pair(first);
}

bool is_written(const core::Wave& wave, u32 code, u32 dwords) {
  using isa::OperandClass;
  const OperandClass operand = isa::operand_class(wave.generation, static_cast<u8>(code));
  if (operand == OperandClass::sgpr) return wave.in_allocation(code, dwords);
  const bool is_privileged =
      operand == OperandClass::ttmp || operand == OperandClass::tba || operand == OperandClass::tma;
  return !is_privileged || wave.priv();
}

namespace {

using isa::Instruction;

class SymbolicDomain : public exec::InstructionFields {
 public:
  SymbolicDomain(Terms& terms, SymbolicState& state, const core::Wave& wave, const Instruction& instruction)
      : InstructionFields(instruction, state.pc, wave.address_mask),
        making_(terms),
        terms_(terms),
        state_(state),
        wave_(wave),
        instruction_(instruction) {
    step.pc = terms_.constant(64, next_address());
  }

  NextStep step;

  template <auto function, class... Arguments>
  auto evaluate(const Arguments&... arguments) {
    return explore(making_, [&] { return function(arguments...); });
  }

  // ---- operands ----

  template <class T, std::size_t number>
  T operand() {
    const bool is_sopk = isa::info(instruction_.insn).format == isa::Format::sopk;
    return read<T>(is_sopk ? instruction_.sdst : number == 0 ? instruction_.ssrc0 : instruction_.ssrc1);
  }
  template <class T>
  T old_value() {
    return read<T>(instruction_.sdst);
  }
  Bit scc() { return Bit::of(state_.read(state_index::scc)); }
  text::u64 exec() { return text::u64::of(state_.pair(code::exec)); }
  text::u64 vcc() { return text::u64::of(state_.pair(code::vcc)); }
  text::u32 m0() { return dword(code::m0); }
  text::u32 status() { return dword(state_index::status); }
  text::u32 csp() {
    return text::u32::of(terms_.zero_extend(terms_.slice(state_.read(state_index::mode), mode_bit::csp, 3), 32));
  }
  text::u32 hwreg_value() {
    if (isa::semantics::hwreg_field(instruction_.simm16).id == isa::hwreg_id::mode) return dword(state_index::mode);
    give_up("a hardware register");
    return {};
  }

  // ---- results ----

  template <class T>
  void write(const T& value) {
    write_register(instruction_.sdst, WordTraits<T>::bits / 32, value.as_term());
  }
  void write_scc(Bit scc) { state_.write(state_index::scc, scc.as_term()); }
  template <class T>
  void write_if(Bit writes, const T& value) {
    write(T::of(terms_.select(writes.as_term(), value.as_term(), old_value<T>().as_term())));
  }
  /// Uses the machine's result if the manuals do not define one.
  template <class R>
  void apply_checked(const text::Checked<R>& result) {
    text::Step<SymbolicDomain>::apply(*this, result.result);
  }
  void write_exec(const text::u64& exec, const text::u64& /*sdst*/) { state_.write_pair(code::exec, exec.as_term()); }
  void update_mode(const text::BitUpdate& update) { update_dword(state_index::mode, update); }
  void update_m0(const text::BitUpdate& update) { update_dword(code::m0, update); }
  template <class T>
  void read_relative(const text::u64& number) {
    constexpr u32 dwords = WordTraits<T>::bits / 32;
    if (!knows_register(number, dwords)) return give_up("a register that M0 selects");
    const auto index = static_cast<u32>(number.value);
    write_register(instruction_.sdst, dwords, dwords == 1 ? state_.read(index) : state_.pair(index));
  }
  template <class T>
  void write_relative(const text::u64& number, const T& value) {
    constexpr u32 dwords = WordTraits<T>::bits / 32;
    if (!knows_register(number, dwords)) return give_up("a register that M0 selects");
    write_register(static_cast<u8>(number.value), dwords, value.as_term());
  }
  void update_hwreg(const text::BitUpdate& /*update*/) { give_up("a write to a hardware register"); }
  void update_status(const text::BitUpdate& /*update*/) { give_up("a change of STATUS"); }
  void unmodelled(const text::BitUpdate& /*status*/) { give_up("a message or counter"); }

  // ---- control flow ----

  void go_on() {}
  void branch(Bit taken) {
    if (taken.is_known()) {
      if (taken.value) step.pc = terms_.constant(64, branch_target());
      return;
    }
    step.condition = taken.term;
    step.pc = terms_.constant(64, branch_target());
    step.otherwise = terms_.constant(64, next_address());
  }
  void jump(const text::u64& pc) { step.pc = pc.as_term(); }
  /// Paths with different control stack depths are not merged.
  void fork(const text::Fork& result) {
    const std::optional<u32> csp = known_csp();
    if (!csp) return;
    if (!wave_.in_allocation(4 * *csp, 4)) return give_up("a control stack entry beyond the allocated SGPRs");
    const TermId pushes = result.push.as_term();
    const auto with = [&](TermId term, bool is_pushed) {
      return terms_.substitute(term, pushes, terms_.constant(1, is_pushed ? 1 : 0));
    };
    SymbolicState quiet = state_;
    quiet.write_pair(code::exec, with(result.exec.as_term(), false));
    state_.write_pair(4 * *csp, result.pushed.mask.as_term());
    state_.write_pair(4 * *csp + 2, result.pushed.pc.as_term());
    set_csp(*csp + 1);
    state_.write_pair(code::exec, with(result.exec.as_term(), true));
    go_two_ways(pushes, with(result.pc.as_term(), true), with(result.pc.as_term(), false), std::move(quiet));
  }
  void join(const text::Join& result) {
    const std::optional<u32> csp = known_csp();
    if (!csp) return;
    const u32 first = 4 * ((*csp - 1) & 7);
    if (!wave_.in_allocation(first, 4)) return give_up("a control stack entry beyond the allocated SGPRs");
    SymbolicState quiet = state_;
    set_csp(*csp - 1);
    const TermId pc = state_.pair(first + 2);
    state_.write_pair(code::exec, state_.pair(first));
    go_two_ways(result.pop.as_term(), pc, step.pc, std::move(quiet));
  }
  void kill(Bit kills) {
    if (!kills.value) return;
    step.kind = NextStep::Kind::end;
    step.reason = StopReason::killed;
  }
  void end_program() { step.kind = NextStep::Kind::end; }
  void barrier() {
    if (wave_.status >> status_bit::in_tg & 1) give_up("a barrier of several waves");
  }
  void trap(const text::Trap& /*result*/) { give_up("a trap"); }
  void return_from_exception(const text::ReturnFromException& /*result*/) { give_up("a return from a trap handler"); }
  void undocumented() { give_up("an undocumented instruction"); }

 private:
  template <class T>
  T read(u8 code) {
    constexpr u32 dwords = WordTraits<T>::bits / 32;
    if (code == isa::literal_code) {
      const auto literal = static_cast<i32>(instruction_.literal);
      return WordTraits<T>::is_signed ? T(i64{literal}) : T(instruction_.literal);
    }
    return T::of(read_operand(terms_, state_, wave_, code, dwords, 0));
  }
  text::u32 dword(u32 index) { return text::u32::of(state_.read(index)); }
  void give_up(const char* why) {
    step.kind = NextStep::Kind::unknown;
    step.why = why;
  }
  void write_register(u8 code, u32 dwords, TermId term) {
    if (!is_written(wave_, code, dwords)) return;
    const u32 index = register_index(wave_.generation, code);
    if (dwords == 1) {
      state_.write(index, term);
    } else {
      state_.write_pair(index, term);
    }
  }
  void update_dword(u32 index, const text::BitUpdate& result) {
    const text::u32 old = dword(index);
    state_.write(index, ((old & ~result.mask) | result.bits).as_term());
  }
  /// Returns the depth of the control stack. If it is not known, returns nothing and gives up.
  std::optional<u32> known_csp() {
    const TermId depth = csp().as_term();
    if (terms_.is_constant(depth)) return static_cast<u32>(terms_.value(depth));
    give_up("a control stack depth that depends on the inputs");
    return std::nullopt;
  }
  void set_csp(u32 csp) {
    const TermId mode = state_.read(state_index::mode);
    state_.write(state_index::mode, terms_.join(terms_.constant(3, csp), terms_.slice(mode, 0, mode_bit::csp)));
  }
  /// Continues at `pc` with the current state if the condition holds; otherwise at `otherwise` with state `other`.
  void go_two_ways(TermId condition, TermId pc, TermId otherwise, SymbolicState other) {
    if (terms_.is_constant(condition)) {
      const bool is_first = terms_.value(condition) != 0;
      if (!is_first) state_ = std::move(other);
      step.pc = is_first ? pc : otherwise;
      return;
    }
    step.condition = condition;
    step.pc = pc;
    step.otherwise = otherwise;
    step.other = std::move(other);
  }
  [[nodiscard]] bool knows_register(const text::u64& index, u32 dwords) const {
    return index.is_known() && wave_.has_register(index.value, dwords);
  }

  Making making_;
  Terms& terms_;
  SymbolicState& state_;
  const core::Wave& wave_;
  const Instruction& instruction_;
};

using Handler = void (*)(SymbolicDomain&);
constexpr std::array<Handler, isa::alu_insn_count> handlers = {{
#define SALU_INSN(format, name, ...) text::Step<SymbolicDomain>::execute<&text::semantics::name>,
#include "isa/instructions/sop.def"
#undef SALU_INSN
}};

}  // namespace

NextStep step_scalar(Terms& terms, SymbolicState& state, const core::Wave& wave, const Instruction& instruction) {
  SymbolicDomain domain(terms, state, wave, instruction);
  handlers[static_cast<std::size_t>(instruction.insn)](domain);
  return std::move(domain.step);
}

}  // namespace salu::proof
