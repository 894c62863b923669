#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "assembler/text_assembly.hpp"
#include "support/names.hpp"

/// Data directives: numbers, strings and reserved memory.
namespace salu::assembler {
namespace {

u32 digit_of(char c, u32 base) {
  u32 digit = base;
  if (c >= '0' && c <= '9') digit = static_cast<u32>(c - '0');
  if (c >= 'a' && c <= 'f') digit = static_cast<u32>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') digit = static_cast<u32>(c - 'A' + 10);
  return std::min(digit, base);
}

/// The bytes of a string in quotes; nothing if it has an invalid escape (LLVM: parseEscapedString).
std::optional<std::vector<u8>> unescaped(std::string_view text) {
  constexpr std::string_view letters = "bfnrt\"\\";
  constexpr std::string_view meanings = "\b\f\n\r\t\"\\";
  std::vector<u8> bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      bytes.push_back(static_cast<u8>(text[i]));
      continue;
    }
    const char c = ++i < text.size() ? text[i] : '\0';
    const std::size_t letter = letters.find(c);
    const bool is_hex = c == 'x' || c == 'X';
    const u32 base = is_hex ? 16 : 8;
    if (is_hex) ++i;
    if (i < text.size() && digit_of(text[i], base) < base) {
      u32 number = 0;
      const std::size_t end = is_hex ? text.size() : std::min(text.size(), i + 3);
      for (; i < end && digit_of(text[i], base) < base; ++i) number = (number * base + digit_of(text[i], base)) & 0xfff;
      if (!is_hex && number > 0xff) return std::nullopt;
      bytes.push_back(static_cast<u8>(number));
      --i;
    } else if (!is_hex && c != '\0' && letter != std::string_view::npos) {
      bytes.push_back(static_cast<u8>(meanings[letter]));
    } else {
      return std::nullopt;
    }
  }
  return bytes;
}

bool fits(i64 number, u32 bytes) {
  if (bytes == 8) return true;
  return number >= -(i64{1} << (8 * bytes - 1)) && number < i64{1} << (8 * bytes);
}

}  // namespace

bool TextAssembly::no_room(const TextPosition& place) {
  if (!is_given_up_) fail(place, fmt::format("the code is larger than {} bytes", options_.most_words * 4));
  is_given_up_ = true;
  return false;
}

bool TextAssembly::emit(u64 number, u32 bytes, const TextPosition& place) {
  std::array<u8, 8> little{};
  for (u32 i = 0; i < bytes; ++i) little[i] = static_cast<u8>(number >> (8 * i));
  return emit(std::span(little).first(bytes), place);
}

bool TextAssembly::emit(std::span<const u8> bytes, const TextPosition& place) {
  if (sections_.current().is_zero && std::ranges::any_of(bytes, [](u8 byte) { return byte != 0; }))
    return fail_not_zero(place, sections_.current());
  if (!sections_.append(bytes)) return no_room(place);
  note_unfinished(place);
  return true;
}

bool TextAssembly::fail_not_zero(const TextPosition& place, const Section& section) {
  return fail(place, fmt::format("{} does not have contents in an object (@nobits): only zeros can be put into it",
                                 support::quote(support::beginning(section.name, 40))));
}

/// Records the statement that begins an incomplete dword of code.
void TextAssembly::note_unfinished(const TextPosition& place) {
  if (!sections_.is_code()) return;
  if (sections_.current().bytes.size() % 4 == 0) {
    unfinished_.reset();
  } else if (!unfinished_) {
    unfinished_ = place;
  }
}

/// `.byte`, `.short`, `.long`, `.quad` and their other names.
bool TextAssembly::integers(u32 bytes) {
  if (lexer_.peek().ends_statement()) return true;
  do {
    auto parsed = expression();
    if (!parsed) return false;
    const TextPosition place = parsed->place;
    u64 number = 0;
    if (parsed->is_constant()) {
      const auto value = evaluate(*parsed, symbols_, diagnostics_);
      if (!value) return false;
      number = static_cast<u64>(value->number);
      if (!fits(value->number, bytes)) {
        return fail(place,
                    fmt::format("{} does not fit in {} bits", describe_value(parsed->text, value->number), 8 * bytes));
      }
    } else if (bytes != 4 && parsed->relocation != Relocation::none) {
      return fail(place, "a relocated address is a dword");
    } else {
      pending_.push_back({sections_.current_number(), sections_.current().bytes.size(), bytes,
                          Fixup{Fixup::Kind::literal, 1, false, std::move(*parsed)}});
    }
    if (!emit(number, bytes, place)) return false;
  } while (lexer_.accept(","));
  return true;
}

bool TextAssembly::floats(bool is_double) {
  do {
    const bool negative = lexer_.accept("-");
    const Token token = lexer_.next();
    if (token.kind != TokenKind::floating && token.kind != TokenKind::integer) {
      return fail(token.place, token.kind == TokenKind::invalid ? std::string(token.text) : "expected a number");
    }
    double magnitude = token.floating;
    if (token.kind == TokenKind::integer) {
      // Decimal even after a leading 0; bit patterns (0x3f800000) are for .long.
      const auto [end, error] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), magnitude);
      if (error != std::errc{} || end != token.text.data() + token.text.size() || !is_digit(token.text.front()))
        return fail(token.place, "expected a number in decimal");
    }
    const double value = negative ? -magnitude : magnitude;
    if (is_double) {
      if (!emit(std::bit_cast<u64>(value), 8, token.place)) return false;
    } else {
      const auto single = static_cast<float>(value);
      if (std::isinf(single)) return fail(token.place, "this number does not fit in single precision");
      if (!emit(std::bit_cast<u32>(single), 4, token.place)) return false;
    }
  } while (lexer_.accept(","));
  return true;
}

/// `.ascii`, `.asciz`, `.string`: strings in quotes; the latter two append a zero to each. For `.ascii`, a comma
/// between two strings makes no difference.
bool TextAssembly::text_data(bool is_terminated) {
  if (lexer_.peek().ends_statement()) return true;
  do {
    const TextPosition place = lexer_.peek().place;
    const auto text = quoted_text("a text in quotes");
    if (!text) return false;
    auto bytes = unescaped(*text);
    if (!bytes)
      return fail(place, "unknown escape; expected one of \\b \\f \\n \\r \\t \\\" \\\\, octal and \\x numbers");
    if (is_terminated) bytes->push_back(0);
    if (!emit(*bytes, place)) return false;
  } while (lexer_.accept(",") || (!is_terminated && lexer_.peek().kind == TokenKind::string));
  return true;
}

/// Emits the low `pattern_bytes` bytes of a pattern `count` times.
bool TextAssembly::emit_repeated(u64 pattern, u32 pattern_bytes, u64 count, const TextPosition& place) {
  if (pattern_bytes == 0) return true;
  for (; count != 0; --count) {
    if (!emit(pattern, pattern_bytes, place)) return false;
  }
  return true;
}

/// `.fill count, bytes, value`
bool TextAssembly::fill_repeated() {
  const TextPosition place = lexer_.peek().place;
  const auto count = constant();
  if (!count) return false;
  std::optional<i64> size = 1;
  std::optional<i64> value = 0;
  if (lexer_.accept(",")) size = constant();
  if (size && lexer_.accept(",")) value = constant();
  if (!size || !value) return false;
  if (*count < 0 || *size < 0 || *size > 8) return fail(place, "expected a count, a size of 0 to 8 bytes and a value");
  // Like the GNU and LLVM assemblers: at most four bytes of the value are used.
  return emit_repeated(static_cast<u64>(*value) & 0xffffffff, static_cast<u32>(*size), static_cast<u64>(*count), place);
}

/// `.space bytes, value`, `.zero bytes`
bool TextAssembly::space(bool takes_value) {
  const TextPosition place = lexer_.peek().place;
  const auto bytes = constant();
  if (!bytes) return false;
  std::optional<i64> value = 0;
  if (takes_value && lexer_.accept(",")) value = constant();
  if (!value) return false;
  if (*bytes < 0) return fail(place, "a size cannot be negative");
  return emit_repeated(static_cast<u64>(*value), 1, static_cast<u64>(*bytes), place);
}

/// `.incbin "file", skip, count`
bool TextAssembly::include_bytes() {
  const TextPosition place = lexer_.peek().place;
  const auto file = named_file();
  if (!file) return false;
  std::optional<i64> skip = 0;
  std::optional<i64> count;
  bool is_counted = false;
  if (lexer_.accept(",") && !lexer_.peek().is(",")) skip = constant();
  if (skip && lexer_.accept(",")) {
    is_counted = true;
    count = constant();
  }
  if (!skip || (is_counted && !count)) return false;
  if (*skip < 0 || (count && *count < 0)) return fail(place, "a size cannot be negative");
  const std::string_view text = file->text;
  const std::string_view rest = text.substr(std::min<u64>(static_cast<u64>(*skip), text.size()));
  const std::string_view part = rest.substr(0, count ? static_cast<u64>(*count) : rest.size());
  const std::vector<u8> bytes(part.begin(), part.end());
  return emit(bytes, place);
}

TextAssembly::DirectiveHandler TextAssembly::find_data_directive(std::string_view name) {
  static constexpr auto bytes = [](TextAssembly& text, const Token&) { return text.integers(1); };
  static constexpr auto words = [](TextAssembly& text, const Token&) { return text.integers(2); };
  static constexpr auto dwords = [](TextAssembly& text, const Token&) { return text.integers(4); };
  static constexpr auto quads = [](TextAssembly& text, const Token&) { return text.integers(8); };
  static constexpr auto floats = [](TextAssembly& text, const Token&) { return text.floats(false); };
  static constexpr auto terminated = [](TextAssembly& text, const Token&) { return text.text_data(true); };
  static constexpr auto space = [](TextAssembly& text, const Token&) { return text.space(true); };
  static constexpr std::array rows = std::to_array<DirectiveRow>({
      {".byte", bytes},
      {".1byte", bytes},
      {".2byte", words},
      {".short", words},
      {".hword", words},
      {".half", words},
      {".value", words},
      {".long", dwords},
      {".dword", dwords},
      {".word", dwords},
      {".int", dwords},
      {".4byte", dwords},
      {".uint", dwords},
      {".quad", quads},
      {".8byte", quads},
      {".xword", quads},
      {".qword", quads},
      {".float", floats},
      {".single", floats},
      {".double", [](TextAssembly& text, const Token&) { return text.floats(true); }},
      {".ascii", [](TextAssembly& text, const Token&) { return text.text_data(false); }},
      {".asciz", terminated},
      {".string", terminated},
      {".fill", [](TextAssembly& text, const Token&) { return text.fill_repeated(); }},
      {".space", space},
      {".skip", space},
      {".zero", [](TextAssembly& text, const Token&) { return text.space(false); }},
      {".incbin", [](TextAssembly& text, const Token&) { return text.include_bytes(); }},
  });
  const auto* const found = std::ranges::find(rows, name, &DirectiveRow::name);
  return found == rows.end() ? nullptr : found->handler;
}

}  // namespace salu::assembler
