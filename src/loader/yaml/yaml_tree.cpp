#include "loader/yaml/yaml_tree.hpp"

#include <fmt/core.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <istream>
#include <streambuf>
#include <utility>

#include "loader/rejection.hpp"
#include "loader/yaml/yaml_strictness.hpp"
#include "loader/yaml/yaml_tree_builder.hpp"
#include "support/byte_order_mark.hpp"

namespace salu::loader {
namespace {

constexpr std::size_t most_documents = 65'536;
// Anything on a line may be a key if a colon follows, so yaml-cpp keeps all tokens of a line until its end, with
// several hundred bytes each.
constexpr std::size_t longest_line_bytes = std::size_t{1} << 20;

/// A stream buffer that reads a view without copying it.
class ViewBuffer final : public std::streambuf {
 public:
  explicit ViewBuffer(std::string_view text) {
    char* begin = const_cast<char*>(text.data());  // the get area is never written
    setg(begin, begin, begin + text.size());
  }
};

/// The part of a text that is one document.
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

/// A hint for `{s[0:1]: 5}`, in which YAML reads a list.
std::string bracket_hint(std::string_view line) {
  const std::size_t bracket = line.find('[');
  const bool after_name =
      bracket != std::string_view::npos && bracket > 0 && (line[bracket - 1] == 's' || line[bracket - 1] == 'p');
  return after_name && line.find('{') < bracket ? "; inside { } quote a register with brackets: {\"s[0:1]\": 1}" : "";
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

/// Parses the document in a part; null if it is empty.
std::shared_ptr<const Document> parse_part(const std::shared_ptr<const Source>& source, const DocumentPart& part) {
  auto document = std::make_shared<Document>();
  document->source = source;
  const CharacterCheck characters = check_characters(part.text);
  if (characters.fault) reject_fault(*document, part.text, part.first_line, *characters.fault);
  ViewBuffer buffer(part.text);
  std::istream stream(&buffer);
  YAML::Parser parser(stream);
  const auto builder = make_tree_builder(*document, part.text, part.first_line, characters.has_tab);
  if (!parser.HandleNextDocument(*builder)) return nullptr;
  // yaml-cpp reads any further text as another document.
  if (parser) {
    Document rest;
    rest.source = source;
    const auto rest_builder = make_tree_builder(rest, part.text, part.first_line, characters.has_tab);
    if (parser.HandleNextDocument(*rest_builder) && rest.root != nullptr) {
      rest.fail(*rest.root, "not valid YAML: the document ends before this; use `---` to separate documents",
                ErrorCode::yaml);
    }
  }
  const bool is_empty = document->root == nullptr || document->root->kind == Node::Kind::null;
  return is_empty ? nullptr : document;
}

/// Reports an unterminated quoted scalar at its beginning; yaml-cpp reports only its end. With a line break added at
/// the end of the text, yaml-cpp produces an event for the scalar.
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

/// The message of yaml-cpp. For an invalid escape it may contain only the first byte of a character, and is replaced.
std::string message_of(const YAML::Exception& exception) {
  const std::string& message = exception.msg;
  const auto is_printable = [](char c) { return c >= ' ' && c < '\x7f'; };
  const bool is_half =
      message.starts_with(YAML::ErrorMsg::INVALID_ESCAPE) && !std::ranges::all_of(message, is_printable);
  return is_half ? std::string("unknown escape") : message;
}

/// A hint for an error of yaml-cpp.
std::string hint(const YAML::Exception& exception, std::string_view line) {
  namespace messages = YAML::ErrorMsg;
  const std::string_view before = line.substr(0, static_cast<std::size_t>(std::max(exception.mark.column, 0)));
  const std::size_t last = before.find_last_not_of(" \t");
  const bool is_behind_quote = last != std::string_view::npos && (before[last] == '\'' || before[last] == '"');
  const bool wants_end = exception.msg == messages::END_OF_MAP || exception.msg == messages::END_OF_SEQ ||
                         exception.msg == messages::END_OF_MAP_FLOW || exception.msg == messages::END_OF_SEQ_FLOW ||
                         exception.msg == "unexpected scalar";  // of yaml-cpp 0.9
  if (is_behind_quote && wants_end) {
    return R"(; the quoted text ends before this: inside '...' write an apostrophe as '', inside "..." a quote as \")";
  }
  const std::string_view blanks = line.substr(0, line.find_first_not_of(" \t"));
  if (blanks.find('\t') != std::string_view::npos) return "; " + std::string(tab_message);
  return bracket_hint(line);
}

/// Parses the document in a part and returns errors as a result.
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
           text[wrong] == '\0' ? "not a text file: it contains a NUL byte" : "not a text file: it is not valid UTF-8");
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
  auto document = read_part(source, {text, line});
  const std::string_view content = text.substr(std::min(text.find_first_not_of(" \t\r"), text.size()));
  if (document && *document == nullptr && !content.empty() && content.front() != '#')
    return Error{ErrorCode::yaml, source->place(line, 1), "this line does not contain a value", std::string(text)};
  return document;
}

}  // namespace salu::loader
