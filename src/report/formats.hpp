#pragma once

#include <salu/report.hpp>

#include <string>
#include <vector>

/// The formats of `report_outcome`, one file each.
namespace salu::report {

std::string text_report(const Scenario& scenario, const Outcome& outcome, const std::vector<Mismatch>* mismatches,
                        const ReportOptions& options);
std::string json_report(const Scenario& scenario, const Outcome& outcome, const std::vector<Mismatch>* mismatches);
std::string yaml_report(const Scenario& scenario, const Outcome& outcome, const std::vector<Mismatch>* mismatches);
std::string json_error(const Error& error);

/// A text in double quotes with the escapes that JSON and YAML share.
std::string quote(const std::string& text);

}  // namespace salu::report
