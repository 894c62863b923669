#include "loader/yaml/yaml_tree_builder.hpp"

#include <fmt/core.h>
#include <yaml-cpp/anchor.h>
#include <yaml-cpp/emitterstyle.h>
#include <yaml-cpp/mark.h>

#include <array>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace salu::loader {
namespace {

constexpr std::size_t deepest_level = 64;
constexpr std::size_t most_nodes = 2'000'000;
constexpr u64 most_weight = u64{128} << 20;
constexpr std::string_view merge_key = "<<";

/// Builds the tree of one document from the parser's events, and rejects invalid YAML that the parser accepts.
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
    if (target.open) fail(place, "an alias inside its own anchor's value");
    check_indentation(start_of(mark));
    if (!stack_.empty()) stack_.back().last_child = static_cast<std::size_t>(mark.pos);
    attach(target, place);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node& node = add(mark, tag, anchor, Node::Kind::scalar);
    node.plain = tag == "?";
    if (!stack_.empty()) stack_.back().last_child = static_cast<std::size_t>(mark.pos);
    // A tag without a value has no place to check.
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
  /// A list or a map whose end has not been parsed yet.
  struct Level {
    Node* node;
    bool is_flow;             ///< in brackets, or inside a node in brackets
    std::size_t indentation;  ///< least indentation of continuation lines of its values
    std::size_t last_child;   ///< start of its last scalar
  };

  [[noreturn]] void fail(const Node& node, std::string message, ErrorCode code = ErrorCode::yaml) const {
    document_.fail(node, std::move(message), code);
  }

  [[noreturn]] void fail(const YamlFault& fault) const { reject_fault(document_, text_, first_line_, fault); }

  [[nodiscard]] char char_at(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }

  /// Returns the start of a node without its anchor and tag.
  [[nodiscard]] Start start_of(const YAML::Mark& mark) {
    const auto offset = static_cast<std::size_t>(mark.pos);
    const char first = char_at(offset);
    if (first != '&' && first != '!') return {offset, static_cast<std::size_t>(mark.column)};
    const std::size_t start = skip_properties(text_, offset);
    // Nodes arrive in order. The line start is cached, because a line may have very many nodes.
    if (start < seen_) return {start, column_at(text_, start)};
    const std::size_t line_break = text_.substr(seen_, start - seen_).rfind('\n');
    if (line_break != std::string_view::npos) line_start_ = seen_ + line_break + 1;
    seen_ = start;
    return {start, start - line_start_};
  }

  /// True if the next node is the value of a key.
  [[nodiscard]] bool is_at_value() const {
    return !stack_.empty() && stack_.back().node->is_map() && stack_.back().node->children.size() % 2 == 1;
  }

  /// yaml-cpp accepts `[1,,2]` and `[,1]`, with an empty value, and a key without a colon at the end of a document.
  void check_emptiness(const YAML::Mark& mark) const {
    if (stack_.empty()) return;
    const Level& level = stack_.back();
    const auto offset = static_cast<std::size_t>(mark.pos);
    if (level.is_flow && !is_at_value() && char_at(offset) == ',') {
      fail(YamlFault{offset, "missing value before this comma"});
    }
    if (!level.is_flow && is_at_value() && offset == level.last_child) {
      fail(YamlFault{offset, "missing `:` after this key"});
    }
  }

  /// yaml-cpp accepts tabs as blanks, and checks the indentation only of keys and of `-`.
  void check_indentation(const Start& start) const {
    if (stack_.empty() || stack_.back().is_flow) return;
    if (has_tab_ && is_indented_by_tab(text_, start.offset)) fail(YamlFault{start.offset, std::string(tab_message)});
    if (is_at_value() && start.column < stack_.back().indentation) {
      fail(YamlFault{start.offset, "the value of a key must be indented more than the key"});
    }
  }

  [[nodiscard]] Node at(const YAML::Mark& mark) const {
    Node node;
    // Line and column of an unknown mark are -1 in yaml-cpp.
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
    if (!known) fail(node, "unsupported tag `" + tag + "`");
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
      if (!key.is_scalar()) fail(key, "a key must be a plain name", ErrorCode::scenario);
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

  /// Replaces `<<: *other` by the entries of the other map whose keys this map does not have.
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
      if (!source->is_map()) fail(*source, "`<<` can merge only maps");
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
  std::size_t seen_ = 0;        ///< last offset in `start_of`
  std::size_t line_start_ = 0;  ///< start of the line of `seen_`
  bool has_tab_;
  std::vector<Level> stack_;
  std::vector<const Node*> anchors_;
};

}  // namespace

void reject_fault(const Document& document, std::string_view text, u32 first_line, const YamlFault& fault) {
  const TextPosition place = position_of(text, fault.offset);
  Node node;
  node.line = first_line - 1 + place.line;
  node.column = place.column;
  document.fail(node, "not valid YAML: " + fault.message, ErrorCode::yaml);
}

std::unique_ptr<YAML::EventHandler> make_tree_builder(Document& document, std::string_view text, u32 first_line,
                                                      bool has_tab) {
  return std::make_unique<TreeBuilder>(document, text, first_line, has_tab);
}

}  // namespace salu::loader
