#include "debug/stop_view.hpp"

#include <fmt/core.h>

#include "debug/console_context.hpp"
#include "debug/place_text.hpp"
#include "isa/operand.hpp"
#include "support/numbers.hpp"

namespace salu::debug {

namespace {

/// Why the selected wave does not execute the next instruction of the run.
std::string turn_note(const Session& session) {
  const RunHistory::Wave& wave = session.wave();
  if (wave.status == RunHistory::Wave::Status::waits) return "    waits at the barrier before it";
  const u64 next = session.run().wave().number;
  return next == wave.number ? "" : fmt::format("    wave {} runs next", next);
}

}  // namespace

void show_place(const ConsoleContext& console) {
  const Session& session = console.session;
  if (session.run().ended()) {
    const Stop stop = session.run().stop();
    console.out.line(fmt::format(
        "The program has ended after {}: {} at {}{}", support::counted(session.run().position(), "instruction"),
        stop.reason_name(), address_text(session.program(), stop.pc), stop.detail.empty() ? "" : ": " + stop.detail));
    return;
  }
  const std::string moment = fmt::format("[{}]", session.run().position());
  if (session.wave_ended()) {
    const Stop stop = session.machine().stop();
    return console.out.line(fmt::format("{} Wave {} has ended: {} at {}", moment, session.wave().number,
                                        stop.reason_name(), address_text(session.program(), stop.pc)));
  }
  const u64 pc = session.address();
  console.out.line(fmt::format(
      "{} {}: {}{}{}{}", moment, address_text(session.program(), pc),
      console.out.styled(session.machine().code().text_at(pc), style::bold), source_note(session.program(), pc),
      session.is_lane_on() ? "" : fmt::format("    lane {} is off", *session.lane()), turn_note(session)));
}

void show_wave(ConsoleContext& console) {
  const Session& session = console.session;
  if (!session.has_several_waves() || console.stops.wave == session.wave().number) return;
  console.stops.wave = session.wave().number;
  console.stops.shown = session.machine().state();
  console.out.line(fmt::format("Wave {} is selected: {}", session.wave().number, session.wave().name));
}

void show_changes(ConsoleContext& console) {
  const core::Machine& machine = console.session.machine();
  const Generation generation = machine.generation();
  const WaveState now = machine.state();
  WaveState& shown = console.stops.shown;
  std::vector<std::string> changes;
  const auto add = [&](const std::string& name, u64 value, u32 digits) {
    const std::string text = digits == 0 ? std::to_string(value) : support::hex(value, digits);
    changes.push_back(name + "=" + text);
  };
  for (u32 first = 0; first < code::count; ++first) {
    const bool is_pair = first == state_index::exec || first == state_index::vcc;
    if (is_pair ? now.read64(first) != shown.read64(first) : now.file[first] != shown.file[first])
      add(isa::register_name(generation, register_code(generation, first), is_pair ? 2 : 1),
          is_pair ? now.read64(first) : now.file[first], is_pair ? 16 : 8);
    if (is_pair) ++first;
  }
  if (now.scc != shown.scc) add("scc", now.scc ? 1 : 0, 0);
  if (now.csp() != shown.csp()) add("csp", now.csp(), 0);
  const u32 beside_csp = ~mode_layout(generation).csp.mask();
  if ((now.mode & beside_csp) != (shown.mode & beside_csp)) add("mode", now.mode, 8);
  if (now.status != shown.status) add("status", now.full_status(), 8);
  const std::optional<u32> lane = console.session.lane();
  for (u32 number = 0; lane && now.vectors.has_any() && number < VectorRegisters::count; ++number) {
    const u32 value = now.vectors.lanes(number)[*lane];
    if (value == shown.vectors.lanes(number)[*lane]) continue;
    const u32 index = RegisterName::in_lane(number, *lane).index;
    add(isa::vector_register_name(index, 1), value, 8);
  }
  shown = now;
  console.out.pieces(changes, "  ", style::green);
}

bool show_place_gone_to(ConsoleContext& console, const Pause& pause) {
  console.stops.last = pause;
  ++console.stops.count;
  console.stops.pending = pause.commands;
  console.stops.before = console.stops.shown;
  console.listing.forget();
  check_expectations(console);
  // `silent` leaves the output to the commands.
  if (!pause.commands.empty() && pause.commands.front() == "silent") return true;
  draw_layout(console);
  for (const u32 id : pause.breakpoints) console.out.line(fmt::format("Breakpoint {}", id));
  for (const WatchHit& hit : pause.watches) {
    console.out.line(fmt::format("Watchpoint {}: {}", hit.id,
                                 watch_text(console.session, *console.session.find_breakpoint(hit.id), hit)));
  }
  if (pause.reason == Pause::Reason::start) {
    const bool is_of_wave = console.session.run().position() != 0;
    console.out.line(is_of_wave ? fmt::format("This is the start of wave {}.", console.session.wave().number)
                                : "This is the start of the run.");
  }
  if (pause.reason == Pause::Reason::interrupted) console.out.line("Interrupted.");
  if (pause.reason == Pause::Reason::limit)
    console.out.line("Stopped at the limit of instructions for one command; `continue` resumes.");
  report_warnings(console);
  show_wave(console);
  show_changes(console);
  show_place(console);
  show_displays(console);
  explain_misuse(console);
  report_expectations(console);
  return true;
}

bool show_stop(ConsoleContext& console, const Result<Pause>& pause) {
  if (!pause) return console.out.fail(pause.error());
  show_place_gone_to(console, *pause);
  if (pause->reason != Pause::Reason::ended) return true;
  for (const Breakpoint& each : console.session.breakpoints()) {
    if (each.enabled && each.hits == 0)
      console.out.line(
          fmt::format("{}{} ({}) was never hit.", each.watched ? "Watchpoint " : "Breakpoint ", each.id, each.what));
  }
  return true;
}

}  // namespace salu::debug
