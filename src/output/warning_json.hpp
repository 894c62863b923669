#pragma once

#include <salu/outcome.hpp>

#include <nlohmann/json_fwd.hpp>

namespace salu::output {

/// A warning in the JSON report. Keys that end in `pc` name instructions, which the page turns into links.
nlohmann::ordered_json warning_json(const Warning& warning);

}  // namespace salu::output
