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

/// What goes wrong with the control stack in the run up to this position, in order. `events`: what `list_forks` says
/// here. The session is where it was afterwards.
std::vector<ForkProblem> find_fork_problems(Session& session, const std::vector<ForkEvent>& events);

/// What stops have said of misuse of the control stack: each thing once.
class MisuseReports {
 public:
  /// What went wrong at this position or behind it may do so again.
  void forget_from(u64 position);
  /// A stop is at a position; nearer to the start than the one before it, it may say again what it has said there.
  void stop_at(u64 position);
  /// Whether a problem is to be told: true once.
  bool is_new(const ForkProblem& problem);
  /// The same of a warning.
  bool is_new(const Warning& warning) { return told_warnings_.insert(warning.pc).second; }
  /// What is no warning any more, because the run went back, is new when it comes again.
  void forget_all_but(const std::vector<Warning>& warnings);

 private:
  std::set<std::pair<u64, std::string>> told_;  ///< by position
  u64 last_stop_ = 0;                           ///< its position
  std::set<u64> told_warnings_;                 ///< by address
};

/// Says what has gone wrong with the control stack, where that takes no time that somebody would notice.
void explain_misuse(ConsoleContext& console);
/// What the warnings of the run so far say of it, of runs of any length.
void print_misuse_warnings(ConsoleContext& console, bool only_new);
void print_problem(const ConsoleContext& console, const ForkProblem& problem);

}  // namespace salu::debug
