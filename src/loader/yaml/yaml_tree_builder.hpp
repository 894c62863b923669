#pragma once

#include <yaml-cpp/eventhandler.h>

#include <memory>
#include <string_view>

#include "loader/yaml/yaml_strictness.hpp"
#include "loader/yaml/yaml_tree.hpp"

namespace salu::loader {

inline constexpr std::string_view tab_message = "tabs are not allowed in indentation";

/// Rejects a document with an error in its text, which begins at line `first_line` of its file.
[[noreturn]] void reject_fault(const Document& document, std::string_view text, u32 first_line, const YamlFault& fault);

/// Returns a handler that builds the tree of one document from the parser's events, and rejects invalid YAML that the
/// parser accepts. `text` is only this document, as the parser reads it. `has_tab`: the text contains a tab.
std::unique_ptr<YAML::EventHandler> make_tree_builder(Document& document, std::string_view text, u32 first_line,
                                                      bool has_tab);

}  // namespace salu::loader
