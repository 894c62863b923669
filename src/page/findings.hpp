#pragma once

#include <salu/integer.hpp>
#include <salu/scenario.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "page/recording.hpp"

namespace salu::page {

/// An instruction that a finding refers to.
struct FindingLink {
  std::string name;  ///< `at`, `last write`, `culprit`, `victim`, ...
  u64 pc = 0;
  u64 step = 0;               ///< 0: unknown; one more than the last step: the end
  std::optional<u64> wave{};  ///< the wave that executes it, in a run of several
};

/// A fault, a failed expectation or a warning, shown first on the page.
struct Finding {
  bool is_bad = true;  ///< false: informational, or expected
  std::string kind;    ///< `expectation`, a stop reason or a kind of warning
  std::string text;    ///< one line
  std::string detail;  ///< a sentence; may be empty
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<FindingLink> links;
  std::optional<u64> wave{};  ///< the wave that a warning belongs to, in a run of several
};

/// The outcome of a run in a few words.
struct Verdict {
  std::string kind;  ///< `good`, `bad`, `notice`
  std::string text;
};

/// Lists a fault first, then failed expectations, then warnings.
std::vector<Finding> list_findings(const Recording& recording, const Outcome& outcome,
                                   const std::vector<Mismatch>* mismatches);

/// A fault that ended the run.
Finding fault_finding(const Recording& recording, const Outcome& outcome);
/// A failed expectation. `found`: the warning, if the mismatch is an unexpected finding of a check.
Finding expectation_finding(const Recording& recording, const Outcome& outcome, const Mismatch& mismatch,
                            const Warning* found);
Finding warning_finding(const Recording& recording, const Warning& warning);
/// True for a warning about a problem that the scenario does not expect.
bool is_bad(const Scenario& scenario, const Warning& warning);
/// Finds the warning of each mismatch; null if the mismatch is not an unexpected finding of a check.
std::vector<const Warning*> warnings_of(const std::vector<Mismatch>& mismatches, const std::vector<Warning>& warnings);

/// Judges the outcome of a run.
Verdict judge(const Scenario& scenario, const Outcome& outcome, const std::vector<Mismatch>* mismatches);

/// The step at which the page of a wave opens: that of the first link to the wave in a bad finding, or 1.
u64 opening_step(const std::vector<Finding>& findings, std::optional<u64> wave);

}  // namespace salu::page
