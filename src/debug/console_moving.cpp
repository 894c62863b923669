#include "debug/console.hpp"

#include <algorithm>

#include "debug/console_text.hpp"

namespace salu::debug {

/// Runs `work(count)` with the count that stands in the arguments, 1 without one.
template <class Work>
bool Console::repeat(std::string_view arguments, const Work& work) {
  u64 count = 1;
  if (!arguments.empty()) {
    const auto number = parse_unsigned(arguments);
    if (!number || *number == 0) return fail("expected a count from 1 on, found `" + std::string(arguments) + "`");
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

/// So many source lines on.
bool Console::step_lines(std::string_view arguments, bool over_calls) {
  return repeat(arguments, [this, over_calls](u64 count) {
    Pause pause;
    for (u64 i = 0; i < count && pause.reason == Pause::Reason::step; ++i) pause = session_.step_line(over_calls);
    return pause;
  });
}

/// And back.
bool Console::step_lines_back(std::string_view arguments, bool over_calls) {
  return repeat(arguments, [this, over_calls](u64 count) {
    Pause pause;
    for (u64 i = 0; i < count && pause.reason == Pause::Reason::step; ++i) pause = session_.step_line_back(over_calls);
    return pause;
  });
}

bool Console::step(std::string_view arguments) { return step_lines(arguments, false); }

bool Console::next(std::string_view arguments) { return step_lines(arguments, true); }

bool Console::reverse_step(std::string_view arguments) { return step_lines_back(arguments, false); }

bool Console::reverse_next(std::string_view arguments) { return step_lines_back(arguments, true); }

bool Console::reverse_step_instruction(std::string_view arguments) {
  return repeat(arguments, [this](u64 count) { return session_.step_back(count); });
}

bool Console::reverse_next_instruction(std::string_view arguments) {
  return repeat(arguments, [this](u64 count) { return session_.next_back(count); });
}

bool Console::finish(std::string_view) { return show(session_.finish()); }

bool Console::reverse_finish(std::string_view) { return show(session_.finish_back()); }

/// Without a place: to a line that lies behind this one, so that jumps back are run through, or out of the function.
bool Console::until_later() {
  const u64 start = session_.machine().pc();
  const std::size_t depth = session_.timeline().calls().depth();
  Pause pause;
  do {
    pause = session_.step_line(true);
  } while (pause.reason == Pause::Reason::step && session_.machine().pc() <= start &&
           session_.timeline().calls().depth() >= depth);
  return show(pause);
}

bool Console::until(std::string_view arguments) {
  if (arguments.empty()) return until_later();
  const Result<std::vector<u64>> place = session_.find_place(arguments);
  return place ? show(session_.run_to(*place)) : fail(place.error());
}

bool Console::reverse_until(std::string_view arguments) {
  const Result<std::vector<u64>> place = session_.find_place(arguments);
  return place ? show(session_.run_back_to(*place)) : fail(place.error());
}

bool Console::go_on(std::string_view arguments) {
  if (!arguments.empty()) {
    const auto count = parse_unsigned(arguments);
    if (!count || *count == 0) return fail("expected a count from 1 on, found `" + std::string(arguments) + "`");
    const u64 pc = session_.machine().pc();
    for (const Breakpoint& each : session_.breakpoints()) {
      if (std::ranges::binary_search(each.addresses, pc)) session_.find_breakpoint(each.id)->ignore = *count - 1;
    }
  }
  return show(session_.go_on());
}

bool Console::reverse_continue(std::string_view) { return show(session_.go_back()); }

bool Console::restart(std::string_view) { return show(session_.go_to(0)); }

bool Console::go_to(std::string_view arguments) {
  if (arguments == "end") return show(session_.go_to_end());
  const auto position = parse_unsigned(arguments);
  if (!position)
    return fail("expected a position (instructions executed) or `end`, found `" + std::string(arguments) + "`");
  // Of a program that never ends there is no end to wait for.
  const Timeline& timeline = session_.timeline();
  const u64 most = timeline.scenario().options.max_steps;
  if (*position > timeline.furthest() && *position - timeline.furthest() > most)
    return fail("position " + std::to_string(*position) + " is more than " + counted(most, "instruction") +
                " beyond what has been executed: `--max-steps` lets one command execute more");
  return show(session_.go_to(*position));
}

}  // namespace salu::debug
