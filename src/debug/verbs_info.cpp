#include <fmt/core.h>

#include <span>
#include <vector>

#include "debug/command_words.hpp"
#include "debug/console_context.hpp"
#include "debug/verb.hpp"
#include "support/names.hpp"

namespace salu::debug {

VerbGroup info_verbs() {
  static constexpr Verb info = {
      "info",
      "i",
      "TOPIC",
      Repeats::no,
      "Shows breakpoints or watchpoints with their hits; registers [NAME...], with * after values that have changed "
      "since the last stop; vector [/FORMAT] [NAME...], the same for vector registers, with all lanes of named ones; "
      "the control stack; waves of the work-group; display; printed values; line [PLACE]; symbols; warnings so far; "
      "expectations of the scenario, at the end of the run; program, with the current position.",
      [](ConsoleContext& console, std::string_view arguments) {
        const std::string_view what = take_word(arguments);
        std::vector<std::string_view> names;
        for (const InfoTopic& topic : all_topics()) {
          names.push_back(topic.name);
          if (what.empty() || !topic.name.starts_with(what)) continue;
          if (!topic.arguments.empty() || arguments.empty()) return topic.run(console, arguments);
          return console.out.fail(
              fmt::format("`info {}` takes no arguments, found {}", topic.name, support::quote(arguments)));
        }
        return console.out.fail(
            fmt::format("`info` shows {}, found {}", support::name_list(names), support::quote(what)));
      },
      Words::topics};
  return {std::span(&info, 1), {}, "data", "registers, memory and expressions"};
}

}  // namespace salu::debug
