#pragma once

#include <salu/integer.hpp>

#include <string>
#include <vector>

#include "debug/fork_log.hpp"

namespace salu::debug {

/// Something that forks, joins and the SGPRs below them do not agree on.
struct ForkProblem {
  u64 position = 0;  ///< instructions executed before what is to blame
  u64 pc = 0;
  std::string text;      ///< a sentence without its end
  u64 count = 1;         ///< how often; the first time is the one that is described
  bool is_edit = false;  ///< it was set from outside the program: no instruction is to blame
};

/// What goes wrong with the control stack in the run up to this position, in order: a join that pops what no fork
/// pushed, an entry that something else wrote while it waited, a register that a fork pushed over and that is read for
/// what it held before, an entry that was given up because CSP was set, lanes that still wait when the program ends.
/// The same of the same instruction is one problem. At most 50. `events`: what `list_forks` says here. The session is
/// where it was afterwards.
std::vector<ForkProblem> find_fork_problems(Session& session, const std::vector<ForkEvent>& events);

}  // namespace salu::debug
