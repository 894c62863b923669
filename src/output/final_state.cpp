#include <salu/report.hpp>

#include "output/formats.hpp"

namespace salu {

std::string report_outcome(const Scenario& scenario, const Outcome& outcome, ReportFormat format,
                           const std::vector<Mismatch>* mismatches, const ReportOptions& options) {
  switch (format) {
    case ReportFormat::text:
      return output::text_report(scenario, outcome, mismatches, options);
    case ReportFormat::yaml:
      return output::yaml_report(scenario, outcome, mismatches);
    case ReportFormat::json:
      return output::json_report(scenario, outcome, mismatches);
  }
  return {};
}

std::string report_error(const Error& error, ReportFormat format) {
  return format == ReportFormat::json ? output::json_error(error) : error.to_string() + "\n";
}

}  // namespace salu
