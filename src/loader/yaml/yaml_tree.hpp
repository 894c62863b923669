#pragma once

#include <salu/error.hpp>

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loader/text_file.hpp"

/// Parsing of YAML text to a tree with source places. yaml-cpp's own nodes lose duplicate keys and the ends of aliases,
/// so the tree is built from the parser's events. Limits bound the time and memory for any input.
namespace salu::loader {

struct Node {
  enum class Kind : u8 { null, scalar, sequence, map };
  Kind kind = Kind::null;
  bool plain = false;                 ///< scalar: written without quotes and without `|` or `>`
  bool open = true;                   ///< its end has not been parsed yet
  u32 line = 0;                       ///< from 1
  u32 column = 0;                     ///< from 1, in bytes
  u64 weight = 1;                     ///< number of nodes and text bytes below it; aliases count at each use
  std::string text;                   ///< scalar: its value
  std::vector<const Node*> children;  ///< sequence: the values; map: key, value, key, value, ...

  [[nodiscard]] bool is_scalar() const { return kind == Kind::scalar; }
  [[nodiscard]] bool is_sequence() const { return kind == Kind::sequence; }
  [[nodiscard]] bool is_map() const { return kind == Kind::map; }
};

/// A text with its name, shared by the documents in it.
struct Source {
  Source(std::string name, std::string path_of_it, std::string content, bool is_marked, u32 line)
      : file(std::move(name)),
        path(std::move(path_of_it)),
        text(std::move(content)),
        has_byte_order_mark(is_marked),
        first_line(line),
        lines(text, line) {}
  // Not copyable, because `lines` refers to `text`.
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  Source(Source&&) = delete;
  Source& operator=(Source&&) = delete;
  ~Source() = default;

  const std::string file;  ///< as messages print it
  const std::string path;  ///< base of relative paths in the text
  const std::string text;  ///< without its byte order mark
  const bool has_byte_order_mark;
  const u32 first_line;  ///< 1, except for a part of a stream
  const Lines lines;

  [[nodiscard]] SourcePlace place(u32 line, u32 column) const { return {file, line, column}; }
  [[nodiscard]] SourcePlace place(const Node& node) const { return place(node.line, node.column); }
};

/// One YAML document.
struct Document {
  std::shared_ptr<const Source> source;
  std::deque<Node> nodes;
  const Node* root = nullptr;

  /// Rejects the document with an error at a node.
  [[noreturn]] void fail(const Node& node, std::string message, ErrorCode code = ErrorCode::scenario) const;
};

/// True for a line that is `---` or `...`, possibly with a blank and more text.
bool is_marker(std::string_view line, std::string_view marker);

/// True if a line may precede a document: an empty line, a comment or a directive.
bool is_prologue(std::string_view line);

/// Finds the boundaries of documents in a sequence of lines. In YAML, `---` and `...` at the start of a line always
/// separate documents.
class DocumentMarkers {
 public:
  enum class Line : u8 {
    inside,  ///< belongs to the document
    begins,  ///< the first line of the next document
    ends,    ///< the last line of the document
  };
  Line see(std::string_view line);

 private:
  bool prologue_ = true;  ///< only comments and directives so far
};

/// Parses all documents of a text that are not empty, in order. A document that is not valid YAML or exceeds a limit
/// (64 levels, two million values) gives an error; the documents after the next `---` are still read. Rejects a text
/// with a line of more than 1 MiB.
std::vector<Result<std::shared_ptr<const Document>>> parse_yaml(const std::shared_ptr<const Source>& source);

/// Parses the document on one line of a source (JSON Lines are lines of YAML); null for an empty line or a comment. A
/// line with an explicitly empty document (`null`, `---`) is an error.
Result<std::shared_ptr<const Document>> parse_yaml_line(const std::shared_ptr<const Source>& source, u32 line);

/// Parses the only document of a source; null if it is empty.
Result<std::shared_ptr<const Document>> parse_document(const std::shared_ptr<const Source>& source);

/// Makes a source of a text; rejects texts that are not UTF-8 or exceed the size limit.
std::shared_ptr<const Source> make_source(std::string text, const std::string& path, u64 limit_bytes = yaml_limit_bytes,
                                          u32 first_line = 1);

}  // namespace salu::loader
