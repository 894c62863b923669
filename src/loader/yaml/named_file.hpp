#pragma once

#include <salu/scenario.hpp>

#include <optional>
#include <string>
#include <string_view>

#include "loader/yaml/yaml_tree.hpp"

namespace salu::loader {

/// What is wrong with a folder that all named files have to lie in; nothing when it is one.
std::string root_problem(const std::string& root);

/// Whether a path is a folder or lies in it, links resolved.
bool lies_in(const std::string& path, const std::string& folder);

/// Why the rules forbid to read a file; nothing when they allow it.
std::optional<Error> rules_problem(const std::string& path, const FileRules& rules);

/// The bytes of a file that a document names, at a path that is resolved. What is wrong with the file is rejected where
/// it is named.
std::string read_named_file(const Document& document, const Node& node, const std::string& path, u64 limit_bytes,
                            std::string_view what, const FileRules& rules);

}  // namespace salu::loader
