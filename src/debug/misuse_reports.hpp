#pragma once

#include <salu/integer.hpp>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "debug/fork_log.hpp"
#include "observe/stack_watch.hpp"

namespace salu::debug {

struct ConsoleContext;
using observe::ForkProblem;

/// Misuse of the control stack in the run up to this position, in order. `events`: the result of `list_forks` here. The
/// session returns to its position.
std::vector<ForkProblem> find_fork_problems(Session& session, const std::vector<ForkEvent>& events);

/// The misuse of the control stack that stops have reported, each once.
class MisuseReports {
 public:
  /// Forgets problems at or after a position, so that they are reported again.
  void forget_from(u64 position);
  /// Notes a stop. Before the last stop, problems may be reported again.
  void stop_at(u64 position);
  /// Returns true once for each problem.
  bool is_new(const ForkProblem& problem);
  /// Returns true once for each warning.
  bool is_new(const Warning& warning) { return told_warnings_.insert(warning.pc).second; }
  /// Forgets warnings that a move backwards has removed from the run.
  void forget_all_but(const std::vector<Warning>& warnings);

 private:
  std::set<std::pair<u64, std::string>> told_;  ///< by position
  u64 last_stop_ = 0;                           ///< its position
  std::set<u64> told_warnings_;                 ///< by address
};

/// Reports misuse of the control stack, if the run is short enough to search it without a noticeable delay.
void explain_misuse(ConsoleContext& console);
/// Prints the warnings about the control stack, for runs of any length.
void print_misuse_warnings(ConsoleContext& console, bool only_new);
void print_problem(const ConsoleContext& console, const ForkProblem& problem);

}  // namespace salu::debug
