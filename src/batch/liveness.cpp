#include "batch/liveness.hpp"

#include <algorithm>
#include <vector>

#include "isa/instruction.hpp"

namespace salu::batch {
namespace {

using Rows = std::vector<bool>;

/// Backward liveness analysis: the rows that are read after each block.
class Liveness {
 public:
  explicit Liveness(Plan& plan) : plan_(plan), at_end_(plan.rows), live_(plan.blocks.size()) {
    for (const Row row : plan.results) at_end_[row] = true;
    for (Rows& rows : live_) rows.resize(plan.rows);
    settle();
  }

  [[nodiscard]] bool is_live_at_entry(Row row) const { return live_[plan_.entry][row]; }

  void remove_dead_scc() {
    for (RowBlock& block : plan_.blocks) {
      Rows live = after(block);
      read_test(block, live);
      for (std::size_t i = block.ops.size(); i-- > 0;) {
        RowOp& op = block.ops[i];
        if (op.writes_scc && !live[plan_.scc]) op.writes_scc = false;
        step_back(op, live);
      }
    }
  }

  void remove_masks() {
    Rows seen(plan_.rows);
    for (const Rows& rows : live_) {
      for (std::size_t i = 0; i < seen.size(); ++i) seen[i] = seen[i] || rows[i];
    }
    for (std::size_t i = 0; i < seen.size(); ++i) seen[i] = seen[i] || at_end_[i];
    for (RowBlock& block : plan_.blocks) {
      for (RowOp& op : block.ops) {
        const bool exec = op.kind == RowOp::Kind::row_loop && isa::info(op.insn).writes_any(isa::effect::exec);
        bool matters = (op.writes_scc && seen[plan_.scc]) || op.may_leave;
        for_each_written(op, [&](Row row) { matters = matters || seen[row]; });
        if (exec) matters = matters || seen[plan_.exec[0]] || seen[plan_.exec[1]];
        op.is_masked = matters;
      }
    }
  }

 private:
  template <class Visit>
  static void for_each_written(const RowOp& op, const Visit& visit) {
    if (op.kind == RowOp::Kind::load) {
      for (const Row row : op.loaded) visit(row);
      return;
    }
    for (const Row row : op.sdst) {
      if (row != no_row) visit(row);
    }
  }

  void step_back(const RowOp& op, Rows& live) const {
    const auto read = [&live](const auto& rows) {
      for (const Row row : rows) {
        if (row != no_row) live[row] = true;
      }
    };
    if (op.kind == RowOp::Kind::load) {
      // A state that leaves still needs its rows.
      read(op.base);
      read(std::array{op.ssrc1[0]});
      return;
    }
    const isa::InstructionInfo& info = isa::info(op.insn);
    if (op.writes_scc) live[plan_.scc] = false;
    // The destination is also read if it keeps its value or a part of it.
    if (info.writes_if_scc || info.dwords_read(isa::Field::sdst) != 0)
      read(op.sdst);
    else
      for_each_written(op, [&](Row row) { live[row] = false; });
    if (info.writes_any(isa::effect::exec)) live[plan_.exec[0]] = live[plan_.exec[1]] = false;
    read_sources(op, live);
  }

  void read_sources(const RowOp& op, Rows& live) const {
    const isa::InstructionInfo& info = isa::info(op.insn);
    for (const auto* const rows : {&op.ssrc0, &op.ssrc1}) {
      for (const Row row : *rows) {
        if (row != no_row) live[row] = true;
      }
    }
    if (info.reads_any(isa::effect::scc)) live[plan_.scc] = true;
    if (info.reads_any(isa::effect::exec)) live[plan_.exec[0]] = live[plan_.exec[1]] = true;
    if (info.reads_any(isa::effect::vcc)) live[plan_.vcc[0]] = live[plan_.vcc[1]] = true;
  }

  void read_test(const RowBlock& block, Rows& live) const {
    if (block.exit == RowBlock::Exit::branch) read_sources(block.test, live);
  }

  [[nodiscard]] Rows after(const RowBlock& block) const {
    if (block.exit == RowBlock::Exit::end) return at_end_;
    Rows live(plan_.rows);
    block.for_each_successor([&](u32 next) {
      for (std::size_t i = 0; i < live.size(); ++i) live[i] = live[i] || live_[next][i];
    });
    return live;
  }

  void settle() {
    for (bool changes = true; changes;) {
      changes = false;
      for (std::size_t i = plan_.blocks.size(); i-- > 0;) {
        const RowBlock& block = plan_.blocks[i];
        Rows live = after(block);
        read_test(block, live);
        for (std::size_t op = block.ops.size(); op-- > 0;) step_back(block.ops[op], live);
        if (live == live_[i]) continue;
        live_[i] = std::move(live);
        changes = true;
      }
    }
  }

  Plan& plan_;
  Rows at_end_;
  std::vector<Rows> live_;  ///< before each block
};

}  // namespace

void remove_what_nothing_reads(Plan& plan) {
  Liveness(plan).remove_dead_scc();
  // SCC is not kept between blocks either if it is not written.
  Liveness liveness(plan);
  liveness.remove_masks();
  std::erase_if(plan.initial, [&](const Plan::Value& value) { return !liveness.is_live_at_entry(value.row); });
}

}  // namespace salu::batch
