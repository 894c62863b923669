#pragma once

#include <salu/run.hpp>

#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "proof/symbolic_state.hpp"

/// Symbolic execution: executes a program over terms, on all paths.
namespace salu::proof {

/// One of the two directions of a branch, or one of the two values of SCC.
struct Turn {
  enum class Kind : u8 { branch, scc };
  u64 pc = 0;
  Kind kind = Kind::branch;
  bool is_yes = false;   ///< taken, or 1
  TermId condition = 0;  ///< the condition under which this happens
  friend bool operator<(const Turn& left, const Turn& right) {
    return std::tie(left.pc, left.kind, left.is_yes) < std::tie(right.pc, right.kind, right.is_yes);
  }
};

struct ExecutionLimits {
  u32 rounds = 64;                                       ///< limit for the rounds of a loop that depend on the inputs
  u64 steps = 200'000;                                   ///< limit for the instructions on all paths
  u64 most_term_bytes = u64{2} << 30;                    ///< limit for the memory of the terms
  std::function<bool()> is_over = [] { return false; };  ///< polled; true at the time limit
  /// If set, called for both directions of each branch, and both values of each SCC result.
  std::function<void(const Turn&)> turn{};
};

/// The end of a path, or the place where it was abandoned.
struct Ending {
  enum class Kind : u8 {
    end,      ///< the program ends; see `reason`
    cut,      ///< abandoned at the limit of rounds of a loop
    unknown,  ///< abandoned at an instruction that is not supported; see `why`
  };
  Kind kind = Kind::end;
  StopReason reason = StopReason::end_program;
  TermId condition = 0;  ///< the path condition
  SymbolicState state;   ///< the final state; its PC is that of the last instruction
  std::string why{};
};

/// All paths of a program.
struct Paths {
  std::vector<Ending> endings;
  u32 rounds = 0;  ///< the most rounds of a loop that depend on the inputs
};

/// Returns true if some inputs fulfil a condition, or if it is not known.
using Feasible = std::function<bool(TermId condition)>;

/// Executes a program from its start on all feasible paths. Paths that reach the same address with the same MODE are
/// merged.
Paths execute(Terms& terms, const SymbolicStart& start, const ExecutionLimits& limits, const Feasible& is_feasible);

}  // namespace salu::proof
