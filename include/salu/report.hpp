#pragma once

#include <salu/error.hpp>
#include <salu/run.hpp>
#include <salu/scenario.hpp>

#include <string>

namespace salu {

/// The output format of a final state (docs/reference/output-formats.md).
enum class ReportFormat : u8 { text, yaml, json };

/// Options of the text format.
struct ReportOptions {
  bool colour = false;         ///< use ANSI colours
  bool all_registers = false;  ///< also show registers that are zero and were not accessed
};

/// Formats the final state of a run: text is a table, JSON one line (`salu-state-v1`), YAML a document that can be
/// loaded again. `mismatches` may be null if nothing was checked.
std::string report_outcome(const Scenario& scenario, const Outcome& outcome, ReportFormat format,
                           const std::vector<Mismatch>* mismatches = nullptr, const ReportOptions& options = {});

/// Formats a loading error: in JSON one line with `error`, otherwise the message.
std::string report_error(const Error& error, ReportFormat format);

}  // namespace salu
