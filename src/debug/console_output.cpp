#include "debug/console_output.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "support/names.hpp"

namespace salu::debug {

using support::printable;

void ConsoleOutput::line(std::string_view text) const {
  print_(printable(text, colour_ ? support::Keep::lines_and_styles : support::Keep::nothing) + "\n");
}

std::size_t ConsoleOutput::columns() const {
  const std::optional<ScreenSize> size = screen();
  return size && size->columns != 0 ? size->columns : std::numeric_limits<std::size_t>::max();
}

void ConsoleOutput::wrapped(std::string_view text, std::size_t indent) const {
  const std::size_t most = columns();
  indent = std::min(indent, most / 2);
  std::string row;
  while (columns_of(text) + row.size() > most) {
    // Breaks at the last blank that leaves a non-empty line.
    std::size_t end = 0;
    for (std::size_t at = text.find_first_not_of(' '); at < text.size(); at = text.find_first_not_of(' ', at)) {
      const std::size_t word_end = std::min(text.find(' ', at), text.size());
      if (end != 0 && row.size() + columns_of(text.substr(0, word_end)) > most) break;
      end = at = word_end;
    }
    if (end == 0 || end == text.size()) break;
    line(row + std::string(text.substr(0, end)));
    row.assign(indent, ' ');
    text = support::trim(text.substr(end));
  }
  line(row + std::string(text));
}

void ConsoleOutput::pieces(std::span<const std::string> pieces, std::string_view separator,
                           std::string_view style) const {
  constexpr std::string_view indent = "  ";
  std::string row;
  const auto end_row = [&] { line(std::string(indent) + (style.empty() ? row : styled(row, style))); };
  for (const std::string& piece : pieces) {
    if (!row.empty() && indent.size() + columns_of(row) + separator.size() + columns_of(piece) > columns()) {
      end_row();
      row.clear();
    }
    if (!row.empty()) row += separator;
    row += piece;
  }
  if (!row.empty()) end_row();
}

std::vector<std::string> ConsoleOutput::capture(const std::function<void()>& action) {
  std::vector<std::string> lines;
  const auto print = std::exchange(print_, [&lines](std::string_view text) {
    lines.emplace_back(text.substr(0, text.size() - (text.ends_with('\n') ? 1 : 0)));
  });
  action();
  print_ = print;
  return lines;
}

bool ConsoleOutput::fail(std::string_view message) const {
  constexpr std::size_t longest = 500;
  std::string text = printable(message);
  if (text.size() > longest)
    text = std::string(support::beginning(text, longest / 2)) + " ... " + text.substr(text.size() - longest / 2);
  print_("error: " + text + "\n");
  return false;
}

std::string ConsoleOutput::styled(std::string_view text, std::string_view style) const {
  return colour_ ? std::string(style) + std::string(text) + std::string(style::plain) : std::string(text);
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = std::min(text.find('m', i), text.size());
    } else if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) {
      ++columns;
    }
  }
  return columns;
}

}  // namespace salu::debug
