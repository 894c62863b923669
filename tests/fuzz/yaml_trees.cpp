#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loader/rejection.hpp"
#include "loader/scenario/document_stream.hpp"
#include "loader/yaml/yaml_tree.hpp"

// Prints salu's interpretation of YAML texts, for yaml_differences_test.py. Each text is a line with its length in
// bytes, followed by the bytes; each answer is a line of JSON: the documents, or the error.
namespace salu::loader {
namespace {

using nlohmann::ordered_json;

ordered_json to_json(const Node& node) {
  if (node.is_scalar()) return {{"scalar", node.text}, {"plain", node.plain}};
  if (node.kind == Node::Kind::null) return nullptr;
  ordered_json children = ordered_json::array();
  for (const Node* child : node.children) children.push_back(to_json(*child));
  return {{node.is_map() ? "map" : "list", std::move(children)}};
}

ordered_json to_json(const Error& error) {
  return {{"line", error.where.line}, {"column", error.where.column}, {"error", error.message}};
}

ordered_json to_json(const Result<std::shared_ptr<const Document>>& document) {
  return document ? to_json(*(*document)->root) : to_json(document.error());
}

/// A whole text.
ordered_json read_text(const std::string& text) {
  ordered_json documents = ordered_json::array();
  try {
    for (const auto& document : parse_yaml(make_source(text, "t.yaml"))) documents.push_back(to_json(document));
  } catch (Rejection& rejection) {
    documents.push_back(to_json(std::move(rejection).take()));
  }
  return documents;
}

/// The same as a stream that arrives in pieces.
ordered_json read_stream(const std::string& text) {
  constexpr std::size_t piece = 7;
  std::size_t at = 0;
  const auto read = [&](std::span<char> buffer) {
    const std::string_view bytes = std::string_view(text).substr(at, std::min(piece, buffer.size()));
    std::ranges::copy(bytes, buffer.begin());
    at += bytes.size();
    return bytes.size();
  };
  ordered_json documents = ordered_json::array();
  DocumentStream stream({}, read, "t.yaml");
  while (const auto document = stream.next()) documents.push_back(to_json(*document));
  return documents;
}

}  // namespace
}  // namespace salu::loader

int main() {
  using namespace salu::loader;
  for (std::string line; std::getline(std::cin, line);) {
    std::string text(std::stoull(line), '\0');
    std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
    const auto whole = read_text(text);
    const auto stream = read_stream(text);
    std::cout << nlohmann::ordered_json{{"whole", whole}, {"stream", stream == whole ? nullptr : stream}}.dump()
              << '\n';
  }
  return 0;
}
