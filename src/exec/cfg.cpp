#include "exec/cfg.hpp"

#include <algorithm>
#include <vector>

namespace salu::exec {

CfgNode CfgNode::at(Generation generation, u64 address, std::span<const u32> words) {
  CfgNode node{.address = address};
  if (words.empty()) return node;
  node.instruction = isa::decode(generation, words);
  const isa::EncodingClass encoding = node.instruction.encoding;
  node.is_instruction = encoding == isa::EncodingClass::scalar || encoding == isa::EncodingClass::vector;
  node.flow = isa::flow_of(node.instruction);
  node.next = (address + u64{node.instruction.dwords} * 4) & pc_mask(generation);
  node.falls_through = node.is_instruction && !isa::never_falls_through(node.instruction);
  if (const auto target = isa::branch_target(node.instruction, address)) node.target = *target & pc_mask(generation);
  return node;
}

bool CfgNode::has_computed_target() const {
  switch (flow) {
    case isa::Flow::jump:
    case isa::Flow::fork:
    case isa::Flow::join:
    case isa::Flow::trap:
    case isa::Flow::return_from_trap:
      return true;
    case isa::Flow::call:
      return !target;
    default:
      return false;
  }
}

std::optional<CfgNode> Cfg::add_node(u64 address, const Visit& visit) {
  const std::span<const u32> words = find_words_(address);
  CfgNode node = CfgNode::at(generation_, address, words);
  if (!visit(node)) return std::nullopt;
  if (words.empty()) return node;
  nodes_.emplace(address, node);
  if (node.flow == isa::Flow::fork) {
    if (node.target) fork_ways_.insert(*node.target);
    if (node.falls_through) fork_ways_.insert(node.next);
  }
  return node;
}

bool Cfg::add(u64 entry, const Visit& visit) {
  std::vector<u64> open = {entry};
  while (!open.empty()) {
    const u64 address = open.back();
    open.pop_back();
    if (nodes_.contains(address)) continue;
    const std::optional<CfgNode> node = add_node(address, visit);
    if (!node) return false;
    if (node->falls_through) open.push_back(node->next);
    if (node->target) open.push_back(*node->target);
  }
  return true;
}

void Cfg::add_block(u64 base, const Visit& visit) {
  for (u64 left = find_words_(base).size(), address = base; left != 0;) {
    const std::optional<CfgNode> node = add_node(address, visit);
    if (!node) return;
    const u64 dwords = std::clamp<u64>(node->instruction.dwords, 1, left);
    address += dwords * 4;
    left -= dwords;
  }
}

const CfgNode* Cfg::find(u64 address) const {
  const auto found = nodes_.find(address);
  return found == nodes_.end() ? nullptr : &found->second;
}

}  // namespace salu::exec
