#include "observe/why/control_flow.hpp"

#include <algorithm>

#include "isa/control_flow.hpp"

namespace salu::observe {
namespace {

/// Code that is longer is not looked at.
constexpr std::size_t most_dwords_of_code = 50'000;

}  // namespace

ControlFlow::ControlFlow(const core::Machine& machine) {
  const Program& program = machine.code().program();
  std::vector<u64> addresses;
  std::size_t dwords = 0;
  for (const CodeBlock& block : program.code) dwords += block.words.size();
  if (dwords > most_dwords_of_code) return;
  for (const CodeBlock& block : program.code) {
    const u64 end = block.base + block.words.size() * 4;
    for (u64 address = block.base; address < end;) {
      numbers_.emplace(address, static_cast<u32>(addresses.size()));
      addresses.push_back(address);
      address += std::max<u64>(machine.code().instruction_at(address)->dwords, 1) * 4;
    }
  }
  nodes_.resize(addresses.size());
  // What a join may go on with: either side of any fork.
  std::vector<u32> popped;
  for (const u64 address : addresses) {
    const isa::Instruction instruction = *machine.code().instruction_at(address);
    if (isa::flow_of(instruction) != isa::Flow::fork) continue;
    const u64 behind = address + u64{instruction.dwords} * 4;
    const u64 target = behind + static_cast<u64>(isa::branch_distance_bytes(instruction).value_or(0));
    for (const u64 way : {behind, target}) {
      if (numbers_.contains(way)) popped.push_back(numbers_.at(way));
    }
  }
  for (u32 i = 0; i < addresses.size(); ++i) add_ways(machine, i, addresses[i], popped);
  for (u32 i = 0; i < nodes_.size(); ++i) {
    for (const u32 way : nodes_[i].next) nodes_[way].before.push_back(i);
  }
}

void ControlFlow::add_ways(const core::Machine& machine, u32 number, u64 address, const std::vector<u32>& popped) {
  const isa::Instruction instruction = *machine.code().instruction_at(address);
  Node& node = nodes_[number];
  const auto add = [&](u64 way) {
    const auto found = numbers_.find(way);
    if (found == numbers_.end())
      node.leads_out = true;
    else
      node.next.push_back(found->second);
  };
  const u64 behind = address + u64{instruction.dwords} * 4;
  const isa::Flow flow = isa::flow_of(instruction);
  const auto distance = isa::branch_distance_bytes(instruction);
  // A call comes back, whatever it does there.
  if (distance && flow != isa::Flow::call) add(behind + static_cast<u64>(*distance));
  if (!isa::never_falls_through(instruction)) add(behind);
  if (flow == isa::Flow::join) node.next.insert(node.next.end(), popped.begin(), popped.end());
  node.leads_out = node.leads_out || (isa::never_falls_through(instruction) && !distance) || flow == isa::Flow::end_if;
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
