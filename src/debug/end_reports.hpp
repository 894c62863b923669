#pragma once

#include <salu/outcome.hpp>
#include <salu/scenario.hpp>

#include <string>
#include <vector>

namespace salu::debug {

struct ConsoleContext;

/// The end of a run and the expectations that failed.
struct EndReport {
  Stop stop;
  std::vector<Mismatch> failed;
};

/// `expectation failed: s0: expected 0x00000001, got 0x00000002 (gcd.yaml:12)`.
std::string failure_text(const Mismatch& mismatch);

/// Checks the expectations at the end of a run, and stores the result in the context. Does nothing elsewhere.
void check_expectations(ConsoleContext& console);
/// Prints a line for each failed expectation at the end of the run.
void report_expectations(const ConsoleContext& console);
/// Prints which expectations hold and which failed, as `info expectations` does.
void show_expectations(ConsoleContext& console);

}  // namespace salu::debug
