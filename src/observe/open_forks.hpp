#pragma once

#include <salu/event.hpp>
#include <salu/integer.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace salu::observe {

/// A fork that split and has not come to its end.
struct OpenFork {
  std::optional<std::size_t> number;  ///< under which its owner keeps it; none: the owner has left it out
  u64 step = 0;
  u32 entry = 0;               ///< of the control stack, from 0
  bool second = false;         ///< a join has popped the entry: the side that waited runs
  u64 pending_mask = 0;        ///< the lanes that were pushed
  u64 pending_pc = 0;          ///< and where they go on
  std::optional<u64> join_pc;  ///< of the join that popped the entry
  u64 whole = 0;               ///< forks on its second side that pushed nothing, and whose joins have not come
};

/// The forks that are open at a point of a run, outermost first, as its forks and joins come and go.
///
/// A join that pops leads to the second side of the fork that pushed the entry. One that goes on ends that fork when it
/// stands where the entry was popped: both sides have come together there. One that stands elsewhere ends it, too,
/// unless it may belong to a fork on that side that pushed nothing.
class OpenForks {
 public:
  /// A fork that pushed the lanes that EXEC lost and `pending_pc`.
  void push(const StackStep& step, u64 pending_pc, std::optional<std::size_t> number);
  /// A fork all of whose lanes went one way.
  void pass_whole(const StackStep& step);
  /// A join that popped: the fork whose entry that was, or null when no fork pushed it. Those inside it are given up.
  const OpenFork* pop(const StackStep& step);
  /// A join that went on: the forks that end with it, innermost first. Lanes that left a loop one after the other have
  /// forks inside forks, which all end at one join.
  std::vector<OpenFork> go_on(const StackStep& step);

  [[nodiscard]] std::span<const OpenFork> all() const { return forks_; }

 private:
  /// The innermost fork whose second side runs at this depth of the control stack, or null.
  OpenFork* find_second(u32 csp);

  /// Where forks never come to an end there is no structure to follow; the oldest is forgotten.
  static constexpr std::size_t most = 1024;

  std::vector<OpenFork> forks_;
};

/// What does not fit together where a join popped, as a sentence without its end; empty when all is well. `fork`: what
/// `OpenForks::pop` said.
std::string pop_problem(const OpenFork* fork, const StackStep& step);

}  // namespace salu::observe
