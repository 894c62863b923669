#pragma once

#include <salu/run.hpp>

#include <functional>
#include <string>
#include <vector>

#include "proof/symbolic_state.hpp"

/// A program executed over terms, on all its ways.
namespace salu::proof {

struct ExecutionLimits {
  u32 rounds = 64;                                       ///< that a loop may take, as far as the inputs decide it
  u64 steps = 200'000;                                   ///< instructions on all ways together
  std::function<bool()> is_over = [] { return false; };  ///< asked now and then whether there is no time left
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

/// Whether some inputs fulfil a condition; yes where it is not known.
using Feasible = std::function<bool(TermId condition)>;

/// Follows a program from its start on all ways that are feasible. Ways that come to one place become one.
std::vector<Ending> execute(Terms& terms, const SymbolicStart& start, const ExecutionLimits& limits,
                            const Feasible& is_feasible);

}  // namespace salu::proof
