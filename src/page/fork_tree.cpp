#include "page/fork_tree.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

namespace salu::page {

void ForkTree::remark(const StackStep& step, std::string text) {
  const auto same = [&](const ForkRemark& old) { return old.pc == step.pc && old.text == text; };
  if (remarks_.size() == most_remarks || std::ranges::any_of(remarks_, same)) return;
  remarks_.push_back({step.step, step.pc, std::move(text)});
}

/// Finds the fork for a step in a merged tree; creates one if none exists, or if the tree is not merged.
std::optional<std::size_t> ForkTree::find_fork(const StackStep& step) {
  Fork fork;
  for (const observe::OpenFork& open : std::views::reverse(open_.all())) {
    if (!open.number) continue;
    if (merged_ && forks_[*open.number].pc == step.pc) return open.number;
    if (fork.parent) continue;
    fork.parent = open.number;
    fork.parent_side = open.second ? 1 : 0;
    if (!merged_) break;
  }
  if (merged_) {
    const auto same = std::ranges::find_if(forks_, [&](const Fork& other) {
      return other.pc == step.pc && other.parent == fork.parent && other.parent_side == fork.parent_side;
    });
    if (same != forks_.end()) return static_cast<std::size_t>(same - forks_.begin());
  }
  if (forks_.size() == most_forks_) return std::nullopt;
  fork.pc = step.pc;
  fork.step = step.step;
  fork.entry = step.csp_before;
  forks_.push_back(fork);
  return forks_.size() - 1;
}

void ForkTree::enter(std::size_t fork, u32 side, const StackStep& step, bool passes, u64 mask, u64 pc) {
  ForkSide& entered = forks_[fork].sides[side];
  entered.passes = passes;
  entered.mask = mask;
  entered.pc = pc;
  if (entered.first_step == 0) entered.first_step = step.step + 1;
  entered.last_step = step.step;
}

void ForkTree::split(const StackStep& step, bool passes, u64 pending_pc) {
  const std::optional<std::size_t> fork = find_fork(step);
  const u64 pending_mask = step.exec_before & ~step.exec_after;
  if (fork) {
    ++forks_[*fork].count;
    enter(*fork, 0, step, passes, step.exec_after, step.next_pc);
    ForkSide& pending = forks_[*fork].sides[1];
    pending.passes = !passes;
    pending.mask = pending_mask;
    pending.pc = pending_pc;
  } else {
    ++left_out_;
  }
  open_.push(step, pending_pc, fork);
}

void ForkTree::pop(const StackStep& step) {
  const observe::OpenFork* const open = open_.pop(step);
  std::string problem = observe::pop_problem(open, step);
  if (!problem.empty()) remark(step, std::move(problem));
  if (open == nullptr || !open->number) return;
  Fork& fork = forks_[*open->number];
  fork.join_pc = step.pc;
  enter(*open->number, 1, step, fork.sides[1].passes, step.exec_after, step.next_pc);
}

void ForkTree::go_on(const StackStep& step) { (void)open_.go_on(step); }

void ForkTree::count(u64 step) {
  const auto open = std::ranges::find_if(std::views::reverse(open_.all()),
                                         [](const observe::OpenFork& fork) { return fork.number.has_value(); });
  if (open == open_.all().rend()) return;
  ForkSide& side = forks_[*open->number].sides[open->second ? 1 : 0];
  ++side.steps;
  side.last_step = step;
}

}  // namespace salu::page
