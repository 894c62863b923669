#pragma once

#include <salu/scenario.hpp>

#include <string>

#include "loader/objects/code_input.hpp"
#include "loader/yaml/yaml_tree.hpp"

namespace salu::loader {

/// Loads the scenario in a document. `default_name` is its name if it has no `name:`. Rejects invalid documents.
Scenario load_document(const Document& document, const std::string& default_name, const LoadOptions& options);

/// Makes a scenario of a file of code. Rejects invalid code.
Scenario load_code(CodeInput input, const LoadOptions& options);

}  // namespace salu::loader
