#include <array>

#include "debug/console_context.hpp"
#include "debug/verb.hpp"

// The console itself.
namespace salu::debug {
namespace {

std::string usage_of(const Verb& verb) {
  return std::string(verb.name) + (verb.arguments.empty() ? "" : " " + std::string(verb.arguments));
}

}  // namespace

VerbGroup help_verbs() {
  static constexpr std::array verbs = std::to_array<Verb>({
      {"help", "h", "[COMMAND]", Repeats::no, "Lists the commands, or tells more about one.",
       [](ConsoleContext& console, std::string_view arguments) {
         if (arguments.empty()) {
           for (const Verb& each : all_verbs()) {
             console.out.line(usage_of(each));
             console.out.line("    " + std::string(each.help));
           }
           return true;
         }
         const Result<const Verb*> found = find_verb(arguments);
         if (!found) return console.out.fail(found.error());
         const Verb& verb = **found;
         const bool has_short_name = !verb.short_name.empty() && verb.short_name != verb.name;
         console.out.line(usage_of(verb) + (has_short_name ? "  (" + std::string(verb.short_name) + ")" : ""));
         console.out.line(verb.help);
         if (verb.repeats == Repeats::yes) console.out.line("An empty line does it again.");
         return true;
       }},
      {"quit", "q", "", Repeats::no, "Ends.",
       [](ConsoleContext& console, std::string_view) {
         console.quits = true;
         return true;
       }},
  });
  return {verbs};
}

}  // namespace salu::debug
