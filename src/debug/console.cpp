#include "debug/console.hpp"

#include <algorithm>

#include "debug/console_text.hpp"
#include "support/names.hpp"

namespace salu::debug {

Console::Console(Session& session, std::function<void(std::string_view)> print, bool colour)
    : session_(session),
      print_(std::move(print)),
      colour_(colour),
      shown_(session.machine().state()),
      before_(shown_) {}

void Console::greet() { show_place(); }

bool Console::execute(std::string_view text) {
  constexpr std::size_t longest = 65'536;
  if (text.size() > longest)
    return fail("a command of " + counted(text.size(), "byte") + "; the longest has " + std::to_string(longest));
  // One that came while nobody ran is none.
  is_interrupted_ = false;
  session_.clear_interrupt();
  session_.set_log([this](const std::string& message) { line(message); });
  text = trim(text);
  if (text.starts_with('#')) return true;
  is_repeated_ = text.empty();
  if (is_repeated_) {
    if (last_line_.empty()) return true;
    text = last_line_;
  }
  const std::string whole(text);
  std::string_view rest = whole;
  std::string_view word = take_word(rest);
  // `x/4 0x1000`.
  const std::size_t slash = word.find('/');
  std::string with_slash;
  if (slash != std::string_view::npos) {
    with_slash = std::string(word.substr(slash)) + " " + std::string(rest);
    rest = with_slash;
    word = word.substr(0, slash);
  }
  std::string problem;
  const Command* const command = find_command(word, &problem);
  last_line_.clear();
  if (command == nullptr) return fail(problem);
  if (command->repeats) last_line_ = whole;
  if (command->arguments.empty() && !rest.empty())
    return fail("`" + std::string(command->name) + "` takes nothing, found " + support::quote(rest));
  return (this->*command->run)(rest);
}

std::vector<std::string> Console::complete(std::string_view text) const {
  std::vector<std::string> words;
  const std::size_t start = text.find_last_of(" \t") + 1;
  const std::string_view beginning = text.substr(start);
  const auto offer = [&](std::string_view word) {
    if (word.starts_with(beginning)) words.emplace_back(word);
  };
  if (trim(text.substr(0, start)).empty()) {
    for (const Command& command : commands()) offer(command.name);
    std::ranges::sort(words);
    return words;
  }
  std::string_view rest = text;
  std::string ignored;
  const Command* const command = find_command(take_word(rest), &ignored);
  if (command != nullptr && command->name == "info") {
    for (const InfoTopic& topic : info_topics()) offer(topic.name);
  }
  if (command != nullptr && command->name == "help") {
    for (const Command& each : Console::commands()) offer(each.name);
    std::ranges::sort(words);
    return words;
  }
  for (const Symbol& symbol : session_.program().symbols) offer(symbol.name);
  for (const char* word :
       {"csp", "exec", "exec_hi", "exec_lo", "m0", "mode", "pc", "scc", "status", "vcc", "vcc_hi", "vcc_lo"})
    offer(word);
  // All SGPRs would be too many where nobody has asked for one.
  if (beginning.starts_with('s') && beginning.find_first_of("0123456789") == 1) {
    for (u32 i = 0; i < session_.machine().allocated_sgprs(); ++i) offer("s" + std::to_string(i));
  }
  std::ranges::sort(words);
  const auto repeated = std::ranges::unique(words);
  words.erase(repeated.begin(), repeated.end());
  return words;
}

void Console::line(std::string_view text) { print_(printable(text, colour_) + "\n"); }

bool Console::fail(std::string_view message) {
  constexpr std::size_t longest = 500;
  std::string text = printable(message);
  if (text.size() > longest) text = text.substr(0, longest / 2) + " ... " + text.substr(text.size() - longest / 2);
  print_("error: " + text + "\n");
  return false;
}

bool Console::fail(const Error& error) { return fail(error.message); }

std::string Console::styled(std::string_view text, std::string_view style) const {
  return colour_ ? std::string(style) + std::string(text) + std::string(plain) : std::string(text);
}

}  // namespace salu::debug
