#pragma once

#include <salu/run.hpp>

#include "loader/yaml/reader.hpp"

namespace salu::loader {

/// How a scenario is run: `limits:`, `clock:`, `on_vector:`, `checks:` and `xnack:`, those that it has. Rejects what is
/// wrong.
void read_run_options(const Document& document, const MapReader& map, RunOptions& options);

}  // namespace salu::loader
