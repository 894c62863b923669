#include "debug/console_text.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace salu::debug {

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

std::string_view take_word(std::string_view& text) {
  text = trim(text);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view word = text.substr(0, end);
  text = trim(text.substr(end));
  return word;
}

std::string printable(std::string_view text, bool keeps_styles) {
  constexpr std::array styles = {bold, red, green, yellow, plain};
  std::string result;
  while (!text.empty()) {
    const auto style = std::ranges::find_if(styles, [&](std::string_view each) { return text.starts_with(each); });
    const auto byte = static_cast<unsigned char>(text.front());
    std::size_t taken = 1;
    if (keeps_styles && style != styles.end()) {
      taken = style->size();
      result += *style;
    } else if ((byte < 0x20 && byte != '\t') || byte == 0x7f) {
      result += "\\x" + hex(byte, 2).substr(2);
    } else {
      result += text.front();
    }
    text.remove_prefix(taken);
  }
  return result;
}

std::pair<std::string_view, std::string_view> split_condition(std::string_view text) {
  const std::size_t at = (" " + std::string(text) + " ").find(" if ");
  if (at == std::string::npos) return {trim(text), {}};
  const std::string_view place = trim(text.substr(0, at == 0 ? 0 : at - 1));
  const std::string_view condition = trim(text.substr(std::min(at + 2, text.size())));
  return {place, condition.empty() ? text.substr(at, 2) : condition};
}

std::string lanes_text(u64 mask) {
  return counted(static_cast<u64>(std::popcount(mask)), "lane") + " (" + hex(mask, 16) + ")";
}

std::string lanes_do(u64 mask, std::string_view verb) {
  std::string text(verb);
  if (std::popcount(mask) == 1) text = verb == "have" ? "has" : text + (verb == "go" ? "es" : "s");
  return lanes_text(mask) + " " + text;
}

}  // namespace salu::debug
