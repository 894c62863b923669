#include "page/findings.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "page/warning_links.hpp"
#include "support/numbers.hpp"

namespace salu::page {
namespace {

/// True if the scenario expects a warning of this kind, or the stop of the run.
bool is_expected(const Scenario& scenario, WarningKind kind) {
  const std::optional<Expectation>& expect = scenario.expect;
  return expect && expect->warnings && std::ranges::find(*expect->warnings, kind) != expect->warnings->end();
}
bool is_expected(const Scenario& scenario, const Stop& stop) {
  const std::optional<Expectation>& expect = scenario.expect;
  return expect && expect->stop && *expect->stop == stop.reason;
}

/// The instruction that ended the run; its step is the last one if it was executed.
FindingLink end_link(const Recording& recording, const Outcome& outcome) {
  return {"at", outcome.stop.pc, recording.step_at_end(outcome.stop), {}};
}

/// Adds the instructions named by warnings of the last writer, e.g. the one that overwrote an entry before its join.
void add_causes(const Recording& recording, const Outcome& outcome, const LastWrite& write, Finding& finding) {
  for (const Warning& warning : outcome.warnings) {
    if (warning.pc != write.pc || recording.step_of(warning) != write.step) continue;
    for (const WarningLink& link : links_of(warning)) {
      if (link.pc != write.pc) finding.links.push_back({link.name, link.pc, recording.step_of(warning, link.pc), {}});
    }
  }
}

/// The places of a warning; the first is where it appeared.
std::vector<FindingLink> places_of(const Recording& recording, const Warning& warning) {
  std::vector<FindingLink> places;
  for (const WarningLink& link : links_of(warning)) {
    const u64 step = places.empty() ? recording.step_of(warning) : recording.step_of(warning, link.pc);
    places.push_back({link.name, link.pc, step, {}});
  }
  return places;
}

}  // namespace

bool is_bad(const Scenario& scenario, const Warning& warning) {
  return warning.kind != WarningKind::no_functional_effect && !warning.is_info() &&
         !is_expected(scenario, warning.kind);
}

Finding fault_finding(const Recording& recording, const Outcome& outcome) {
  const Stop& stop = outcome.stop;
  Finding finding;
  finding.is_bad = !is_expected(recording.scenario(), stop);
  finding.kind = stop.reason_name();
  finding.text = fmt::format("{}{}{}", stop.instruction, stop.instruction.empty() ? "at " : " at ",
                             recording.scenario().program.describe_place(stop.pc));
  finding.detail = stop.detail;
  finding.links.push_back(end_link(recording, outcome));
  return finding;
}

Finding expectation_finding(const Recording& recording, const Outcome& outcome, const Mismatch& mismatch,
                            const Warning* found) {
  Finding finding;
  finding.kind = "expectation";
  finding.text = mismatch.text();
  if (!mismatch.where.file.empty())
    finding.facts.emplace_back("written at", fmt::format("{}:{}", mismatch.where.file, mismatch.where.line));
  if (found != nullptr) {
    finding.links = places_of(recording, *found);
    return finding;
  }
  if (!mismatch.location) {
    finding.links.push_back(end_link(recording, outcome));
    finding.links.back().name = "the end";
    return finding;
  }
  const LastWrite last = recording.last_writes().of(*mismatch.location);
  if (last.step == 0) {
    finding.detail = "the instruction that wrote it is unknown";
  } else {
    finding.links.push_back({"last write", last.pc, last.step, {}});
    add_causes(recording, outcome, last, finding);
  }
  return finding;
}

Finding warning_finding(const Recording& recording, const Warning& warning) {
  Finding finding;
  finding.is_bad = is_bad(recording.scenario(), warning);
  finding.kind = warning_kind_name(warning.kind);
  finding.text = fmt::format("{} at {}", warning.instruction, recording.scenario().program.describe_place(warning.pc));
  finding.detail = warning.detail;
  finding.facts = facts_of(warning);
  finding.links = places_of(recording, warning);
  return finding;
}

std::vector<const Warning*> warnings_of(const std::vector<Mismatch>& mismatches, const std::vector<Warning>& warnings) {
  // Unexpected findings are in the order of their warnings.
  std::vector<const Warning*> found;
  auto next = warnings.begin();
  for (const Mismatch& mismatch : mismatches) {
    found.push_back(nullptr);
    if (mismatch.kind != Mismatch::Kind::finding) continue;
    next = std::find_if(next, warnings.end(), [&](const Warning& warning) {
      return warning.is_finding() && warning.detail == mismatch.actual;
    });
    if (next != warnings.end()) found.back() = &*next++;
  }
  return found;
}

std::vector<Finding> list_findings(const Recording& recording, const Outcome& outcome,
                                   const std::vector<Mismatch>* mismatches) {
  std::vector<Finding> findings;
  if (is_fault(outcome.stop.reason)) findings.push_back(fault_finding(recording, outcome));
  if (mismatches != nullptr) {
    const std::vector<const Warning*> found = warnings_of(*mismatches, outcome.warnings);
    for (std::size_t i = 0; i < mismatches->size(); ++i)
      findings.push_back(expectation_finding(recording, outcome, (*mismatches)[i], found[i]));
  }
  for (const Warning& warning : outcome.warnings) findings.push_back(warning_finding(recording, warning));
  std::ranges::stable_sort(findings, std::ranges::greater(), &Finding::is_bad);
  return findings;
}

Verdict judge(const Scenario& scenario, const Outcome& outcome, const std::vector<Mismatch>* mismatches) {
  const Stop& stop = outcome.stop;
  const auto bad_warnings = static_cast<u64>(
      std::ranges::count_if(outcome.warnings, [&](const Warning& warning) { return is_bad(scenario, warning); }));
  const std::string also = bad_warnings == 0 ? "" : ", " + support::counted(bad_warnings, "warning");
  if (is_fault(stop.reason) && !is_expected(scenario, stop))
    return {"bad",
            fmt::format("Faulted after {}: {}{}", support::counted(outcome.steps, "step"), stop.reason_name(), also)};
  if (mismatches != nullptr && !mismatches->empty())
    return {"bad", support::counted(mismatches->size(), "expectation") + " failed" + also};
  std::string text = mismatches == nullptr ? "The scenario does not have expectations" : "All expectations hold";
  if (!is_regular_end(stop.reason) && !is_expected(scenario, stop))
    return {"notice", fmt::format("{}; the run did not end by itself: {}{}", text, stop.reason_name(), also)};
  if (bad_warnings != 0) return {"bad", text + also};
  return {"good", std::move(text)};
}

u64 opening_step(const std::vector<Finding>& findings, std::optional<u64> wave) {
  for (const Finding& finding : findings) {
    if (!finding.is_bad) continue;
    for (const FindingLink& link : finding.links) {
      if (link.step != 0 && link.wave == wave) return link.step;
    }
  }
  return 1;
}

}  // namespace salu::page
