#include "debug/console.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "debug/console_text.hpp"
#include "isa/operand.hpp"

namespace salu::debug {

using core::hex;

Console::Console(Session& session, std::function<void(std::string_view)> print, bool colour)
    : session_(session), print_(std::move(print)), colour_(colour), shown_(session.machine().state()) {}

void Console::greet() { show_place(); }

bool Console::execute(std::string_view text) {
  text = trim(text);
  if (text.starts_with('#')) return true;
  if (text.empty()) {
    if (last_line_.empty()) return true;
    text = last_line_;
  }
  const std::string whole(text);
  std::string_view rest = whole;
  std::string_view word = take_word(rest);
  // `x/4 0x1000`.
  const std::size_t slash = word.find('/');
  std::string with_slash;
  if (slash != std::string_view::npos) {
    with_slash = std::string(word.substr(slash)) + " " + std::string(rest);
    rest = with_slash;
    word = word.substr(0, slash);
  }
  std::string problem;
  const Command* const command = find_command(word, &problem);
  last_line_.clear();
  if (command == nullptr) return fail(problem);
  if (command->repeats) last_line_ = whole;
  if (command->arguments.empty() && !rest.empty())
    return fail("`" + std::string(command->name) + "` takes nothing, found `" + std::string(rest) + "`");
  return (this->*command->run)(rest);
}

std::vector<std::string> Console::complete(std::string_view text) const {
  std::vector<std::string> words;
  const std::size_t start = text.find_last_of(" \t") + 1;
  const std::string_view beginning = text.substr(start);
  const auto offer = [&](std::string_view word) {
    if (word.starts_with(beginning)) words.emplace_back(word);
  };
  if (trim(text.substr(0, start)).empty()) {
    for (const Command& command : commands()) offer(command.name);
    return words;
  }
  std::string_view rest = text;
  std::string ignored;
  const Command* const command = find_command(take_word(rest), &ignored);
  if (command != nullptr && command->name == "info") {
    for (const char* word : {"breakpoints", "program", "registers", "stack", "symbols", "warnings"}) offer(word);
  }
  if (command != nullptr && command->name == "help") {
    for (const Command& each : Console::commands()) offer(each.name);
    return words;
  }
  for (const Symbol& symbol : session_.program().symbols) offer(symbol.name);
  for (const char* word : {"csp", "exec", "m0", "mode", "pc", "scc", "status", "vcc"}) offer(word);
  std::ranges::sort(words);
  const auto repeated = std::ranges::unique(words);
  words.erase(repeated.begin(), repeated.end());
  return words;
}

bool Console::fail(std::string_view message) {
  print_("error: " + std::string(message) + "\n");
  return false;
}

bool Console::fail(const Error& error) { return fail(error.message); }

std::string Console::styled(std::string_view text, std::string_view style) const {
  return colour_ ? std::string(style) + std::string(text) + "\x1b[0m" : std::string(text);
}

// ---- what a stop prints ----

std::string Console::place_text(u64 address) const {
  const std::string label = session_.program().describe_address(address);
  return hex(address) + (label.empty() ? "" : " <" + label + ">");
}

std::string Console::source_text(u64 address) const {
  const LineEntry* const entry = session_.program().find_line(address);
  if (entry == nullptr) return {};
  return "    // " + session_.program().files[entry->file] + ":" + std::to_string(entry->line);
}

std::string Console::value_text(const Value& value, u32 width) const {
  if (value.is_signed) return std::to_string(static_cast<i64>(value.bits));
  return width <= 8 && width != 0 && value.bits < 10 ? std::to_string(value.bits)
                                                     : hex(value.bits, std::max(width / 4, 1U));
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

bool Console::show(const Pause& pause) {
  for (const u32 id : pause.breakpoints) line("Breakpoint " + std::to_string(id));
  for (const WatchHit& hit : pause.watches) {
    const Breakpoint* const breakpoint = session_.find_breakpoint(hit.id);
    const u32 width = breakpoint->watched->width();
    std::string text = "Watchpoint " + std::to_string(hit.id) + ": " + breakpoint->what + ": ";
    if (hit.before.bits != hit.after.bits)
      text += value_text(hit.before, width) + " -> " + value_text(hit.after, width);
    else
      text += value_text(hit.after, width) + (hit.read && hit.written ? " read and written"
                                              : hit.read              ? " read"
                                                                      : " written");
    line(text + " by " + place_text(hit.pc) + ": " + session_.machine().text_at(hit.pc));
  }
  if (pause.reason == Pause::Reason::start) line("This is the start of the run.");
  if (pause.reason == Pause::Reason::interrupted) line("Interrupted.");
  if (pause.reason == Pause::Reason::limit)
    line("Stopped at the limit of instructions for one command; `continue` goes on.");
  show_changes();
  show_place();
  if (pause.reason == Pause::Reason::ended) {
    for (const Breakpoint& each : session_.breakpoints()) {
      if (each.enabled && each.hits == 0)
        line((each.watched ? "Watchpoint " : "Breakpoint ") + std::to_string(each.id) + " (" + each.what +
             ") was never hit.");
    }
  }
  return true;
}

bool Console::show(const Result<Pause>& pause) { return pause ? show(*pause) : fail(pause.error()); }

}  // namespace salu::debug
