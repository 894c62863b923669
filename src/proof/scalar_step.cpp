#include <array>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>

#include "isa/hwreg.hpp"
#include "isa/memory_table.hpp"
#include "isa/operand.hpp"
#include "isa/semantics/all.hpp"
#include "isa/table.hpp"
#include "proof/explore.hpp"
#include "proof/instruction_step.hpp"
#include "proof/semantics.hpp"

/// The adapter between the semantic functions over terms and a state of terms: core/handlers.hpp once more.
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

template <class T>
concept TermOperand = text::ExplicitOperand<T>;

class Frame {
 public:
  Frame(Terms& terms, SymbolicState& state, const core::Wave& wave, const Instruction& instruction)
      : terms_(terms), state_(state), wave_(wave), instruction_(instruction) {
    step.pc = terms_.constant(64, next());
  }

  NextStep step;

  // ---- operands ----

  template <class T>
  T operand(u8 code) {
    constexpr u32 dwords = WordTraits<T>::bits / 32;
    if (code == isa::literal_code) {
      const auto literal = static_cast<i32>(instruction_.literal);
      return WordTraits<T>::is_signed ? T(i64{literal}) : T(instruction_.literal);
    }
    return T::of(read_operand(terms_, state_, wave_, code, dwords, 0));
  }
  template <class T, std::size_t number>
  T fetch() {
    if constexpr (TermOperand<T>) {
      const bool is_sopk = isa::info(instruction_.insn).format == isa::Format::sopk;
      return operand<T>(is_sopk ? instruction_.sdst : number == 0 ? instruction_.ssrc0 : instruction_.ssrc1);
    } else {
      return get(static_cast<T*>(nullptr));
    }
  }
  text::u32 dword(u32 index) { return text::u32::of(state_.read(index)); }
  text::Scc get(text::Scc*) { return {Bit::of(state_.read(state_index::scc))}; }
  text::Exec get(text::Exec*) { return {text::u64::of(state_.pair(code::exec))}; }
  text::Vcc get(text::Vcc*) { return {text::u64::of(state_.pair(code::vcc))}; }
  text::M0 get(text::M0*) { return {dword(code::m0)}; }
  text::Status get(text::Status*) { return {dword(state_index::status)}; }
  text::Csp get(text::Csp*) {
    return {text::u32::of(terms_.zero_extend(terms_.slice(state_.read(state_index::mode), mode_bit::csp, 3), 32))};
  }
  text::Pc get(text::Pc*) const { return {text::u64(state_.pc)}; }
  text::Next get(text::Next*) const { return {text::u64(next())}; }
  text::BranchTarget get(text::BranchTarget*) const { return {text::u64(target())}; }
  text::Simm16 get(text::Simm16*) const { return {text::i32(static_cast<i16>(instruction_.simm16))}; }
  text::Uimm16 get(text::Uimm16*) const { return {text::u32(instruction_.simm16)}; }
  text::LiteralDword get(text::LiteralDword*) const { return {text::u32(instruction_.literal)}; }
  text::RawSsrc1 get(text::RawSsrc1*) const { return {text::u32(instruction_.ssrc1)}; }
  text::RegisterNumber get(text::RegisterNumber*) const {
    const isa::OperandSpec* const ssrc0 = isa::info(instruction_.insn).shape.find(isa::Field::ssrc0);
    return {text::u32(ssrc0->kind == isa::OperandKind::register_source ? instruction_.ssrc0 : instruction_.sdst)};
  }
  text::HwregValue get(text::HwregValue*) {
    if (isa::semantics::hwreg_field(instruction_.simm16).id == isa::hwreg_id::mode) return {dword(state_index::mode)};
    give_up("a hardware register");
    return {};
  }
  template <class T>
  text::Old<T> get(text::Old<T>*) {
    return {operand<T>(instruction_.sdst)};
  }

  // ---- results ----

  template <TermOperand T>
  void apply(const T& value) {
    write(instruction_.sdst, WordTraits<T>::bits / 32, value.as_term());
  }
  template <class T>
  void apply(const text::WithScc<T>& result) {
    apply(result.value);
    apply_scc(result.scc);
  }
  void apply(const text::SccOnly& result) { apply_scc(result.scc); }
  template <class T>
  void apply(const text::Maybe<T>& result) {
    const T old = operand<T>(instruction_.sdst);
    apply(T::of(terms_.select(result.write.as_term(), result.value.as_term(), old.as_term())));
  }
  /// What the machine computes is followed where the manuals do not say what it is.
  template <class R>
  void apply(const text::Checked<R>& result) {
    apply(result.result);
  }
  void apply(const text::ExecUpdate& result) {
    state_.write_pair(code::exec, result.exec.as_term());
    apply(result.value);
    apply_scc(result.scc);
  }
  void apply(const text::Branch& result) {
    if (result.taken.is_known()) {
      if (result.taken.value) step.pc = terms_.constant(64, target());
      return;
    }
    step.condition = result.taken.term;
    step.pc = terms_.constant(64, target());
    step.otherwise = terms_.constant(64, next());
  }
  void apply(const text::Jump& result) { step.pc = result.pc.as_term(); }
  void apply(const text::JumpAndLink& result) {
    apply(result.value);
    step.pc = result.pc.as_term();
  }
  /// Ways with control stacks of two depths stay apart.
  void apply(const text::Fork& result) {
    const std::optional<u32> csp = known_csp();
    if (!csp) return;
    if (!wave_.in_allocation(4 * *csp, 4)) return give_up("a control stack entry that there is no register for");
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
  void apply(const text::Join& result) {
    const std::optional<u32> csp = known_csp();
    if (!csp) return;
    const u32 first = 4 * ((*csp - 1) & 7);
    if (!wave_.in_allocation(first, 4)) return give_up("a control stack entry that there is no register for");
    SymbolicState quiet = state_;
    set_csp(*csp - 1);
    const TermId pc = state_.pair(first + 2);
    state_.write_pair(code::exec, state_.pair(first));
    go_two_ways(result.pop.as_term(), pc, step.pc, std::move(quiet));
  }
  void apply(const text::ModeUpdate& result) { update(state_index::mode, result.mode); }
  void apply(const text::M0Update& result) { update(code::m0, result.m0); }
  void apply(const text::ModeM0Update& result) {
    update(state_index::mode, result.mode);
    update(code::m0, result.m0);
  }
  template <class T>
  void apply(const text::RelativeSource<T>& result) {
    constexpr u32 dwords = WordTraits<T>::bits / 32;
    if (!knows_register(result.index, dwords)) return give_up("a register that M0 selects");
    const auto index = static_cast<u32>(result.index.value);
    write(instruction_.sdst, dwords, dwords == 1 ? state_.read(index) : state_.pair(index));
  }
  template <class T>
  void apply(const text::RelativeDestination<T>& result) {
    constexpr u32 dwords = WordTraits<T>::bits / 32;
    if (!knows_register(result.index, dwords)) return give_up("a register that M0 selects");
    write(static_cast<u8>(result.index.value), dwords, result.value.as_term());
  }
  void apply(const text::EndProgram& /*result*/) { step.kind = NextStep::Kind::end; }
  void apply(const text::Kill& result) {
    if (!result.kill.value) return;
    step.kind = NextStep::Kind::end;
    step.reason = StopReason::killed;
  }
  void apply(const text::Nothing& /*result*/) {}
  void apply(const text::Barrier& /*result*/) {
    if (wave_.status >> status_bit::in_tg & 1) give_up("a barrier of several waves");
  }
  void apply(const text::HwregUpdate& /*result*/) { give_up("a hardware register that is written"); }
  void apply(const text::StatusUpdate& /*result*/) { give_up("a change of STATUS"); }
  void apply(const text::Unmodelled& /*result*/) { give_up("a message or counter"); }
  void apply(const text::Trap& /*result*/) { give_up("a trap"); }
  void apply(const text::ReturnFromException& /*result*/) { give_up("a return from a trap handler"); }
  void apply(const text::Undocumented& /*result*/) { give_up("an instruction that no manual describes"); }

 private:
  [[nodiscard]] u64 next() const { return (state_.pc + u64{instruction_.dwords} * 4) & wave_.address_mask; }
  [[nodiscard]] u64 target() const { return next() + static_cast<u64>(i64{static_cast<i16>(instruction_.simm16)} * 4); }
  void give_up(const char* why) {
    step.kind = NextStep::Kind::unknown;
    step.why = why;
  }
  void write(u8 code, u32 dwords, TermId term) {
    if (!is_written(wave_, code, dwords)) return;
    const u32 index = register_index(wave_.generation, code);
    if (dwords == 1) {
      state_.write(index, term);
    } else {
      state_.write_pair(index, term);
    }
  }
  void apply_scc(Bit scc) { state_.write(state_index::scc, scc.as_term()); }
  void update(u32 index, const text::BitUpdate& result) {
    const text::u32 old = dword(index);
    state_.write(index, ((old & ~result.mask) | result.bits).as_term());
  }
  /// Nothing where it is not known; then the instruction is not followed.
  std::optional<u32> known_csp() {
    const TermId csp = get(static_cast<text::Csp*>(nullptr)).value.as_term();
    if (terms_.is_constant(csp)) return static_cast<u32>(terms_.value(csp));
    give_up("a control stack of several depths");
    return std::nullopt;
  }
  void set_csp(u32 csp) {
    const TermId mode = state_.read(state_index::mode);
    state_.write(state_index::mode, terms_.join(terms_.constant(3, csp), terms_.slice(mode, 0, mode_bit::csp)));
  }
  /// The state is that of the first way.
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

  Terms& terms_;
  SymbolicState& state_;
  const core::Wave& wave_;
  const Instruction& instruction_;
};

template <auto function, std::size_t... index>
void call(Frame& frame, Making& making, std::index_sequence<index...> /*arguments*/) {
  using S = text::Signature<decltype(function)>;
  [[maybe_unused]] const typename S::Arguments arguments{
      frame.fetch<std::tuple_element_t<index, typename S::Arguments>, S::operand_number(index)>()...};
  if (frame.step.kind == NextStep::Kind::unknown) return;
  frame.apply(explore(making, [&] { return function(std::get<index>(arguments)...); }));
}
template <auto function>
void execute_text(Frame& frame, Making& making) {
  call<function>(frame, making, std::make_index_sequence<text::Signature<decltype(function)>::argument_count>{});
}

using Handler = void (*)(Frame&, Making&);
constexpr std::array<Handler, isa::alu_insn_count> handlers = {{
#define SALU_INSN(format, name, ...) execute_text<&text::semantics::name>,
#include "isa/instructions/sop.def"
#undef SALU_INSN
}};

}  // namespace

NextStep step_scalar(Terms& terms, SymbolicState& state, const core::Wave& wave, const Instruction& instruction) {
  Making making(terms);
  Frame frame(terms, state, wave, instruction);
  handlers[static_cast<std::size_t>(instruction.insn)](frame, making);
  return std::move(frame.step);
}

}  // namespace salu::proof
