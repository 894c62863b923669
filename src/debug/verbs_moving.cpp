#include <array>
#include <vector>

#include "core/text.hpp"
#include "debug/console_context.hpp"
#include "debug/verb.hpp"
#include "isa/name_text.hpp"

// Moving through the run, forwards and backwards.
namespace salu::debug {
namespace {

/// Makes a move with the count that stands in the arguments, 1 without one.
template <class Move>
bool move_by_count(ConsoleContext& console, std::string_view arguments, const Move& move) {
  const auto count = arguments.empty() ? std::optional<u64>(1) : core::parse_unsigned(arguments);
  if (!count || *count == 0) return console.out.fail("expected a count from 1 on, found " + isa::quote(arguments));
  return show_stop(console, move(*count));
}

bool run_to_place(ConsoleContext& console, std::string_view place) {
  const Result<std::vector<u64>> addresses = console.session.find_place(place);
  return addresses ? show_stop(console, console.session.run_to(*addresses)) : console.out.fail(addresses.error());
}

/// Lets what the run has stopped for pass over the next hits. False when it has stopped for nothing.
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

/// The action of a verb that takes nothing.
template <auto move>
bool once(ConsoleContext& console, std::string_view) {
  return show_stop(console, move(console.session));
}

/// The action of a verb that takes a count.
template <auto move>
bool by_count(ConsoleContext& console, std::string_view arguments) {
  return move_by_count(console, arguments, [&](u64 count) { return move(console.session, count); });
}

}  // namespace

VerbGroup moving_verbs() {
  static constexpr std::array verbs =
      std::to_array<Verb>({
          {.name = "step",
           .short_name = "s",
           .arguments = "[N]",
           .help = "Goes on to another source line, N times; into calls. Without lines, one instruction.",
           .repeats = true,
           .run = by_count<[](Session& session, u64 count) { return session.step_line(false, count); }>},
          {.name = "stepi",
           .short_name = "si",
           .arguments = "[N]",
           .help = "Executes one instruction, or N.",
           .repeats = true,
           .run = by_count<[](Session& session, u64 count) { return session.step(count); }>},
          {.name = "next",
           .short_name = "n",
           .arguments = "[N]",
           .help = "As step, but over calls.",
           .repeats = true,
           .run = by_count<[](Session& session, u64 count) { return session.step_line(true, count); }>},
          {.name = "nexti",
           .short_name = "ni",
           .arguments = "[N]",
           .help = "As stepi, but over calls.",
           .repeats = true,
           .run = by_count<[](Session& session, u64 count) { return session.next(count); }>},
          {.name = "finish",
           .short_name = "fin",
           .help = "Goes on until the function that was called last has returned.",
           .repeats = true,
           .run = once<[](Session& session) { return session.finish(); }>},
          {.name = "until",
           .short_name = "u",
           .arguments = "[PLACE]",
           .help =
               "Goes on to a place: an address, a label (loop, loop+8), a source line (12, file.s:12). Without one, to "
               "a line behind this one or out of the function: jumps back are run through.",
           .repeats = true,
           .run =
               [](ConsoleContext& console, std::string_view arguments) {
                 if (arguments.empty()) return show_stop(console, console.session.run_to_later());
                 return run_to_place(console, arguments);
               }},
          {.name = "advance",
           .short_name = "adv",
           .arguments = "PLACE",
           .help = "As until, to a place.",
           .run =
               [](ConsoleContext& console, std::string_view arguments) {
                 if (arguments.empty()) return console.out.fail("expected a place to go on to");
                 return run_to_place(console, arguments);
               }},
          {.name = "continue",
           .short_name = "c",
           .arguments = "[N]",
           .help = "Goes on to the next breakpoint or watchpoint, or the end. With N, the breakpoint here stops again "
                   "after "
                   "N hits only.",
           .repeats = true,
           .run =
               [](ConsoleContext& console, std::string_view arguments) {
                 return move_by_count(console, arguments, [&](u64 count) {
                   if (!arguments.empty() && !pass_over_hits(console, count - 1))
                     console.out.line("Not stopped at a breakpoint or watchpoint: the count is for nothing.");
                   return console.session.go_on();
                 });
               }},
          {.name = "run",
           .short_name = "r",
           .help = "Goes back to the start of the run.",
           .run = [](ConsoleContext& console,
                     std::string_view) { return show_place_gone_to(console, console.session.go_to(0)); }},
          {.name = "reverse-step",
           .short_name = "rs",
           .arguments = "[N]",
           .help = "Goes back to the start of a source line, N times; into calls. Without lines, one instruction.",
           .repeats = true,
           .run = by_count<[](Session& session, u64 count) { return session.step_line_back(false, count); }>},
          {.name = "reverse-stepi",
           .short_name = "rsi",
           .arguments = "[N]",
           .help = "Takes one instruction back, or N.",
           .repeats = true,
           .run = by_count<[](Session& session, u64 count) { return session.step_back(count); }>},
          {.name = "reverse-next",
           .short_name = "rn",
           .arguments = "[N]",
           .help = "As reverse-step, but over calls.",
           .repeats = true,
           .run = by_count<[](Session& session, u64 count) { return session.step_line_back(true, count); }>},
          {.name = "reverse-nexti",
           .short_name = "rni",
           .arguments = "[N]",
           .help = "As reverse-stepi, but over calls.",
           .repeats = true,
           .run = by_count<[](Session& session, u64 count) { return session.next_back(count); }>},
          {.name = "reverse-finish",
           .short_name = "rfin",
           .help = "Goes back to where the current function was called.",
           .repeats = true,
           .run = once<[](Session& session) { return session.finish_back(); }>},
          {.name = "reverse-until",
           .short_name = "ru",
           .arguments = "PLACE",
           .help = "Goes back to a place.",
           .run =
               [](ConsoleContext& console, std::string_view arguments) {
                 if (arguments.empty()) return console.out.fail("expected a place to go back to");
                 const Result<std::vector<u64>> place = console.session.find_place(arguments);
                 if (!place) return console.out.fail(place.error());
                 return show_stop(console, console.session.run_back_to(*place));
               }},
          {.name = "reverse-continue",
           .short_name = "rc",
           .help = "Goes back to the last breakpoint or watchpoint, or the start.",
           .repeats = true,
           .run = once<[](Session& session) { return session.go_back(); }>},
          {.name = "goto",
           .short_name = "go",
           .arguments = "POSITION|end",
           .help = "Goes to a position, where so many instructions have been executed, or to the end of the program, "
                   "whatever lies between.",
           .run =
               [](ConsoleContext& console, std::string_view arguments) {
                 Session& session = console.session;
                 if (arguments == "end") return show_place_gone_to(console, session.go_to_end());
                 const auto position = core::parse_unsigned(arguments);
                 if (!position) {
                   return console.out.fail("expected a position (instructions executed) or `end`, found " +
                                           isa::quote(arguments));
                 }
                 // Of a program that never ends there is no end to wait for.
                 const u64 furthest = session.run().furthest();
                 const u64 most = session.run().scenario().options.max_steps;
                 if (*position > furthest && *position - furthest > most) {
                   return console.out.fail(
                       "position " + std::to_string(*position) + " is more than " + core::counted(most, "instruction") +
                       " beyond what has been executed: `--max-steps` lets one command execute more");
                 }
                 return show_place_gone_to(console, session.go_to(*position));
               }},
      });
  return {verbs};
}

}  // namespace salu::debug
