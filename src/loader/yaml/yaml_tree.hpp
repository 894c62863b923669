#pragma once

#include <salu/error.hpp>

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loader/text_file.hpp"

/// YAML text to a tree that knows its places. yaml-cpp's own nodes lose duplicate keys and the ends of aliases, so the
/// tree is built from the parser's events, within limits that bound time and memory for any input.
namespace salu::loader {

struct Node {
  enum class Kind : u8 { null, scalar, sequence, map };
  Kind kind = Kind::null;
  bool plain = false;                 ///< scalar: written without quotes and without `|` or `>`
  bool open = true;                   ///< its end has not been seen yet
  u32 line = 0;                       ///< from 1
  u32 column = 0;                     ///< from 1, in bytes
  u64 weight = 1;                     ///< nodes and text bytes below, aliases counted as often as they are used
  std::string text;                   ///< scalar: its value
  std::vector<const Node*> children;  ///< sequence: the values; map: key, value, key, value, ...

  [[nodiscard]] bool is_scalar() const { return kind == Kind::scalar; }
  [[nodiscard]] bool is_sequence() const { return kind == Kind::sequence; }
  [[nodiscard]] bool is_map() const { return kind == Kind::map; }
};

/// A text and its name, shared by the documents in it.
struct Source {
  Source(std::string name, std::string path_of_it, std::string content, bool is_marked, u32 line)
      : file(std::move(name)),
        path(std::move(path_of_it)),
        text(std::move(content)),
        has_byte_order_mark(is_marked),
        first_line(line),
        lines(text, line) {}
  // `lines` looks into `text`.
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  Source(Source&&) = delete;
  Source& operator=(Source&&) = delete;
  ~Source() = default;

  const std::string file;  ///< as messages print it
  const std::string path;  ///< what relative paths in it are relative to
  const std::string text;  ///< without its byte order mark
  const bool has_byte_order_mark;
  const u32 first_line;  ///< 1, unless it is a part of a stream
  const Lines lines;

  [[nodiscard]] SourcePlace place(u32 line, u32 column) const { return {file, line, column}; }
  [[nodiscard]] SourcePlace place(const Node& node) const { return place(node.line, node.column); }
};

/// One YAML document.
struct Document {
  std::shared_ptr<const Source> source;
  std::deque<Node> nodes;
  const Node* root = nullptr;

  /// Leaves with an error at a node.
  [[noreturn]] void fail(const Node& node, std::string message, ErrorCode code = ErrorCode::scenario) const;
};

/// True for a line that is `---` or `...`, whatever follows behind a blank.
bool is_marker(std::string_view line, std::string_view marker);

/// True when a line may stand before a document: nothing, a comment or a directive.
bool is_prologue(std::string_view line);

/// Where documents begin and end in a text whose lines are looked at one after another. `---` and `...` at the start of
/// a line stand nowhere but around documents.
class DocumentMarkers {
 public:
  enum class Line : u8 {
    inside,  ///< belongs to the document
    begins,  ///< is the first of the next document
    ends,    ///< is the last of the document
  };
  Line see(std::string_view line);

 private:
  bool prologue_ = true;  ///< nothing of the document has come yet but comments and directives
};

/// Every document of a text that holds something, in order. A document that is no YAML (or beyond the limits: 64
/// levels, two million values) gives an error of its own; the documents behind the next `---` are read all the same.
/// Rejects a text with a line that is longer than a megabyte.
std::vector<Result<std::shared_ptr<const Document>>> parse_yaml(const std::shared_ptr<const Source>& source);

/// The one document that a line of a source holds (JSON Lines are lines of YAML); null when there is nothing on it, or
/// a comment. A line that says that it holds nothing (`null`, `---`) is an error.
Result<std::shared_ptr<const Document>> parse_yaml_line(const std::shared_ptr<const Source>& source, u32 line);

/// The one document of a source; null when there is nothing in it.
Result<std::shared_ptr<const Document>> parse_document(const std::shared_ptr<const Source>& source);

/// Checks that the text is UTF-8 and within the size limit, and makes it a source.
std::shared_ptr<const Source> make_source(std::string text, const std::string& path, u64 limit_bytes = yaml_limit_bytes,
                                          u32 first_line = 1);

}  // namespace salu::loader
