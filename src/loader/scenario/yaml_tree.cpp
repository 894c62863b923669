#include "loader/scenario/yaml_tree.hpp"

#include <fmt/core.h>
#include <yaml-cpp/anchor.h>
#include <yaml-cpp/emitterstyle.h>
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
#include "loader/scenario/yaml_strictness.hpp"
#include "support/byte_order_mark.hpp"

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

constexpr std::string_view tab_message = "a tab in the indentation, which takes blanks only";

[[noreturn]] void reject_fault(const Document& document, std::string_view text, u32 first_line,
                               const YamlFault& fault) {
  const TextPosition place = position_of(text, fault.offset);
  Node node;
  node.line = first_line - 1 + place.line;
  node.column = place.column;
  document.fail(node, "not valid YAML: " + fault.message, ErrorCode::yaml);
}

/// Builds the tree of one document from the parser's events, and refuses what the parser should have refused.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(Document& document, std::string_view text, u32 first_line, bool has_tab)
      : document_(document), text_(text), first_line_(first_line), has_tab_(has_tab) {}

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (anchor == 0) check_emptiness(mark);
    Node& node = add(mark, {}, anchor, Node::Kind::null);
    finish(node);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const Node place = at(mark);
    if (anchor == 0 || anchor >= anchors_.size() || anchors_[anchor] == nullptr)
      fail(place, "an alias without its anchor");
    const Node& target = *anchors_[anchor];
    if (target.open) fail(place, "an alias inside the value that it stands for");
    check_indentation(start_of(mark));
    if (!stack_.empty()) stack_.back().last_child = static_cast<std::size_t>(mark.pos);
    attach(target, place);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node& node = add(mark, tag, anchor, Node::Kind::scalar);
    node.plain = tag == "?";
    if (!stack_.empty()) stack_.back().last_child = static_cast<std::size_t>(mark.pos);
    // A tag with nothing behind it has no place to look at.
    if (value.empty() && tag.size() > 1) {
      finish(node);
      return;
    }
    const Start start = start_of(mark);
    check_indentation({static_cast<std::size_t>(mark.pos), static_cast<std::size_t>(mark.column)});
    check_indentation(start);
    const char first = char_at(start.offset);
    if (!node.plain && (first == '"' || first == '\'')) {
      QuotedText quoted = read_quoted(text_, start.offset, stack_.empty() ? 0 : stack_.back().indentation);
      if (quoted.fault) fail(*quoted.fault);
      node.text = quoted.value ? *std::move(quoted.value) : value;
    } else {
      node.text = value;
    }
    node.weight += node.text.size();
    finish(node);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    push(mark, add(mark, tag, anchor, Node::Kind::sequence), style);
  }
  void OnSequenceEnd() override { pop(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    push(mark, add(mark, tag, anchor, Node::Kind::map), style);
  }
  void OnMapEnd() override {
    check_keys(*stack_.back().node);
    merge(*stack_.back().node);
    pop();
  }

 private:
  static constexpr std::size_t no_child = std::string_view::npos;

  struct Start {
    std::size_t offset;
    std::size_t column;  ///< from 0
  };
  /// A list or a map whose end has not come yet.
  struct Level {
    Node* node;
    bool is_flow;             ///< in brackets, or inside of what is
    std::size_t indentation;  ///< what a further line of a value in it is indented by at least
    std::size_t last_child;   ///< where the last scalar in it begins
  };

  [[noreturn]] void fail(const Node& node, std::string message, ErrorCode code = ErrorCode::yaml) const {
    document_.fail(node, std::move(message), code);
  }

  [[noreturn]] void fail(const YamlFault& fault) const { reject_fault(document_, text_, first_line_, fault); }

  [[nodiscard]] char char_at(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }

  /// Where a node begins without its anchor and its tag.
  [[nodiscard]] Start start_of(const YAML::Mark& mark) const {
    const auto offset = static_cast<std::size_t>(mark.pos);
    const char first = char_at(offset);
    if (first != '&' && first != '!') return {offset, static_cast<std::size_t>(mark.column)};
    const std::size_t start = skip_properties(text_, offset);
    return {start, column_at(text_, start)};
  }

  /// True where the next node is the value of a key.
  [[nodiscard]] bool is_at_value() const {
    return !stack_.empty() && stack_.back().node->is_map() && stack_.back().node->children.size() % 2 == 1;
  }

  /// yaml-cpp takes `[1,,2]` and `[,1]`, with nothing as a value, and a key without a colon at the end of a document.
  void check_emptiness(const YAML::Mark& mark) const {
    if (stack_.empty()) return;
    const Level& level = stack_.back();
    const auto offset = static_cast<std::size_t>(mark.pos);
    if (level.is_flow && !is_at_value() && char_at(offset) == ',') {
      fail(YamlFault{offset, "there is nothing before this comma"});
    }
    if (!level.is_flow && is_at_value() && offset == level.last_child) {
      fail(YamlFault{offset, "there is no colon behind this key"});
    }
  }

  /// yaml-cpp takes a tab for a blank, and looks at the indentation of what begins with a key or a `-` only.
  void check_indentation(const Start& start) const {
    if (stack_.empty() || stack_.back().is_flow) return;
    if (has_tab_ && is_indented_by_tab(text_, start.offset)) fail(YamlFault{start.offset, std::string(tab_message)});
    if (is_at_value() && start.column < stack_.back().indentation) {
      fail(YamlFault{start.offset, "the value of a key has to be indented more than the key"});
    }
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

  void push(const YAML::Mark& mark, Node& node, YAML::EmitterStyle::value style) {
    if (stack_.size() >= deepest_level) fail(node, fmt::format("nested deeper than {} levels", deepest_level));
    const bool is_inside_flow = !stack_.empty() && stack_.back().is_flow;
    if (is_inside_flow || style == YAML::EmitterStyle::Flow) {
      check_indentation(start_of(mark));
      stack_.push_back({&node, true, stack_.empty() ? 0 : stack_.back().indentation, no_child});
    } else {
      const Start start = start_of(mark);
      const auto offset = static_cast<std::size_t>(mark.pos);
      if (start.offset != offset) check_indentation({offset, static_cast<std::size_t>(mark.column)});
      stack_.push_back({&node, false, start.column + 1, no_child});
    }
  }

  void pop() {
    Node& node = *stack_.back().node;
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
    Node& parent = *stack_.back().node;
    parent.children.push_back(&node);
    parent.weight += node.weight;
    if (parent.weight > most_weight) fail(place, "the document's aliases expand to too much");
  }

  void check_keys(const Node& map) const {
    constexpr std::size_t few = 32;
    std::unordered_set<std::string_view> seen;
    for (std::size_t i = 0; i + 1 < map.children.size(); i += 2) {
      const Node& key = *map.children[i];
      if (!key.is_scalar()) fail(key, "a key has to be a plain name", ErrorCode::scenario);
      bool is_new = true;
      if (map.children.size() > few) {
        is_new = seen.insert(key.text).second;
      } else {
        for (std::size_t before = 0; before < i; before += 2) is_new &= map.children[before]->text != key.text;
      }
      if (!is_new) fail(key, "the key `" + key.text + "` appears twice", ErrorCode::scenario);
    }
  }

  static bool is_merge_key(const Node& key) { return key.plain && key.text == merge_key; }

  /// Replaces `<<: *other` by the entries of the other map that this one does not have itself.
  void merge(Node& map) {
    bool has_merge_key = false;
    for (std::size_t i = 0; i < map.children.size(); i += 2) has_merge_key |= is_merge_key(*map.children[i]);
    if (!has_merge_key) return;
    std::vector<const Node*> own;
    std::vector<const Node*> sources;
    for (std::size_t i = 0; i + 1 < map.children.size(); i += 2) {
      const Node& key = *map.children[i];
      const Node& value = *map.children[i + 1];
      if (!is_merge_key(key)) {
        own.insert(own.end(), {&key, &value});
      } else if (value.is_sequence()) {
        sources.insert(sources.end(), value.children.begin(), value.children.end());
      } else {
        sources.push_back(&value);
      }
    }
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
  std::string_view text_;
  u32 first_line_;
  bool has_tab_;
  std::vector<Level> stack_;
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
      const std::size_t next = is_end ? std::min(end + 1, text.size()) : i;
      parts.push_back({text.substr(start, next - start), start_line});
      start = next;
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
  auto document = std::make_shared<Document>();
  document->source = source;
  const CharacterCheck characters = check_characters(part.text);
  if (characters.fault) reject_fault(*document, part.text, part.first_line, *characters.fault);
  ViewBuffer buffer(part.text);
  std::istream stream(&buffer);
  YAML::Parser parser(stream);
  TreeBuilder builder(*document, part.text, part.first_line, characters.has_tab);
  if (!parser.HandleNextDocument(builder)) return nullptr;
  // yaml-cpp takes whatever follows for another document.
  if (parser) {
    Document rest;
    rest.source = source;
    TreeBuilder rest_builder(rest, part.text, part.first_line, characters.has_tab);
    if (parser.HandleNextDocument(rest_builder) && rest.root != nullptr) {
      rest.fail(*rest.root, "not valid YAML: the document has ended before this; `---` separates documents",
                ErrorCode::yaml);
    }
  }
  const bool is_empty = document->root == nullptr || document->root->kind == Node::Kind::null;
  return is_empty ? nullptr : document;
}

/// yaml-cpp says where the text of a scalar in quotes ended too early, and not where it began. Where the text has a
/// line break at its end, the scalar is an event.
void reject_open_quote(const std::shared_ptr<const Source>& source, const DocumentPart& part,
                       const YAML::Exception& exception) {
  const bool is_at_marker = exception.msg == YAML::ErrorMsg::DOC_IN_SCALAR;
  if (!is_at_marker && exception.msg != YAML::ErrorMsg::EOF_IN_SCALAR) return;
  const std::string_view text =
      is_at_marker ? part.text.substr(0, static_cast<std::size_t>(exception.mark.pos)) : part.text;
  try {
    parse_part(source, {std::string(text) + "\n", part.first_line});
  } catch (const YAML::Exception&) {
    return;
  }
}

/// What yaml-cpp says. Of a character that is no escape it quotes the first byte.
std::string message_of(const YAML::Exception& exception) {
  const std::string& message = exception.msg;
  const auto is_printable = [](char c) { return c >= ' ' && c < '\x7f'; };
  return std::ranges::all_of(message, is_printable) ? message : std::string("there is no such escape");
}

/// What else can be said of an error of yaml-cpp's.
std::string hint(const YAML::Exception& exception, std::string_view line) {
  namespace messages = YAML::ErrorMsg;
  const std::string_view before = line.substr(0, static_cast<std::size_t>(std::max(exception.mark.column, 0)));
  const std::size_t last = before.find_last_not_of(" \t");
  const bool is_behind_quote = last != std::string_view::npos && (before[last] == '\'' || before[last] == '"');
  const bool wants_end = exception.msg == messages::END_OF_MAP || exception.msg == messages::END_OF_SEQ ||
                         exception.msg == messages::END_OF_MAP_FLOW || exception.msg == messages::END_OF_SEQ_FLOW;
  if (is_behind_quote && wants_end) {
    return R"(; the text in quotes has ended before this: inside '...' an apostrophe is written '', inside "..." a )"
           R"(quote \")";
  }
  const std::string_view blanks = line.substr(0, line.find_first_not_of(" \t"));
  if (blanks.find('\t') != std::string_view::npos) return "; there is " + std::string(tab_message);
  return bracket_hint(line);
}

/// The same with what is wrong as a result.
Result<std::shared_ptr<const Document>> read_part(const std::shared_ptr<const Source>& source,
                                                  const DocumentPart& part) {
  try {
    try {
      return parse_part(source, part);
    } catch (const YAML::Exception& exception) {
      reject_open_quote(source, part, exception);
      const u32 line = exception.mark.line < 0 ? 0 : part.first_line + static_cast<u32>(exception.mark.line);
      const u32 column = exception.mark.line < 0 ? 0 : static_cast<u32>(exception.mark.column) + 1;
      const std::string text(source->lines.line(line));
      return Error{ErrorCode::yaml, source->place(line, column),
                   "not valid YAML: " + message_of(exception) + hint(exception, text), text};
    }
  } catch (Rejection& rejection) {
    return std::move(rejection).take();
  }
}

}  // namespace

bool is_marker(std::string_view line, std::string_view marker) {
  return line.starts_with(marker) && (line.size() == 3 || line[3] == ' ' || line[3] == '\t' || line[3] == '\r');
}

bool is_prologue(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first == std::string_view::npos || line[first] == '#' || line[0] == '%';
}

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
  const bool is_marked = first_line == 1 && text.starts_with(support::byte_order_mark);
  if (is_marked) text.erase(0, support::byte_order_mark.size());
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
