#include "observe/undefined/shadow_block.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "support/compiler.hpp"
#include "isa/memory_table.hpp"
#include "isa/operand.hpp"
#include "isa/semantics/all.hpp"
#include "isa/table.hpp"
#include "observe/undefined/semantics.hpp"

namespace salu::observe::undefined {
namespace {

using BlockFrame = ShadowBlock::Frame;
using BlockOp = ShadowBlock::Op;

// ---- operands ----

/// Each notes whom what it has that is undefined comes from.
SALU_INLINE void note(OriginId& cause, const Cell& cell) { cause = decisive(cause, cell.origin); }
template <class T>
SALU_INLINE T word_of(const Cell* cell, OriginId& cause) {
  note(cause, cell[0]);
  if constexpr (WordTraits<T>::bits == 32) return T::of(cell[0].value, cell[0].undefined);
  note(cause, cell[1]);
  return T::of(cell[0].value | u64{cell[1].value} << 32, cell[0].undefined | u64{cell[1].undefined} << 32);
}

/// What an instruction is given for a parameter of a type, where that is in cells.
template <class T>
struct CellArgument : std::false_type {};
template <text::ExplicitOperand T>
struct CellArgument<T> : std::true_type {
  SALU_INLINE static T get(const BlockOp& op, std::size_t number, OriginId& cause) {
    return word_of<T>(op.sources[number], cause);
  }
};
template <>
struct CellArgument<text::Scc> : std::true_type {
  SALU_INLINE static text::Scc get(const BlockOp& op, std::size_t /*number*/, OriginId& cause) {
    note(cause, *op.scc);
    return {Bit(op.scc->value != 0, op.scc->undefined != 0)};
  }
};
template <>
struct CellArgument<text::Exec> : std::true_type {
  SALU_INLINE static text::Exec get(const BlockOp& op, std::size_t /*number*/, OriginId& cause) {
    return {word_of<text::u64>(op.exec, cause)};
  }
};
template <>
struct CellArgument<text::Simm16> : std::true_type {
  SALU_INLINE static text::Simm16 get(const BlockOp& op, std::size_t /*number*/, OriginId& /*cause*/) {
    return {text::i32(op.simm16)};
  }
};
template <>
struct CellArgument<text::Uimm16> : std::true_type {
  SALU_INLINE static text::Uimm16 get(const BlockOp& op, std::size_t /*number*/, OriginId& /*cause*/) {
    return {text::u32(static_cast<u16>(op.simm16))};
  }
};
template <>
struct CellArgument<text::Next> : std::true_type {
  SALU_INLINE static text::Next get(const BlockOp& op, std::size_t /*number*/, OriginId& /*cause*/) {
    return {text::u64(op.next)};
  }
};
template <class T>
struct CellArgument<text::Old<T>> : std::true_type {
  SALU_INLINE static text::Old<T> get(const BlockOp& op, std::size_t /*number*/, OriginId& cause) {
    return {word_of<T>(op.destination, cause)};
  }
};

// ---- results ----

/// Writes what an instruction makes, as it comes of one origin.
class CellResults {
 public:
  SALU_INLINE CellResults(BlockFrame& frame, BlockOp& op, OriginId cause) : frame_(frame), op_(op) {
    frame.seen |= cause;
    if (op.from != cause) [[unlikely]]
      make(frame, op, cause);
  }

  template <text::ExplicitOperand T>
  SALU_INLINE void apply(const T& value) {
    write(op_.destination, value);
  }
  template <class T>
  SALU_INLINE void apply(const text::WithScc<T>& result) {
    apply(result.value);
    write(op_.scc, result.scc);
  }
  SALU_INLINE void apply(const text::SccOnly& result) { write(op_.scc, result.scc); }
  SALU_INLINE void apply(const text::ExecUpdate& result) {
    write(op_.exec, result.exec);
    write(op_.destination, result.value);
    write(op_.scc, result.scc);
  }
  /// Operands for which no manual defines a result are left out beforehand.
  template <class R>
  SALU_INLINE void apply(const text::Checked<R>& result) {
    apply(result.result);
  }
  SALU_INLINE void apply(const text::Branch& result) {
    frame_.is_known = !result.taken.undefined;
    frame_.next = result.taken.value ? op_.target : op_.next;
  }
  SALU_INLINE void apply(const text::Nothing& /*result*/) {}

 private:
  SALU_NOINLINE static void make(BlockFrame& frame, BlockOp& op, OriginId cause) {
    op.from = cause;
    op.made = cause == 0 ? 0 : frame.state.origins.derive(cause, op.pc, frame.first_step + op.number);
  }
  SALU_INLINE void write(Cell* cell, u64 value, u64 undefined) const {
    cell->value = static_cast<u32>(value);
    cell->undefined = static_cast<u32>(undefined);
    cell->origin = static_cast<u32>(undefined) == 0 ? 0 : op_.made;
  }
  template <u32 n, bool s>
  SALU_INLINE void write(Cell* cell, const Word<n, s>& word) const {
    write(cell, word.value, word.undefined);
    if constexpr (n == 64) write(cell + 1, word.value >> 32, word.undefined >> 32);
  }
  SALU_INLINE void write(Cell* cell, const Bit& bit) const { write(cell, u64{bit.value}, u64{bit.undefined}); }

  BlockFrame& frame_;
  BlockOp& op_;
};

template <class R>
concept IsCellResult = requires(CellResults results, const R& result) { results.apply(result); };

/// The result where undefined bits decide on the way to it.
template <auto function>
SALU_NOINLINE auto explore_all(Exploration& exploration,
                               typename text::Signature<decltype(function)>::Arguments arguments) {
  auto result = exploration.explore([&] { return std::apply(function, arguments); });
  exploration.go_straight();
  return result;
}

template <auto function, std::size_t... index>
SALU_INLINE void call_on_cells(BlockFrame& frame, BlockOp& op, std::index_sequence<index...> /*arguments*/) {
  using S = text::Signature<decltype(function)>;
  OriginId cause = 0;
  const typename S::Arguments arguments{
      CellArgument<std::tuple_element_t<index, typename S::Arguments>>::get(op, S::operand_number(index), cause)...};
  auto result = std::apply(function, arguments);
  if (frame.exploration.has_parted()) [[unlikely]]
    result = explore_all<function>(frame.exploration, arguments);
  CellResults(frame, op, cause).apply(result);
}
template <auto function>
void execute_on_cells(BlockFrame& frame, BlockOp& op) {
  call_on_cells<function>(frame, op, std::make_index_sequence<text::Signature<decltype(function)>::argument_count>{});
}

template <class Arguments>
constexpr bool are_there = false;
template <class... A>
constexpr bool are_there<std::tuple<A...>> = std::conjunction_v<CellArgument<A>...>;

/// Null where the semantic function asks for or makes more than cells.
template <auto function>
constexpr ShadowBlock::Handler handler_of() {
  using S = text::Signature<decltype(function)>;
  if constexpr (are_there<typename S::Arguments> && IsCellResult<typename S::Result>)
    return execute_on_cells<function>;
  else
    return nullptr;
}

constexpr std::array<ShadowBlock::Handler, isa::alu_insn_count> block_handlers = {{
#define SALU_INSN(format, name, ...) handler_of<&text::semantics::name>(),
#include "isa/instructions/sop.def"
#undef SALU_INSN
}};

}  // namespace

bool ShadowBlock::is_complete() const {
  constexpr std::size_t longest = 64;
  return branches_ || ops_.size() == longest;
}

const Cell* ShadowBlock::find_source(ShadowCells& cells, const isa::OperandSpec& operand,
                                     const isa::Instruction& instruction, const Plan& plan) {
  const bool is_first = operand.field == isa::Field::ssrc0;
  const u8 code = is_first ? instruction.ssrc0 : instruction.ssrc1;
  const Plan::Place& place = is_first ? plan.ssrc0 : plan.ssrc1;
  if (place.kind == Plan::Place::Kind::file) return cells.at(place.code);
  u64 value = place.value;
  if (code == isa::literal_code) {
    const bool extends_sign = operand.kind == isa::OperandKind::signed_source;
    value = extends_sign ? static_cast<u64>(i64{static_cast<i32>(instruction.literal)}) : instruction.literal;
  } else if (place.kind != Plan::Place::Kind::constant) {
    return nullptr;
  }
  auto& [low, high] = constants_.emplace_back();
  low.value = static_cast<u32>(value);
  high.value = static_cast<u32>(value >> 32);
  return &low;
}

bool ShadowBlock::add(ShadowCells& cells, const core::Machine& machine, u64 pc, const KnownInstruction& known) {
  const isa::Instruction& instruction = known.instruction();
  if (isa::is_scalar_memory(instruction.insn) || known.may_be_unspecified()) return false;
  Op op;
  op.handler = block_handlers[static_cast<std::size_t>(instruction.insn)];
  if (op.handler == nullptr) return false;
  op.scc = cells.at(state_index::scc);
  op.exec = cells.at(code::exec);
  op.pc = pc;
  op.number = steps();
  op.next = pc + known.words().size_bytes();
  op.simm16 = static_cast<i16>(instruction.simm16);
  op.target = (op.next + static_cast<u64>(i64{op.simm16} * 4)) & machine.wave().address_mask;
  const Plan plan(machine, instruction);
  const isa::InstructionInfo& info = isa::info(instruction.insn);
  for (const isa::OperandSpec& operand : info.shape.span()) {
    if (operand.field == isa::Field::sdst) {
      if (plan.sdst.kind != Plan::Place::Kind::file) return false;
      op.destination = cells.at(plan.sdst.code);
      if (info.format == isa::Format::sopk) op.sources[0] = op.destination;
    } else if (operand.field == isa::Field::ssrc0 || operand.field == isa::Field::ssrc1) {
      const Cell* const source = find_source(cells, operand, instruction, plan);
      if (source == nullptr) return false;
      op.sources[operand.field == isa::Field::ssrc0 ? 0 : 1] = source;
    }
  }
  ops_.push_back(op);
  reads_ |= known.touches() & ~writes_;
  writes_ |= known.writes();
  branches_ = known.flow() != isa::Flow::next;
  return true;
}

void ShadowPass::take(const ScalarSet& indices) {
  const Shadow& shadow = frame_.state.shadow;
  const core::Wave& wave = machine_.wave();
  for_dwords(indices, [&](u32 index) {
    const Mask mask = shadow.scalar(index);
    *cells_.at(index) = {index == state_index::scc ? u32{wave.scc} : wave.slots[index], static_cast<u32>(mask.bits),
                         mask.bits == 0 ? 0 : mask.origin};
  });
}

bool ShadowPass::go_through(ShadowBlock& block) {
  const ScalarSet missing = block.reads_ & ~present_;
  if (missing.any()) take(missing);
  present_ |= block.reads_ | block.writes_;
  written_ |= block.writes_;
  frame_.seen = 0;
  frame_.first_step = machine_.steps() + steps_ + 1;
  frame_.next = block.ops_.back().next;
  for (ShadowBlock::Op& op : block.ops_) op.handler(frame_, op);
  steps_ += block.steps();
  if (frame_.is_known) return frame_.seen != 0;
  // The branch, which is the last instruction, has made nothing but this.
  --steps_;
  return false;
}

void ShadowPass::end() {
  // All of them, or none where the wave is halted.
  if (machine_.run_exactly(steps_) != steps_) return;
  Shadow& shadow = frame_.state.shadow;
  for_dwords(written_, [&](u32 index) {
    const Cell& cell = *cells_.at(index);
    shadow.set_scalar(index, {cell.undefined, cell.origin});
  });
}

}  // namespace salu::observe::undefined
