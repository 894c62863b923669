#include "picture/fork_tree.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include "core/text.hpp"

namespace salu::picture {

void ForkTree::remark(const StackStep& step, std::string text) {
  const auto same = [&](const ForkRemark& old) { return old.pc == step.pc && old.text == text; };
  if (remarks_.size() == most_remarks || std::ranges::any_of(remarks_, same)) return;
  remarks_.push_back({step.step, step.pc, std::move(text)});
}

/// The fork of a merged tree that stands for one at this address; a new one where there is none, or each is its own.
std::optional<std::size_t> ForkTree::find_fork(const StackStep& step) {
  Fork fork;
  for (const Frame& frame : std::views::reverse(frames_)) {
    if (!frame.fork) continue;
    if (merged_ && forks_[*frame.fork].pc == step.pc) return frame.fork;
    if (fork.parent) continue;
    fork.parent = frame.fork;
    fork.parent_side = frame.second ? 1 : 0;
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
  // Where forks never come to an end there is no structure to follow; the oldest is forgotten.
  if (frames_.size() == most_frames) frames_.erase(frames_.begin());
  frames_.push_back({fork, step.csp_before, false, pending_mask, pending_pc, std::nullopt});
}

void ForkTree::pop(const StackStep& step) {
  const auto found = std::ranges::find_if(frames_.rbegin(), frames_.rend(), [&](const Frame& frame) {
    return !frame.second && frame.entry == step.csp_after;
  });
  const std::string entry = std::to_string(step.csp_after);
  if (found == frames_.rend())
    return remark(step, "the join pops entry " + entry + ", which no fork of this run pushed");
  frames_.erase(found.base(), frames_.end());
  Frame& frame = frames_.back();
  frame.second = true;
  frame.join_pc = step.pc;
  if (step.exec_after != frame.pending_mask || step.next_pc != frame.pending_pc) {
    remark(step, "entry " + entry +
                     " is not what the fork pushed: it pushed exec=" + core::hex(frame.pending_mask, 16) +
                     ", pc=" + core::hex(frame.pending_pc) + "; its SGPRs were overwritten since");
  }
  if (!frame.fork) return;
  Fork& fork = forks_[*frame.fork];
  fork.join_pc = step.pc;
  enter(*frame.fork, 1, step, fork.sides[1].passes, step.exec_after, step.next_pc);
}

void ForkTree::go_on(const StackStep& step) {
  const auto ends = [&](const Frame& frame) {
    return frame.second && frame.entry == step.csp_after && frame.join_pc == step.pc;
  };
  // Lanes that left a loop one after the other have forks inside forks, which all end here.
  const auto innermost = std::ranges::find_if(frames_.rbegin(), frames_.rend(), ends);
  if (innermost == frames_.rend()) return;
  const auto outermost = std::find_if_not(innermost, frames_.rend(), ends);
  frames_.erase(outermost.base(), frames_.end());
}

void ForkTree::count(u64 step) {
  const auto frame =
      std::ranges::find_if(frames_.rbegin(), frames_.rend(), [](const Frame& f) { return f.fork.has_value(); });
  if (frame == frames_.rend()) return;
  ForkSide& side = forks_[*frame->fork].sides[frame->second ? 1 : 0];
  ++side.steps;
  side.last_step = step;
}

}  // namespace salu::picture
