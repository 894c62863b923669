#include "loader/scenario/code_block.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "loader/assembly/text_assembler.hpp"
#include "loader/program/code_files.hpp"
#include "loader/rejection.hpp"
#include "loader/yaml/named_file.hpp"
#include "loader/yaml/reader.hpp"
#include "support/printable.hpp"

namespace salu::loader {
namespace {

constexpr std::array<std::string_view, 8> code_keys = {"asm",  "words",     "file",    "symbol",
                                                       "base", "assembler", "include", "defsym"};
constexpr std::array<std::string_view, 3> code_content_keys = {"asm", "words", "file"};
constexpr std::size_t most_blocks = 256;

/// The start of a scalar's text in the file, if its lines are lines of the file.
struct ScalarPlace {
  u32 line = 0;
  u32 column = 0;
  bool exact = false;
};

/// Returns the column of the scalar's content, after its tag and anchor.
std::size_t skip_properties(std::string_view line, std::size_t column) {
  while (column < line.size() && (line[column] == '&' || line[column] == '!')) {
    column = std::min(line.find_first_of(" \t", column), line.size());
    column = std::min(line.find_first_not_of(" \t", column), line.size());
  }
  return column;
}

/// Returns the indentation that YAML removed from every line of a block scalar, measured at its first nonblank line.
std::size_t removed_indentation(const Document& document, u32 first_line, std::string_view text) {
  u32 line = first_line;
  for (std::size_t i = 0; i < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', i), text.size());
    const std::string_view content = text.substr(i, end - i);
    const std::string_view written = document.source->lines.whole_line(line);
    if (content.find_first_not_of(" \t") != std::string_view::npos) {
      const std::size_t own = content.find_first_not_of(" \t");
      const std::size_t whole = std::min(written.find_first_not_of(" \t"), written.size());
      return whole >= own ? whole - own : 0;
    }
    i = end + 1;
  }
  return 0;
}

ScalarPlace place_of_text(const Document& document, const Node& node) {
  const std::string_view line = document.source->lines.whole_line(node.line);
  const std::size_t start = skip_properties(line, node.column - 1);
  const auto column = static_cast<u32>(start + 1);
  if (start >= line.size()) return {};
  if (line[start] == '|') {
    const auto indentation = removed_indentation(document, node.line + 1, node.text);
    return {node.line + 1, static_cast<u32>(indentation + 1), true};
  }
  const bool quoted = line[start] == '"' || line[start] == '\'';
  const std::size_t first = quoted ? start + 1 : start;
  const bool on_one_line = node.text.find('\n') == std::string::npos && line.substr(first).starts_with(node.text);
  return on_one_line ? ScalarPlace{node.line, column + (quoted ? 1 : 0), true} : ScalarPlace{};
}

void read_assembly(const Document& document, const Node& node, CodeInput& input) {
  input.kind = CodeInput::Kind::assembly;
  input.text = read_text(document, node, "assembly (`asm:`)");
  input.file = document.source->file;
  const std::string_view line = document.source->lines.whole_line(node.line);
  const std::size_t start = skip_properties(line, node.column - 1);
  if (start < line.size() && line[start] == '>') {
    document.fail(node, "`>` joins the lines of assembly; write `asm: |`");
  }
  const ScalarPlace place = place_of_text(document, node);
  const bool joined = node.plain && !place.exact && node.text.find('\n') == std::string::npos;
  if (joined && start < line.size()) {
    document.fail(node, "YAML joins these lines of assembly; write `asm: |` before them");
  }
  input.exact_places = place.exact;
  if (!place.exact) return;
  input.first_line = place.line;
  input.first_column = place.column;
}

void read_words(const Document& document, const Node& node, CodeInput& input) {
  expect_sequence(document, node, "`words:`");
  input.kind = CodeInput::Kind::words;
  input.words.reserve(node.children.size());
  for (const Node* word : node.children) {
    input.words.push_back(static_cast<u32>(read_number(document, *word, "an instruction word", 32)));
  }
}

Assembler read_assembler(const Document& document, const Node& node) {
  const std::string& name = read_text(document, node, "`assembler:`");
  const auto assembler = find_assembler(name);
  if (!assembler) document.fail(node, fmt::format("unknown assembler {}; expected auto, salu or llvm", quote(name)));
  return *assembler;
}

/// Reads `assembler:`, `include:` and `defsym:`.
void read_assembly_options(const Document& document, const MapReader& map, AssemblyOptions& options) {
  if (const Node* assembler = map.find("assembler")) options.assembler = read_assembler(document, *assembler);
  if (const Node* include = map.find("include")) {
    expect_sequence(document, *include, "`include:`");
    for (const Node* folder : include->children)
      options.include_folders.push_back(
          resolve_path(read_text(document, *folder, "a folder of `include:`"), document.source->path));
  }
  const Node* defsym = map.find("defsym");
  if (defsym == nullptr) return;
  if (!defsym->is_map())
    document.fail(*defsym, "`defsym:` must be a map of names and numbers, found " + describe(*defsym));
  for (std::size_t i = 0; i < defsym->children.size(); i += 2) {
    const std::string& name = read_text(document, *defsym->children[i], "a name in `defsym:`");
    const u64 number = read_number(document, *defsym->children[i + 1], "the value of a name", 64);
    options.symbols.push_back(fmt::format("{}={}", name, static_cast<i64>(number)));
  }
}

CodeInput read_block(const Document& document, const Node& node, const FileRules& files) {
  const MapReader map(document, node, "a block of code", code_keys);
  std::vector<const Node*> contents;
  for (const std::string_view key : code_content_keys) {
    if (const Node* content = map.find(key)) contents.push_back(content);
  }
  if (contents.size() != 1) {
    const std::string found = contents.empty() ? "found none" : fmt::format("found {}", contents.size());
    document.fail(node, "a block of code needs exactly one of `asm:`, `words:` and `file:`; " + found);
  }
  const SourcePlace where = document.source->place(*contents.front());
  const std::string line(document.source->lines.line(contents.front()->line));
  CodeInput input;
  if (const Node* file = map.find("file")) {
    const std::string& path = read_text(document, *file, "`file:`");
    const std::string resolved = resolve_path(path, document.source->path);
    std::string bytes = read_named_file(document, *file, resolved, file_limit_bytes, "a file of code", files);
    input = make_code_input(std::move(bytes), resolved, where, line);
  }
  if (const Node* text = map.find("asm")) read_assembly(document, *text, input);
  if (const Node* words = map.find("words")) read_words(document, *words, input);
  input.where = where;
  input.source_line = line;
  read_assembly_options(document, map, input.assembly);
  if (const Node* base = map.find("base")) {
    input.base = read_unsigned(document, *base, "`base:`", 64);
    if (*input.base % 4 != 0) document.fail(*base, "`base:` must be a multiple of 4");
  }
  if (const Node* symbol = map.find("symbol")) {
    input.symbol = support::printable(read_text(document, *symbol, "`symbol:`"));
    input.symbol_where = document.source->place(*symbol);
    input.symbol_line = document.source->lines.line(symbol->line);
  }
  return input;
}

}  // namespace

std::vector<CodeInput> read_code(const Document& document, const Node& node, const FileRules& files) {
  std::vector<CodeInput> inputs;
  if (!node.is_sequence()) {
    inputs.push_back(read_block(document, node, files));
    return inputs;
  }
  if (node.children.empty()) document.fail(node, "`code:` is empty");
  if (node.children.size() > most_blocks) document.fail(node, fmt::format("more than {} blocks of code", most_blocks));
  const Node* starts = nullptr;
  u64 bytes = 0;
  for (const Node* block : node.children) {
    inputs.push_back(read_block(document, *block, files));
    bytes += inputs.back().text.size() + inputs.back().words.size() * 4;
    if (bytes > file_limit_bytes)
      document.fail(*block, fmt::format("more than {} MiB of code", file_limit_bytes >> 20));
    if (inputs.back().symbol.empty()) continue;
    if (starts != nullptr) document.fail(*block, "two blocks have a `symbol:` to start at");
    starts = block;
  }
  return inputs;
}

}  // namespace salu::loader
