#include <salu/report.hpp>

#include "report/formats.hpp"

namespace salu {

std::string report_outcome(const Scenario& scenario, const Outcome& outcome, ReportFormat format,
                           const std::vector<Mismatch>* mismatches, const ReportOptions& options) {
  switch (format) {
    case ReportFormat::text:
      return report::text_report(scenario, outcome, mismatches, options);
    case ReportFormat::yaml:
      return report::yaml_report(scenario, outcome, mismatches);
    case ReportFormat::json:
      return report::json_report(scenario, outcome, mismatches);
  }
  return {};
}

std::string report_error(const Error& error, ReportFormat format) {
  return format == ReportFormat::json ? report::json_error(error) : error.to_string() + "\n";
}

}  // namespace salu
