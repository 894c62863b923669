#include "support/printable.hpp"

#include <algorithm>
#include <cstddef>

#include "support/numbers.hpp"
#include "support/utf8.hpp"

namespace salu::support {
namespace {

/// True for a character that controls a terminal or hides text.
bool is_active(u32 code) {
  struct Range {
    u32 first;
    u32 last;
  };
  static constexpr std::array<Range, 13> ranges = {{
      {0x00, 0x08},          // control characters before the tab
      {0x0a, 0x1f},          // and after it
      {0x7f, 0x9f},          // DEL and C1
      {0xad, 0xad},          // soft hyphen
      {0x61c, 0x61c},        // direction: ARABIC LETTER MARK
      {0x200b, 0x200f},      // no width; direction
      {0x2028, 0x202e},      // separators; direction
      {0x2060, 0x206f},      // no width; direction
      {0xfeff, 0xfeff},      // byte order mark
      {0xfff9, 0xfffb},      // annotations
      {0xfffe, 0xffff},      // noncharacters, which YAML does not allow
      {0x1'bca0, 0x1'bca3},  // shorthand format controls
      {0xe'0000, 0xe'0fff},  // tags and selectors
  }};
  return std::ranges::any_of(ranges, [code](const Range& range) { return code >= range.first && code <= range.last; });
}

/// The number of bytes at the beginning of a text that are kept; 0 if the first character must be escaped.
std::size_t kept_length(std::string_view text, Keep keep) {
  if (text.front() == '\n' && keep != Keep::nothing) return 1;
  if (text.front() == '\x1b' && keep == Keep::lines_and_styles) {
    const auto* const found =
        std::ranges::find_if(style::all, [text](std::string_view each) { return text.starts_with(each); });
    if (found != style::all.end()) return found->size();
  }
  const Utf8Character character = first_character(text);
  return character.length == 0 || is_active(character.code) ? 0 : character.length;
}

/// The number of plain characters at the beginning of a text.
std::size_t plain_length(std::string_view text) {
  const auto is_plain = [](char c) { return (c >= ' ' && c <= '~') || c == '\t'; };
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_plain) - text.begin());
}

}  // namespace

std::string printable(std::string_view text, Keep keep) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t plain = plain_length(text);
    result += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    std::size_t taken = kept_length(text, keep);
    if (taken != 0) {
      result += text.substr(0, taken);
    } else {
      const Utf8Character character = first_character(text);
      taken = std::max<std::size_t>(character.length, 1);
      if (character.code >= 0x80) {
        result += "\\u{" + hex(character.code).substr(2) + "}";
      } else {
        result += "\\x" + hex(static_cast<unsigned char>(text.front()), 2).substr(2);
      }
    }
    text.remove_prefix(taken);
  }
  return result;
}

std::string printable_json(std::string_view json) {
  std::string result;
  result.reserve(json.size());
  while (!json.empty()) {
    const std::size_t plain = plain_length(json);
    result += json.substr(0, plain);
    json.remove_prefix(plain);
    if (json.empty()) break;
    const Utf8Character character = first_character(json);
    const std::size_t taken = std::max<std::size_t>(character.length, 1);
    constexpr u32 last_of_four_digits = 0xffff;
    // Characters above have different escapes in JSON and YAML, and both allow them unescaped.
    if (character.code >= 0x7f && character.code <= last_of_four_digits && is_active(character.code)) {
      result += "\\u" + hex(character.code, 4).substr(2);
    } else {
      result += json.substr(0, taken);
    }
    json.remove_prefix(taken);
  }
  return result;
}

bool is_printable(std::string_view text, Keep keep) {
  while (!text.empty()) {
    text.remove_prefix(plain_length(text));
    if (text.empty()) return true;
    const std::size_t kept = kept_length(text, keep);
    if (kept == 0) return false;
    text.remove_prefix(kept);
  }
  return true;
}

}  // namespace salu::support
