#pragma once

#include <salu/outcome.hpp>

#include <set>
#include <span>
#include <string>
#include <vector>

namespace salu::debug {

struct ConsoleContext;
class Session;

/// All kinds of warnings.
std::span<const WarningKind> all_warning_kinds();

/// `hazard at 0x1008 <loop>: s4 is read ...`.
std::string warning_text(const Session& session, const Warning& warning);

/// The warnings that stops have reported: each once, and again after the run went back before it.
class WarningReports {
 public:
  /// True for a warning that has not been reported.
  bool is_new(const Warning& warning) { return told_.insert(identity_of(warning)).second; }
  /// Forgets warnings that a move backwards has removed from the run.
  void forget_all_but(const std::vector<Warning>& warnings);

 private:
  std::set<WarningIdentity> told_;
};

/// Prints the new warnings of the kinds that the run is checked for or that are caught, informational ones excluded.
void report_warnings(ConsoleContext& console);

}  // namespace salu::debug
