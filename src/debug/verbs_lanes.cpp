#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "debug/command_words.hpp"
#include "debug/console_context.hpp"
#include "debug/fork_log.hpp"
#include "debug/lane_text.hpp"
#include "debug/lanes_view.hpp"
#include "debug/place_text.hpp"
#include "debug/verb.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

// Active and waiting lanes, forks and joins.
namespace salu::debug {
namespace {

/// The join of a fork, as far as the run has reached it.
std::string joins_text(const Program& program, const ForkEvent& event) {
  if (!event.popped_at) return "no join so far";
  const std::string join = "join at " + address_text(program, *event.join_pc) + ": ";
  const std::string first = step_text(*event.popped_at);
  if (!event.ended_at) return join + first + " so far";
  const std::string elsewhere = event.end_pc == event.join_pc ? "" : address_text(program, *event.end_pc) + ": ";
  return fmt::format("{}{} and {}{}", join, first, elsewhere, step_text(*event.ended_at));
}

/// The effect of an event, without its place.
std::string event_text(const Session& session, const ForkEvent& event) {
  const auto place = [&](u64 address) { return address_text(session.program(), address); };
  const auto csp = [&] { return fmt::format("{} to {}", event.csp_before, event.csp_after); };
  switch (event.kind) {
    case ForkEvent::Kind::split:
      return fmt::format("fork: {} to {}, {} for {}; {}", lanes_do(event.lanes, "go"), place(event.next_pc),
                         lanes_do(event.waiting_lanes, "wait"), place(event.waiting_pc),
                         joins_text(session.program(), event));
    case ForkEvent::Kind::whole:
      return fmt::format("{}{} to {}", std::popcount(event.lanes) == 1 ? "fork: the " : "fork: all ",
                         lanes_do(event.lanes, "go"), place(event.next_pc));
    case ForkEvent::Kind::resume:
      return fmt::format("join: {} arrived, {} on at {}", lanes_do(event.lanes_before, "have"),
                         lanes_do(event.lanes, "go"), place(event.next_pc));
    case ForkEvent::Kind::rejoin:
      return "join: both sides have arrived, " + lanes_do(event.lanes, "go") + " on";
    case ForkEvent::Kind::set:
      return fmt::format("CSP is set from {} by {}", csp(), session.machine().code().text_at(event.pc));
    case ForkEvent::Kind::edit:
      return "since the last fork or join CSP was set from " + csp() + " from outside the program";
  }
  return {};
}

void print_events(const ConsoleContext& console, const ForkHistory& history, u64 most) {
  const std::size_t shown = std::min<u64>(history.events.size(), most);
  const std::size_t left_out = history.left_out + history.events.size() - shown;
  if (left_out != 0) console.out.line(fmt::format("... {} before these are omitted", left_out));
  for (const ForkEvent& event : std::span(history.events).last(shown)) {
    const std::string indent(std::size_t{2} * event.depth, ' ');
    console.out.wrapped(
        fmt::format("{}: {}{}: {}", moment_text(event.position, event.kind == ForkEvent::Kind::edit), indent,
                    address_text(console.session.program(), event.pc), event_text(console.session, event)),
        indent.size() + 4);
  }
}

}  // namespace

VerbGroup lane_verbs() {
  static constexpr std::array verbs = std::to_array<Verb>({
      {"lanes", "la", "[EXPRESSION...]", Repeats::no,
       "Shows the lanes of EXEC and VCC, the lanes that wait on the control stack, and those that wait in SGPRs in "
       "which compiled code has saved EXEC; or the lanes of masks.",
       [](ConsoleContext& console, std::string_view arguments) {
         if (arguments.empty()) {
           show_lanes(console, true);
           return end_search(console);
         }
         std::vector<ShownMask> masks;
         while (!arguments.empty()) {
           const std::string_view word = take_word(arguments);
           const Result<expr::Value> mask = console.session.evaluate(word);
           if (!mask) {
             if (!masks.empty()) print_masks(console, masks);
             return console.out.fail(mask.error());
           }
           masks.push_back({std::string(word), mask->bits});
         }
         print_masks(console, masks);
         return true;
       }},
      {"lane", "", "[N|off]", Repeats::no,
       "Selects a lane: step, next, until and their reverse stop only where it is active, and v3 means v3 in this "
       "lane. Without a number, shows the selected lane.",
       [](ConsoleContext& console, std::string_view arguments) {
         Session& session = console.session;
         if (arguments == "off") {
           session.choose_lane(std::nullopt);
         } else if (!arguments.empty()) {
           const auto lane = support::parse_unsigned(arguments);
           if (!lane || *lane >= session.machine().wave().wave_size) {
             return console.out.fail(fmt::format("expected a lane from 0 to {}, or `off`, found {}",
                                                 session.machine().wave().wave_size - 1, support::quote(arguments)));
           }
           session.choose_lane(static_cast<u32>(*lane));
         }
         const auto lane = session.lane();
         console.out.line(!lane ? "No lane is chosen."
                                : fmt::format("Lane {} is {}.", *lane, session.is_lane_on() ? "on" : "off"));
         return true;
       },
       Words::none},
      {"forks", "fo", "[N]", Repeats::no,
       "Shows the last 100 or N forks and joins, indented by the depth of the control stack, with the join of each "
       "fork, and misuse of them.",
       [](ConsoleContext& console, std::string_view arguments) {
         constexpr u64 usual = 100;
         const auto most = arguments.empty() ? std::optional(usual) : support::parse_unsigned(arguments);
         if (!most) return console.out.fail("expected a number of forks and joins, found " + support::quote(arguments));
         Session& session = console.session;
         const ForkHistory history = list_forks(session);
         const bool is_complete = !session.was_interrupted();
         if (history.events.empty() && is_complete) console.out.line("No fork and no join so far.");
         print_events(console, history, *most);
         if (!is_complete) return end_search(console);
         if (history.left_out != 0) {
           console.out.line("There are too many forks and joins to search for misuse without a warning.");
           print_misuse_warnings(console, false);
           return end_search(console);
         }
         for (const ForkProblem& problem : find_fork_problems(session, history.events)) print_problem(console, problem);
         return end_search(console);
       },
       Words::none},
  });
  static constexpr std::array topics = std::to_array<InfoTopic>({
      {"stack", "",
       [](ConsoleContext& console, std::string_view) {
         show_stack(console, true);
         return true;
       }},
  });
  return {verbs, topics, "lanes", "forks and joins, and which lanes run"};
}

}  // namespace salu::debug
