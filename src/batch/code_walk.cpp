#include "batch/code_walk.hpp"

#include <vector>

#include "core/interpreter.hpp"

namespace salu::batch {
namespace {

/// More code than this is no loop that a million states go through.
constexpr std::size_t most_instructions = std::size_t{1} << 16;

struct LoadShape {
  u8 dwords = 0;  ///< 0: no load
  u8 base_dwords = 0;
  u8 length = 0;
};

LoadShape load_shape(core::HandlerId id) {
  switch (id) {
#define SALU_LOAD(dwords, base_dwords, length)                               \
  case core::HandlerId::load_x##dwords##_base##base_dwords##_length##length: \
    return {dwords, base_dwords, length};
#include "core/load_handlers.def"
#undef SALU_LOAD
    default:
      return {};
  }
}

using Registers = std::bitset<code::count>;

class Walk {
 public:
  Walk(const Program& program, const WaveState& initial, core::CodeCache& cache, OnVector on_vector,
       const Registers& varied)
      : program_(program), cache_(cache), on_vector_(on_vector), varied_(varied), result_(program.generation()) {
    result_.wave.load(initial);
    result_.entry = initial.pc & result_.wave.address_mask;
  }

  /// False when there is too much.
  bool run() {
    open_.push_back(result_.entry);
    while (!open_.empty()) {
      const u64 address = open_.back();
      open_.pop_back();
      if (result_.instructions.contains(address)) continue;
      if (result_.instructions.size() == most_instructions) return false;
      visit(address);
    }
    return true;
  }

  CodeWalk& result() { return result_; }

 private:
  using End = WalkedInstruction::End;

  void visit(u64 address) {
    WalkedInstruction here;
    here.address = address;
    here.end = End::leave;
    if (is_end(address)) {
      here.end = End::end;
      here.dwords = 0;
      here.reason = StopReason::returned;
    } else if (const core::MicroOp* op = cache_.enter(address)) {
      if (op->id == core::HandlerId::predecode) cache_.decode(op, 0);
      here.op = *op;
      look_at(here);
    }
    if (here.end == End::none || here.end == End::branch) open_.push_back(here.next());
    if (here.end == End::jump || here.end == End::branch) open_.push_back(here.target);
    result_.instructions.emplace(address, here);
  }

  /// Whether a function has returned there: at its own end, or at what its caller would be.
  [[nodiscard]] bool is_end(u64 address) const {
    const bool is_kernel_end = program_.kernel_end && program_.kernel_end->address == address;
    if (is_kernel_end) return false;
    return program_.function_end == address || (program_.return_address == address && !cache_.has_code_at(address));
  }

  void look_at(WalkedInstruction& here) {
    const core::MicroOp& op = here.op;
    if (const LoadShape load = load_shape(op.id); load.dwords != 0) {
      here.load_dwords = load.dwords;
      here.base_dwords = load.base_dwords;
      here.dwords = load.length;
      here.end = End::none;
      mark_written(op.d, load.dwords);
      return;
    }
    if (op.id == core::HandlerId::vector) {
      look_at_vector(here);
      return;
    }
    here.handler = core::handler_info(op.id);
    if (!here.handler.is_instruction() || here.handler.variant == core::Variant::general) return;
    here.dwords = here.handler.variant == core::Variant::fast ? 1 : 2;
    const isa::InstructionInfo& info = isa::info(here.handler.insn);
    switch (role_of(here.handler.insn)) {
      case Role::row_loop:
        mark_written(op.d, info.dwords_written(isa::Field::sdst));
        if (info.writes_any(isa::effect::exec)) mark_written(code::exec, 2);
        here.end = End::none;
        return;
      case Role::nothing:
        here.end = End::none;
        return;
      case Role::branch:
        here.target = here.address + static_cast<u64>(i64{op.imm} / static_cast<i64>(sizeof(core::MicroOp)) * 4);
        here.end = info.flow == isa::Flow::branch ? End::jump : End::branch;
        return;
      case Role::end:
        here.end = End::end;
        return;
      case Role::jump:
        jump(here);
        return;
      case Role::other:
        return;
    }
  }

  void look_at_vector(WalkedInstruction& here) {
    const core::MicroOp& op = here.op;
    if (op.imm < 0 || on_vector_ != OnVector::run || result_.wave.vskip() || result_.wave.gpr_idx_on()) return;
    const bool knows_exec = !varied_[code::exec] && !varied_[code::exec + 1];
    const core::VectorOp& vector = cache_.vector_op(static_cast<std::size_t>(op.imm));
    // The machine warns of registers beyond the allocation.
    if (vector.executes != nullptr) return;
    const isa::vector::Instruction& instruction = vector.instruction;
    here.move = LaneMove::of(instruction, result_.wave, knows_exec);
    if (!here.move) return;
    here.dwords = instruction.dwords;
    here.end = End::none;
    if (here.move->kind == LaneMove::Kind::from_lane) mark_written(here.move->sdst, 1);
  }

  /// To where a pair of registers points that is the same in all states: what a function returns by, most often.
  void jump(WalkedInstruction& here) const {
    const u32 code = here.op.a;
    if (code >= code::count || varied_[code] || varied_[code + 1]) return;
    here.end = End::jump;
    here.target = result_.wave.pair(code) & result_.wave.address_mask;
  }

  void mark_written(u32 code, u32 dwords) {
    for (u32 i = 0; i < dwords; ++i) result_.written.set(code + i);
  }

  const Program& program_;
  core::CodeCache& cache_;
  OnVector on_vector_;
  const Registers& varied_;
  CodeWalk result_;
  std::vector<u64> open_;
};

}  // namespace

std::optional<CodeWalk> CodeWalk::from(const Program& program, const WaveState& initial, const Memory& memory,
                                       OnVector on_vector, const Registers& varied) {
  const bool is_halted = initial.status_flag(status_bit::halt) && !initial.status_flag(status_bit::priv);
  core::Wave start(program.generation());
  start.load(initial);
  if (start.traps_each()) return std::nullopt;
  if (!program.assumptions.empty() || initial.csp() != 0 || is_halted) return std::nullopt;
  core::CodeCache cache(program, core::goto_handlers(), false, start);
  cache.set_allocation({initial.sgprs, initial.vgprs, initial.agprs});
  cache.take_words(memory);
  // Where a jump goes depends on what is written, and what is written on where jumps go: written is only ever more.
  Registers changing = varied;
  while (true) {
    Walk walk(program, initial, cache, on_vector, changing);
    if (!walk.run()) return std::nullopt;
    if ((walk.result().written & ~changing).none()) {
      walk.result().wave = start;  // with the literals
      return std::move(walk.result());
    }
    changing |= walk.result().written;
  }
}

}  // namespace salu::batch
