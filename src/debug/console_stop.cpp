#include "debug/console.hpp"
#include "debug/console_text.hpp"
#include "debug/texts.hpp"
#include "isa/operand.hpp"

// What a stop prints.
namespace salu::debug {

/// The address of the next instruction, or at which the run has ended.
u64 Console::here() const {
  return session_.timeline().ended() ? session_.machine().stop().pc : session_.machine().pc();
}

std::string Console::place_text(u64 address) const { return address_text(session_.program(), address); }

std::string Console::source_text(u64 address) const {
  const LineEntry* const entry = session_.program().find_line(address);
  if (entry == nullptr) return {};
  return "    // " + session_.program().files[entry->file] + ":" + std::to_string(entry->line);
}

void Console::show_place() {
  const core::Machine& machine = session_.machine();
  if (session_.timeline().ended()) {
    const Stop stop = machine.stop();
    line("The program has ended after " + counted(session_.timeline().position(), "instruction") + ": " +
         std::string(stop.reason_name()) + " at " + place_text(stop.pc) +
         (stop.detail.empty() ? "" : ": " + stop.detail));
    return;
  }
  const u64 pc = machine.pc();
  line("[" + std::to_string(session_.timeline().position()) + "] " + place_text(pc) + ": " +
       styled(machine.text_at(pc), bold) + source_text(pc));
}

/// Registers that are others than at the last stop.
void Console::show_changes() {
  const core::Machine& machine = session_.machine();
  const Generation generation = machine.generation();
  const WaveState now = machine.state();
  std::string text;
  const auto add = [&](const std::string& name, u64 value, u32 digits) {
    text += (text.empty() ? "" : "  ") + name + "=" + (digits == 0 ? std::to_string(value) : hex(value, digits));
  };
  for (u32 first = 0; first < code::count; ++first) {
    const bool is_pair = first == code::exec || first == code::vcc;
    if (is_pair ? now.read64(first) != shown_.read64(first) : now.file[first] != shown_.file[first])
      add(isa::register_name(generation, first, is_pair ? 2 : 1), is_pair ? now.read64(first) : now.file[first],
          is_pair ? 16 : 8);
    if (is_pair) ++first;
  }
  if (now.scc != shown_.scc) add("scc", now.scc ? 1 : 0, 0);
  if (now.csp() != shown_.csp()) add("csp", now.csp(), 0);
  constexpr u32 below_csp = (1U << mode_bit::csp) - 1;
  if ((now.mode & below_csp) != (shown_.mode & below_csp)) add("mode", now.mode, 8);
  if (now.status != shown_.status) add("status", now.full_status(), 8);
  shown_ = now;
  if (!text.empty()) line("  " + styled(text, green));
}

void Console::show_watch(const WatchHit& hit) {
  line("Watchpoint " + std::to_string(hit.id) + ": " +
       watch_text(*session_.find_breakpoint(hit.id), hit, session_.machine(), session_.program()));
}

bool Console::show(const Pause& pause) {
  show_place_gone_to(pause);
  if (pause.reason != Pause::Reason::ended) return true;
  for (const Breakpoint& each : session_.breakpoints()) {
    if (each.enabled && each.hits == 0)
      line((each.watched ? "Watchpoint " : "Breakpoint ") + std::to_string(each.id) + " (" + each.what +
           ") was never hit.");
  }
  return true;
}

bool Console::show_place_gone_to(const Pause& pause) {
  stop_ = pause;
  before_ = shown_;
  listed_.reset();
  for (const u32 id : pause.breakpoints) line("Breakpoint " + std::to_string(id));
  for (const WatchHit& hit : pause.watches) show_watch(hit);
  if (pause.reason == Pause::Reason::start) line("This is the start of the run.");
  if (pause.reason == Pause::Reason::interrupted) line("Interrupted.");
  if (pause.reason == Pause::Reason::limit)
    line("Stopped at the limit of instructions for one command; `continue` goes on.");
  show_changes();
  show_place();
  for (const Display& each : displays_) show_display(each);
  explain_misuse();
  return true;
}

bool Console::show(const Result<Pause>& pause) { return pause ? show(*pause) : fail(pause.error()); }

}  // namespace salu::debug
