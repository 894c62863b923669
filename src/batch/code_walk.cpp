#include "batch/code_walk.hpp"

#include "core/interpreter.hpp"

namespace salu::batch {
namespace {

/// Limit for the length of a program; longer programs run on the scalar machine.
constexpr std::size_t most_instructions = std::size_t{1} << 16;

struct LoadShape {
  u8 dwords = 0;  ///< 0: no load
  u8 base_dwords = 0;
};

LoadShape load_shape(core::HandlerId id) {
  switch (id) {
#define SALU_LOAD(dwords, base_dwords, length)                               \
  case core::HandlerId::load_x##dwords##_base##base_dwords##_length##length: \
    return {dwords, base_dwords};
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

  /// Returns false if the program has too many instructions.
  bool run() {
    exec::Cfg cfg(program_.generation(), [this](u64 address) { return cache_.words_at(address); });
    return cfg.add(result_.entry, [this](exec::CfgNode& node) {
      if (result_.instructions.size() == most_instructions) return false;
      visit(node);
      return true;
    });
  }

  CodeWalk& result() { return result_; }

 private:
  using Kind = WalkedInstruction::Kind;

  void visit(exec::CfgNode& node) {
    WalkedInstruction here;
    if (is_end(node.address)) {
      here.kind = Kind::end;
      here.reason = StopReason::returned;
    } else if (const core::MicroOp* op = cache_.enter(node.address)) {
      if (op->id == core::HandlerId::predecode) cache_.decode(op, 0);
      here.op = *op;
      here.kind = look_at(here, node);
    }
    if (here.kind != Kind::go_on) node.end_path();
    here.node = node;
    result_.instructions.emplace(node.address, here);
  }

  /// True at the end of the function, and at the return address that the loader gave it.
  [[nodiscard]] bool is_end(u64 address) const {
    const bool is_kernel_end = program_.kernel_end && program_.kernel_end->address == address;
    if (is_kernel_end) return false;
    return program_.function_end == address || (program_.return_address == address && !cache_.has_code_at(address));
  }

  Kind look_at(WalkedInstruction& here, exec::CfgNode& node) {
    const core::MicroOp& op = here.op;
    if (const LoadShape load = load_shape(op.id); load.dwords != 0) {
      here.load_dwords = load.dwords;
      here.base_dwords = load.base_dwords;
      mark_written(op.d, load.dwords);
      return Kind::go_on;
    }
    if (op.id == core::HandlerId::vector) return look_at_vector(here);
    here.handler = core::handler_info(op.id);
    if (!here.handler.is_instruction() || here.handler.variant == core::Variant::general) return Kind::leave;
    const isa::InstructionInfo& info = isa::info(here.handler.insn);
    switch (role_of(here.handler.insn)) {
      case Role::row_loop:
        mark_written(op.d, info.dwords_written(isa::Field::sdst));
        if (info.writes_any(isa::effect::exec)) mark_written(code::exec, 2);
        return Kind::go_on;
      case Role::nothing:
      case Role::branch:
        return Kind::go_on;
      case Role::end:
        return Kind::end;
      case Role::jump:
        node.target = find_jump_target(op);
        return node.target ? Kind::go_on : Kind::leave;
      case Role::other:
        break;
    }
    return Kind::leave;
  }

  Kind look_at_vector(WalkedInstruction& here) {
    const core::MicroOp& op = here.op;
    const bool is_moved = op.imm >= 0 && on_vector_ == OnVector::run && !result_.wave.vskip();
    if (!is_moved || result_.wave.gpr_idx_on()) return Kind::leave;
    const bool knows_exec = !varied_[code::exec] && !varied_[code::exec + 1];
    const core::VectorOp& vector = cache_.vector_op(static_cast<std::size_t>(op.imm));
    // Only the scalar machine warns about registers beyond the allocation.
    if (vector.executes != nullptr) return Kind::leave;
    here.move = LaneMove::of(vector.instruction, result_.wave, knows_exec);
    if (!here.move) return Kind::leave;
    if (here.move->kind == LaneMove::Kind::from_lane) mark_written(here.move->sdst, 1);
    return Kind::go_on;
  }

  /// The jump target in a register pair, if it is the same in all states; usually a return address.
  [[nodiscard]] std::optional<u64> find_jump_target(const core::MicroOp& op) const {
    if (op.a >= code::count || varied_[op.a] || varied_[op.a + 1]) return std::nullopt;
    return result_.wave.pair(op.a) & result_.wave.address_mask;
  }

  void mark_written(u32 code, u32 dwords) {
    for (u32 i = 0; i < dwords; ++i) result_.written.set(code + i);
  }

  const Program& program_;
  core::CodeCache& cache_;
  OnVector on_vector_;
  const Registers& varied_;
  CodeWalk result_;
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
  // Iterates to a fixed point: new jump targets can only add written registers.
  Registers changing = varied;
  while (true) {
    Walk walk(program, initial, cache, on_vector, changing);
    if (!walk.run()) return std::nullopt;
    if ((walk.result().written & ~changing).none()) {
      walk.result().wave = start;  // including literals
      return std::move(walk.result());
    }
    changing |= walk.result().written;
  }
}

}  // namespace salu::batch
