#include <algorithm>
#include <utility>
#include <vector>

#include "batch/liveness.hpp"

namespace salu::batch {
namespace {

std::vector<u32> successors(const RowBlock& block) {
  std::vector<u32> result;
  block.for_each_successor([&](u32 next) { result.push_back(next); });
  return result;
}

/// For each block, the blocks that are reachable from it.
std::vector<std::vector<bool>> reached_from(const std::vector<RowBlock>& blocks) {
  std::vector<std::vector<bool>> result(blocks.size(), std::vector<bool>(blocks.size()));
  for (std::size_t from = 0; from < blocks.size(); ++from) {
    std::vector<u32> open = successors(blocks[from]);
    while (!open.empty()) {
      const u32 block = open.back();
      open.pop_back();
      if (result[from][block]) continue;
      result[from][block] = true;
      for (const u32 next : successors(blocks[block])) open.push_back(next);
    }
  }
  return result;
}

}  // namespace

void order_blocks(Plan& plan) {
  std::vector<RowBlock>& blocks = plan.blocks;
  const std::vector<std::vector<bool>> reached = reached_from(blocks);
  // Successors outside of a loop are visited first, so that they get greater numbers than the loop.
  const auto ways_of = [&](u32 block) {
    std::vector<u32> ways = successors(blocks[block]);
    std::ranges::stable_partition(ways, [&](u32 way) { return !reached[way][block]; });
    return ways;
  };
  struct Visit {
    u32 block;
    std::vector<u32> ways;
    std::size_t next_way = 0;
  };
  std::vector<u32> finished;
  std::vector<bool> seen(blocks.size());
  std::vector<Visit> open;
  seen[plan.entry] = true;
  open.push_back({plan.entry, ways_of(plan.entry)});
  while (!open.empty()) {
    Visit& visit = open.back();
    if (visit.next_way == visit.ways.size()) {
      finished.push_back(visit.block);
      open.pop_back();
      continue;
    }
    const u32 way = visit.ways[visit.next_way++];
    if (seen[way]) continue;
    seen[way] = true;
    open.push_back({way, ways_of(way)});
  }
  std::ranges::reverse(finished);
  std::vector<u32> number(blocks.size());
  for (u32 i = 0; i < finished.size(); ++i) number[finished[i]] = i;
  std::vector<RowBlock> ordered;
  ordered.reserve(finished.size());
  for (const u32 block : finished) {
    RowBlock& moved = ordered.emplace_back(std::move(blocks[block]));
    moved.next = number[moved.next];
    moved.taken = number[moved.taken];
  }
  blocks = std::move(ordered);
  plan.entry = number[plan.entry];
}

}  // namespace salu::batch
