#pragma once

#include <salu/integer.hpp>
#include <salu/scenario.hpp>

#include <string>
#include <utility>
#include <vector>

#include "page/recording.hpp"

namespace salu::page {

/// An instruction that a finding refers to.
struct FindingLink {
  std::string name;  ///< `at`, `last write`, `culprit`, `victim`, ...
  u64 pc = 0;
  u64 step = 0;  ///< 0: unknown; one more than the last step: the end
};

/// A fault, a failed expectation or a warning, shown first on the page.
struct Finding {
  bool is_bad = true;  ///< false: informational, or expected
  std::string kind;    ///< `expectation`, a stop reason or a kind of warning
  std::string text;    ///< one line
  std::string detail;  ///< a sentence; may be empty
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<FindingLink> links;
};

/// The outcome of a run in a few words.
struct Verdict {
  std::string kind;  ///< `good`, `bad`, `notice`
  std::string text;
};

/// Lists a fault first, then failed expectations, then warnings.
std::vector<Finding> list_findings(const Recording& recording, const Outcome& outcome,
                                   const std::vector<Mismatch>* mismatches);

Verdict judge(const Recording& recording, const Outcome& outcome, const std::vector<Mismatch>* mismatches);

/// The step at which the page opens: that of the first link of the first bad finding, or 1.
u64 opening_step(const std::vector<Finding>& findings);

}  // namespace salu::page
