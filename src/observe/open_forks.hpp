#pragma once

#include <salu/event.hpp>
#include <salu/integer.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace salu::observe {

/// A fork that split and has not ended.
struct OpenFork {
  std::optional<std::size_t> number;  ///< the owner's key; nothing if the owner does not keep it
  u64 step = 0;
  u32 entry = 0;               ///< of the control stack, from 0
  bool second = false;         ///< a join has popped the entry: the waiting side runs
  u64 pending_mask = 0;        ///< the pushed lanes
  u64 pending_pc = 0;          ///< the address where they continue
  std::optional<u64> join_pc;  ///< of the join that popped the entry
  u64 whole = 0;               ///< forks on its second side that pushed nothing and whose joins have not been reached
};

/// The open forks at a point of a run, outermost first; updated by forks and joins.
///
/// A join that pops starts the second side of the fork that pushed the entry. A join that continues ends that fork if
/// it is the join that popped the entry: both sides have met there. Another join also ends it, unless it may belong to
/// a fork on that side that pushed nothing.
class OpenForks {
 public:
  /// A fork that pushed the lanes that EXEC lost, with `pending_pc`.
  void push(const StackStep& step, u64 pending_pc, std::optional<std::size_t> number);
  /// A fork with all lanes on one side.
  void pass_whole(const StackStep& step);
  /// A join that popped: returns the fork that pushed the entry, or null if no fork did. Forks inside it are discarded.
  const OpenFork* pop(const StackStep& step);
  /// A join that continued: returns the forks that end with it, innermost first. Lanes that left a loop at different
  /// times have nested forks, which all end at one join.
  std::vector<OpenFork> go_on(const StackStep& step);

  [[nodiscard]] std::span<const OpenFork> all() const { return forks_; }

 private:
  /// The innermost fork whose second side runs at this depth of the control stack, or null.
  OpenFork* find_second(u32 csp);

  /// Limit for open forks, for programs whose forks never end; the oldest is dropped.
  static constexpr std::size_t most = 1024;

  std::vector<OpenFork> forks_;
};

/// The inconsistency of a join that popped, as a sentence without its end; empty if it is consistent. `fork`: the
/// result of `OpenForks::pop`.
std::string pop_problem(const OpenFork* fork, const StackStep& step);

}  // namespace salu::observe
