#include "debug/console.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "debug/command_words.hpp"
#include "debug/verb.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

namespace salu::debug {
namespace {

/// The words that may stand in an expression.
std::vector<std::string> expression_words(const Session& session, std::string_view beginning) {
  std::vector<std::string> words;
  for (const Symbol& symbol : session.program().symbols) words.push_back(symbol.name);
  for (const char* word :
       {"csp", "exec", "exec_hi", "exec_lo", "m0", "mode", "pc", "scc", "status", "vcc", "vcc_hi", "vcc_lo"})
    words.emplace_back(word);
  // All SGPRs would be too many where nobody has asked for one.
  if (beginning.starts_with('s') && beginning.find_first_of("0123456789") == 1) {
    for (u32 i = 0; i < session.machine().wave().sgprs; ++i) words.push_back(fmt::format("s{}", i));
  }
  return words;
}

void add_verb_names(std::vector<std::string>& words) {
  for (const Verb& verb : all_verbs()) words.emplace_back(verb.name);
}

}  // namespace

bool end_search(const ConsoleContext& console) {
  // Not an interrupt of the command before, which may have been the last one to search.
  if (console.is_interrupted && console.session.was_interrupted()) console.out.line("Interrupted: this is not all.");
  return true;
}

bool Console::execute(std::string_view text) {
  const ConsoleOutput& out = context_.out;
  constexpr std::size_t longest = 65'536;
  if (text.size() > longest) {
    return out.fail(fmt::format("a command of {}; the longest has {}", support::counted(text.size(), "byte"), longest));
  }
  // One that came while nobody ran is none.
  context_.is_interrupted = false;
  context_.session.clear_interrupt();
  context_.session.set_log([this](const std::string& message) { context_.out.line(message); });
  text = support::trim(text);
  if (text.starts_with('#')) return true;
  context_.is_repeated = text.empty();
  if (context_.is_repeated) {
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
  const Result<const Verb*> found = find_verb(word);
  last_line_.clear();
  if (!found) return out.fail(found.error());
  const Verb& verb = **found;
  if (verb.repeats == Repeats::yes) last_line_ = whole;
  if (verb.arguments.empty() && !rest.empty())
    return out.fail(fmt::format("`{}` takes nothing, found {}", verb.name, support::quote(rest)));
  return verb.run(context_, rest);
}

std::vector<std::string> Console::complete(std::string_view text) const {
  std::vector<std::string> words;
  const std::size_t start = text.find_last_of(" \t") + 1;
  const std::string_view beginning = text.substr(start);
  if (support::trim(text.substr(0, start)).empty()) {
    add_verb_names(words);
  } else {
    std::string_view rest = text;
    const Result<const Verb*> verb = find_verb(take_word(rest));
    const std::string_view name = verb ? (*verb)->name : std::string_view();
    if (name == "help") {
      add_verb_names(words);
    } else {
      words = expression_words(context_.session, beginning);
    }
    if (name == "info") {
      for (const InfoTopic& topic : all_topics()) words.emplace_back(topic.name);
    }
  }
  std::erase_if(words, [&](const std::string& each) { return !each.starts_with(beginning); });
  std::ranges::sort(words);
  const auto repeated = std::ranges::unique(words);
  words.erase(repeated.begin(), repeated.end());
  return words;
}

}  // namespace salu::debug
