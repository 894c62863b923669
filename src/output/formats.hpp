#pragma once

#include <salu/report.hpp>

#include <string>
#include <vector>

/// The formats of `report_outcome`, one file each.
namespace salu::output {

/// Digits of an address in JSON.
constexpr u32 address_digits = 16;

std::string text_report(const Scenario& scenario, const Outcome& outcome, const std::vector<Mismatch>* mismatches,
                        const ReportOptions& options);
std::string json_report(const Scenario& scenario, const Outcome& outcome, const std::vector<Mismatch>* mismatches);
std::string yaml_report(const Scenario& scenario, const Outcome& outcome, const std::vector<Mismatch>* mismatches);
std::string json_error(const Error& error);

/// `sgprs:`, `registers:` and `hwregs:` of a state, as in scenarios and state dumps. `scenario`: registers that differ
/// from its initial state are listed even if they are zero.
std::string registers_yaml(const Scenario& scenario, const WaveState& state);

/// Returns the registers of a wave that differ from those of another one, as an entry of `work_groups:`: `{s0: 0x1}`.
std::string differing_registers_yaml(const Scenario& scenario, const WaveState& state, const WaveState& other);
/// `memory:` of a scenario or a state dump, without the code.
std::string memory_yaml(const Scenario& scenario, const Memory& memory);

/// A text in double quotes, with escapes that JSON and YAML share.
std::string quote(const std::string& text);

}  // namespace salu::output
