#include "loader/scenario/yaml_tree.hpp"

#include <fmt/core.h>
#include <yaml-cpp/anchor.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <istream>
#include <streambuf>
#include <unordered_set>
#include <utility>

#include "loader/rejection.hpp"

namespace salu::loader {
namespace {

constexpr std::size_t deepest_level = 64;
constexpr std::size_t most_nodes = 2'000'000;
constexpr u64 most_weight = u64{128} << 20;
constexpr std::size_t most_documents = 65'536;
// Anything on a line may turn out to be a key when a colon follows, so yaml-cpp keeps the tokens of a line until it
// ends, at some hundred bytes each.
constexpr std::size_t longest_line_bytes = std::size_t{1} << 20;
constexpr std::string_view merge_key = "<<";

/// Builds the tree of one document from the parser's events.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(Document& document, u32 first_line) : document_(document), first_line_(first_line) {}

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Node& node = add(mark, {}, anchor, Node::Kind::null);
    finish(node);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const Node place = at(mark);
    if (anchor == 0 || anchor >= anchors_.size() || anchors_[anchor] == nullptr)
      fail(place, "an alias without its anchor");
    const Node& target = *anchors_[anchor];
    if (target.open) fail(place, "an alias inside the value that it stands for");
    attach(target, place);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node& node = add(mark, tag, anchor, Node::Kind::scalar);
    node.plain = tag == "?";
    node.text = value;
    node.weight += value.size();
    finish(node);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    push(add(mark, tag, anchor, Node::Kind::sequence));
  }
  void OnSequenceEnd() override { pop(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    push(add(mark, tag, anchor, Node::Kind::map));
  }
  void OnMapEnd() override {
    check_keys(*stack_.back());
    merge(*stack_.back());
    pop();
  }

 private:
  [[noreturn]] void fail(const Node& node, std::string message, ErrorCode code = ErrorCode::yaml) const {
    document_.fail(node, std::move(message), code);
  }

  [[nodiscard]] Node at(const YAML::Mark& mark) const {
    Node node;
    // A mark that yaml-cpp does not know has -1 for line and column.
    node.line = first_line_ + static_cast<u32>(mark.line);
    node.column = static_cast<u32>(mark.column) + 1;
    return node;
  }

  Node& add(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Node::Kind kind) {
    static constexpr std::array<std::string_view, 4> known_tags = {"", "?", "!", "tag:yaml.org,2002:str"};
    Node node = at(mark);
    node.kind = kind;
    constexpr std::string_view core = "tag:yaml.org,2002:";
    bool known = tag.starts_with(core) && tag != std::string(core) + "binary";
    for (const std::string_view name : known_tags) known = known || tag == name;
    if (!known) fail(node, "the tag `" + tag + "` has no meaning here");
    if (document_.nodes.size() >= most_nodes) {
      fail(node, fmt::format("more than {} values in a document: put large data into a file (`file:`)", most_nodes));
    }
    document_.nodes.push_back(std::move(node));
    Node& added = document_.nodes.back();
    if (anchor != 0) {
      if (anchors_.size() <= anchor) anchors_.resize(anchor + 1);
      anchors_[anchor] = &added;
    }
    return added;
  }

  void push(Node& node) {
    if (stack_.size() >= deepest_level) fail(node, fmt::format("nested deeper than {} levels", deepest_level));
    stack_.push_back(&node);
  }

  void pop() {
    Node& node = *stack_.back();
    stack_.pop_back();
    finish(node);
  }

  void finish(Node& node) {
    node.open = false;
    attach(node, node);
  }

  void attach(const Node& node, const Node& place) {
    if (stack_.empty()) {
      document_.root = &node;
      return;
    }
    Node& parent = *stack_.back();
    parent.children.push_back(&node);
    parent.weight += node.weight;
    if (parent.weight > most_weight) fail(place, "the document's aliases expand to too much");
  }

  void check_keys(const Node& map) const {
    std::unordered_set<std::string_view> seen;
    for (std::size_t i = 0; i + 1 < map.children.size(); i += 2) {
      const Node& key = *map.children[i];
      if (!key.is_scalar()) fail(key, "a key has to be a plain name", ErrorCode::scenario);
      if (!seen.insert(key.text).second) fail(key, "the key `" + key.text + "` appears twice", ErrorCode::scenario);
    }
  }

  /// Replaces `<<: *other` by the entries of the other map that this one does not have itself.
  void merge(Node& map) {
    std::vector<const Node*> own;
    std::vector<const Node*> sources;
    for (std::size_t i = 0; i + 1 < map.children.size(); i += 2) {
      const Node& key = *map.children[i];
      const Node& value = *map.children[i + 1];
      if (!key.plain || key.text != merge_key) {
        own.insert(own.end(), {&key, &value});
      } else if (value.is_sequence()) {
        sources.insert(sources.end(), value.children.begin(), value.children.end());
      } else {
        sources.push_back(&value);
      }
    }
    if (sources.empty()) return;
    std::unordered_set<std::string_view> seen;
    for (std::size_t i = 0; i < own.size(); i += 2) seen.insert(own[i]->text);
    for (const Node* source : sources) {
      if (!source->is_map()) fail(*source, "`<<` merges maps only");
      for (std::size_t i = 0; i + 1 < source->children.size(); i += 2) {
        if (seen.insert(source->children[i]->text).second) {
          own.insert(own.end(), {source->children[i], source->children[i + 1]});
        }
      }
    }
    map.children = std::move(own);
  }

  Document& document_;
  u32 first_line_;
  std::vector<Node*> stack_;
  std::vector<const Node*> anchors_;
};

/// Reads a view without copying it.
class ViewBuffer final : public std::streambuf {
 public:
  explicit ViewBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());  // a get area is never written to
    setg(begin, begin, begin + text.size());
  }
};

/// The text of one document.
struct DocumentPart {
  std::string_view text;
  u32 first_line;
};

bool is_marker(std::string_view line, std::string_view marker) {
  return line.starts_with(marker) && (line.size() == 3 || line[3] == ' ' || line[3] == '\t' || line[3] == '\r');
}

/// True when a line may stand before the first document: nothing, a comment or a directive.
bool is_prologue(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first == std::string_view::npos || line[first] == '#' || line[0] == '%';
}

std::vector<DocumentPart> split(std::string_view text) {
  std::vector<DocumentPart> parts;
  std::size_t start = 0;
  u32 start_line = 1;
  u32 line_number = 1;
  DocumentMarkers markers;
  for (std::size_t i = 0; i < text.size(); ++line_number) {
    const std::size_t end = std::min(text.find('\n', i), text.size());
    const DocumentMarkers::Line role = markers.see(text.substr(i, end - i));
    if (role != DocumentMarkers::Line::inside) {
      const bool is_end = role == DocumentMarkers::Line::ends;
      parts.push_back({text.substr(start, i - start), start_line});
      start = is_end ? std::min(end + 1, text.size()) : i;
      start_line = line_number + (is_end ? 1 : 0);
    }
    i = end + 1;
  }
  if (start < text.size()) parts.push_back({text.substr(start), start_line});
  return parts;
}

/// What to do about `{s[0:1]: 5}`, which YAML takes for a list.
std::string bracket_hint(std::string_view line) {
  const std::size_t bracket = line.find('[');
  const bool after_name =
      bracket != std::string_view::npos && bracket > 0 && (line[bracket - 1] == 's' || line[bracket - 1] == 'p');
  return after_name && line.find('{') < bracket ? "; inside { } a register with brackets needs quotes: {\"s[0:1]\": 1}"
                                                : "";
}

Error too_long(const Source& source, u32 line) {
  return Error{ErrorCode::yaml,
               source.place(line, 1),
               fmt::format("the line is longer than {} MiB", longest_line_bytes >> 20),
               {}};
}

void check_line_lengths(const Source& source) {
  const std::string& text = source.text;
  std::size_t start = 0;
  for (u32 line = source.first_line; start < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    if (end - start > longest_line_bytes) throw Rejection(too_long(source, line));
    start = end + 1;
  }
}

/// The document in a part; null when there is nothing in it.
std::shared_ptr<const Document> parse_part(const std::shared_ptr<const Source>& source, const DocumentPart& part) {
  ViewBuffer buffer(part.text);
  std::istream stream(&buffer);
  YAML::Parser parser(stream);
  auto document = std::make_shared<Document>();
  document->source = source;
  TreeBuilder builder(*document, part.first_line);
  if (!parser.HandleNextDocument(builder)) return nullptr;
  // yaml-cpp takes whatever follows for another document.
  Document rest;
  rest.source = source;
  TreeBuilder rest_builder(rest, part.first_line);
  if (parser.HandleNextDocument(rest_builder) && rest.root != nullptr) {
    rest.fail(*rest.root, "not valid YAML: the document has ended before this; `---` separates documents",
              ErrorCode::yaml);
  }
  const bool is_empty = document->root == nullptr || document->root->kind == Node::Kind::null;
  return is_empty ? nullptr : document;
}

/// The same with what is wrong as a result.
Result<std::shared_ptr<const Document>> read_part(const std::shared_ptr<const Source>& source,
                                                  const DocumentPart& part) {
  try {
    return parse_part(source, part);
  } catch (Rejection& rejection) {
    return std::move(rejection).take();
  } catch (const YAML::Exception& exception) {
    const u32 line = exception.mark.line < 0 ? 0 : part.first_line + static_cast<u32>(exception.mark.line);
    const u32 column = exception.mark.line < 0 ? 0 : static_cast<u32>(exception.mark.column) + 1;
    const std::string text(source->lines.line(line));
    return Error{ErrorCode::yaml, source->place(line, column), "not valid YAML: " + exception.msg + bracket_hint(text),
                 text};
  }
}

}  // namespace

DocumentMarkers::Line DocumentMarkers::see(std::string_view line) {
  const bool begins = is_marker(line, "---");
  const bool ends = is_marker(line, "...");
  const bool was_prologue = std::exchange(prologue_, ends || (prologue_ && !begins && is_prologue(line)));
  if (ends) return Line::ends;
  return begins && !was_prologue ? Line::begins : Line::inside;
}

void Document::fail(const Node& node, std::string message, ErrorCode code) const {
  reject(code, source->place(node), std::move(message), std::string(source->lines.line(node.line)));
}

std::shared_ptr<const Source> make_source(std::string text, const std::string& path, u64 limit_bytes, u32 first_line) {
  const std::string file = display_name(path);
  if (text.size() > limit_bytes) {
    reject(ErrorCode::io, {file}, fmt::format("too large for a YAML file: the limit is {} MiB", limit_bytes >> 20));
  }
  const std::size_t wrong = find_non_text(text);
  if (wrong != std::string::npos) {
    const auto [line, column] = position_of(text, wrong);
    reject(ErrorCode::yaml, {file, first_line - 1 + line, column},
           text[wrong] == '\0' ? "not a text file: it has a NUL byte" : "not a text file: it is no valid UTF-8");
  }
  const bool is_marked = first_line == 1 && text.starts_with(byte_order_mark);
  if (is_marked) text.erase(0, byte_order_mark.size());
  return std::make_shared<const Source>(file, path, std::move(text), is_marked, first_line);
}

std::vector<Result<std::shared_ptr<const Document>>> parse_yaml(const std::shared_ptr<const Source>& source) {
  check_line_lengths(*source);
  std::vector<Result<std::shared_ptr<const Document>>> documents;
  for (const DocumentPart& part : split(source->text)) {
    if (documents.size() >= most_documents) {
      documents.emplace_back(Error{ErrorCode::yaml,
                                   source->place(part.first_line, 1),
                                   fmt::format("more than {} documents in a file", most_documents),
                                   {}});
      break;
    }
    auto document = read_part(source, part);
    if (!document || *document != nullptr) documents.push_back(std::move(document));
  }
  return documents;
}

Result<std::shared_ptr<const Document>> parse_document(const std::shared_ptr<const Source>& source) {
  check_line_lengths(*source);
  return read_part(source, {source->text, source->first_line});
}

Result<std::shared_ptr<const Document>> parse_yaml_line(const std::shared_ptr<const Source>& source, u32 line) {
  const std::string_view text = source->lines.whole_line(line);
  if (text.size() > longest_line_bytes) return too_long(*source, line);
  return read_part(source, {text, line});
}

}  // namespace salu::loader
