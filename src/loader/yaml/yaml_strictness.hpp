#pragma once

#include <salu/integer.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// What YAML forbids and yaml-cpp takes all the same, or reads as something else. A typo must not turn half of a
/// scenario into text that nobody looks at.
namespace salu::loader {

/// What is wrong at a byte of a text.
struct YamlFault {
  std::size_t offset;
  std::string message;
};

/// What the characters of a document say of it, whatever they are part of.
struct CharacterCheck {
  bool has_tab = false;
  std::optional<YamlFault> fault;  ///< the first character that may not stand there, or a directive that may not
};
CharacterCheck check_characters(std::string_view document);

/// Where a node itself begins: behind the anchor and the tag that it starts with.
std::size_t skip_properties(std::string_view document, std::size_t offset);

/// How far into its line something stands, in bytes.
std::size_t column_at(std::string_view document, std::size_t offset);

/// True when nothing but blanks stand before it on its line, and a tab is among them.
bool is_indented_by_tab(std::string_view document, std::size_t offset);

/// A scalar in quotes, from its opening quote on.
struct QuotedText {
  /// Its value, where it has line breaks or escapes: nothing where it is as it is written.
  std::optional<std::string> value;
  std::optional<YamlFault> fault;
};
/// Reads one whose further lines have to be indented by so many blanks.
QuotedText read_quoted(std::string_view document, std::size_t offset, std::size_t indentation);

}  // namespace salu::loader
