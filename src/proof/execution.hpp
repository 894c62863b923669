#pragma once

#include <salu/run.hpp>

#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "proof/symbolic_state.hpp"

/// A program executed over terms, on all its ways.
namespace salu::proof {

/// One of the two ways in which a branch goes, or SCC comes out.
struct Turn {
  enum class Kind : u8 { branch, scc };
  u64 pc = 0;
  Kind kind = Kind::branch;
  bool is_yes = false;   ///< taken, or 1
  TermId condition = 0;  ///< when it comes to that
  friend bool operator<(const Turn& left, const Turn& right) {
    return std::tie(left.pc, left.kind, left.is_yes) < std::tie(right.pc, right.kind, right.is_yes);
  }
};

struct ExecutionLimits {
  u32 rounds = 64;                                       ///< that a loop may take, as far as the inputs decide it
  u64 steps = 200'000;                                   ///< instructions on all ways together
  u64 most_term_bytes = u64{2} << 30;                    ///< of the pool
  std::function<bool()> is_over = [] { return false; };  ///< asked now and then whether there is no time left
  /// Told, where it is there, of everything that may turn out either way.
  std::function<void(const Turn&)> turn{};
};

/// One of the ways in which a program ends, or what is known of one that was left.
struct Ending {
  enum class Kind : u8 {
    end,      ///< by itself: `reason`
    cut,      ///< after so many rounds of a loop
    unknown,  ///< at an instruction that cannot be followed: `why`
  };
  Kind kind = Kind::end;
  StopReason reason = StopReason::end_program;
  TermId condition = 0;  ///< when it comes to that
  SymbolicState state;   ///< at the end; its PC is the instruction's
  std::string why{};
};

/// All ways of a program.
struct Paths {
  std::vector<Ending> endings;
  u32 rounds = 0;  ///< the most that a loop has had, as far as the inputs decide it
};

/// Whether some inputs fulfil a condition; yes where it is not known.
using Feasible = std::function<bool(TermId condition)>;

/// Follows a program from its start on all ways that are feasible. Ways that come to one place become one.
Paths execute(Terms& terms, const SymbolicStart& start, const ExecutionLimits& limits, const Feasible& is_feasible);

}  // namespace salu::proof
