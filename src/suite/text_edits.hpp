#pragma once

#include <salu/suite.hpp>

#include <map>
#include <string>

#include "loader/yaml_tree.hpp"

namespace salu::suite {

/// Replacements of values in the texts that they were read from.
class TextEdits {
 public:
  /// Replaces the text of a scalar. False when its text in the file is not one value in one piece (an alias, an
  /// escape).
  bool replace(const loader::Document& document, const loader::Node& node, const std::string& text);

  /// The texts with all replacements made.
  [[nodiscard]] std::vector<UpdatedFile> apply() const;

 private:
  struct File {
    std::shared_ptr<const loader::Source> source;
    std::map<std::size_t, std::pair<std::size_t, std::string>> edits;  ///< by offset: length, and what comes there
  };
  std::map<std::string, File> files_;
};

/// A number written like another one: in hexadecimal with as many digits, in binary, negative, or as a plain decimal.
std::string write_like(const std::string& before, u64 value, u32 bits);

}  // namespace salu::suite
