#include "loader/yaml/yaml_strictness.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "loader/yaml/yaml_tree.hpp"
#include "support/utf8.hpp"

namespace salu::loader {
namespace {

enum class CharacterKind : u8 { usual, tab, line_feed, carriage_return, control, lead };

/// The kind of each byte. `lead`: the first byte of multi-byte characters of which some are forbidden.
constexpr std::array<CharacterKind, 256> character_kinds = [] {
  std::array<CharacterKind, 256> kinds{};
  for (std::size_t c = 0; c < 0x20; ++c) kinds[c] = CharacterKind::control;
  kinds['\t'] = CharacterKind::tab;
  kinds['\n'] = CharacterKind::line_feed;
  kinds['\r'] = CharacterKind::carriage_return;
  kinds[0x7f] = CharacterKind::control;
  kinds[0xc2] = CharacterKind::lead;  // U+0080 to U+00BF
  kinds[0xe2] = CharacterKind::lead;  // U+2000 to U+2FFF
  kinds[0xef] = CharacterKind::lead;  // U+F000 to U+FFFF
  return kinds;
}();

/// Skips ordinary characters, eight at a time.
std::size_t skip_usual(std::string_view text, std::size_t offset) {
  constexpr u64 ones = 0x0101'0101'0101'0101;
  constexpr u64 high_bits = ones * 0x80;
  for (u64 bytes = 0; text.size() - offset >= sizeof bytes; offset += sizeof bytes) {
    std::memcpy(&bytes, text.data() + offset, sizeof bytes);
    // A byte below 0x20, above 0x7f, or equal to 0x7f.
    if ((((bytes - ones * 0x20) | bytes | (bytes + ones)) & high_bits) != 0) break;
  }
  while (offset < text.size() && character_kinds[static_cast<unsigned char>(text[offset])] == CharacterKind::usual) {
    ++offset;
  }
  return offset;
}

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
constexpr bool is_break(char c) { return c == '\n' || c == '\r'; }

/// Returns an error for the character of two or three bytes at the start of a text; empty if it is allowed.
std::string long_character_fault(std::string_view text) {
  const u32 code = support::first_character(text).code;
  constexpr u32 next_line = 0x85;
  constexpr u32 line_separator = 0x2028;
  constexpr u32 paragraph_separator = 0x2029;
  if (code == next_line || code == line_separator || code == paragraph_separator) {
    const char escape = code == next_line ? 'N' : code == line_separator ? 'L' : 'P';
    return fmt::format("U+{:04X} is a line break in YAML 1.1, but not in YAML 1.2; write \\{} in double quotes", code,
                       escape);
  }
  if (code == 0xfeff) return "a byte order mark that is not at the beginning of the file";
  if (code < 0xa0 || code >= 0xfffe) {
    return fmt::format("the character U+{:04X} is not allowed; write \\u{:04X} in double quotes", code, code);
  }
  return {};
}

/// Checks lines that begin with `%`: directives, which must be before `---`.
class DirectiveCheck {
 public:
  explicit DirectiveCheck(std::string_view document) : document_(document) {}

  /// Returns an error for the directive at an offset.
  std::optional<YamlFault> see(std::size_t offset) {
    const std::string_view directive = line_at(offset);
    const std::string_view name = directive.substr(0, directive.find_first_of(" \t\r"));
    if (name != "%YAML" && name != "%TAG") return YamlFault{offset, "unknown directive; expected `%YAML` or `%TAG`"};
    if (name == "%YAML" && !has_version(directive)) return YamlFault{offset, "expected a version, as in `%YAML 1.2`"};
    if (!end_) end_ = find_end();
    if (offset < *end_) return std::nullopt;
    return YamlFault{offset,
                     "a line that begins with `%` is a directive, which must be before `---` and after the `...` of "
                     "another document"};
  }

 private:
  [[nodiscard]] std::string_view line_at(std::size_t start) const {
    return document_.substr(start, std::min(document_.find('\n', start), document_.size()) - start);
  }

  /// True if only digits and points follow `%YAML`: yaml-cpp would accept a sign, and rejects the rest.
  static bool has_version(std::string_view directive) {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t start = directive.find_first_of(blanks);
    const std::size_t version = directive.find_first_not_of(blanks, start);
    if (version == std::string_view::npos) return false;
    const std::size_t end = std::min(directive.find_first_of(blanks, version), directive.size());
    return directive.substr(version, end - version).find_first_not_of("0123456789.") == std::string_view::npos;
  }

  /// Returns the offset of the `---` that ends the directives; 0 if none exists.
  [[nodiscard]] std::size_t find_end() const {
    for (std::size_t start = 0; start < document_.size();) {
      const std::string_view line = line_at(start);
      if (!is_prologue(line)) return is_marker(line, "---") ? start : 0;
      start += line.size() + 1;
    }
    return 0;
  }

  std::string_view document_;
  std::optional<std::size_t> end_;
};

/// Returns the end of the line break at an offset.
std::size_t skip_break(std::string_view text, std::size_t offset) {
  return offset + (text.substr(offset).starts_with("\r\n") ? 2 : 1);
}

/// Decodes the text between quotes: folds lines and replaces escapes. yaml-cpp has already rejected invalid escapes.
class QuotedDecoder {
 public:
  QuotedDecoder(std::string_view text, char quote) : text_(text), quote_(quote) {}

  std::string decode() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (is_break(c)) {
        value_.resize(std::max(kept_, value_.find_last_not_of(" \t") + 1));
        fold(" ");
      } else if (c == '\\' && quote_ == '"') {
        escape();
      } else {
        value_ += c;
        at_ += c == '\'' && quote_ == '\'' ? 2 : 1;
      }
    }
    return std::move(value_);
  }

 private:
  /// Folds line breaks and the blanks around them: a single break becomes `one`, n breaks become n - 1.
  void fold(std::string_view one) {
    at_ = skip_break(text_, at_);
    std::size_t empty_lines = 0;
    while (true) {
      while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
      if (at_ >= text_.size() || !is_break(text_[at_])) break;
      at_ = skip_break(text_, at_);
      ++empty_lines;
    }
    if (empty_lines == 0) {
      value_ += one;
    } else {
      value_.append(empty_lines, '\n');
    }
    kept_ = value_.size();
  }

  void escape() {
    const char c = text_[at_ + 1];
    if (is_break(c)) {
      ++at_;
      fold("");
      return;
    }
    at_ += 2;
    const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    u32 code = named(c);
    if (digits != 0) {
      code = 0;
      for (const char digit : text_.substr(at_, digits)) code = code << 4U | hexadecimal(digit);
      at_ += digits;
    }
    support::append_utf8(value_, code);
    kept_ = value_.size();
  }

  static u32 named(char c) {
    switch (c) {
      case '0':
        return 0;
      case 'a':
        return 7;
      case 'b':
        return 8;
      case 't':
        return '\t';
      case 'n':
        return '\n';
      case 'v':
        return 0xb;
      case 'f':
        return 0xc;
      case 'r':
        return '\r';
      case 'e':
        return 0x1b;
      case 'N':
        return 0x85;
      case '_':
        return 0xa0;
      case 'L':
        return 0x2028;
      case 'P':
        return 0x2029;
      default:
        return static_cast<unsigned char>(c);
    }
  }

  static u32 hexadecimal(char c) {
    if (c <= '9') return static_cast<u32>(c - '0');
    return static_cast<u32>((c | 0x20) - 'a') + 10;
  }

  std::string_view text_;
  char quote_;
  std::string value_;
  std::size_t at_ = 0;
  std::size_t kept_ = 0;  ///< length of the value that folding must not trim
};

}  // namespace

CharacterCheck check_characters(std::string_view document) {
  CharacterCheck check;
  const auto fail = [&](std::size_t offset, std::string message) {
    check.fault = YamlFault{offset, std::move(message)};
    return check;
  };
  DirectiveCheck directives(document);
  if (document.starts_with('%')) check.fault = directives.see(0);
  if (check.fault) return check;
  for (std::size_t i = 0; i < document.size(); ++i) {
    i = skip_usual(document, i);
    if (i == document.size()) break;
    const auto byte = static_cast<unsigned char>(document[i]);
    switch (character_kinds[byte]) {
      case CharacterKind::usual:
        break;
      case CharacterKind::tab:
        check.has_tab = true;
        break;
      case CharacterKind::line_feed:
        if (i + 1 < document.size() && document[i + 1] == '%') check.fault = directives.see(i + 1);
        if (check.fault) return check;
        break;
      case CharacterKind::carriage_return:
        if (i + 1 >= document.size() || document[i + 1] != '\n') {
          return fail(i, "carriage return without a line feed: lines must end with LF or CR LF");
        }
        break;
      case CharacterKind::control:
        return fail(i, fmt::format("the control character U+{:04X} is not allowed; write \\x{:02X} in double quotes",
                                   byte, byte));
      case CharacterKind::lead: {
        std::string message = long_character_fault(document.substr(i));
        if (!message.empty()) return fail(i, std::move(message));
        break;
      }
    }
  }
  return check;
}

std::size_t skip_properties(std::string_view document, std::size_t offset) {
  while (offset < document.size() && (document[offset] == '&' || document[offset] == '!')) {
    offset = std::min(document.find_first_of(" \t\r\n,[]{}", offset), document.size());
    while (true) {
      offset = std::min(document.find_first_not_of(" \t\r\n", offset), document.size());
      if (offset == document.size() || document[offset] != '#') break;
      offset = std::min(document.find('\n', offset), document.size());
    }
  }
  return offset;
}

std::size_t column_at(std::string_view document, std::size_t offset) {
  return offset - (document.substr(0, offset).rfind('\n') + 1);
}

bool is_indented_by_tab(std::string_view document, std::size_t offset) {
  const std::string_view before = document.substr(offset - column_at(document, offset), column_at(document, offset));
  return before.find('\t') != std::string_view::npos && std::ranges::all_of(before, is_blank);
}

QuotedText read_quoted(std::string_view document, std::size_t offset, std::size_t indentation) {
  const char quote = document[offset];
  const std::string_view special = quote == '\'' ? std::string_view("'\n") : std::string_view("\"\\\n");
  bool is_as_written = true;
  u32 lines = 0;
  for (std::size_t i = offset + 1;; ++i) {
    i = document.find_first_of(special, i);
    if (i == std::string_view::npos) break;
    const char next = i + 1 < document.size() ? document[i + 1] : '\0';
    if (document[i] == '\\') {
      if (next == '\'')
        return {{}, YamlFault{i, "invalid escape: in double quotes write an apostrophe without a backslash"}};
      is_as_written = false;
      if (!is_break(next)) ++i;
    } else if (document[i] == '\n') {
      is_as_written = false;
      ++lines;
      const std::size_t content = document.find_first_not_of(' ', i + 1);
      if (content == std::string_view::npos) break;
      const std::size_t visible = document.find_first_not_of(" \t", content);
      const bool is_empty = visible == std::string_view::npos || is_break(document[visible]);
      if (!is_empty && content - (i + 1) < indentation) {
        const std::string where = lines == 1 ? "on the next line" : fmt::format("{} lines below", lines);
        return {{},
                YamlFault{offset, fmt::format("the quoted text that begins here continues {}, which is not indented "
                                              "enough: is the closing {} missing?",
                                              where, quote)}};
      }
    } else if (quote == '\'' && next == '\'') {
      ++i;
    } else {
      if (is_as_written) return {};
      return {QuotedDecoder(document.substr(offset + 1, i - offset - 1), quote).decode(), {}};
    }
  }
  return {{}, YamlFault{offset, fmt::format("unterminated quoted text: the closing {} is missing", quote)}};
}

}  // namespace salu::loader
