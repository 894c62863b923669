#pragma once

#include <salu/integer.hpp>

#include <cstddef>
#include <string_view>

/// Splits assembly text into tokens, one at a time. Nothing is stored, so the size of the text does not matter.
namespace salu::assembler {

/// A position in one of the texts of an assembly.
struct TextPosition {
  std::size_t offset = 0;  ///< bytes from the start of the text
  u32 line = 0;            ///< lines from the start of the text
  u32 source = 0;          ///< number of the text in `Sources`
};

enum class TokenKind : u8 {
  end_of_statement,  ///< a line break
  end_of_text,
  identifier,   ///< letters, digits, `_`, `.`, `$`
  integer,      ///< decimal, 0x, 0b, octal with a leading 0, 'c'
  floating,     ///< with a point or an exponent
  directional,  ///< `1b` or `1f`: the number in `integer`, the direction as last character of `text`
  string,       ///< in double quotes; `text` is the contents without the quotes
  punctuation,  ///< one of the operators, brackets and separators
  invalid,      ///< `text` is the error message
};

struct Token {
  TokenKind kind = TokenKind::end_of_text;
  TextPosition place;
  std::string_view text;
  u64 integer = 0;
  double floating = 0;

  [[nodiscard]] bool is(std::string_view punctuation) const {
    return kind == TokenKind::punctuation && text == punctuation;
  }
  [[nodiscard]] bool ends_statement() const {
    return kind == TokenKind::end_of_statement || kind == TokenKind::end_of_text;
  }
};

/// Cheap to copy: copy it to look ahead by more than one token.
class Lexer {
 public:
  explicit Lexer(std::string_view text, u32 source = 0) : text_(text) { place_.source = source; }

  /// Consumes and returns the next token. At the end of the text it always returns `end_of_text`.
  Token next();
  /// Returns the next token without consuming it.
  [[nodiscard]] Token peek() const;
  /// Consumes the next token if it is this punctuation.
  bool accept(std::string_view punctuation);
  /// Skips everything up to the next line break.
  void skip_line();
  /// True after a line break.
  [[nodiscard]] bool is_at_line_start() const { return place_.offset != 0 && text_[place_.offset - 1] == '\n'; }
  /// Skips to the end of the statement, including comments of several lines.
  void skip_statement();
  /// Consumes and returns the rest of the statement, without surrounding blanks and comments.
  std::string_view take_statement();
  /// Skips to the end of the text.
  void skip_text() { place_.offset = text_.size(); }
  /// The position after the last consumed token.
  [[nodiscard]] const TextPosition& place() const { return place_; }
  /// True if no characters are left, not even blanks.
  [[nodiscard]] bool at_end() const { return place_.offset >= text_.size(); }
  /// The consumed text since the token that started at this position.
  [[nodiscard]] std::string_view text_since(const TextPosition& start) const {
    return text_.substr(start.offset, place_.offset - start.offset);
  }
  /// The text between two positions.
  [[nodiscard]] std::string_view text_between(const TextPosition& start, const TextPosition& end) const {
    return text_.substr(start.offset, end.offset - start.offset);
  }
  /// The rest of the line, up to the line break or a comment, without surrounding blanks.
  [[nodiscard]] std::string_view rest_of_line() const;

 private:
  /// Skips blanks and comments. Returns false at the start of an unterminated comment.
  bool skip_blanks();
  [[nodiscard]] bool is_directive() const;
  Token number(Token token);
  Token quoted(Token token, char quote);
  [[nodiscard]] char at(std::size_t ahead) const {
    return place_.offset + ahead < text_.size() ? text_[place_.offset + ahead] : '\0';
  }
  Token finish(Token token, TokenKind kind, std::size_t length);

  std::string_view text_;
  TextPosition place_;
};

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '$';
}
constexpr bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }

}  // namespace salu::assembler
