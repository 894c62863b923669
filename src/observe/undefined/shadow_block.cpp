#include "observe/undefined/shadow_block.hpp"

#include <array>
#include <concepts>
#include <cstddef>

#include "isa/memory_table.hpp"
#include "isa/operand.hpp"
#include "isa/semantics/all.hpp"
#include "isa/table.hpp"
#include "observe/undefined/semantics.hpp"
#include "support/compiler.hpp"

namespace salu::observe::undefined {
namespace {

using BlockFrame = ShadowBlock::Frame;
using BlockOp = ShadowBlock::Op;

/// Arguments and results that are stored in cells.
template <class T>
inline constexpr bool is_cell_argument =
    text::ExplicitOperand<T> || std::same_as<T, text::Scc> || std::same_as<T, text::Exec> ||
    std::same_as<T, text::Simm16> || std::same_as<T, text::Uimm16> || std::same_as<T, text::Next> ||
    std::same_as<T, text::Old<text::u32>> || std::same_as<T, text::Old<text::u64>>;
template <class R>
inline constexpr bool is_cell_result =
    text::ExplicitOperand<R> || std::same_as<R, text::SccOnly> || std::same_as<R, text::ExecUpdate> ||
    std::same_as<R, text::Branch> || std::same_as<R, text::Nothing>;
template <class T>
inline constexpr bool is_cell_result<text::WithScc<T>> = true;

/// The `Step` domain that works on cells.
class CellDomain {
 public:
  CellDomain(BlockFrame& frame, BlockOp& op) : frame_(frame), op_(op) {}

  /// Computes the result, and the origin with which it is then written.
  template <auto function, class... Arguments>
  SALU_INLINE auto evaluate(const Arguments&... arguments) {
    auto result = function(arguments...);
    if (frame_.exploration.has_parted()) [[unlikely]]
      result = explore_all<function>(frame_.exploration, arguments...);
    frame_.seen |= cause_;
    if (op_.from != cause_) [[unlikely]]
      derive(frame_, op_, cause_);
    return result;
  }

  template <class T, std::size_t number>
  SALU_INLINE T operand() {
    return read<T>(op_.sources[number]);
  }
  template <class T>
  SALU_INLINE T old_value() {
    return read<T>(op_.destination);
  }
  SALU_INLINE Bit scc() {
    note(*op_.scc);
    return {op_.scc->value != 0, op_.scc->undefined != 0};
  }
  SALU_INLINE text::u64 exec() { return read<text::u64>(op_.exec); }
  SALU_INLINE i32 simm16() const { return op_.simm16; }
  SALU_INLINE u32 uimm16() const { return static_cast<u16>(op_.simm16); }
  SALU_INLINE u64 next_address() const { return op_.next; }

  template <class T>
  SALU_INLINE void write(const T& value) {
    write(op_.destination, value);
  }
  SALU_INLINE void write_scc(const Bit& scc) { write(op_.scc, u64{scc.value}, u64{scc.undefined}); }
  SALU_INLINE void write_exec(const text::u64& exec, const text::u64& /*sdst*/) { write(op_.exec, exec); }
  /// Ignores `unspecified`: a block does not contain instructions with operands for which the result is not defined.
  template <class R>
  SALU_INLINE void apply_checked(const text::Checked<R>& result) {
    text::Step<CellDomain>::apply(*this, result.result);
  }
  SALU_INLINE void branch(const Bit& taken) {
    frame_.is_known = !taken.undefined;
    frame_.next = taken.value ? op_.target : op_.next;
  }
  SALU_INLINE void go_on() {}

 private:
  /// Records the origin of the undefined bits of a cell.
  SALU_INLINE void note(const Cell& cell) { cause_ = decisive(cause_, cell.origin); }
  template <class T>
  SALU_INLINE T read(const Cell* cell) {
    note(cell[0]);
    if constexpr (WordTraits<T>::bits == 32) return T::of(cell[0].value, cell[0].undefined);
    note(cell[1]);
    return T::of(cell[0].value | u64{cell[1].value} << 32, cell[0].undefined | u64{cell[1].undefined} << 32);
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
  /// The result if the function branches on undefined bits.
  template <auto function, class... Arguments>
  SALU_NOINLINE static auto explore_all(Exploration& exploration, Arguments... arguments) {
    auto result = exploration.explore([&] { return function(arguments...); });
    exploration.go_straight();
    return result;
  }
  SALU_NOINLINE static void derive(BlockFrame& frame, BlockOp& op, OriginId cause) {
    op.from = cause;
    op.made = cause == 0 ? 0 : frame.state.origins.derive(cause, op.pc, frame.first_step + op.number);
  }

  BlockFrame& frame_;
  BlockOp& op_;
  OriginId cause_ = 0;
};

template <auto function>
void execute_on_cells(BlockFrame& frame, BlockOp& op) {
  CellDomain domain(frame, op);
  text::Step<CellDomain>::execute<function>(domain);
}

template <class R, class... A>
constexpr bool is_of_cells(R (* /*function*/)(A...)) {
  return is_cell_result<text::UncheckedResult<R>> && (is_cell_argument<A> && ...);
}

/// Null if the semantic function has arguments or results other than cells.
template <auto function>
constexpr ShadowBlock::Handler handler_of() {
  if constexpr (is_of_cells(function))
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
                                     const isa::Instruction& instruction, const ShadowPlan& plan) {
  const bool is_first = operand.field == isa::Field::ssrc0;
  const u8 code = is_first ? instruction.ssrc0 : instruction.ssrc1;
  const ShadowPlan::OperandPlace& place = is_first ? plan.ssrc0 : plan.ssrc1;
  if (place.kind == ShadowPlan::OperandPlace::Kind::file) return cells.at(place.code);
  u64 value = place.value;
  if (code == isa::literal_code) {
    const bool extends_sign = operand.kind == isa::OperandKind::signed_source;
    value = extends_sign ? static_cast<u64>(i64{static_cast<i32>(instruction.literal)}) : instruction.literal;
  } else if (place.kind != ShadowPlan::OperandPlace::Kind::constant) {
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
  const ShadowPlan plan(machine, instruction);
  const isa::InstructionInfo& info = isa::info(instruction.insn);
  for (const isa::OperandSpec& operand : info.shape.span()) {
    if (operand.field == isa::Field::sdst) {
      if (plan.sdst.kind != ShadowPlan::OperandPlace::Kind::file) return false;
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
  // The branch is the last instruction and does not write registers.
  --steps_;
  return false;
}

void ShadowPass::end() {
  // The machine executes all steps, or none if the wave is halted.
  if (machine_.run_exactly(steps_) != steps_) return;
  Shadow& shadow = frame_.state.shadow;
  for_dwords(written_, [&](u32 index) {
    const Cell& cell = *cells_.at(index);
    shadow.set_scalar(index, {cell.undefined, cell.origin});
  });
}

}  // namespace salu::observe::undefined
