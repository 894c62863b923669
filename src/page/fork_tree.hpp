#pragma once

#include <salu/integer.hpp>

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "observe/open_forks.hpp"

namespace salu::page {

/// A side of a fork that split.
struct ForkSide {
  bool passes = false;  ///< the lanes whose mask bit is 1
  u64 mask = 0;         ///< EXEC on the way into it; of the last time
  u64 pc = 0;           ///< where it starts
  u64 first_step = 0;   ///< of the first time; 0: it never ran
  u64 last_step = 0;    ///< the last one on it
  u64 steps = 0;        ///< on it, without those on what is forked from it
};

/// A fork that split: the side that runs first, and the one that the control stack keeps.
struct Fork {
  std::optional<std::size_t> parent;  ///< the fork that this one is nested in
  u32 parent_side = 0;                ///< and the side of it: 0 the first, 1 the second
  u64 pc = 0;
  u64 step = 0;                ///< of the first time
  u64 count = 0;               ///< how often; more than 1 in a merged tree alone
  u32 entry = 0;               ///< CSP before it
  std::optional<u64> join_pc;  ///< the S_CBRANCH_JOIN that popped its entry
  std::array<ForkSide, 2> sides;
};

/// What does not fit together: a pop of what no fork pushed, an entry that changed on the stack.
struct ForkRemark {
  u64 step = 0;
  u64 pc = 0;
  std::string text;
};

/// Which lanes went which way: the forks that split, each below the side of another on which it ran.
///
/// Merged, forks at the same address below the same side are one, and one inside itself, as in a loop, is the same:
/// the tree is then as large as the code, however long the run.
class ForkTree {
 public:
  ForkTree(bool merged, std::size_t most_forks) : merged_(merged), most_forks_(most_forks) {}

  /// A fork that pushed `{pending_mask, pending_pc}`. `passes`: whether the side that runs first is the passing one.
  void split(const StackStep& step, bool passes, u64 pending_pc);
  /// A fork all of whose lanes went one way.
  void pass_whole(const StackStep& step) { open_.pass_whole(step); }
  /// A join that popped.
  void pop(const StackStep& step);
  /// A join that went on.
  void go_on(const StackStep& step);
  /// Every step, before one of the calls above: it counts for the side on which it was issued.
  void count(u64 step);

  [[nodiscard]] std::span<const Fork> forks() const { return forks_; }
  [[nodiscard]] std::span<const ForkRemark> remarks() const { return remarks_; }
  [[nodiscard]] bool merged() const { return merged_; }
  /// Forks that were left out because there were too many.
  [[nodiscard]] u64 left_out() const { return left_out_; }

 private:
  static constexpr std::size_t most_remarks = 50;

  std::optional<std::size_t> find_fork(const StackStep& step);
  void enter(std::size_t fork, u32 side, const StackStep& step, bool passes, u64 mask, u64 pc);
  void remark(const StackStep& step, std::string text);

  bool merged_;
  std::size_t most_forks_;
  std::vector<Fork> forks_;
  observe::OpenForks open_;
  std::vector<ForkRemark> remarks_;
  u64 left_out_ = 0;
};

}  // namespace salu::page
