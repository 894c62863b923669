#include "observe/why/control_flow.hpp"

#include <algorithm>

#include "exec/cfg.hpp"

namespace salu::observe {
namespace {

/// Limit for the size of analysed code.
constexpr std::size_t most_dwords_of_code = 50'000;

}  // namespace

ControlFlow::ControlFlow(const core::Machine& machine) {
  const Program& program = machine.code().program();
  std::size_t dwords = 0;
  for (const CodeBlock& block : program.code) dwords += block.words.size();
  if (dwords > most_dwords_of_code) return;
  exec::Cfg cfg(machine.generation(), [&machine](u64 address) { return machine.code().words_at(address); });
  for (const CodeBlock& block : program.code) {
    cfg.add_block(block.base, [](exec::CfgNode& node) {
      // A call is assumed to return.
      if (node.flow == isa::Flow::call) node.target.reset();
      return true;
    });
  }
  nodes_.resize(cfg.nodes().size());
  for (const auto& [address, node] : cfg.nodes()) numbers_.emplace(address, static_cast<u32>(numbers_.size()));
  for (const auto& [address, from] : cfg.nodes()) {
    const u32 number = numbers_.at(address);
    Node& node = nodes_[number];
    node.leads_out = (!from.falls_through && !from.target) || from.flow == isa::Flow::end_if;
    cfg.for_each_successor(from, [&](u64 way) {
      const auto found = numbers_.find(way);
      if (found == numbers_.end()) {
        node.leads_out = true;
        return;
      }
      node.next.push_back(found->second);
      nodes_[found->second].before.push_back(number);
    });
  }
}

const std::vector<bool>& ControlFlow::avoiding(u32 target) {
  const auto [place, is_new] = avoiding_.try_emplace(target);
  std::vector<bool>& result = place->second;
  if (!is_new) return result;
  result.resize(nodes_.size());
  std::vector<u32> open;
  const auto reach = [&](u32 node) {
    if (node == target || result[node]) return;
    result[node] = true;
    open.push_back(node);
  };
  for (u32 i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].leads_out) reach(i);
  }
  while (!open.empty()) {
    const u32 node = open.back();
    open.pop_back();
    for (const u32 before : nodes_[node].before) reach(before);
  }
  return result;
}

bool ControlFlow::decides(u64 decision, u64 target) {
  const auto from = numbers_.find(decision);
  const auto to = numbers_.find(target);
  if (from == numbers_.end() || to == numbers_.end() || nodes_[from->second].next.size() < 2) return false;
  const std::vector<bool>& avoids = avoiding(to->second);
  const std::vector<u32>& ways = nodes_[from->second].next;
  const auto may_miss = [&](u32 way) { return avoids[way]; };
  return std::ranges::any_of(ways, may_miss) && !std::ranges::all_of(ways, may_miss);
}

}  // namespace salu::observe
