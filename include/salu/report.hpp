#pragma once

#include <salu/error.hpp>
#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <string>

namespace salu {

/// How a final state is written (docs/reference/output-formats.md).
enum class ReportFormat : u8 { text, yaml, json };

/// What the text format may be told besides.
struct ReportOptions {
  bool colour = false;         ///< ANSI colours in text
  bool all_registers = false;  ///< text: also registers that are zero and untouched
};

/// The final state of a run. JSON is one line (`salu-state-v1`), YAML one document that loads back, text a table for
/// people. `mismatches` may be null when nothing was checked.
std::string report_outcome(const Scenario& scenario, const Outcome& outcome, ReportFormat format,
                           const std::vector<Mismatch>* mismatches = nullptr, const ReportOptions& options = {});

/// A scenario that could not be loaded: in JSON one line with `error`, otherwise the message.
std::string report_error(const Error& error, ReportFormat format);

}  // namespace salu
