#pragma once

#include <salu/integer.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// Checks for invalid YAML that yaml-cpp accepts or misreads, so that a typo does not silently turn half of a scenario
/// into text.
namespace salu::loader {

/// An error at a byte of a text.
struct YamlFault {
  std::size_t offset;
  std::string message;
};

/// The result of a check of a document's characters, independent of its structure.
struct CharacterCheck {
  bool has_tab = false;
  std::optional<YamlFault> fault;  ///< the first invalid character or directive
};
CharacterCheck check_characters(std::string_view document);

/// Returns the offset of a node's content, after its anchor and tag.
std::size_t skip_properties(std::string_view document, std::size_t offset);

/// Returns the column of an offset in bytes, from 0.
std::size_t column_at(std::string_view document, std::size_t offset);

/// True if only blanks precede an offset on its line, and one of them is a tab.
bool is_indented_by_tab(std::string_view document, std::size_t offset);

/// A quoted scalar.
struct QuotedText {
  /// The value, if it contains line breaks or escapes; empty if it is exactly as written.
  std::optional<std::string> value;
  std::optional<YamlFault> fault;
};
/// Decodes the quoted scalar at an offset. Its continuation lines must be indented by `indentation` blanks.
QuotedText read_quoted(std::string_view document, std::size_t offset, std::size_t indentation);

}  // namespace salu::loader
