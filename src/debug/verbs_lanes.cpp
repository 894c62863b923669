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
#include "debug/place_text.hpp"
#include "debug/saved_masks.hpp"
#include "debug/verb.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

// Which lanes run, which wait and where, and what forks and joins have made of them.
namespace salu::debug {
namespace {

/// A mask that `lanes` shows.
struct ShownMask {
  std::string name;
  u64 lanes = 0;
  std::string note{};
};

/// Masks below each other. Where a terminal is too narrow for 64 lanes in a row, there is a table for the first of
/// them, one for those behind them, and so on; and notes stand below.
void print_masks(const ConsoleContext& console, std::span<const ShownMask> masks) {
  constexpr std::size_t widest_count = 4;
  const auto width_of = [](u32 lanes) { return lanes + lanes / 8 - 1 + widest_count; };
  const std::size_t columns = console.out.columns();
  std::size_t name_width = 14;
  u32 in_row = 64;
  if (name_width + 1 + width_of(in_row) > columns) {
    name_width = 4;
    for (const ShownMask& mask : masks) name_width = std::max(name_width, mask.name.size());
    while (in_row > 8 && name_width + 1 + width_of(in_row) > columns) in_row /= 2;
  }
  const bool is_whole = in_row == 64;
  const auto padded = [](std::string text, std::size_t width) {
    text.resize(std::max(text.size(), width), ' ');
    return text;
  };
  for (u32 first = 0; first < 64; first += in_row) {
    std::string heading = padded("lane", name_width);
    for (u32 lane = first; lane < first + in_row; lane += 8)
      heading += " " + padded(std::to_string(lane), lane + 8 == first + in_row ? 0 : 8);
    console.out.line(heading);
    for (const ShownMask& mask : masks) {
      const std::string picture =
          lanes_picture(mask.lanes).substr(std::size_t{first} + first / 8, std::size_t{in_row} + in_row / 8 - 1);
      std::string row = padded(mask.name, name_width) + " " + picture;
      if (first == 0) row += fmt::format("  {}", std::popcount(mask.lanes));
      const bool has_room = is_whole && columns_of(row) + 2 + columns_of(mask.note) <= columns;
      console.out.line(mask.note.empty() || !has_room ? row : row + "  " + mask.note);
      if (is_whole && !has_room && !mask.note.empty())
        console.out.wrapped(std::string(name_width + 1, ' ') + mask.note, name_width + 1);
    }
  }
  for (const ShownMask& mask : masks) {
    if (!is_whole && !mask.note.empty()) console.out.wrapped(mask.name + "  " + mask.note, 4);
  }
}

/// Lanes where nobody has named a mask: those that run, and those that wait.
std::vector<ShownMask> all_masks(Session& session) {
  const WaveState state = session.machine().state();
  std::vector<ShownMask> masks = {{"exec", state.exec()}, {"vcc", state.vcc()}};
  for (const StackEntry& entry : control_stack(session.machine()))
    masks.push_back({fmt::format("waiting {}", entry.index), entry.lanes});
  for (const SavedMask& saved : list_saved_masks(session)) {
    masks.push_back({"in " + pair_name(saved.first_sgpr), saved.lanes,
                     fmt::format("saved by {}: {}", step_text(saved.position), instruction_text(session, saved.pc))});
  }
  return masks;
}

/// Who wrote an entry of the control stack: whatever wrote its SGPRs last.
std::string entry_writer(Session& session, const StackEntry& entry) {
  std::optional<ValueChange> last;
  for (u32 pair = entry.first_sgpr; pair < entry.first_sgpr + 4; pair += 2) {
    if (pair + 2 > session.machine().wave().sgprs) return ", beyond the SGPRs that the wave has";
    const Result<Expression> place = session.parse(pair_name(pair));
    if (!place) return {};
    const std::optional<ValueChange> change = session.last_write(*place);
    // What is set at a position comes before the instruction there.
    const auto order = [](const ValueChange& each) { return std::pair(each.position, !each.is_edit); };
    if (change && (!last || order(*change) > order(*last))) last = change;
  }
  if (!last) return ", pushed by no fork";
  const std::string moment = moment_text(last->position, last->is_edit);
  if (last->is_edit) return ", set from outside the program at " + moment;
  const auto instruction = session.machine().code().instruction_at(last->pc);
  if (instruction && is_fork(*instruction))
    return fmt::format(", pushed by {}: {}", moment, address_text(session.program(), last->pc));
  return fmt::format(", overwritten by {}: {}", moment, instruction_text(session, last->pc));
}

/// Where the lanes of a fork come together again, as far as the run shows it.
std::string joins_text(const Program& program, const ForkEvent& event) {
  if (!event.popped_at) return "no join so far";
  const std::string join = "join at " + address_text(program, *event.join_pc) + ": ";
  const std::string first = step_text(*event.popped_at);
  if (!event.ended_at) return join + first + " so far";
  const std::string elsewhere = event.end_pc == event.join_pc ? "" : address_text(program, *event.end_pc) + ": ";
  return fmt::format("{}{} and {}{}", join, first, elsewhere, step_text(*event.ended_at));
}

/// What an event did, without where.
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
  if (left_out != 0) console.out.line(fmt::format("... {} before these are left out", left_out));
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
       "Shows the lanes of EXEC and VCC, those that wait on the control stack, and those that wait in SGPRs where "
       "compiled code saved EXEC; or those of masks.",
       [](ConsoleContext& console, std::string_view arguments) {
         if (arguments.empty()) {
           print_masks(console, all_masks(console.session));
           return end_search(console);
         }
         std::vector<ShownMask> masks;
         while (!arguments.empty()) {
           const std::string_view word = take_word(arguments);
           const Result<Value> mask = console.session.evaluate(word);
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
       "Chooses a lane to follow: step, next, until and their reverse stop only where it is on, and v3 means its v3. "
       "Without a number, says which lane that is.",
       [](ConsoleContext& console, std::string_view arguments) {
         Session& session = console.session;
         if (arguments == "off") {
           session.choose_lane(std::nullopt);
         } else if (!arguments.empty()) {
           const auto lane = support::parse_unsigned(arguments);
           if (!lane || *lane >= state_index::lanes) {
             return console.out.fail(fmt::format("expected a lane from 0 to {}, or `off`, found {}",
                                                 state_index::lanes - 1, support::quote(arguments)));
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
       "Shows the forks and joins so far, the last 100 or N, indented by the depth of the control stack, with the join "
       "of each fork, and what the program does wrong with them.",
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
           console.out.line("There are too many forks and joins to look for more misuse than warnings tell of.");
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
         Session& session = console.session;
         const std::vector<StackEntry> entries = control_stack(session.machine());
         if (entries.empty()) console.out.line("The control stack is empty (CSP is 0).");
         for (const StackEntry& entry : entries) {
           console.out.wrapped(fmt::format("{}  s[{}:{}]  {}, to go on at {}{}", entry.index, entry.first_sgpr,
                                           entry.first_sgpr + 3, lanes_do(entry.lanes, "wait"),
                                           address_text(session.program(), entry.pc), entry_writer(session, entry)),
                               3);
         }
         return true;
       }},
  });
  return {verbs, topics, "lanes", "forks and joins, and which lanes run"};
}

}  // namespace salu::debug
