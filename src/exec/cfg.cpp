#include "exec/cfg.hpp"

#include "isa/control_flow.hpp"

namespace salu::exec {

CfgNode CfgNode::at(Generation generation, u64 address, std::span<const u32> words) {
  CfgNode node{.address = address};
  if (words.empty()) return node;
  node.instruction = isa::decode(generation, words);
  const isa::EncodingClass encoding = node.instruction.encoding;
  node.is_instruction = encoding == isa::EncodingClass::scalar || encoding == isa::EncodingClass::vector;
  node.next = (address + u64{node.instruction.dwords} * 4) & pc_mask(generation);
  node.falls_through = node.is_instruction && !isa::never_falls_through(node.instruction);
  if (const auto distance = isa::branch_distance_bytes(node.instruction))
    node.target = (node.next + static_cast<u64>(*distance)) & pc_mask(generation);
  return node;
}

std::vector<const CfgNode*> Cfg::add(u64 entry) {
  std::vector<const CfgNode*> added;
  std::vector<u64> open = {entry};
  while (!open.empty()) {
    const u64 address = open.back();
    open.pop_back();
    if (nodes_.contains(address)) continue;
    const std::span<const u32> words = find_words_(address);
    if (words.empty()) continue;
    const CfgNode node = CfgNode::at(generation_, address, words);
    added.push_back(&nodes_.emplace(address, node).first->second);
    if (node.falls_through) open.push_back(node.next);
    if (node.target) open.push_back(*node.target);
  }
  return added;
}

const CfgNode* Cfg::find(u64 address) const {
  const auto found = nodes_.find(address);
  return found == nodes_.end() ? nullptr : &found->second;
}

}  // namespace salu::exec
