#pragma once

#include <salu/integer.hpp>

#include <vector>

#include "debug/session.hpp"
#include "observe/fork_event.hpp"

namespace salu::debug {

using observe::ForkEvent;
using observe::is_fork;
using observe::is_join;

/// The forks and joins of a run in order: the last 200,000 of them.
struct ForkHistory {
  std::vector<ForkEvent> events;
  std::size_t left_out = 0;  ///< number of older events, which are omitted
};

/// The forks and joins of the run up to this position. The session returns to its position.
ForkHistory list_forks(Session& session);

/// One entry of the control stack in the SGPRs.
struct StackEntry {
  u32 index = 0;       ///< 0 is the outermost
  u32 first_sgpr = 0;  ///< the first of four
  u64 lanes = 0;
  u64 pc = 0;
};
/// The entries that CSP counts, innermost first.
std::vector<StackEntry> control_stack(const core::Machine& machine);

}  // namespace salu::debug
