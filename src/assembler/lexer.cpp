#include "assembler/lexer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include "support/byte_order_mark.hpp"

namespace salu::assembler {
namespace {

constexpr std::array<std::string_view, 9> long_operators = {"<<", ">>", "==", "!=", "<=", ">=", "<>", "&&", "||"};
constexpr std::string_view short_operators = "+-*/%&|^~!<>=()[]{},:@#?";

constexpr bool is_hex_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

constexpr std::string_view malformed_number = "malformed number";
constexpr std::string_view too_large_number = "this number does not fit in 64 bits";

/// Suffixes of C integers (`1u`, `1UL`, `1ll`) are ignored.
std::string_view without_integer_suffix(std::string_view number) {
  const auto drop = [&number](char c) {
    const bool is_there = number.size() > 1 && (number.back() | 0x20) == c;
    number.remove_suffix(is_there ? 1 : 0);
    return is_there;
  };
  if (drop('l')) drop('l');
  drop('u');
  return number;
}

/// The character that an escape in single quotes denotes, as in LLVM.
char escaped(char c) {
  constexpr std::string_view letters = "bfnrt";
  constexpr std::string_view meanings = "\b\f\n\r\t";
  const std::size_t found = letters.find(c);
  return found == std::string_view::npos ? c : meanings[found];
}

}  // namespace

Token Lexer::finish(Token token, TokenKind kind, std::size_t length) {
  token.kind = kind;
  token.text = text_.substr(place_.offset, length);
  place_.offset += token.text.size();
  return token;
}

bool Lexer::skip_blanks() {
  while (true) {
    while (is_blank(at(0))) ++place_.offset;
    if (at(0) == ';' || (at(0) == '/' && at(1) == '/')) {
      place_.offset = std::min(text_.find('\n', place_.offset), text_.size());
      return true;
    }
    if (at(0) != '/' || at(1) != '*') return true;
    const std::size_t end = text_.find("*/", place_.offset + 2);
    if (end == std::string_view::npos) return false;
    const std::string_view comment = text_.substr(place_.offset, end - place_.offset);
    place_.line += static_cast<u32>(std::ranges::count(comment, '\n'));
    place_.offset = end + 2;
  }
}

Token Lexer::next() {
  const bool comments_end = skip_blanks();
  Token token;
  token.place = place_;
  if (!comments_end) {
    place_.offset = text_.size();
    token.kind = TokenKind::invalid;
    token.text = "unterminated comment";
    return token;
  }
  if (place_.offset >= text_.size()) return token;
  const char c = at(0);
  if (c == '\n') {
    token = finish(token, TokenKind::end_of_statement, 1);
    ++place_.line;
    return token;
  }
  if (is_digit(c) || (c == '.' && is_digit(at(1)) && !is_directive())) return number(token);
  if (is_name_start(c)) {
    std::size_t length = 1;
    while (is_name_part(at(length))) ++length;
    return finish(token, TokenKind::identifier, length);
  }
  if (c == '"' || c == '\'') return quoted(token, c);
  for (const std::string_view candidate : long_operators) {
    if (text_.substr(place_.offset).starts_with(candidate)) return finish(token, TokenKind::punctuation, 2);
  }
  if (short_operators.find(c) != std::string_view::npos) return finish(token, TokenKind::punctuation, 1);
  if (text_.substr(place_.offset).starts_with(support::byte_order_mark)) {
    token = finish(token, TokenKind::invalid, support::byte_order_mark.size());
    token.text = support::byte_order_mark_advice;
    return token;
  }
  token = finish(token, TokenKind::invalid, 1);
  token.text = "unexpected character";
  return token;
}

/// `.4byte` is a name although `.4` is a number.
bool Lexer::is_directive() const {
  std::size_t length = 1;
  while (is_digit(at(length))) ++length;
  return is_name_start(at(length)) && at(length) != 'e' && at(length) != 'E';
}

Token Lexer::number(Token token) {
  const std::string_view rest = text_.substr(place_.offset);
  std::size_t length = 1;
  while (length < rest.size() && is_name_part(rest[length])) {
    // The sign of a decimal exponent (1e-5) or a binary exponent (0x1p-3) is part of the number.
    const bool hex = rest.size() > 1 && (rest[1] == 'x' || rest[1] == 'X');
    const bool exponent =
        hex ? (rest[length] == 'p' || rest[length] == 'P') : (rest[length] == 'e' || rest[length] == 'E');
    ++length;
    if (exponent && length < rest.size() && (rest[length] == '+' || rest[length] == '-')) ++length;
  }
  const std::string_view text = without_integer_suffix(rest.substr(0, length));
  token = finish(token, TokenKind::invalid, length);
  const auto wrong = [&](std::string_view why) {
    token.text = why;
    return token;
  };

  const bool has_suffix = text.size() != length;
  const bool hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const bool binary = text.size() > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B');
  const bool all_digits = std::ranges::all_of(text, is_digit);
  const bool directional = !has_suffix && text.size() > 1 && (text.back() == 'b' || text.back() == 'f') &&
                           std::ranges::all_of(text.substr(0, text.size() - 1), is_digit);
  int base = 10;
  std::string_view digits = text;
  if (hex) {
    base = 16;
    digits = text.substr(2);
  } else if (binary) {
    base = 2;
    digits = text.substr(2);
  } else if (directional) {
    digits = text.substr(0, text.size() - 1);
  } else if (all_digits && text[0] == '0' && text.size() > 1) {
    base = 8;
  }
  const bool integer = directional || binary || (hex ? std::ranges::all_of(digits, is_hex_digit) : all_digits);
  if (integer) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), token.integer, base);
    if (error == std::errc::result_out_of_range) return wrong(too_large_number);
    if (error != std::errc{} || end != digits.data() + digits.size()) return wrong(malformed_number);
    token.kind = directional ? TokenKind::directional : TokenKind::integer;
    return token;
  }
  if (has_suffix) return wrong(malformed_number);
  const auto format = hex ? std::chars_format::hex : std::chars_format::general;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), token.floating, format);
  if (error == std::errc::result_out_of_range) return wrong("this number does not fit in a double");
  if (error != std::errc{} || end != digits.data() + digits.size()) return wrong(malformed_number);
  token.kind = TokenKind::floating;
  return token;
}

Token Lexer::quoted(Token token, char quote) {
  std::size_t length = 1;
  while (at(length) != quote) {
    if (place_.offset + length >= text_.size() || at(length) == '\n') {
      token = finish(token, TokenKind::invalid, length);
      token.text = "the closing quote is missing on this line";
      return token;
    }
    length += at(length) == '\\' && at(length + 1) != '\n' ? 2 : 1;
  }
  token = finish(token, TokenKind::string, std::min(length + 1, text_.size() - place_.offset));
  token.text = token.text.substr(1, token.text.size() - 2);
  if (quote == '"') return token;
  const bool is_escape = token.text.starts_with('\\');
  if (token.text.size() != (is_escape ? 2U : 1U)) {
    token.kind = TokenKind::invalid;
    token.text = "a character constant is one character in single quotes";
    return token;
  }
  token.kind = TokenKind::integer;
  token.integer = static_cast<unsigned char>(is_escape ? escaped(token.text.back()) : token.text.front());
  return token;
}

Token Lexer::peek() const {
  Lexer ahead = *this;
  return ahead.next();
}

bool Lexer::accept(std::string_view punctuation) {
  Lexer ahead = *this;
  if (!ahead.next().is(punctuation)) return false;
  *this = ahead;
  return true;
}

void Lexer::skip_line() { place_.offset = std::min(text_.find('\n', place_.offset), text_.size()); }

void Lexer::skip_statement() {
  while (!peek().ends_statement()) next();
}

std::string_view Lexer::take_statement() {
  const TextPosition start = peek().place;
  if (peek().ends_statement()) return {};
  skip_statement();
  return text_since(start);
}

std::string_view Lexer::rest_of_line() const {
  std::string_view rest = text_.substr(place_.offset, text_.find('\n', place_.offset) - place_.offset);
  rest = rest.substr(0, std::min(rest.find(';'), rest.find("//")));
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  while (!rest.empty() && is_blank(rest.back())) rest.remove_suffix(1);
  return rest;
}

}  // namespace salu::assembler
