#include "debug/console.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "debug/console_text.hpp"
#include "debug/fork_log.hpp"
#include "debug/fork_problems.hpp"
#include "debug/saved_masks.hpp"
#include "debug/texts.hpp"
#include "support/names.hpp"

namespace salu::debug {

/// The control stack, with the fork that pushed each entry: whatever wrote its SGPRs last.
bool Console::info_stack(std::string_view) {
  const std::vector<StackEntry> entries = control_stack(session_.machine());
  if (entries.empty()) line("The control stack is empty (CSP is 0).");
  for (const StackEntry& entry : entries) {
    const std::string first = std::to_string(entry.first_sgpr);
    line(std::to_string(entry.index) + "  s[" + first + ":" + std::to_string(entry.first_sgpr + 3) + "]  " +
         lanes_do(entry.lanes, "wait") + ", to go on at " + place_text(entry.pc) + entry_writer(entry));
  }
  return true;
}

/// Who wrote an entry of the control stack.
std::string Console::entry_writer(const StackEntry& entry) {
  std::optional<ValueChange> last;
  for (u32 pair = entry.first_sgpr; pair < entry.first_sgpr + 4; pair += 2) {
    if (pair + 2 > session_.machine().allocated_sgprs()) return ", beyond the SGPRs that the wave has";
    const std::string name = "s[" + std::to_string(pair) + ":" + std::to_string(pair + 1) + "]";
    const Result<Expression> place = session_.parse(name);
    if (!place) return {};
    const std::optional<ValueChange> change = session_.last_write(*place);
    // What is set at a position comes before the instruction there.
    const auto order = [](const ValueChange& each) { return std::pair(each.position, !each.is_edit); };
    if (change && (!last || order(*change) > order(*last))) last = change;
  }
  if (!last) return ", pushed by no fork";
  const std::string position = " at [" + std::to_string(last->position) + "]";
  if (last->is_edit) return ", set from outside the program" + position;
  const std::string who = position + " by " + place_text(last->pc);
  const auto instruction = session_.machine().instruction_at(last->pc);
  if (instruction && is_fork(*instruction)) return ", pushed" + who;
  return ", overwritten" + who + ": " + session_.machine().text_at(last->pc);
}

void Console::print_lanes(std::string_view name, u64 mask, std::string_view note) {
  std::string text(name);
  text.resize(std::max<std::size_t>(text.size(), 14), ' ');
  line(text + " " + lanes_picture(mask) + "  " + std::to_string(std::popcount(mask)) + std::string(note));
}

bool Console::lanes(std::string_view arguments) {
  line("lane           0        8        16       24       32       40       48       56");
  if (!arguments.empty()) {
    while (!arguments.empty()) {
      const std::string_view word = take_word(arguments);
      const Result<Value> mask = session_.evaluate(word);
      if (!mask) return fail(mask.error());
      print_lanes(word, mask->bits);
    }
    return true;
  }
  const WaveState state = session_.machine().state();
  print_lanes("exec", state.exec());
  print_lanes("vcc", state.vcc());
  for (const StackEntry& entry : control_stack(session_.machine()))
    print_lanes("waiting " + std::to_string(entry.index), entry.lanes);
  for (const SavedMask& saved : list_saved_masks(session_)) {
    const std::string name =
        "in s[" + std::to_string(saved.first_sgpr) + ":" + std::to_string(saved.first_sgpr + 1) + "]";
    print_lanes(name, saved.lanes,
                "  saved at [" + std::to_string(saved.position) + "] by " + place_text(saved.pc) + ": " +
                    session_.machine().text_at(saved.pc));
  }
  return end_search();
}

/// What an event did, without where.
std::string Console::fork_text(const ForkEvent& event) const {
  switch (event.kind) {
    case ForkEvent::Kind::split: {
      const std::string text = "fork: " + lanes_do(event.lanes, "go") + " to " + place_text(event.next_pc) + ", " +
                               lanes_do(event.waiting_lanes, "wait") + " for " + place_text(event.waiting_pc);
      if (!event.popped_at) return text + "; no join so far";
      const std::string join =
          "; join at " + place_text(*event.join_pc) + ": [" + std::to_string(*event.popped_at) + "]";
      if (!event.ended_at) return text + join + " so far";
      return text + join + " and " + (event.end_pc == event.join_pc ? "" : place_text(*event.end_pc) + ": ") + "[" +
             std::to_string(*event.ended_at) + "]";
    }
    case ForkEvent::Kind::whole:
      return (std::popcount(event.lanes) == 1 ? "fork: the " : "fork: all ") + lanes_do(event.lanes, "go") + " to " +
             place_text(event.next_pc);
    case ForkEvent::Kind::resume:
      return "join: " + lanes_do(event.lanes_before, "have") + " arrived, " + lanes_do(event.lanes, "go") + " on at " +
             place_text(event.next_pc);
    case ForkEvent::Kind::rejoin:
      return "join: both sides have arrived, " + lanes_do(event.lanes, "go") + " on";
    case ForkEvent::Kind::set:
      return "CSP is set from " + std::to_string(event.csp_before) + " to " + std::to_string(event.csp_after) + " by " +
             session_.machine().text_at(event.pc);
    case ForkEvent::Kind::edit:
      return "since the last fork or join CSP was set from " + std::to_string(event.csp_before) + " to " +
             std::to_string(event.csp_after) + " from outside the program";
  }
  return {};
}

void Console::print_problem(const ForkProblem& problem) {
  const std::string count = problem.count == 1 ? "" : " (" + std::to_string(problem.count) + " times)";
  line(styled(
      "Misuse: [" + std::to_string(problem.position) + "] " + place_text(problem.pc) + ": " + problem.text + count,
      red));
}

bool Console::forks(std::string_view arguments) {
  constexpr u64 usual = 100;
  const std::optional<u64> most = arguments.empty() ? usual : parse_unsigned(arguments);
  if (!most) return fail("expected a number of forks and joins, found " + support::quote(arguments));
  const ForkHistory history = list_forks(session_);
  const bool is_complete = !session_.was_interrupted();
  if (history.events.empty() && is_complete) line("No fork and no join so far.");
  const std::size_t shown = std::min<u64>(history.events.size(), *most);
  const std::size_t left_out = history.left_out + history.events.size() - shown;
  if (left_out != 0) line("... " + std::to_string(left_out) + " before these are left out");
  for (const ForkEvent& event : std::span(history.events).last(shown)) {
    line("[" + std::to_string(event.position) + "] " + std::string(2 * event.depth, ' ') + place_text(event.pc) + ": " +
         fork_text(event));
  }
  if (!is_complete) return end_search();
  if (history.left_out != 0) {
    line("Misuse was not looked for: there are too many forks and joins.");
    return end_search();
  }
  for (const ForkProblem& problem : find_fork_problems(session_, history.events)) print_problem(problem);
  return end_search();
}

/// What went wrong here or behind this position may do so again.
void Console::forget_explained() {
  const auto is_behind = [&](const auto& each) { return each.first >= session_.timeline().position(); };
  std::erase_if(explained_, is_behind);
}

/// Says once what has gone wrong with the control stack, where that takes no time that somebody would notice.
void Console::explain_misuse() {
  constexpr u64 most_instructions = 100'000;
  if (session_.timeline().position() < explained_up_to_) forget_explained();
  explained_up_to_ = session_.timeline().position();
  if (session_.timeline().position() > most_instructions) return;
  const bool moved = csp_of(session_.machine()) != before_.csp();
  if (!moved && !session_.timeline().ended()) return;
  const std::vector<ForkEvent> events = list_forks(session_).events;
  if (session_.was_interrupted()) return;
  for (const ForkProblem& problem : find_fork_problems(session_, events)) {
    const auto id = std::pair(problem.position, problem.text);
    if (explained_.insert(id).second) print_problem(problem);
  }
}

}  // namespace salu::debug
