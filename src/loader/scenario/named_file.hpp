#pragma once

#include <salu/scenario.hpp>

#include <string>
#include <string_view>

#include "loader/scenario/yaml_tree.hpp"

namespace salu::loader {

/// The bytes of a file that a document names, at a path that is resolved. What is wrong with the file is rejected where
/// it is named.
std::string read_named_file(const Document& document, const Node& node, const std::string& path, u64 limit_bytes,
                            std::string_view what, const FileRules& rules);

}  // namespace salu::loader
