#pragma once

#include <salu/scenario.hpp>

#include <string>

#include "loader/objects/code_input.hpp"
#include "loader/yaml/yaml_tree.hpp"

namespace salu::loader {

/// The scenario that a document describes, `default_name` where it names none. Rejects what is wrong.
Scenario load_document(const Document& document, const std::string& default_name, const LoadOptions& options);

/// A scenario of nothing but code, from a file of another kind. Rejects what is wrong.
Scenario load_code(CodeInput input, const LoadOptions& options);

}  // namespace salu::loader
