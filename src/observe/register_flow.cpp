#include "observe/register_flow.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core/program_words.hpp"
#include "core/vector/allocated.hpp"
#include "exec/cfg.hpp"

namespace salu::observe {
namespace {

/// A reachable instruction, or a place where the run ends.
struct FlowNode {
  StaticAccesses accesses;
  bool ends = false;          ///< the run may end here with a regular end
  bool has_full_exec = true;  ///< EXEC is all ones on every path to this instruction
  WaveRegisters live;         ///< before the instruction
};

class FlowWalk {
 public:
  FlowWalk(const Program& program, const WaveState& initial, OnVector on_vector, const WaveRegisters& live_at_end)
      : program_(program),
        initial_(initial),
        on_vector_(on_vector),
        live_at_end_(live_at_end),
        context_{program.generation(),
                 initial.sgprs,
                 initial.vgprs,
                 initial.agprs,
                 changes_mode(mode_layout(program.generation()).gpr_idx_en, isa::effect::gpr_idx_en),
                 changes_mode(mode_layout(program.generation()).vskip, isa::effect::vskip)},
        wave_(program),
        cfg_(program.generation(), [this](u64 address) { return is_end(address) ? Words() : words_at(address); }) {
    wave_.load(initial);
  }

  RegisterFlow run() {
    // A trap handler can be entered anywhere, and pending forks at the start can continue anywhere.
    flow_.is_exact = program_.find_block(initial_.tba) == nullptr && initial_.csp() == 0;
    if (flow_.is_exact) visit_from(initial_.pc);
    if (flow_.is_exact) {
      sum_up();
      find_full_exec();
      find_live();
    } else {
      visit_everything();
    }
    return flow_;
  }

 private:
  using Words = std::span<const u32>;

  // ---- reachable instructions ----

  [[nodiscard]] Words words_at(u64 address) const { return core::words_at(program_, address); }

  /// True if the field of MODE is set at the start, or an instruction anywhere in the code may set it.
  [[nodiscard]] bool changes_mode(BitField field, isa::EffectSet effect) const {
    if (field.of(initial_.mode) != 0) return true;
    for (const CodeBlock& block : program_.code) {
      for (std::size_t i = 0; i < block.words.size(); ++i) {
        const isa::Instruction instruction = isa::decode(program_.generation(), std::span(block.words).subspan(i));
        if (instruction.encoding != isa::EncodingClass::scalar) continue;
        if (isa::info(instruction.insn).writes_any(effect | isa::effect::hwreg)) return true;
      }
    }
    return false;
  }

  [[nodiscard]] bool is_end(u64 address) const {
    return program_.function_end == address || program_.return_address == address ||
           (program_.kernel_end && program_.kernel_end->address == address);
  }

  void visit_from(u64 entry) {
    entry_ = entry & pc_mask(program_.generation());
    flow_.is_exact = cfg_.add(entry_, [this](exec::CfgNode& node) { return visit(node); });
  }

  /// False if the control flow is unknown.
  bool visit(exec::CfgNode& node) {
    using isa::Flow;
    FlowNode& here = nodes_[node.address];
    const Words words = words_at(node.address);
    if (is_end(node.address)) here.ends = true;
    // A fault also ends the run, but such a run is not compared.
    if (here.ends || words.empty()) return true;
    here.accesses = accesses_of(node.address, node.instruction, words);
    if (const Assumption* assumed = program_.find_assumption(node.address); assumed != nullptr && !assumed->is_reply) {
      node.flow = Flow::next;
      node.falls_through = true;
      node.target.reset();
      return true;
    }
    // A scenario may expect the stop at a vector instruction.
    if (node.instruction.encoding == isa::EncodingClass::vector) here.ends = on_vector_ != OnVector::run;
    switch (node.flow) {
      case Flow::end:
      case Flow::end_if:
        here.ends = true;
        return true;
      case Flow::jump:
        here.ends = true;
        returns_.insert(node.instruction.ssrc0);
        return true;
      case Flow::fork:
        return node.target.has_value();
      case Flow::call:
      case Flow::return_from_trap:
        return false;
      default:
        // A trap without code at TBA stops the run or does nothing.
        return true;
    }
  }

  StaticAccesses accesses_of(u64 address, const isa::Instruction& instruction, std::span<const u32> words) const {
    if (const Assumption* assumed = program_.find_assumption(address)) return static_accesses(*assumed);
    if (instruction.encoding != isa::EncodingClass::vector) return static_accesses(context_, instruction);
    if (on_vector_ != OnVector::run) return {};
    const auto decoded = core::decode_allocated(wave_, words);
    return decoded ? static_accesses(context_, *decoded) : StaticAccesses();
  }

  // ---- summary ----

  void sum_up() {
    for (const auto& [address, node] : nodes_) add(node.accesses);
    // A jump through the registers of the return address is a return unless an instruction writes them.
    constexpr u32 return_register = 30;
    for (const u32 code : returns_) {
      const bool is_return = code == return_register && program_.return_address &&
                             initial_.read64(code) == *program_.return_address && !flow_.writes.scalars.test(code) &&
                             !flow_.writes.scalars.test(code + 1);
      flow_.is_exact = flow_.is_exact && is_return;
    }
    if (!flow_.is_exact) visit_everything();
  }

  void add(const StaticAccesses& accesses) {
    flow_.reads |= accesses.reads;
    flow_.writes |= accesses.writes;
    flow_.writes_memory = flow_.writes_memory || accesses.writes_memory;
  }

  /// Treats every dword of the code as the start of an instruction.
  void visit_everything() {
    for (const CodeBlock& block : program_.code) {
      for (std::size_t i = 0; i < block.words.size(); ++i) {
        const std::span<const u32> words = std::span(block.words).subspan(i);
        add(accesses_of(block.base + i * 4, isa::decode(program_.generation(), words), words));
      }
    }
    flow_.live = flow_.reads;
    flow_.live |= live_at_end_;
  }

  // ---- fixed points ----

  /// Calls `visit(node)` for the possible successors of an instruction.
  template <class Visit>
  void for_successors(u64 address, const Visit& visit) {
    if (const exec::CfgNode* const node = cfg_.find(address))
      cfg_.for_each_successor(*node, [&](u64 next) { visit(next, nodes_.at(next)); });
  }

  [[nodiscard]] bool sets_full_exec(u64 address) const {
    const std::span<const u32> words = words_at(address);
    if (words.empty()) return false;
    const isa::Instruction instruction = isa::decode(program_.generation(), words);
    constexpr u8 minus_one = 193;
    return instruction.encoding == isa::EncodingClass::scalar && instruction.ssrc0 == minus_one &&
           (isa::info(instruction.insn).exec_by_ones == 0b11 ||
            (instruction.insn == isa::Insn::s_mov_b64 &&
             instruction.sdst == operand_codes(program_.generation()).exec));
  }

  void find_full_exec() {
    const u64 all_lanes = lane_mask(initial_.wave_size);
    std::vector<u64> open;
    const auto clear = [&](u64 address, FlowNode& node) {
      if (!node.has_full_exec) return;
      node.has_full_exec = false;
      open.push_back(address);
    };
    if ((initial_.exec() & all_lanes) != all_lanes) clear(entry_, nodes_.at(entry_));
    const auto writes_exec = [](const FlowNode& node) {
      return node.accesses.writes.scalars.test(state_index::exec) ||
             node.accesses.writes.scalars.test(state_index::exec + 1);
    };
    for (auto& [address, node] : nodes_) {
      if (writes_exec(node) && !sets_full_exec(address)) for_successors(address, clear);
    }
    while (!open.empty()) {
      const u64 address = open.back();
      open.pop_back();
      if (!sets_full_exec(address)) for_successors(address, clear);
    }
  }

  void find_live() {
    std::map<u64, std::vector<u64>> predecessors;
    for (const auto& [address, node] : nodes_)
      for_successors(address, [&, from = address](u64 next, const FlowNode&) { predecessors[next].push_back(from); });
    std::vector<u64> open;
    for (const auto& [address, node] : nodes_) open.push_back(address);
    while (!open.empty()) {
      const u64 address = open.back();
      open.pop_back();
      FlowNode& node = nodes_.at(address);
      WaveRegisters live = node.ends ? live_at_end_ : WaveRegisters();
      for_successors(address, [&](u64, const FlowNode& next) { live |= next.live; });
      WaveRegisters written = node.accesses.always;
      if (!node.has_full_exec) written.vectors.reset();
      live.remove(written) |= node.accesses.reads;
      if (live == node.live) continue;
      node.live = live;
      const std::vector<u64>& before = predecessors[address];
      open.insert(open.end(), before.begin(), before.end());
    }
    flow_.live = nodes_.at(entry_).live;
  }

  const Program& program_;
  const WaveState& initial_;
  OnVector on_vector_;
  const WaveRegisters& live_at_end_;
  StaticContext context_;
  core::Wave wave_;
  RegisterFlow flow_;
  u64 entry_ = 0;
  exec::Cfg cfg_;
  std::map<u64, FlowNode> nodes_;
  std::set<u32> returns_;  ///< registers that contain jump targets
};

}  // namespace

RegisterFlow find_register_flow(const Program& program, const WaveState& initial, OnVector on_vector,
                                const WaveRegisters& live_at_end) {
  return FlowWalk(program, initial, on_vector, live_at_end).run();
}

}  // namespace salu::observe
