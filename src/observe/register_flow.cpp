#include "observe/register_flow.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core/vector/allocated.hpp"
#include "isa/control_flow.hpp"

namespace salu::observe {
namespace {

/// An instruction on the walk.
struct FlowNode {
  StaticAccesses accesses;
  std::vector<u64> successors;
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
                 changes_mode(mode_bit::gpr_idx_en),
                 changes_mode(mode_bit::vskip)},
        wave_(program) {
    wave_.load(initial);
  }

  RegisterFlow run() {
    // A trap handler may be entered anywhere, and forks that are pending at the start may lead anywhere.
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
  // ---- reachable instructions ----

  [[nodiscard]] std::span<const u32> words_at(u64 address) const {
    const CodeBlock* const block = address % 4 == 0 ? program_.find_block(address) : nullptr;
    if (block == nullptr) return {};
    return std::span(block->words).subspan(static_cast<std::size_t>((address - block->base) / 4));
  }

  /// True if the mode bit is set at the start, or an instruction anywhere in the code may set it.
  [[nodiscard]] bool changes_mode(u32 bit) const {
    if ((initial_.mode >> bit & 1) != 0) return true;
    const isa::EffectSet effect = bit == mode_bit::vskip ? isa::effect::vskip : isa::effect::gpr_idx_en;
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
    std::vector<u64> open = {entry & pc_mask(program_.generation())};
    entry_ = open.front();
    while (!open.empty() && flow_.is_exact) {
      const u64 address = open.back();
      open.pop_back();
      if (nodes_.contains(address)) continue;
      const std::size_t joins = fork_targets_.size();
      FlowNode& node = nodes_.emplace(address, make_node(address)).first->second;
      open.insert(open.end(), node.successors.begin(), node.successors.end());
      if (fork_targets_.size() != joins) open.insert(open.end(), fork_targets_.begin(), fork_targets_.end());
    }
  }

  FlowNode make_node(u64 address) {
    FlowNode node;
    const std::span<const u32> words = words_at(address);
    if (is_end(address)) node.ends = true;
    // A fault is an end as well, of a run that is not compared.
    if (node.ends || words.empty()) return node;
    const isa::Instruction instruction = isa::decode(program_.generation(), words);
    node.accesses = accesses_of(address, instruction, words);
    const u64 next = (address + u64{instruction.dwords} * 4) & pc_mask(program_.generation());
    if (const Assumption* assumed = program_.find_assumption(address); assumed != nullptr && !assumed->is_reply) {
      node.successors = {next};
      return node;
    }
    if (instruction.encoding == isa::EncodingClass::vector) {
      node.successors = {next};
      // A scenario may expect the stop at a vector instruction.
      node.ends = on_vector_ != OnVector::run;
    } else if (instruction.encoding == isa::EncodingClass::scalar) {
      add_successors(node, instruction, next);
    }
    return node;
  }

  StaticAccesses accesses_of(u64 address, const isa::Instruction& instruction, std::span<const u32> words) const {
    if (const Assumption* assumed = program_.find_assumption(address)) return static_accesses(*assumed);
    if (instruction.encoding != isa::EncodingClass::vector) return static_accesses(context_, instruction);
    if (on_vector_ != OnVector::run) return {};
    const auto decoded = core::decode_allocated(wave_, words);
    return decoded ? static_accesses(context_, *decoded) : StaticAccesses();
  }

  void add_successors(FlowNode& node, const isa::Instruction& instruction, u64 next) {
    using isa::Flow;
    const auto distance = isa::branch_distance_bytes(instruction);
    const u64 target = (next + static_cast<u64>(distance.value_or(0))) & pc_mask(program_.generation());
    switch (isa::flow_of(instruction)) {
      case Flow::end:
        node.ends = true;
        return;
      case Flow::end_if:
        node.ends = true;
        node.successors = {next};
        return;
      case Flow::branch:
        node.successors = {target};
        return;
      case Flow::branch_if:
        node.successors = {target, next};
        return;
      case Flow::fork:
        if (!distance) break;
        node.successors = {target, next};
        fork_targets_.insert({target, next});
        return;
      case Flow::join:
        node.successors = {next};
        joins_ = true;
        return;
      case Flow::jump:
        node.ends = true;
        returns_.insert(instruction.ssrc0);
        return;
      case Flow::trap:
        // Without code at TBA it stops the run, or does nothing.
        node.successors = {next};
        return;
      case Flow::next:
        node.successors = {next};
        return;
      case Flow::call:
      case Flow::return_from_trap:
        break;
    }
    flow_.is_exact = false;
  }

  // ---- sums ----

  void sum_up() {
    for (const auto& [address, node] : nodes_) add(node.accesses);
    // A jump through the registers of the return address is a return while nothing writes them.
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

  /// Takes every dword of the code for the start of an instruction.
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

  /// Calls `visit(node)` for the instructions that may come next.
  template <class Visit>
  void for_successors(const FlowNode& node, u64 address, const Visit& visit) {
    const auto at = [&](u64 next) { visit(next, nodes_.at(next)); };
    std::ranges::for_each(node.successors, at);
    if (is_join(address)) std::ranges::for_each(fork_targets_, at);
  }
  [[nodiscard]] bool is_join(u64 address) const {
    if (!joins_ || program_.find_assumption(address) != nullptr) return false;
    const std::span<const u32> words = words_at(address);
    return !words.empty() && isa::flow_of(isa::decode(program_.generation(), words)) == isa::Flow::join;
  }

  [[nodiscard]] bool sets_full_exec(u64 address) const {
    const std::span<const u32> words = words_at(address);
    if (words.empty()) return false;
    const isa::Instruction instruction = isa::decode(program_.generation(), words);
    constexpr u8 minus_one = 193;
    return instruction.encoding == isa::EncodingClass::scalar && instruction.ssrc0 == minus_one &&
           (isa::info(instruction.insn).exec_by_ones == 0b11 ||
            (instruction.insn == isa::Insn::s_mov_b64 && instruction.sdst == code::exec));
  }

  void find_full_exec() {
    constexpr u64 all_lanes = ~u64{0};
    std::vector<u64> open;
    const auto clear = [&](u64 address, FlowNode& node) {
      if (!node.has_full_exec) return;
      node.has_full_exec = false;
      open.push_back(address);
    };
    if (initial_.exec() != all_lanes) clear(entry_, nodes_.at(entry_));
    const auto writes_exec = [](const FlowNode& node) {
      return node.accesses.writes.scalars.test(code::exec) || node.accesses.writes.scalars.test(code::exec + 1);
    };
    for (auto& [address, node] : nodes_) {
      if (writes_exec(node) && !sets_full_exec(address)) for_successors(node, address, clear);
    }
    while (!open.empty()) {
      const u64 address = open.back();
      open.pop_back();
      if (!sets_full_exec(address)) for_successors(nodes_.at(address), address, clear);
    }
  }

  void find_live() {
    std::map<u64, std::vector<u64>> predecessors;
    for (auto& [address, node] : nodes_) {
      for_successors(node, address,
                     [&, from = address](u64 next, const FlowNode&) { predecessors[next].push_back(from); });
    }
    std::vector<u64> open;
    for (const auto& [address, node] : nodes_) open.push_back(address);
    while (!open.empty()) {
      const u64 address = open.back();
      open.pop_back();
      FlowNode& node = nodes_.at(address);
      WaveRegisters live = node.ends ? live_at_end_ : WaveRegisters();
      for_successors(node, address, [&](u64, const FlowNode& next) { live |= next.live; });
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
  std::map<u64, FlowNode> nodes_;
  std::set<u64> fork_targets_;
  std::set<u32> returns_;  ///< registers that jumps take their target from
  bool joins_ = false;
};

}  // namespace

RegisterFlow find_register_flow(const Program& program, const WaveState& initial, OnVector on_vector,
                                const WaveRegisters& live_at_end) {
  return FlowWalk(program, initial, on_vector, live_at_end).run();
}

}  // namespace salu::observe
