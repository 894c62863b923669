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
  u64 mask = 0;         ///< EXEC at its last entry
  u64 pc = 0;           ///< where it starts
  u64 first_step = 0;   ///< of the first time; 0: never executed
  u64 last_step = 0;    ///< the last step on it
  u64 steps = 0;        ///< without those of nested forks
};

/// A fork that split: the side that runs first, and the side that waits on the control stack.
struct Fork {
  std::optional<std::size_t> parent;  ///< the fork that this one is nested in
  u32 parent_side = 0;                ///< and its side
  u64 pc = 0;
  u64 step = 0;                ///< of the first time
  u64 count = 0;               ///< number of executions; more than 1 only in a merged tree
  u32 entry = 0;               ///< CSP before it
  std::optional<u64> join_pc;  ///< the S_CBRANCH_JOIN that popped its entry
  std::array<ForkSide, 2> sides;
};

/// An inconsistency: a pop without a fork, a changed entry of the stack.
struct ForkRemark {
  u64 step = 0;
  u64 pc = 0;
  std::string text;
};

/// The tree of forks that split, each below the side of another on which it ran. In a merged tree, forks at the same
/// address below the same side are one, also if nested as in a loop: the tree is then as large as the code, for runs of
/// any length.
class ForkTree {
 public:
  ForkTree(bool merged, std::size_t most_forks) : merged_(merged), most_forks_(most_forks) {}

  /// Adds a fork that pushed `{pending_mask, pending_pc}`. `passes`: the passing side runs first.
  void split(const StackStep& step, bool passes, u64 pending_pc);
  /// Adds a fork whose lanes all took one side.
  void pass_whole(const StackStep& step) { open_.pass_whole(step); }
  /// Adds a join that popped.
  void pop(const StackStep& step);
  /// Adds a join that continued.
  void go_on(const StackStep& step);
  /// Counts a step for the side on which it was issued. To be called before the functions above.
  void count(u64 step);

  [[nodiscard]] std::span<const Fork> forks() const { return forks_; }
  [[nodiscard]] std::span<const ForkRemark> remarks() const { return remarks_; }
  [[nodiscard]] bool merged() const { return merged_; }
  /// The number of omitted forks.
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
