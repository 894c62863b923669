#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "debug/console_context.hpp"
#include "debug/verb.hpp"
#include "support/names.hpp"

// The console itself.
namespace salu::debug {
namespace {

std::string usage_of(const Verb& verb) {
  return std::string(verb.name) + (verb.arguments.empty() ? "" : " " + std::string(verb.arguments));
}

void list_commands(const ConsoleContext& console, const HelpGroup& group) {
  for (const Verb* const each : group.verbs) {
    console.out.wrapped(usage_of(*each), 4);
    console.out.wrapped("    " + std::string(each->help), 4);
  }
}

/// The groups with the names of their commands.
void list_groups(const ConsoleContext& console) {
  for (const HelpGroup& group : help_groups()) {
    console.out.wrapped(fmt::format("{}: {}", group.name, group.title), 4);
    std::string names;
    for (const Verb* const each : group.verbs) {
      const bool has_short_name = !each->short_name.empty() && each->short_name != each->name;
      names += fmt::format("{}{}{}", names.empty() ? "    " : ", ", each->name,
                           has_short_name ? fmt::format(" ({})", each->short_name) : "");
    }
    console.out.wrapped(names, 4);
  }
  console.out.wrapped("`help GROUP` describes a group, `help COMMAND` a command, and `help all` all commands.", 0);
}

bool explain_command(const ConsoleContext& console, std::string_view word) {
  const Result<const Verb*> found = find_verb(word);
  if (!found) return console.out.fail(found.error());
  const Verb& verb = **found;
  const bool has_short_name = !verb.short_name.empty() && verb.short_name != verb.name;
  console.out.wrapped(usage_of(verb) + (has_short_name ? "  (" + std::string(verb.short_name) + ")" : ""), 4);
  console.out.wrapped(verb.help, 0);
  if (verb.repeats == Repeats::yes) console.out.line("An empty line repeats it.");
  return true;
}

}  // namespace

VerbGroup help_verbs() {
  static constexpr std::array verbs = std::to_array<Verb>({
      {"help", "h", "[COMMAND|GROUP|all]", Repeats::no, "Lists the commands, or describes one, a group or all of them.",
       [](ConsoleContext& console, std::string_view arguments) {
         if (arguments.empty()) {
           list_groups(console);
           return true;
         }
         if (arguments == "all") {
           for (const HelpGroup& group : help_groups()) list_commands(console, group);
           return true;
         }
         const auto group = std::ranges::find(help_groups(), arguments, &HelpGroup::name);
         // The full name of a command takes precedence over a group.
         if (group == help_groups().end() ||
             std::ranges::find(all_verbs(), arguments, &Verb::name) != all_verbs().end())
           return explain_command(console, arguments);
         list_commands(console, *group);
         return true;
       },
       Words::verbs},
      {"quit", "q", "", Repeats::no, "Ends the console.",
       [](ConsoleContext& console, std::string_view) {
         console.quits = true;
         return true;
       },
       Words::none},
  });
  return {verbs, {}, "console", "the console itself"};
}

}  // namespace salu::debug
