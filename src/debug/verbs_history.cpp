#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>

#include "debug/console_context.hpp"
#include "debug/place_text.hpp"
#include "debug/value_format.hpp"
#include "debug/verb.hpp"
#include "debug/why_place.hpp"
#include "debug/why_text.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

// The origin of values.
namespace salu::debug {
namespace {

/// `step 12`; `step 12 of wave 3` if there are several.
std::string moment_of(const Session& session, const ValueChange& change) {
  const std::string moment = moment_text(change.position, change.is_edit);
  return session.has_several_waves() ? fmt::format("{} of wave {}", moment, change.wave) : moment;
}

bool show_change(const ConsoleContext& console, const expr::Expression& expression,
                 const std::optional<ValueChange>& change, std::string_view verb) {
  const Session& session = console.session;
  if (!change) {
    if (session.was_interrupted()) return end_search(console);
    console.out.line(fmt::format("No instruction has {} {} so far.", verb, expression.text()));
    return true;
  }
  const u32 width = expression.width();
  const std::string values = value_text(change->before, width) + " -> " + value_text(change->after, width);
  console.out.line(moment_of(session, *change) + ": " +
                   (change->is_edit ? "set from outside the program: " + values
                                    : fmt::format("{}: {}{}", instruction_text(session, change->pc), values,
                                                  source_note(session.program(), change->pc))));
  return true;
}

/// `EXPRESSION [N]`: an expression, and the number of values to show.
struct HistoryWish {
  expr::Expression expression;
  std::optional<std::size_t> most{};
};

Result<HistoryWish> read_history_wish(const Session& session, std::string_view arguments) {
  Result<expr::Expression> whole = session.parse(arguments);
  const std::size_t blank = arguments.find_last_of(" \t");
  if (whole || blank == std::string_view::npos) return whole ? Result<HistoryWish>({*whole}) : whole.error();
  const auto number = support::parse_unsigned(arguments.substr(blank + 1));
  if (!number) return whole.error();
  constexpr u64 limit = 100'000;
  if (*number > limit) {
    return Error{ErrorCode::usage, {}, fmt::format("expected at most {} values, found {}", limit, *number), {}};
  }
  const Result<expr::Expression> expression = session.parse(support::trim(arguments.substr(0, blank)));
  if (!expression) return expression.error();
  return HistoryWish{*expression, static_cast<std::size_t>(*number)};
}

/// `PLACE[@STEP] [N]`: a separate number is the number of links to show.
bool show_why(ConsoleContext& console, std::string_view arguments) {
  constexpr std::size_t usual_links = 6;
  constexpr u64 most_shown = 1000;
  observe::WhyOptions options{.most_links = usual_links};
  std::string_view text = support::trim(arguments);
  const std::size_t blank = text.find_last_of(" \t");
  if (const auto number = support::parse_unsigned(text.substr(blank + 1)); number && blank != std::string_view::npos) {
    if (*number == 0 || *number > most_shown)
      return console.out.fail(fmt::format("expected 1 to {} instructions, found {}", most_shown, *number));
    options.most_links = static_cast<std::size_t>(*number);
    text = support::trim(text.substr(0, blank));
  }
  const Result<WhyPlace> place = read_why_place(text);
  if (!place) return console.out.fail(place.error());
  Session& session = console.session;
  const u64 position = place->step.value_or(session.run().position());
  if (position > session.run().furthest())
    return console.out.fail(fmt::format("the run has not reached step {}: `continue` first", position));
  const auto bits = find_why_bits(session, *place);
  if (place->step && session.was_interrupted()) return end_search(console);
  if (!bits) return console.out.fail(bits.error());
  const observe::WhyGraph graph = session.why(*bits, position, options);
  const std::string shown =
      why_text(graph, session.program(), fmt::format("`why {} {}` shows it", text, options.most_links * 4));
  for (std::string_view left = shown; !left.empty();) {
    const std::size_t end = left.find('\n');
    console.out.line(left.substr(0, end));
    left.remove_prefix(end + 1);
  }
  return true;
}

}  // namespace

VerbGroup history_verbs() {
  static constexpr std::array verbs = std::to_array<Verb>({
      {"who", "w", "PLACE", Repeats::no, "Shows the last instruction that wrote a register or memory.",
       [](ConsoleContext& console, std::string_view arguments) {
         const Result<expr::Expression> place = console.session.parse(arguments);
         if (!place) return console.out.fail(place.error());
         if (!place->is_register() && !place->is_memory()) {
           return console.out.fail(support::quote(arguments) +
                                   " is neither a register nor memory; `changed` takes any expression");
         }
         return show_change(console, *place, console.session.last_write(*place), "written");
       }},
      {"changed", "ch", "EXPRESSION", Repeats::no, "Shows the last instruction that changed a value.",
       [](ConsoleContext& console, std::string_view arguments) {
         const Result<expr::Expression> expression = console.session.parse(arguments);
         if (!expression) return console.out.fail(expression.error());
         return show_change(console, *expression, console.session.last_change(*expression), "changed");
       }},
      {"why", "", "PLACE[@STEP] [N]", Repeats::no,
       "Shows the last 6 or N instructions that produced the value of a register, a field, bits, lanes or memory, with "
       "their operands: `why exec[7]`, `why s4[7:0] 20`.",
       show_why},
      {"history", "hi", "EXPRESSION [N]", Repeats::no,
       "Shows the last 20 or N values of an expression. With N, searches backwards from here, no further than needed.",
       [](ConsoleContext& console, std::string_view arguments) {
         Session& session = console.session;
         const Result<HistoryWish> wish = read_history_wish(session, arguments);
         if (!wish) return console.out.fail(wish.error());
         constexpr std::size_t usual = 20;
         const ValueHistory values = wish->most ? session.latest_history(wish->expression, *wish->most)
                                                : session.history(wish->expression, usual);
         const u32 width = wish->expression.width();
         console.out.line("position 0: " + value_text(values.first, width));
         if (!values.is_complete) {
           const u64 left_out =
               values.count.value_or(0) - std::min<u64>(values.count.value_or(0), values.changes.size());
           console.out.line(left_out == 0 ? "... earlier changes are omitted"
                                          : fmt::format("... {} {} omitted", support::counted(left_out, "change"),
                                                        left_out == 1 ? "is" : "are"));
         }
         for (const ValueChange& change : values.changes) {
           console.out.line(
               fmt::format("{}: {}  {}", moment_of(session, change), value_text(change.after, width),
                           change.is_edit ? "set from outside the program" : instruction_text(session, change.pc)));
         }
         return end_search(console);
       }},
  });
  return {verbs, {}, "changes", "writes and changes of values"};
}

}  // namespace salu::debug
