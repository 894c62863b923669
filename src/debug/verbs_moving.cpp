#include <fmt/core.h>

#include <array>
#include <vector>

#include "debug/console_context.hpp"
#include "debug/verb.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

// Moving through the run, forwards and backwards.
namespace salu::debug {
namespace {

/// Moves by the count in the arguments, 1 by default.
template <class Move>
bool move_by_count(ConsoleContext& console, std::string_view arguments, const Move& move) {
  const auto count = arguments.empty() ? std::optional<u64>(1) : support::parse_unsigned(arguments);
  if (!count || *count == 0)
    return console.out.fail("expected a count of at least 1, found " + support::quote(arguments));
  return show_stop(console, move(*count));
}

bool run_to_place(ConsoleContext& console, std::string_view place) {
  const Result<std::vector<u64>> addresses = console.session.find_place(place);
  return addresses ? show_stop(console, console.session.run_to(*addresses)) : console.out.fail(addresses.error());
}

/// Ignores the next hits of the breakpoints at which the run has stopped. Returns false if none exist.
bool pass_over_hits(ConsoleContext& console, u64 hits) {
  const Pause& stop = console.stops.last;
  std::vector<u32> ids = stop.breakpoints;
  for (const WatchHit& hit : stop.watches) ids.push_back(hit.id);
  bool counts = false;
  for (const u32 id : ids) {
    Breakpoint* const breakpoint = console.session.find_breakpoint(id);
    if (breakpoint == nullptr || !breakpoint->enabled) continue;
    breakpoint->ignore = hits;
    counts = true;
  }
  return counts;
}

/// The action of a verb without arguments.
template <auto move>
bool once(ConsoleContext& console, std::string_view) {
  return show_stop(console, move(console.session));
}

/// The action of a verb with a count.
template <auto move>
bool by_count(ConsoleContext& console, std::string_view arguments) {
  return move_by_count(console, arguments, [&](u64 count) { return move(console.session, count); });
}

}  // namespace

VerbGroup moving_verbs() {
  static constexpr std::array verbs = std::to_array<Verb>({
      {"step", "s", "[N]", Repeats::yes,
       "Steps to another source line, N times; into calls. Without lines, one instruction.",
       by_count<[](Session& session, u64 count) { return session.step_line(false, count); }>, Words::none},
      {"stepi", "si", "[N]", Repeats::yes, "Executes one instruction, or N.",
       by_count<[](Session& session, u64 count) { return session.step(count); }>, Words::none},
      {"next", "n", "[N]", Repeats::yes, "As step, but over calls.",
       by_count<[](Session& session, u64 count) { return session.step_line(true, count); }>, Words::none},
      {"nexti", "ni", "[N]", Repeats::yes, "As stepi, but over calls.",
       by_count<[](Session& session, u64 count) { return session.next(count); }>, Words::none},
      {"finish", "fin", "", Repeats::yes, "Runs until the innermost function has returned.",
       once<[](Session& session) { return session.finish(); }>, Words::none},
      {"until", "u", "[PLACE]", Repeats::yes,
       "Runs to a place: an address, a label (loop, loop+8), a source line (12, file.s:12). Without one, to a line "
       "after this one or out of the function, through backward jumps.",
       [](ConsoleContext& console, std::string_view arguments) {
         if (arguments.empty()) return show_stop(console, console.session.run_to_later());
         return run_to_place(console, arguments);
       },
       Words::places},
      {"advance", "adv", "PLACE", Repeats::no, "As until, to a place.",
       [](ConsoleContext& console, std::string_view arguments) {
         if (arguments.empty()) return console.out.fail("expected a place to run to");
         return run_to_place(console, arguments);
       },
       Words::places},
      {"continue", "c", "[N]", Repeats::yes,
       "Runs to the next breakpoint or watchpoint, or the end. With N, the breakpoint here stops again after N hits "
       "only.",
       [](ConsoleContext& console, std::string_view arguments) {
         return move_by_count(console, arguments, [&](u64 count) {
           if (!arguments.empty() && !pass_over_hits(console, count - 1))
             console.out.line("Not stopped at a breakpoint or watchpoint; the count is ignored.");
           return console.session.go_on();
         });
       },
       Words::none},
      {"run", "r", "", Repeats::no, "Goes back to the start of the run.",
       [](ConsoleContext& console, std::string_view) { return show_place_gone_to(console, console.session.go_to(0)); },
       Words::none},
      {"reverse-step", "rs", "[N]", Repeats::yes,
       "Goes back to the start of a source line, N times; into calls. Without lines, one instruction.",
       by_count<[](Session& session, u64 count) { return session.step_line_back(false, count); }>, Words::none},
      {"reverse-stepi", "rsi", "[N]", Repeats::yes, "Goes back by one instruction, or N.",
       by_count<[](Session& session, u64 count) { return session.step_back(count); }>, Words::none},
      {"reverse-next", "rn", "[N]", Repeats::yes, "As reverse-step, but over calls.",
       by_count<[](Session& session, u64 count) { return session.step_line_back(true, count); }>, Words::none},
      {"reverse-nexti", "rni", "[N]", Repeats::yes, "As reverse-stepi, but over calls.",
       by_count<[](Session& session, u64 count) { return session.next_back(count); }>, Words::none},
      {"reverse-finish", "rfin", "", Repeats::yes, "Goes back to the call of the current function.",
       once<[](Session& session) { return session.finish_back(); }>, Words::none},
      {"reverse-until", "ru", "PLACE", Repeats::no, "Goes back to a place.",
       [](ConsoleContext& console, std::string_view arguments) {
         if (arguments.empty()) return console.out.fail("expected a place to go back to");
         const Result<std::vector<u64>> place = console.session.find_place(arguments);
         if (!place) return console.out.fail(place.error());
         return show_stop(console, console.session.run_back_to(*place));
       },
       Words::places},
      {"reverse-continue", "rc", "", Repeats::yes, "Goes back to the last breakpoint or watchpoint, or the start.",
       once<[](Session& session) { return session.go_back(); }>, Words::none},
      {"goto", "go", "POSITION|end", Repeats::no,
       "Goes to a position (a number of executed instructions) or to the end of the program, without stops on the way.",
       [](ConsoleContext& console, std::string_view arguments) {
         Session& session = console.session;
         if (arguments == "end") return show_place_gone_to(console, session.go_to_end());
         const auto position = support::parse_unsigned(arguments);
         if (!position) {
           return console.out.fail("expected a position (instructions executed) or `end`, found " +
                                   support::quote(arguments));
         }
         // The program may never end.
         const u64 furthest = session.run().furthest();
         const u64 most = session.run().scenario().options.max_steps;
         if (*position > furthest && *position - furthest > most) {
           return console.out.fail(fmt::format(
               "position {} is more than {} beyond what has been executed: `--max-steps` lets one command execute more",
               *position, support::counted(most, "instruction")));
         }
         return show_place_gone_to(console, session.go_to(*position));
       },
       Words::none},
  });
  return {verbs, {}, "running", "moves through the run, forwards and backwards"};
}

}  // namespace salu::debug
