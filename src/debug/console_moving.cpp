#include "debug/console.hpp"

#include "debug/console_text.hpp"
#include "support/names.hpp"

namespace salu::debug {

/// Runs `work(count)` with the count that stands in the arguments, 1 without one.
template <class Work>
bool Console::repeat(std::string_view arguments, const Work& work) {
  u64 count = 1;
  if (!arguments.empty()) {
    const auto number = parse_unsigned(arguments);
    if (!number || *number == 0) return fail("expected a count from 1 on, found " + support::quote(arguments));
    count = *number;
  }
  return show(work(count));
}

bool Console::step_instruction(std::string_view arguments) {
  return repeat(arguments, [this](u64 count) { return session_.step(count); });
}

bool Console::next_instruction(std::string_view arguments) {
  return repeat(arguments, [this](u64 count) { return session_.next(count); });
}

bool Console::step(std::string_view arguments) {
  return repeat(arguments, [this](u64 count) { return session_.step_line(false, count); });
}

bool Console::next(std::string_view arguments) {
  return repeat(arguments, [this](u64 count) { return session_.step_line(true, count); });
}

bool Console::reverse_step(std::string_view arguments) {
  return repeat(arguments, [this](u64 count) { return session_.step_line_back(false, count); });
}

bool Console::reverse_next(std::string_view arguments) {
  return repeat(arguments, [this](u64 count) { return session_.step_line_back(true, count); });
}

bool Console::reverse_step_instruction(std::string_view arguments) {
  return repeat(arguments, [this](u64 count) { return session_.step_back(count); });
}

bool Console::reverse_next_instruction(std::string_view arguments) {
  return repeat(arguments, [this](u64 count) { return session_.next_back(count); });
}

bool Console::finish(std::string_view) { return show(session_.finish()); }

bool Console::reverse_finish(std::string_view) { return show(session_.finish_back()); }

bool Console::until(std::string_view arguments) {
  if (arguments.empty()) return show(session_.run_to_later());
  const Result<std::vector<u64>> place = session_.find_place(arguments);
  return place ? show(session_.run_to(*place)) : fail(place.error());
}

bool Console::advance(std::string_view arguments) {
  return arguments.empty() ? fail("expected a place to go on to") : until(arguments);
}

bool Console::reverse_until(std::string_view arguments) {
  if (arguments.empty()) return fail("expected a place to go back to");
  const Result<std::vector<u64>> place = session_.find_place(arguments);
  return place ? show(session_.run_back_to(*place)) : fail(place.error());
}

bool Console::go_on(std::string_view arguments) {
  if (!arguments.empty()) {
    const auto count = parse_unsigned(arguments);
    if (!count || *count == 0) return fail("expected a count from 1 on, found " + support::quote(arguments));
    std::vector<u32> hits = stop_.breakpoints;
    for (const WatchHit& hit : stop_.watches) hits.push_back(hit.id);
    bool counts = false;
    for (const u32 id : hits) {
      Breakpoint* const breakpoint = session_.find_breakpoint(id);
      if (breakpoint == nullptr || !breakpoint->enabled) continue;
      breakpoint->ignore = *count - 1;
      counts = true;
    }
    if (!counts) line("Not stopped at a breakpoint or watchpoint: the count is for nothing.");
  }
  return show(session_.go_on());
}

bool Console::reverse_continue(std::string_view) { return show(session_.go_back()); }

bool Console::restart(std::string_view) { return show_place_gone_to(session_.go_to(0)); }

bool Console::go_to(std::string_view arguments) {
  if (arguments == "end") return show_place_gone_to(session_.go_to_end());
  const auto position = parse_unsigned(arguments);
  if (!position)
    return fail("expected a position (instructions executed) or `end`, found " + support::quote(arguments));
  // Of a program that never ends there is no end to wait for.
  const Timeline& timeline = session_.timeline();
  const u64 most = timeline.scenario().options.max_steps;
  if (*position > timeline.furthest() && *position - timeline.furthest() > most)
    return fail("position " + std::to_string(*position) + " is more than " + counted(most, "instruction") +
                " beyond what has been executed: `--max-steps` lets one command execute more");
  return show_place_gone_to(session_.go_to(*position));
}

}  // namespace salu::debug
