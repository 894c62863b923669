#pragma once

#include <salu/fidelity.hpp>
#include <salu/program.hpp>

#include <nlohmann/json_fwd.hpp>

#include <string>

/// The fidelity of a run in the formats of reports.
namespace salu::output {

/// The lines of a text report.
std::string fidelity_text(const Program& program, const Fidelity& fidelity);
nlohmann::ordered_json fidelity_json(const Program& program, const Fidelity& fidelity);
/// The line of a YAML report.
std::string fidelity_yaml(const Program& program, const Fidelity& fidelity);

}  // namespace salu::output
