#include <fmt/core.h>

#include <array>
#include <utility>

#include "debug/command_words.hpp"
#include "debug/console_context.hpp"
#include "debug/console_values.hpp"
#include "debug/displays.hpp"
#include "debug/vector_view.hpp"
#include "debug/verb.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

// Printing expressions, once or at every stop.
namespace salu::debug {
namespace {

/// Vector registers without a selected lane; nothing for other text.
std::optional<RegisterName> whole_vectors(const Session& session, std::string_view text) {
  if (text.starts_with('$')) text.remove_prefix(1);
  const auto name = parse_register_name(session.machine().generation(), text);
  const bool is_whole = name && name->vector_registers() > (session.lane() ? 1U : 0U);
  return is_whole ? name : std::nullopt;
}

/// Prints a value, after an assignment if the text has `=`.
bool print_value(ConsoleContext& console, std::string_view text, const ValueFormat& format) {
  Session& session = console.session;
  if (const auto assignment = split_assignment(text)) {
    const u64 pc = session.address();
    if (const auto problem = assign(console, assignment->first, assignment->second)) return console.out.fail(*problem);
    // The user knows the change, but possibly not where the run is after it.
    console.stops.shown = session.machine().state();
    if (session.address() != pc) show_place(console);
    text = assignment->first;
  }
  const Result<expr::Expression> expression = parse_readable(session, text);
  if (!expression) return console.out.fail(expression.error());
  if (const auto problem = width_problem(*expression, format)) return console.out.fail(*problem);
  console.out.line(expression->text() + " = " + formatted(session, *expression, format));
  session.remember_value(expression->evaluate(session.machine()));
  return true;
}

}  // namespace

VerbGroup value_verbs() {
  static constexpr std::array verbs = std::to_array<Verb>({
      {"print", "p", "[/FORMAT] EXPRESSION", Repeats::no,
       "Evaluates an expression: s0, s[2:3], exec, v3[7], [s[4:5] + 8], bcnt(exec), s0 > 5 && scc; or shows all lanes "
       "of vector registers: v3. Formats are those of x: p/f16 v3, p/f64 v[2:3]. s0 = 5 sets s0 first. Printed values "
       "are $1, $2 and so on in "
       "expressions, $ is the last and $$ the one before it.",
       [](ConsoleContext& console, std::string_view arguments) {
         const Result<ValueFormat> format = take_format(arguments);
         if (!format) return console.out.fail(format.error());
         if (const auto problem = letter_problem("print", *format)) return console.out.fail(*problem);
         if (const auto vectors = whole_vectors(console.session, support::trim(arguments))) {
           return show_all_lanes(console, console.session.machine().state(), *vectors, *format);
         }
         return print_value(console, support::trim(arguments), *format);
       }},
      {"call", "", "[/FORMAT] EXPRESSION", Repeats::no, "As print.",
       [](ConsoleContext& console, std::string_view arguments) {
         const Result<ValueFormat> format = take_format(arguments);
         if (!format) return console.out.fail(format.error());
         if (const auto problem = letter_problem("call", *format)) return console.out.fail(*problem);
         return print_value(console, support::trim(arguments), *format);
       }},
      {"display", "disp", "[/FORMAT] [EXPRESSION]", Repeats::no,
       "Shows an expression at every stop from now on. Without one, shows all of them now.",
       [](ConsoleContext& console, std::string_view arguments) {
         const Result<ValueFormat> format = take_format(arguments);
         if (!format) return console.out.fail(format.error());
         if (arguments.empty()) {
           show_displays(console);
           return true;
         }
         if (const auto problem = letter_problem("display", *format)) return console.out.fail(*problem);
         if (console.displays.all().size() >= most_displays)
           return console.out.fail(fmt::format("the limit of {} displays is reached: undisplay some", most_displays));
         Result<expr::Expression> expression = console.session.parse(arguments);
         if (!expression) return console.out.fail(expression.error());
         if (const auto problem = width_problem(*expression, *format)) return console.out.fail(*problem);
         show_display(console, console.displays.add(*std::move(expression), *format));
         return true;
       }},
      {"undisplay", "und", "[N...]", Repeats::no, "Removes expressions by number; all without a number.",
       [](ConsoleContext& console, std::string_view arguments) {
         if (arguments.empty()) console.displays.clear();
         while (!arguments.empty()) {
           const std::string_view word = take_word(arguments);
           const auto id = support::parse_unsigned(word);
           if (!id || !console.displays.remove(*id)) return console.out.fail("no display " + support::quote(word));
         }
         return true;
       },
       Words::displays},
  });
  static constexpr std::array topics = std::to_array<InfoTopic>({
      {"display", "",
       [](ConsoleContext& console, std::string_view) {
         if (console.displays.all().empty()) console.out.line("Nothing is displayed.");
         for (const Display& each : console.displays.all())
           console.out.line(fmt::format("{}: {}{}", each.id, letter_text(each.format), each.expression.text()));
         return true;
       }},
      {"values", "",
       [](ConsoleContext& console, std::string_view) {
         u64 number = 0;
         if (console.session.values().empty()) console.out.line("Nothing has been printed.");
         for (const expr::Value& value : console.session.values())
           console.out.line(fmt::format("${} = {}", ++number, explained_value(value, 0, console.session.program())));
         return true;
       }},
  });
  return {verbs, topics, "data", "registers, memory and expressions"};
}

}  // namespace salu::debug
