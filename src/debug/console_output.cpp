#include "debug/console_output.hpp"

#include <algorithm>
#include <array>

#include "support/names.hpp"
#include "support/numbers.hpp"

namespace salu::debug {
namespace {

/// A text without control characters; `keeps_styles`: but those that are ours.
std::string printable(std::string_view text, bool keeps_styles) {
  constexpr std::array styles = {style::bold, style::red, style::green, style::yellow, style::plain};
  std::string result;
  while (!text.empty()) {
    const auto style = std::ranges::find_if(styles, [&](std::string_view each) { return text.starts_with(each); });
    const auto byte = static_cast<unsigned char>(text.front());
    std::size_t taken = 1;
    if (keeps_styles && style != styles.end()) {
      taken = style->size();
      result += *style;
    } else if ((byte < 0x20 && byte != '\t') || byte == 0x7f) {
      result += "\\x" + support::hex(byte, 2).substr(2);
    } else {
      result += text.front();
    }
    text.remove_prefix(taken);
  }
  return result;
}

}  // namespace

void ConsoleOutput::line(std::string_view text) const { print_(printable(text, colour_) + "\n"); }

bool ConsoleOutput::fail(std::string_view message) const {
  constexpr std::size_t longest = 500;
  std::string text = printable(message, false);
  if (text.size() > longest)
    text = std::string(support::beginning(text, longest / 2)) + " ... " + text.substr(text.size() - longest / 2);
  print_("error: " + text + "\n");
  return false;
}

std::string ConsoleOutput::styled(std::string_view text, std::string_view style) const {
  return colour_ ? std::string(style) + std::string(text) + std::string(style::plain) : std::string(text);
}

}  // namespace salu::debug
