#include "support/names.hpp"

#include <algorithm>
#include <vector>

#include "support/nearest.hpp"

namespace salu::support {
namespace {

constexpr std::size_t longest_quote = 60;

std::string enumerate(std::span<const std::string_view> names, std::string_view last_word, NameStyle style) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0) list += i + 1 == names.size() ? " " + std::string(last_word) + " " : ", ";
    list += style == NameStyle::quoted ? quote(names[i]) : std::string(names[i]);
  }
  return list;
}

}  // namespace

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = lower_case(c);
  return result;
}

std::string_view beginning(std::string_view text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  constexpr unsigned continuation_bits = 0xc0;
  constexpr unsigned continuation = 0x80;
  while (most_bytes > 0 && (static_cast<unsigned char>(text[most_bytes]) & continuation_bits) == continuation)
    --most_bytes;
  return text.substr(0, most_bytes);
}

std::string quote(std::string_view text) {
  std::string quoted = "`";
  for (const char c : beginning(text, longest_quote)) quoted += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  return quoted + (text.size() > longest_quote ? "...`" : "`");
}

std::string name_list(std::span<const std::string_view> names, std::string_view last_word) {
  return enumerate(names, last_word, NameStyle::quoted);
}

std::string first_names(std::span<const std::string_view> names) {
  constexpr std::size_t most = 10;
  return name_list(names.first(std::min(names.size(), most)), "and") + (names.size() > most ? " and more" : "");
}

std::string did_you_mean(std::string_view name, std::span<const std::string_view> candidates, NameStyle style) {
  const std::vector<std::string_view> near = nearest_names(name, candidates);
  return near.empty() ? std::string() : "; did you mean " + enumerate(near, "or", style) + "?";
}

}  // namespace salu::support
