#include "debug/misuse_reports.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "debug/console_context.hpp"
#include "debug/fork_log.hpp"
#include "debug/place_text.hpp"

namespace salu::debug {

std::vector<ForkProblem> find_fork_problems(Session& session, const std::vector<ForkEvent>& events) {
  if (events.empty()) return {};
  observe::StackWatch watch(session.machine(), session.wave().initial, events);
  session.visit([&](u64 address) { return watch.picks(address); },
                [&](const std::function<void()>& step) { watch.visit(step); });
  return watch.finish();
}

void MisuseReports::forget_from(u64 position) {
  std::erase_if(told_, [position](const auto& each) { return each.first >= position; });
}

void MisuseReports::stop_at(u64 position) {
  if (position < last_stop_) forget_from(position);
  last_stop_ = position;
}

bool MisuseReports::is_new(const ForkProblem& problem) { return told_.emplace(problem.position, problem.text).second; }

void MisuseReports::forget_all_but(const std::vector<Warning>& warnings) {
  const auto is_gone = [&](u64 pc) { return std::ranges::find(warnings, pc, &Warning::pc) == warnings.end(); };
  std::erase_if(told_warnings_, is_gone);
}

void explain_misuse(ConsoleContext& console) {
  constexpr u64 most_instructions = 100'000;
  Session& session = console.session;
  console.misuse.stop_at(session.run().position());
  console.misuse.forget_all_but(session.run().warnings());
  if (session.run().position() > most_instructions) return print_misuse_warnings(console, true);
  const bool moved = session.machine().wave().csp() != console.stops.before.csp();
  if (!moved && !session.wave_ended()) return;
  const std::vector<ForkEvent> events = list_forks(session).events;
  if (session.was_interrupted()) return;
  for (const ForkProblem& problem : find_fork_problems(session, events)) {
    if (console.misuse.is_new(problem)) print_problem(console, problem);
  }
}

void print_misuse_warnings(ConsoleContext& console, bool only_new) {
  const std::vector<Warning> warnings = console.session.run().warnings();
  for (const Warning& warning : warnings) {
    if (warning.kind != WarningKind::control_stack_misuse) continue;
    if (only_new && !console.misuse.is_new(warning)) continue;
    const std::string where = address_text(console.session.program(), warning.pc);
    console.out.wrapped(console.out.styled("Misuse: " + where + ": " + warning.detail, style::red), 4);
  }
}

void print_problem(const ConsoleContext& console, const ForkProblem& problem) {
  const std::string count = problem.count == 1 ? "" : fmt::format(" ({} times)", problem.count);
  const std::string where =
      moment_text(problem.position, problem.is_edit) + ": " + address_text(console.session.program(), problem.pc);
  console.out.wrapped(console.out.styled(fmt::format("Misuse: {}: {}{}", where, problem.text, count), style::red), 4);
}

}  // namespace salu::debug
