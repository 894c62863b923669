#pragma once

#include <salu/integer.hpp>
#include <salu/scenario.hpp>

#include <string>
#include <utility>
#include <vector>

#include "page/recording.hpp"

namespace salu::page {

/// An instruction that a finding leads to.
struct FindingLink {
  std::string name;  ///< `at`, `last write`, `culprit`, `victim`, ...
  u64 pc = 0;
  u64 step = 0;  ///< 0: not known; one more than the run has: its end
};

/// What somebody who opens the page should see first: a fault, an expectation that failed, a warning.
struct Finding {
  bool is_bad = true;  ///< false: worth knowing, or expected
  std::string kind;    ///< `expectation`, a stop reason or a kind of warning
  std::string text;    ///< one line
  std::string detail;  ///< a sentence; may be empty
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<FindingLink> links;
};

/// How a run went, in a few words.
struct Verdict {
  std::string kind;  ///< `good`, `bad`, `notice`
  std::string text;
};

/// A fault first, then expectations that failed, then warnings.
std::vector<Finding> list_findings(const Recording& recording, const Outcome& outcome,
                                   const std::vector<Mismatch>* mismatches);

Verdict judge(const Recording& recording, const Outcome& outcome, const std::vector<Mismatch>* mismatches);

/// The step at which a page opens: that of the first link of the first bad finding; 1 without one.
u64 opening_step(const std::vector<Finding>& findings);

}  // namespace salu::page
