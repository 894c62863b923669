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

/// Replacements of values in texts. Several tests may use one value: texts are identified by canonical path, and a
/// value is replaced if all users want the same.
class TextEdits {
 public:
  /// Requests the replacement of a scalar; `what` names it in messages. Returns false if the value is not written in
  /// one piece in the file (an escape, a block of lines).
  bool replace(const loader::Document& document, const loader::Node& node, std::string text, std::string what);

  /// Requests that a scalar stays: it holds, or it is an input.
  void keep(const loader::Document& document, const loader::Node& node);

  /// Returns the texts with all replacements, and the places with conflicting requests.
  [[nodiscard]] Update apply();

 private:
  /// Line and column, ordered by position in the text.
  using TextPlace = u64;
  struct Edit {
    TextPlace place = 0;
    std::size_t offset = 0;
    std::size_t length = 0;
    std::string text;
    std::string what;
    std::size_t number = 0;  ///< in the order of the requests

    [[nodiscard]] auto wish() const { return std::tie(place, text); }
    friend bool operator<(const Edit& left, const Edit& right) { return left.wish() < right.wish(); }
    friend bool operator==(const Edit& left, const Edit& right) { return left.wish() == right.wish(); }
  };
  struct File {
    std::shared_ptr<const loader::Source> source;
    std::vector<Edit> edits;
    std::size_t wishes = 0;  ///< number of edits, including removed ones
    std::vector<TextPlace> kept;
  };

  static TextPlace place_of(const loader::Node& node) { return u64{node.line} << 32 | node.column; }
  File& file_of(const loader::Document& document);
  static void apply(File& file, Update& update);

  std::deque<File> files_;
  std::unordered_map<std::string, File*> by_path_;  ///< by canonical path, and by all other spellings of it
};

/// Writes a number like another one: in hexadecimal or binary with as many digits, negative, or decimal, with its
/// separators.
std::string write_like(const std::string& before, u64 value, u32 bits);

/// The shortest decimal number that has these bits as a float of 32 or 64 bits; nothing for infinities and NaNs.
std::optional<std::string> write_float(u64 value, u32 bits);

}  // namespace salu::suite
