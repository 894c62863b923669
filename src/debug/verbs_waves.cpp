#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>

#include "debug/console_context.hpp"
#include "debug/place_text.hpp"
#include "debug/verb.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

// The waves of a work-group.
namespace salu::debug {
namespace {

using Wave = RunHistory::Wave;

/// `waits at the barrier before 0x1010 <k+0x10>: s_endpgm`.
std::string wave_text(const Session& session, const Wave& wave, bool is_next) {
  const core::Machine& machine = wave.machine;
  if (machine.stopped()) {
    const Stop stop = machine.stop();
    return fmt::format("has ended: {} at {}", stop.reason_name(), address_text(session.program(), stop.pc));
  }
  const std::string_view status = is_next                              ? "runs at "
                                  : wave.status == Wave::Status::waits ? "waits at the barrier before "
                                                                       : "is ready at ";
  const u64 pc = machine.pc();
  return fmt::format("{}{}: {}{}", status, address_text(session.program(), pc), machine.code().text_at(pc),
                     source_note(session.program(), pc));
}

bool list_waves(ConsoleContext& console, std::string_view) {
  const Session& session = console.session;
  const u64 selected = session.wave().number;
  const u64 next = session.run().wave().number;
  for (const Wave* const wave : session.run().waves()) {
    const std::string name = wave->name.empty() ? "the only wave" : wave->name;
    console.out.wrapped(fmt::format("{} {}  {}: {}", wave->number == selected ? "*" : " ", wave->number, name,
                                    wave_text(session, *wave, wave->number == next && !session.run().ended())),
                        6);
  }
  return true;
}

bool select_wave(ConsoleContext& console, std::string_view arguments) {
  Session& session = console.session;
  if (arguments.empty()) {
    const Wave& wave = session.wave();
    console.out.line(wave.name.empty() ? "The scenario runs a single wave."
                                       : fmt::format("Wave {} is selected: {}", wave.number, wave.name));
    return true;
  }
  const auto number = support::parse_unsigned(arguments);
  if (!number)
    return console.out.fail("expected the number of a wave, as `info waves` shows, found " + support::quote(arguments));
  if (const auto problem = session.choose_wave(*number)) return console.out.fail(*problem);
  console.listing.forget();
  show_wave(console);
  show_place(console);
  show_displays(console);
  return true;
}

}  // namespace

VerbGroup wave_verbs() {
  static constexpr std::array verbs = std::to_array<Verb>({
      {"wave", "thread", "[N]", Repeats::no,
       "Selects a wave of the work-group that runs: commands show its registers, and steps are its own, while other "
       "waves run as the schedule has it. `info waves` lists them. A breakpoint selects the wave that reaches it.",
       select_wave, Words::none},
  });
  static constexpr std::array topics = std::to_array<InfoTopic>({
      {"threads", "", list_waves, Words::none},
      {"waves", "", list_waves, Words::none},
  });
  return {verbs, topics, "waves", "waves of a work-group"};
}

}  // namespace salu::debug
