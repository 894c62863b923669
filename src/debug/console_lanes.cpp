#include "debug/console.hpp"

#include <bit>

#include "core/text.hpp"
#include "debug/console_text.hpp"
#include "debug/fork_log.hpp"

namespace salu::debug {

using core::hex;

bool Console::info_stack() {
  const std::vector<StackEntry> entries = control_stack(session_.machine());
  if (entries.empty()) line("The control stack is empty (CSP is 0).");
  for (const StackEntry& entry : entries) {
    line(std::to_string(entry.index) + "  s[" + std::to_string(entry.first_sgpr) + ":" +
         std::to_string(entry.first_sgpr + 3) + "]  " + lanes_text(entry.lanes) + " wait, to go on at " +
         place_text(entry.pc));
  }
  return true;
}

/// Lane 0 at the left, in groups of eight.
void Console::print_lanes(std::string_view name, u64 mask) {
  std::string text(name);
  text.resize(std::max<std::size_t>(text.size(), 14), ' ');
  for (u32 lane = 0; lane < 64; ++lane) {
    if (lane % 8 == 0) text += ' ';
    text += (mask >> lane & 1) != 0 ? '1' : '.';
  }
  line(text + "  " + std::to_string(std::popcount(mask)));
}

bool Console::lanes(std::string_view arguments) {
  const core::Machine& machine = session_.machine();
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
  const WaveState state = machine.state();
  print_lanes("exec", state.exec());
  print_lanes("vcc", state.vcc());
  for (const StackEntry& entry : control_stack(machine))
    print_lanes("waiting " + std::to_string(entry.index), entry.lanes);
  return true;
}

bool Console::forks(std::string_view) {
  const std::vector<ForkEvent> events = list_forks(session_);
  if (events.empty()) line("No fork and no join so far.");
  for (const ForkEvent& event : events) {
    std::string text = "[" + std::to_string(event.position) + "] ";
    text += std::string(2 * event.depth, ' ') + place_text(event.pc) + ": ";
    switch (event.kind) {
      case ForkEvent::Kind::split:
        text += "fork: " + lanes_text(event.lanes) + " go to " + place_text(event.next_pc) + ", " +
                lanes_text(event.waiting_lanes) + " wait for " + place_text(event.waiting_pc);
        break;
      case ForkEvent::Kind::whole:
        text += "fork: all " + lanes_text(event.lanes) + " go to " + place_text(event.next_pc);
        break;
      case ForkEvent::Kind::resume:
        text += "join: " + lanes_text(event.lanes_before) + " have arrived, " + lanes_text(event.lanes) + " go on at " +
                place_text(event.next_pc);
        break;
      case ForkEvent::Kind::rejoin:
        text += "join: both sides have arrived, " + lanes_text(event.lanes) + " go on";
        break;
    }
    line(text);
  }
  return true;
}

}  // namespace salu::debug
