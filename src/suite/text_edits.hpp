#pragma once

#include <salu/suite.hpp>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "loader/yaml/yaml_tree.hpp"

namespace salu::suite {

/// Replacements of values in the texts that they were read from, however many tests read a value: a text is known by
/// its canonical path, and a value is replaced when all who use it want the same.
class TextEdits {
 public:
  /// Wants a scalar replaced; `what` names it in messages. False when its text in the file is not the value in one
  /// piece (an escape, a block of lines).
  bool replace(const loader::Document& document, const loader::Node& node, std::string text, std::string what);

  /// Wants a scalar as it is: it holds, or it is an input.
  void keep(const loader::Document& document, const loader::Node& node);

  /// The texts with all replacements made, and the places that stay because not all want the same there.
  [[nodiscard]] Update apply();

 private:
  /// Line and column: in the order of the text, and the same for all who read a value.
  using TextPlace = u64;
  struct Edit {
    TextPlace place = 0;
    std::size_t offset = 0;
    std::size_t length = 0;
    std::string text;
    std::string what;
    std::size_t number = 0;  ///< in the order in which they are wished for

    [[nodiscard]] auto wish() const { return std::tie(place, text); }
    friend bool operator<(const Edit& left, const Edit& right) { return left.wish() < right.wish(); }
    friend bool operator==(const Edit& left, const Edit& right) { return left.wish() == right.wish(); }
  };
  struct File {
    std::shared_ptr<const loader::Source> source;
    std::vector<Edit> edits;
    std::size_t wishes = 0;  ///< for edits, those that are no longer there among them
    std::vector<TextPlace> kept;
  };

  static TextPlace place_of(const loader::Node& node) { return u64{node.line} << 32 | node.column; }
  File& file_of(const loader::Document& document);
  static void apply(File& file, Update& update);

  std::deque<File> files_;
  std::unordered_map<std::string, File*> by_path_;  ///< by canonical path, and by every other spelling of it
};

/// A number written like another one: in hexadecimal or binary with as many digits, negative, or as a plain decimal,
/// with its separators.
std::string write_like(const std::string& before, u64 value, u32 bits);

/// The shortest decimal number with a format of 32 or 64 bits that is these bits; nothing where none is.
std::optional<std::string> write_float(u64 value, u32 bits);

}  // namespace salu::suite
