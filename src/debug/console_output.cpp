#include "debug/console_output.hpp"

#include "support/names.hpp"

namespace salu::debug {

using support::printable;

void ConsoleOutput::line(std::string_view text) const {
  print_(printable(text, colour_ ? support::Keep::lines_and_styles : support::Keep::nothing) + "\n");
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

}  // namespace salu::debug
