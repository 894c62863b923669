#include "debug/completion.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "debug/command_words.hpp"
#include "debug/verb.hpp"
#include "debug/warning_reports.hpp"
#include "support/names.hpp"

namespace salu::debug {
namespace {

/// Collects words.
struct Collector {
  const Session& session;
  const Displays& displays;
  std::string_view beginning;
  std::vector<std::string> words;

  void add_symbols() {
    for (const Symbol& symbol : session.program().symbols) words.push_back(symbol.name);
  }

  /// Adds the words of expressions.
  void add_expressions() {
    add_symbols();
    for (const char* word :
         {"csp", "exec", "exec_hi", "exec_lo", "m0", "mode", "pc", "scc", "status", "vcc", "vcc_hi", "vcc_lo"})
      words.emplace_back(word);
    // The SGPRs are listed only after a first digit: there are many.
    if (beginning.starts_with('s') && beginning.find_first_of("0123456789") == 1) {
      for (u32 i = 0; i < session.machine().wave().sgprs; ++i) words.push_back(fmt::format("s{}", i));
    }
  }

  /// Adds labels, functions, and files for line numbers.
  void add_places() {
    add_symbols();
    for (const std::string& file : session.program().files) {
      words.push_back(file + ":");
      words.push_back(file.substr(file.find_last_of('/') + 1) + ":");
    }
  }

  /// Adds the mnemonics of the program.
  void add_mnemonics() {
    constexpr u64 most_bytes = u64{1} << 20;
    u64 bytes = 0;
    for (const CodeBlock& block : session.program().code) {
      for (u64 at = block.base; at < block.end() && bytes < most_bytes;) {
        const auto instruction = session.machine().code().instruction_at(at);
        const u64 size = instruction ? u64{instruction->dwords} * 4 : 4;
        at += size;
        bytes += size;
        const bool is_known = instruction && (instruction->encoding == isa::EncodingClass::scalar ||
                                              instruction->encoding == isa::EncodingClass::vector);
        if (!is_known) continue;
        std::string text = session.machine().code().text_at(at - size);
        text.resize(std::min(text.find(' '), text.size()));
        if (words.empty() || words.back() != text) words.push_back(std::move(text));
      }
    }
  }

  void add(Words kind) {
    switch (kind) {
      case Words::expressions:
        return add_expressions();
      case Words::code:
        add_mnemonics();
        return add_places();
      case Words::places:
        return add_places();
      case Words::breakpoints:
        for (const Breakpoint& each : session.breakpoints()) words.push_back(std::to_string(each.id));
        return;
      case Words::displays:
        for (const Display& each : displays.all()) words.push_back(std::to_string(each.id));
        return;
      case Words::topics:
        for (const InfoTopic& topic : all_topics()) words.emplace_back(topic.name);
        return;
      case Words::verbs:
        for (const Verb& verb : all_verbs()) words.emplace_back(verb.name);
        for (const HelpGroup& group : help_groups()) words.emplace_back(group.name);
        words.emplace_back("all");
        return;
      case Words::warnings:
        for (const WarningKind each : all_warning_kinds()) words.emplace_back(warning_kind_name(each));
        words.emplace_back("off");
        words.emplace_back("warning");
        return;
      case Words::none:
        return;
    }
  }
};

/// The kind of word that may follow `before`, which ends with a blank.
Words words_behind(std::string_view before) {
  std::string_view rest = before;
  const Result<const Verb*> verb = find_verb(take_word(rest));
  if (!verb) return Words::expressions;
  const Words words = (*verb)->words;
  if (words == Words::topics) {
    const std::string_view name = take_word(rest);
    if (name.empty()) return words;
    const auto topics = all_topics();
    const auto topic = std::ranges::find_if(topics, [&](const InfoTopic& each) { return each.name.starts_with(name); });
    return topic == topics.end() ? Words::none : topic->words;
  }
  // `if` is followed by a condition, and so is the number of `condition`.
  const bool has_condition = rest == "if" || rest.find(" if ") != std::string_view::npos || rest.ends_with(" if");
  if (has_condition || ((*verb)->name == "condition" && !rest.empty())) return Words::expressions;
  return words;
}

}  // namespace

std::vector<std::string> completions(const Session& session, const Displays& displays, std::string_view text,
                                     std::vector<std::string> commands) {
  const std::size_t start = text.find_last_of(" \t") + 1;
  Collector collector{session, displays, text.substr(start), {}};
  const std::string_view before = text.substr(0, start);
  if (support::trim(before).empty()) {
    collector.words = std::move(commands);
    for (const Verb& verb : all_verbs()) collector.words.emplace_back(verb.name);
  } else {
    collector.add(words_behind(before));
  }
  std::vector<std::string>& words = collector.words;
  std::erase_if(words, [&](const std::string& each) { return !each.starts_with(collector.beginning); });
  std::ranges::sort(words);
  const auto repeated = std::ranges::unique(words);
  words.erase(repeated.begin(), repeated.end());
  return std::move(collector.words);
}

}  // namespace salu::debug
