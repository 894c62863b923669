#pragma once

#include <salu/fidelity.hpp>
#include <salu/program.hpp>

#include <nlohmann/json_fwd.hpp>

#include <string>

/// How exact a run was, in the formats of reports.
namespace salu::output {

/// Lines of a report as text.
std::string fidelity_text(const Program& program, const Fidelity& fidelity);
nlohmann::ordered_json fidelity_json(const Program& program, const Fidelity& fidelity);
/// The line of a report in YAML.
std::string fidelity_yaml(const Program& program, const Fidelity& fidelity);

}  // namespace salu::output
