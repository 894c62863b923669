#include "batch/plan.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>

#include "batch/code_walk.hpp"
#include "batch/liveness.hpp"
#include "batch/role.hpp"
#include "batch/row_loop.hpp"

namespace salu::batch {
namespace {

constexpr std::size_t most_blocks = 2048;
constexpr std::size_t most_rows = 1024;

class PlanMaker {
 public:
  PlanMaker(const WaveState& initial, const Memory& memory, const CodeWalk& walk,
            const std::vector<VariedDword>& inputs)
      : memory_(memory), walk_(walk), changing_(walk.written), vectors_(initial.vectors, initial.exec()) {
    for (const auto& [address, each] : walk.instructions) {
      if (each.move) vectors_.add(*each.move);
    }
    vectors_.settle();
    for (const VariedDword& input : inputs) {
      if (input.kind == VariedDword::Kind::file) changing_.set(input.place);
      if (input.kind == VariedDword::Kind::memory) plan_.varied_memory.push_back(input.place);
    }
    std::ranges::sort(plan_.varied_memory);
  }

  std::optional<Plan> make(const std::vector<VariedDword>& inputs, const std::vector<VariedDword>& results) {
    plan_.address_mask = walk_.wave.address_mask;
    plan_.scc = new_row();
    for (u32 half = 0; half < 2; ++half) {
      plan_.exec[half] = row_of(state_index::exec + half);
      plan_.vcc[half] = row_of(state_index::vcc + half);
    }
    for (const VariedDword& input : inputs) plan_.inputs.push_back(input_row(input));
    plan_.initial.push_back({plan_.scc, walk_.wave.scc});
    find_half_writes();
    find_leaders();
    if (leaders_.size() > most_blocks) return std::nullopt;
    for (const auto& [address, number] : leaders_) make_block(address);
    plan_.entry = leaders_.at(walk_.entry);
    for (const VariedDword& result : results) plan_.results.push_back(result_row(result));
    for (u32 i = 0; i < code::count; ++i) {
      if (changing_[i] && row_of_code_[i] != no_row && !is_input(row_of_code_[i]))
        plan_.initial.push_back({row_of_code_[i], walk_.wave.slots[i]});
    }
    if (is_input(plan_.scc))
      std::erase_if(plan_.initial, [&](const Plan::Value& value) { return value.row == plan_.scc; });
    plan_.rows = rows_;
    if (rows_ > most_rows || plan_.blocks[plan_.entry].exit == RowBlock::Exit::leave) return std::nullopt;
    remove_what_nothing_reads(plan_);
    order_blocks(plan_);
    return std::move(plan_);
  }

 private:
  Row new_row() { return static_cast<Row>(rows_++); }
  [[nodiscard]] bool is_input(Row row) const { return std::ranges::find(plan_.inputs, row) != plan_.inputs.end(); }

  Row constant_row(u32 value) {
    const auto [place, is_new] = row_of_constant_.try_emplace(value, no_row);
    if (is_new) {
      place->second = new_row();
      plan_.constants.push_back({place->second, value});
    }
    return place->second;
  }

  /// The row of a slot: a register or a constant.
  Row row_of(u32 slot) {
    if (slot >= code::count || !changing_[slot]) return constant_row(walk_.wave.slots[slot]);
    Row& row = row_of_code_[slot];
    if (row == no_row) row = new_row();
    return row;
  }

  Row input_row(const VariedDword& input) {
    switch (input.kind) {
      case VariedDword::Kind::file:
        return row_of(static_cast<u32>(input.place));
      case VariedDword::Kind::scc:
        return plan_.scc;
      case VariedDword::Kind::memory:
        return row_of_memory_[input.place] = new_row();
      case VariedDword::Kind::lane:
        break;
    }
    return no_row;
  }

  Row result_row(const VariedDword& result) {
    if (result.kind == VariedDword::Kind::scc) return plan_.scc;
    if (result.kind == VariedDword::Kind::file) return row_of(static_cast<u32>(result.place));
    if (result.kind == VariedDword::Kind::lane) return vector_result_row(static_cast<u32>(result.place));
    const auto varied = row_of_memory_.find(result.place);
    return varied != row_of_memory_.end() ? varied->second : constant_row(memory_.read_dword(result.place));
  }

  /// A branch on VCCZ after a write of one half of VCC has a warning.
  void find_half_writes() {
    for (const auto& [address, each] : walk_.instructions) {
      if (!each.is_straight() || !each.handler.is_instruction() || each.move) continue;
      const bool is_half = (each.op.d | 1U) == state_index::vcc + 1;
      const u8 written = isa::info(each.handler.insn).dwords_written(isa::Field::sdst);
      if (is_half && written == 1) writes_half_of_vcc_ = true;
    }
  }

  void find_leaders() {
    std::set<u64> addresses{walk_.entry};
    for (const auto& [address, each] : walk_.instructions) {
      if (!each.node.target) continue;
      addresses.insert(*each.node.target);
      if (each.node.falls_through) addresses.insert(each.node.next);
    }
    for (const u64 address : addresses) leaders_.emplace(address, static_cast<u32>(leaders_.size()));
  }

  void make_block(u64 address) {
    RowBlock& block = plan_.blocks.emplace_back();
    for (u64 at = address;;) {
      const WalkedInstruction& here = walk_.instructions.at(at);
      if (!add(block, here)) {
        block.exit = RowBlock::Exit::leave;
        return;
      }
      if (!here.is_straight()) break;
      at = here.node.next;
      const auto leader = leaders_.find(at);
      if (leader == leaders_.end()) continue;
      block.exit = RowBlock::Exit::jump;
      block.next = leader->second;
      break;
    }
  }

  /// Adds an instruction to a block. Returns false if the scalar machine must run states that reach it.
  bool add(RowBlock& block, const WalkedInstruction& here) {
    if (here.reason != StopReason::returned) ++block.instructions;
    if (here.kind == WalkedInstruction::Kind::leave) return false;
    if (here.kind == WalkedInstruction::Kind::end) {
      block.exit = RowBlock::Exit::end;
      block.reason = here.reason;
      return true;
    }
    if (here.node.target) return add_branch(block, here);
    if (here.is_load()) return add_load(block, here);
    if (here.move) return add_move(block, *here.move);
    if (role_of(here.handler.insn) == Role::nothing) return true;
    RowOp op = operation(here);
    block.may_leave = block.may_leave || op.may_leave;
    block.ops.push_back(std::move(op));
    return true;
  }

  bool add_branch(RowBlock& block, const WalkedInstruction& here) {
    block.exit = RowBlock::Exit::jump;
    block.next = leaders_.at(*here.node.target);
    if (!here.node.falls_through) return true;
    const isa::InstructionInfo& info = isa::info(here.handler.insn);
    if (info.reads_any(isa::effect::vcc) && writes_half_of_vcc_) return false;
    block.taken = std::exchange(block.next, leaders_.at(here.node.next));
    block.test = operation(here);
    block.exit = RowBlock::Exit::branch;
    const bool is_settled =
        info.reads_any(isa::effect::exec) && !changing_[state_index::exec] && !changing_[state_index::exec + 1];
    if (!is_settled) return true;
    const bool is_zero = walk_.wave.pair(state_index::exec) == 0;
    const bool is_taken = (here.handler.insn == isa::Insn::s_cbranch_execz) == is_zero;
    block.exit = RowBlock::Exit::jump;
    if (is_taken) block.next = block.taken;
    return true;
  }

  RowOp operation(const WalkedInstruction& here) {
    const core::MicroOp& micro = here.op;
    const isa::InstructionInfo& info = isa::info(here.handler.insn);
    RowOp op;
    op.insn = here.handler.insn;
    op.writes_scc = info.writes_any(isa::effect::scc);
    op.may_leave = info.unspecified != isa::Unspecified::never;
    op.simm16 = micro.imm;
    op.next = here.node.next;
    for (u32 half = 0; half < info.dwords_written(isa::Field::sdst); ++half) op.sdst[half] = row_of(micro.d + half);
    // The source of SOPK is in the field of SDST.
    const bool is_sopk = info.format == isa::Format::sopk;
    const u8 dwords0 = info.dwords_read(is_sopk ? isa::Field::sdst : isa::Field::ssrc0);
    const u8 dwords1 = info.dwords_read(isa::Field::ssrc1);
    op.ssrc0 = source(is_sopk ? micro.d : micro.a, dwords0);
    const RowLoops& loops = baseline_loops().loops[static_cast<std::size_t>(op.insn)];
    if (dwords1 != 0 && is_constant_slot(micro.b, dwords1) && loops.of[1][0][0] != nullptr) {
      op.has_uniform_ssrc1 = true;
      op.uniform_ssrc1 = slot_value(micro.b, dwords1);
    } else {
      op.ssrc1 = source(micro.b, dwords1);
    }
    return op;
  }

  [[nodiscard]] u64 slot_value(u32 slot, u32 dwords) const {
    return dwords == 2 ? walk_.wave.pair(slot) : u64{walk_.wave.slots[slot]};
  }
  [[nodiscard]] bool is_constant_slot(u32 slot, u32 dwords) const {
    for (u32 i = 0; i < dwords; ++i) {
      if (slot + i < code::count && changing_[slot + i]) return false;
    }
    return true;
  }

  std::array<Row, 2> source(u32 slot, u32 dwords) {
    std::array<Row, 2> rows{no_row, no_row};
    for (u32 half = 0; half < dwords; ++half) rows[half] = row_of(slot + half);
    return rows;
  }

  // ---- vector registers ----

  /// A row with an initial value.
  Row moved_row(std::map<u32, Row>& rows, u32 key, u32 initial) {
    const auto [place, is_new] = rows.try_emplace(key, no_row);
    if (is_new) {
      place->second = new_row();
      plan_.initial.push_back({place->second, initial});
    }
    return place->second;
  }
  /// The row of the lanes of a vector register that do not have their own row.
  Row shared_row(u32 vgpr) { return moved_row(row_of_vgpr_, vgpr, vectors_.initial(vgpr)); }
  Row lane_row(u32 vgpr, u32 lane) {
    return moved_row(row_of_lane_, vgpr * state_index::lanes + lane, vectors_.initial(vgpr, lane));
  }

  void add_copy(RowBlock& block, Row to, Row from) {
    RowOp op;
    op.insn = isa::Insn::s_mov_b32;
    op.sdst[0] = to;
    op.ssrc0[0] = from;
    block.ops.push_back(std::move(op));
  }

  bool add_move(RowBlock& block, const LaneMove& move) {
    const bool reads_vector = move.source == LaneMove::Source::vector;
    if (!vectors_.is_uniform(move.vgpr) || (reads_vector && !vectors_.is_uniform(move.source_vgpr))) return false;
    if (move.kind == LaneMove::Kind::from_lane) {
      add_copy(block, row_of(move.sdst), lane_row(move.vgpr, move.lane));
      return true;
    }
    const auto scalar = [&] {
      return move.source == LaneMove::Source::literal ? constant_row(move.literal) : row_of(move.slot);
    };
    if (move.kind == LaneMove::Kind::to_lane) {
      add_copy(block, lane_row(move.vgpr, move.lane), scalar());
      return true;
    }
    add_copy(block, shared_row(move.vgpr), reads_vector ? shared_row(move.source_vgpr) : scalar());
    for (u64 lanes = vectors_.own_lanes(move.vgpr) & vectors_.exec(); lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<u32>(std::countr_zero(lanes));
      const bool has_own = reads_vector && (vectors_.own_lanes(move.source_vgpr) >> lane & 1) != 0;
      const Row from = !reads_vector ? scalar()
                       : has_own     ? lane_row(move.source_vgpr, lane)
                                     : shared_row(move.source_vgpr);
      add_copy(block, lane_row(move.vgpr, lane), from);
    }
    return true;
  }

  Row vector_result_row(u32 index) {
    const u32 number = state_index::vector_of(index);
    const u32 lane = state_index::lane_of(index);
    if (number >= VectorRegisters::vgprs || !vectors_.is_moved(number) || !vectors_.is_uniform(number))
      return constant_row(vectors_.initial(number, lane));
    if ((vectors_.own_lanes(number) >> lane & 1) != 0) return lane_row(number, lane);
    const bool is_on = (vectors_.exec() >> lane & 1) != 0;
    return is_on ? shared_row(number) : constant_row(vectors_.initial(number, lane));
  }

  /// A load whose address is the same in all states is a copy; other loads are executed state by state.
  bool add_load(RowBlock& block, const WalkedInstruction& here) {
    const core::MicroOp& micro = here.op;
    if (is_constant_slot(micro.a, here.base_dwords) && is_constant_slot(micro.b, 1)) return add_copies(block, here);
    RowOp op;
    op.kind = RowOp::Kind::load;
    op.may_leave = true;
    op.offset_bytes = micro.imm;
    op.ssrc1[0] = row_of(micro.b);
    for (u32 i = 0; i < here.base_dwords; ++i) op.base.push_back(row_of(micro.a + i));
    for (u32 i = 0; i < here.load_dwords; ++i) op.loaded.push_back(row_of(micro.d + i));
    block.may_leave = true;
    block.ops.push_back(std::move(op));
    return true;
  }

  bool add_copies(RowBlock& block, const WalkedInstruction& here) {
    const core::MicroOp& micro = here.op;
    std::array<u32, 4> base{};
    for (u32 i = 0; i < here.base_dwords; ++i) base[i] = walk_.wave.slots[micro.a + i];
    const isa::semantics::Extent extent =
        extent_of_load(base, here.base_dwords, micro.imm, walk_.wave.slots[micro.b], here.load_dwords);
    const u64 address = walk_.wave.data_address(extent.address);
    if (extent.dwords != 0 && !memory_.is_mapped(address, u64{extent.dwords} * 4)) return false;
    for (u32 i = 0; i < here.load_dwords; ++i) {
      const u64 at = address + u64{i} * 4;
      const auto varied = row_of_memory_.find(at);
      const bool is_varied = i < extent.dwords && varied != row_of_memory_.end();
      const u32 value = i < extent.dwords ? memory_.read_dword(at) : 0;
      add_copy(block, row_of(micro.d + i), is_varied ? varied->second : constant_row(value));
    }
    return true;
  }

  const Memory& memory_;
  const CodeWalk& walk_;
  std::bitset<code::count> changing_;  ///< registers that have their own rows
  bool writes_half_of_vcc_ = false;
  std::map<u64, u32> leaders_;  ///< block numbers by address
  u32 rows_ = 0;
  std::array<Row, code::count> row_of_code_ = filled();
  std::map<u32, Row> row_of_constant_;
  std::map<u64, Row> row_of_memory_;
  MovedVectors vectors_;
  std::map<u32, Row> row_of_vgpr_;
  std::map<u32, Row> row_of_lane_;
  Plan plan_;

  static constexpr std::array<Row, code::count> filled() {
    std::array<Row, code::count> rows{};
    rows.fill(no_row);
    return rows;
  }
};

/// True if a dword is part of the program's code.
bool is_code(const Program& program, u64 address) {
  return std::ranges::any_of(program.code, [address](const CodeBlock& block) {
    return address + 4 > block.base && address < block.base + block.words.size() * 4;
  });
}

}  // namespace

std::optional<Plan> Plan::make(const Program& program, const WaveState& initial, const Memory& memory,
                               OnVector on_vector, const std::vector<VariedDword>& inputs,
                               const std::vector<VariedDword>& results) {
  std::bitset<code::count> varied;
  for (const VariedDword& input : inputs) {
    if (input.kind == VariedDword::Kind::file) varied.set(input.place);
    if (input.kind == VariedDword::Kind::memory && (input.place % 4 != 0 || is_code(program, input.place)))
      return std::nullopt;
  }
  const std::optional<CodeWalk> walk = CodeWalk::from(program, initial, memory, on_vector, varied);
  if (!walk) return std::nullopt;
  return PlanMaker(initial, memory, *walk, inputs).make(inputs, results);
}

}  // namespace salu::batch
