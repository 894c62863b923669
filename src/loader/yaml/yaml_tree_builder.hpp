#pragma once

#include <yaml-cpp/eventhandler.h>

#include <memory>
#include <string_view>

#include "loader/yaml/yaml_strictness.hpp"
#include "loader/yaml/yaml_tree.hpp"

namespace salu::loader {

inline constexpr std::string_view tab_message = "a tab in the indentation, which takes blanks only";

/// Leaves with what is wrong at a place of a document's text, which begins with line `first_line` of its file.
[[noreturn]] void reject_fault(const Document& document, std::string_view text, u32 first_line, const YamlFault& fault);

/// What builds the tree of one document from the parser's events, and refuses what the parser should have refused.
/// `text`: the document alone, as the parser reads it. `has_tab`: whether there is a tab in it.
std::unique_ptr<YAML::EventHandler> make_tree_builder(Document& document, std::string_view text, u32 first_line,
                                                      bool has_tab);

}  // namespace salu::loader
