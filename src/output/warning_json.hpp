#pragma once

#include <salu/outcome.hpp>

#include <nlohmann/json_fwd.hpp>

namespace salu::output {

/// A warning as the JSON report has it. Keys that end in `pc` name instructions; the page makes links of them.
nlohmann::ordered_json warning_json(const Warning& warning);

}  // namespace salu::output
