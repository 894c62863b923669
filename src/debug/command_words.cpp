#include "debug/command_words.hpp"

#include <algorithm>

#include "support/names.hpp"

namespace salu::debug {

using support::trim;

std::string_view take_word(std::string_view& text) {
  text = trim(text);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view word = text.substr(0, end);
  text = trim(text.substr(end));
  return word;
}

Result<std::pair<std::string_view, std::string_view>> split_condition(std::string_view text) {
  constexpr std::string_view word = "if";
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '\t';
    const std::string_view rest = text.substr(at + word.size());
    if (!begins || !(rest.empty() || rest.find_first_of(" \t(") == 0)) continue;
    const std::string_view condition = trim(rest);
    if (condition.empty()) {
      return Error{ErrorCode::usage, {}, "expected a condition after `if`, as in `break loop if s0 == 3`", {}};
    }
    return std::pair{trim(text.substr(0, at)), condition};
  }
  return std::pair{trim(text), std::string_view()};
}

std::optional<std::pair<std::string_view, std::string_view>> split_assignment(std::string_view text) {
  for (std::size_t at = text.find('='); at != std::string_view::npos; at = text.find('=', at + 1)) {
    const bool is_comparison = at + 1 < text.size() && text[at + 1] == '=';
    if (is_comparison) {
      ++at;
    } else if (at == 0 || std::string_view("!<>").find(text[at - 1]) == std::string_view::npos) {
      return std::pair{trim(text.substr(0, at)), trim(text.substr(at + 1))};
    }
  }
  return std::nullopt;
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
