#pragma once

#include <salu/scenario.hpp>

#include <string>
#include <vector>

#include "loader/objects/code_input.hpp"
#include "loader/yaml/yaml_tree.hpp"

namespace salu::loader {

/// Reads `code:`, a block or a list of them. Reads files, but does not assemble or place code.
std::vector<CodeInput> read_code(const Document& document, const Node& node, const FileRules& files);

}  // namespace salu::loader
