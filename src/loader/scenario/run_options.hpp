#pragma once

#include <salu/run.hpp>

#include "loader/yaml/reader.hpp"

namespace salu::loader {

/// Reads the run options of a scenario: `limits:`, `clock:`, `approximations:`, `schedule:`, `on_vector:`, `checks:`
/// and `xnack:`. Rejects invalid values.
void read_run_options(const Document& document, const MapReader& map, RunOptions& options);

}  // namespace salu::loader
