#include "observe/open_forks.hpp"

#include <algorithm>
#include <iterator>

#include "support/numbers.hpp"

namespace salu::observe {

void OpenForks::push(const StackStep& step, u64 pending_pc, std::optional<std::size_t> number) {
  if (forks_.size() == most) forks_.erase(forks_.begin());
  forks_.push_back(
      {number, step.step, step.csp_before, false, step.exec_before & ~step.exec_after, pending_pc, std::nullopt, 0});
}

OpenFork* OpenForks::find_second(u32 csp) {
  const auto found = std::find_if(forks_.rbegin(), forks_.rend(),
                                  [&](const OpenFork& fork) { return fork.second && fork.entry == csp; });
  return found == forks_.rend() ? nullptr : &*found;
}

void OpenForks::pass_whole(const StackStep& step) {
  if (OpenFork* const around = find_second(step.csp_before)) ++around->whole;
}

const OpenFork* OpenForks::pop(const StackStep& step) {
  const auto found = std::find_if(forks_.rbegin(), forks_.rend(),
                                  [&](const OpenFork& fork) { return !fork.second && fork.entry == step.csp_after; });
  if (found == forks_.rend()) return nullptr;
  forks_.erase(found.base(), forks_.end());
  forks_.back().second = true;
  forks_.back().join_pc = step.pc;
  return &forks_.back();
}

std::vector<OpenFork> OpenForks::go_on(const StackStep& step) {
  const auto ends = [&](const OpenFork& fork) {
    return fork.second && fork.entry == step.csp_after && fork.join_pc == step.pc;
  };
  const auto innermost = std::find_if(forks_.rbegin(), forks_.rend(), ends);
  if (innermost == forks_.rend()) {
    OpenFork* const around = find_second(step.csp_after);
    if (around == nullptr) return {};
    if (around->whole != 0) {
      --around->whole;
      return {};
    }
    const std::vector<OpenFork> ended = {*around};
    forks_.erase(forks_.begin() + (around - forks_.data()), forks_.end());
    return ended;
  }
  const auto outermost = std::find_if_not(innermost, forks_.rend(), ends);
  std::vector<OpenFork> ended(innermost, outermost);
  forks_.erase(outermost.base(), forks_.end());
  return ended;
}

std::string pop_problem(const OpenFork* fork, const StackStep& step) {
  const std::string entry = "entry " + std::to_string(step.csp_after);
  if (fork == nullptr) return "the join pops " + entry + ", which no fork of this run pushed";
  if (step.exec_after == fork->pending_mask && step.next_pc == fork->pending_pc) return {};
  return entry + " is not what the fork pushed: it pushed exec=" + support::hex(fork->pending_mask, 16) +
         ", pc=" + support::hex(fork->pending_pc) + "; its SGPRs were overwritten since";
}

}  // namespace salu::observe
