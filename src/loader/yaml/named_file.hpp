#pragma once

#include <salu/scenario.hpp>

#include <optional>
#include <string>
#include <string_view>

#include "loader/yaml/yaml_tree.hpp"

namespace salu::loader {

/// Returns an error if the folder that must contain all named files is not a readable folder; empty otherwise.
std::string root_problem(const std::string& root);

/// True if a path is a folder or is inside it, after resolving links.
bool lies_in(const std::string& path, const std::string& folder);

/// Returns an error if the rules do not allow reading a file.
std::optional<Error> rules_problem(const std::string& path, const FileRules& rules);

/// Reads a file that a document names, at a resolved path. Errors are reported at the node that names the file.
std::string read_named_file(const Document& document, const Node& node, const std::string& path, u64 limit_bytes,
                            std::string_view what, const FileRules& rules);

}  // namespace salu::loader
