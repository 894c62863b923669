#include "debug/console_text.hpp"

#include <algorithm>
#include <array>

namespace salu::debug {

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
  constexpr std::string_view word = "if";
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '\t';
    const std::string_view rest = text.substr(at + word.size());
    if (!begins || !(rest.empty() || rest.find_first_of(" \t(") == 0)) continue;
    const std::string_view condition = trim(rest);
    return {trim(text.substr(0, at)), condition.empty() ? text.substr(at, word.size()) : condition};
  }
  return {trim(text), {}};
}

std::pair<std::string_view, std::string_view> split_at_comma(std::string_view text) {
  u32 depth = 0;
  std::size_t at = 0;
  for (; at < text.size() && (text[at] != ',' || depth != 0); ++at) {
    if (text[at] == '(' || text[at] == '[') ++depth;
    if ((text[at] == ')' || text[at] == ']') && depth != 0) --depth;
  }
  return {trim(text.substr(0, at)), trim(text.substr(std::min(at + 1, text.size())))};
}

}  // namespace salu::debug
