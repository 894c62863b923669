#pragma once

#include <salu/integer.hpp>

#include <vector>

#include "debug/session.hpp"

namespace salu::debug {

/// What a fork or a join did.
struct ForkEvent {
  enum class Kind : u8 {
    split,   ///< a fork whose lanes go both ways: it pushed one of them
    whole,   ///< a fork all of whose lanes go one way
    resume,  ///< a join that popped the side that waited
    rejoin,  ///< a join that found the CSP of its fork again and goes on
  };
  Kind kind{};
  u64 position = 0;  ///< instructions executed before it
  u64 pc = 0;
  u32 depth = 0;         ///< CSP in front of a fork, behind a join
  u64 lanes_before = 0;  ///< EXEC in front of it
  u64 lanes = 0;         ///< EXEC behind it
  u64 next_pc = 0;
  u64 waiting_lanes = 0;  ///< of a split: those that were pushed
  u64 waiting_pc = 0;     ///< of a split: where they will go on
};

/// All forks and joins of the run up to this position, in order. The session is where it was afterwards.
std::vector<ForkEvent> list_forks(Session& session);

/// One entry of the control stack as it lies in the SGPRs.
struct StackEntry {
  u32 index = 0;       ///< from 0, the outermost
  u32 first_sgpr = 0;  ///< of four
  u64 lanes = 0;
  u64 pc = 0;
};
/// The entries that CSP counts, innermost first.
std::vector<StackEntry> control_stack(const core::Machine& machine);

}  // namespace salu::debug
