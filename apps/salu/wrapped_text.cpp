#include "wrapped_text.hpp"

namespace salu::app {

std::string wrapped(std::string_view text, std::size_t width) {
  std::string lines;
  std::size_t column = 0;
  while (true) {
    const std::size_t start = text.find_first_not_of(" \n");
    if (start == std::string_view::npos) return lines;
    text.remove_prefix(start);
    std::size_t end = 0;
    for (bool is_quoted = false; end < text.size() && (is_quoted || (text[end] != ' ' && text[end] != '\n')); ++end) {
      if (text[end] == '`') is_quoted = !is_quoted;
    }
    const bool is_first = lines.empty();
    const bool fits = column + 1 + end <= width;
    if (!is_first) lines += fits ? ' ' : '\n';
    column = is_first || !fits ? end : column + 1 + end;
    lines.append(text.substr(0, end));
    text.remove_prefix(end);
  }
}

}  // namespace salu::app
