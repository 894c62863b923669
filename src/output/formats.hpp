#pragma once

#include <salu/report.hpp>

#include <string>
#include <vector>

/// The formats of `report_outcome`, one file each.
namespace salu::output {

/// Of an address in JSON, with all its zeros.
constexpr u32 address_digits = 16;

std::string text_report(const Scenario& scenario, const Outcome& outcome, const std::vector<Mismatch>* mismatches,
                        const ReportOptions& options);
std::string json_report(const Scenario& scenario, const Outcome& outcome, const std::vector<Mismatch>* mismatches);
std::string yaml_report(const Scenario& scenario, const Outcome& outcome, const std::vector<Mismatch>* mismatches);
std::string json_error(const Error& error);

/// `sgprs:`, `registers:` and `hwregs:` of a state, as a scenario and a state dump have them. `scenario`: whose state
/// it is; registers that differ from its initial state are listed even when they are zero.
std::string registers_yaml(const Scenario& scenario, const WaveState& state);

/// `memory:` of a scenario or a state dump: all but the code.
std::string memory_yaml(const Scenario& scenario, const Memory& memory);

/// A text in double quotes with the escapes that JSON and YAML share.
std::string quote(const std::string& text);

}  // namespace salu::output
