#include "debug/console.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <optional>

#include "core/text.hpp"
#include "debug/fork_log.hpp"
#include "isa/operand.hpp"

namespace salu::debug {
namespace {

using core::hex;

constexpr std::string_view bold = "\x1b[1m";
constexpr std::string_view green = "\x1b[32m";
constexpr std::string_view yellow = "\x1b[33m";

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

/// The first word of a text, which keeps the rest.
std::string_view take_word(std::string_view& text) {
  text = trim(text);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view word = text.substr(0, end);
  text = trim(text.substr(end));
  return word;
}

std::optional<u64> parse_count(std::string_view text) {
  const bool is_hex = text.starts_with("0x");
  if (is_hex) text.remove_prefix(2);
  u64 number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, is_hex ? 16 : 10);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// `PLACE if CONDITION`; a condition that is missing behind its `if` is `if` itself, which is none.
std::pair<std::string_view, std::string_view> split_condition(std::string_view text) {
  const std::size_t at = (" " + std::string(text) + " ").find(" if ");
  if (at == std::string::npos) return {trim(text), {}};
  const std::string_view place = trim(text.substr(0, at == 0 ? 0 : at - 1));
  const std::string_view condition = trim(text.substr(std::min(at + 2, text.size())));
  return {place, condition.empty() ? text.substr(at, 2) : condition};
}

std::string counted(u64 count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

std::string lanes_text(u64 mask) {
  return counted(static_cast<u64>(std::popcount(mask)), "lane") + " (" + hex(mask, 16) + ")";
}

}  // namespace

// clang-format off
std::span<const Console::Command> Console::commands() {
  static constexpr std::array all = std::to_array<Command>({
      {"step", "s", "[N]", "Goes on to another source line, N times; into calls. Without lines, one instruction.", &Console::step, true},
      {"stepi", "si", "[N]", "Executes one instruction, or N.", &Console::step_instruction, true},
      {"next", "n", "[N]", "As step, but over calls.", &Console::next, true},
      {"nexti", "ni", "[N]", "As stepi, but over calls.", &Console::next_instruction, true},
      {"finish", "fin", "", "Goes on until the function that was called last has returned.", &Console::finish, true},
      {"until", "u", "PLACE", "Goes on to a place: an address, a label (loop, loop+8), a source line (12, file.s:12).", &Console::until, false},
      {"continue", "c", "[N]", "Goes on to the next breakpoint or watchpoint, or the end. With N, the breakpoint here stops again after N hits only.", &Console::go_on, true},
      {"run", "r", "", "Goes back to the start of the run.", &Console::restart, false},
      {"reverse-stepi", "rsi", "[N]", "Takes one instruction back, or N.", &Console::reverse_step, true},
      {"reverse-nexti", "rni", "[N]", "As reverse-stepi, but over calls.", &Console::reverse_next, true},
      {"reverse-finish", "rfin", "", "Goes back to where the current function was called.", &Console::reverse_finish, true},
      {"reverse-until", "ru", "PLACE", "Goes back to a place.", &Console::reverse_until, false},
      {"reverse-continue", "rc", "", "Goes back to the last breakpoint or watchpoint, or the start.", &Console::reverse_continue, true},
      {"goto", "go", "POSITION|end", "Goes to where so many instructions have been executed, or to the end of the program, whatever lies between.", &Console::go_to, false},
      {"break", "b", "PLACE [if CONDITION]", "Stops in front of a place, or of every instruction with a mnemonic (break s_cbranch_*), where the condition holds.", &Console::add_break, false},
      {"tbreak", "tb", "PLACE [if CONDITION]", "As break, once.", &Console::add_temporary_break, false},
      {"watch", "wa", "EXPRESSION [if CONDITION]", "Stops behind an instruction that changes the value: watch s0, watch mode.csp, watch [0x10000], watch s0 > 5.", &Console::add_watch, false},
      {"rwatch", "rw", "PLACE [if CONDITION]", "Stops behind an instruction that reads a register or memory.", &Console::add_read_watch, false},
      {"awatch", "aw", "PLACE [if CONDITION]", "Stops behind an instruction that reads or writes a register or memory, whatever the value.", &Console::add_access_watch, false},
      {"delete", "d", "[N...]", "Removes breakpoints and watchpoints by number; all without a number.", &Console::remove, false},
      {"enable", "en", "N...", "Lets breakpoints stop again.", &Console::enable, false},
      {"disable", "dis", "N...", "Keeps breakpoints without letting them stop.", &Console::disable, false},
      {"condition", "cond", "N [CONDITION]", "Gives a breakpoint another condition, or none.", &Console::condition, false},
      {"ignore", "ig", "N COUNT", "Passes over the next hits of a breakpoint.", &Console::ignore, false},
      {"info", "i", "breakpoints|registers [NAME...]|stack|symbols|warnings|program", "Shows breakpoints with their hits; registers; the control stack; labels; warnings so far; where the run stands.", &Console::info, false},
      {"print", "p", "EXPRESSION", "Evaluates: s0, s[2:3], exec, [s[4:5] + 8], bcnt(exec), s0 > 5 && scc.", &Console::print_value, false},
      {"x", "x", "[/N] ADDRESS", "Shows N dwords of memory.", &Console::examine, true},
      {"set", "", "PLACE = VALUE", "Sets a register, a field or memory. What came behind this position is forgotten.", &Console::set, false},
      {"disassemble", "disas", "[PLACE] [N]", "Shows the instructions around the PC, or N from a place on. => is the next one, * has a breakpoint.", &Console::disassemble, false},
      {"backtrace", "bt", "", "Shows the calls that have not returned.", &Console::backtrace, false},
      {"lanes", "l", "[EXPRESSION...]", "Shows the lanes of EXEC, VCC and of what waits on the control stack, or of masks.", &Console::lanes, false},
      {"forks", "fo", "", "Shows all forks and joins so far, indented by the depth of the control stack.", &Console::forks, false},
      {"who", "w", "PLACE", "Shows the instruction that wrote a register or memory last.", &Console::who, false},
      {"changed", "ch", "EXPRESSION", "Shows the instruction that changed a value last.", &Console::changed, false},
      {"history", "hi", "EXPRESSION [N]", "Shows the values that an expression has had, the last 20 or N one by one.", &Console::history, false},
      {"help", "h", "[COMMAND]", "Lists the commands, or tells more about one.", &Console::help, false},
      {"quit", "q", "", "Ends.", &Console::quit, false},
  });
  return all;
}
// clang-format on

Console::Console(Session& session, std::function<void(std::string_view)> print, bool colour)
    : session_(session), print_(std::move(print)), colour_(colour), shown_(session.machine().state()) {}

void Console::greet() { show_place(); }

const Console::Command* Console::find_command(std::string_view word, std::string* problem) {
  std::vector<const Command*> found;
  for (const Command& command : commands()) {
    if (word == command.name || (!command.short_name.empty() && word == command.short_name)) return &command;
    if (command.name.starts_with(word)) found.push_back(&command);
  }
  if (found.size() == 1) return found.front();
  *problem = "there is no command `" + std::string(word) + "`; `help` lists them";
  if (!found.empty()) {
    *problem = "`" + std::string(word) + "` may be";
    for (std::size_t i = 0; i < found.size(); ++i)
      *problem += (i == 0 ? " `" : i + 1 == found.size() ? " or `" : ", `") + std::string(found[i]->name) + "`";
  }
  return nullptr;
}

bool Console::execute(std::string_view text) {
  // One that came while nobody ran is none.
  session_.clear_interrupt();
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

// ---- moving ----

/// Runs `work(count)` with the count that stands in the arguments, 1 without one.
template <class Work>
bool Console::repeat(std::string_view arguments, const Work& work) {
  u64 count = 1;
  if (!arguments.empty()) {
    const auto number = parse_count(arguments);
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

bool Console::step(std::string_view arguments) {
  return repeat(arguments, [this](u64 count) {
    Pause pause;
    for (u64 i = 0; i < count && pause.reason == Pause::Reason::step; ++i) pause = session_.step_line(false);
    return pause;
  });
}

bool Console::next(std::string_view arguments) {
  return repeat(arguments, [this](u64 count) {
    Pause pause;
    for (u64 i = 0; i < count && pause.reason == Pause::Reason::step; ++i) pause = session_.step_line(true);
    return pause;
  });
}

bool Console::reverse_step(std::string_view arguments) {
  return repeat(arguments, [this](u64 count) { return session_.step_back(count); });
}

bool Console::reverse_next(std::string_view arguments) {
  return repeat(arguments, [this](u64 count) { return session_.next_back(count); });
}

bool Console::finish(std::string_view) { return show(session_.finish()); }

bool Console::reverse_finish(std::string_view) { return show(session_.finish_back()); }

bool Console::until(std::string_view arguments) {
  const Result<std::vector<u64>> place = session_.find_place(arguments);
  return place ? show(session_.run_to(*place)) : fail(place.error());
}

bool Console::reverse_until(std::string_view arguments) {
  const Result<std::vector<u64>> place = session_.find_place(arguments);
  return place ? show(session_.run_back_to(*place)) : fail(place.error());
}

bool Console::go_on(std::string_view arguments) {
  if (!arguments.empty()) {
    const auto count = parse_count(arguments);
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
  const auto position = parse_count(arguments);
  if (!position)
    return fail("expected a position (instructions executed) or `end`, found `" + std::string(arguments) + "`");
  return show(session_.go_to(*position));
}

// ---- breakpoints ----

bool Console::add_break_of(std::string_view arguments, bool temporary) {
  const auto [place, condition] = split_condition(arguments);
  if (place.empty()) return fail("expected a place, as in `break loop`, `break 12`, `break s_cbranch_*`");
  const bool is_pattern = place.find_first_of("*?") != std::string_view::npos && !place.starts_with('*');
  const bool is_mnemonic = is_pattern || (place.starts_with("s_") && session_.program().find_symbol(place) == nullptr);
  const Result<u32> id =
      is_mnemonic ? session_.break_on(place, condition, temporary) : session_.break_at(place, condition, temporary);
  if (!id) return fail(id.error());
  const Breakpoint& breakpoint = *session_.find_breakpoint(*id);
  std::string text = "Breakpoint " + std::to_string(*id) + ":";
  if (breakpoint.addresses.empty()) text += " every " + breakpoint.what;
  for (const u64 address : breakpoint.addresses)
    text += " " + place_text(address) + ": " + session_.machine().text_at(address) + source_text(address);
  line(text);
  return true;
}

bool Console::add_break(std::string_view arguments) { return add_break_of(arguments, false); }

bool Console::add_temporary_break(std::string_view arguments) { return add_break_of(arguments, true); }

bool Console::add_watch_of(std::string_view arguments, WatchKind kind) {
  const auto [expression, condition] = split_condition(arguments);
  const Result<u32> id = session_.watch(expression, kind, condition);
  if (!id) return fail(id.error());
  const Breakpoint& breakpoint = *session_.find_breakpoint(*id);
  line("Watchpoint " + std::to_string(*id) + ": " + breakpoint.what + " = " +
       value_text(breakpoint.watched->evaluate(session_.machine()), breakpoint.watched->width()));
  return true;
}

bool Console::add_watch(std::string_view arguments) { return add_watch_of(arguments, WatchKind::change); }

bool Console::add_read_watch(std::string_view arguments) { return add_watch_of(arguments, WatchKind::read); }

bool Console::add_access_watch(std::string_view arguments) { return add_watch_of(arguments, WatchKind::access); }

bool Console::remove(std::string_view arguments) {
  if (arguments.empty()) {
    while (!session_.breakpoints().empty()) session_.remove_breakpoint(session_.breakpoints().back().id);
    return true;
  }
  while (!arguments.empty()) {
    const std::string_view word = take_word(arguments);
    const auto id = parse_count(word);
    if (!id || !session_.remove_breakpoint(static_cast<u32>(*id)))
      return fail("there is no breakpoint `" + std::string(word) + "`");
  }
  return true;
}

bool Console::switch_breakpoints(std::string_view arguments, bool enabled) {
  if (arguments.empty()) return fail("expected the number of a breakpoint; `info breakpoints` lists them");
  while (!arguments.empty()) {
    const std::string_view word = take_word(arguments);
    const auto id = parse_count(word);
    Breakpoint* const breakpoint = id ? session_.find_breakpoint(static_cast<u32>(*id)) : nullptr;
    if (breakpoint == nullptr) return fail("there is no breakpoint `" + std::string(word) + "`");
    breakpoint->enabled = enabled;
  }
  return true;
}

bool Console::enable(std::string_view arguments) { return switch_breakpoints(arguments, true); }

bool Console::disable(std::string_view arguments) { return switch_breakpoints(arguments, false); }

bool Console::condition(std::string_view arguments) {
  const std::string_view word = take_word(arguments);
  const auto id = parse_count(word);
  if (!id) return fail("expected the number of a breakpoint and a condition");
  const Result<u32> changed = session_.set_condition(static_cast<u32>(*id), arguments);
  return changed || fail(changed.error());
}

bool Console::ignore(std::string_view arguments) {
  const auto id = parse_count(take_word(arguments));
  const auto count = parse_count(arguments);
  if (!id || !count) return fail("expected the number of a breakpoint and a count, as in `ignore 1 3`");
  Breakpoint* const breakpoint = session_.find_breakpoint(static_cast<u32>(*id));
  if (breakpoint == nullptr) return fail("there is no breakpoint " + std::to_string(*id));
  breakpoint->ignore = *count;
  return true;
}

// ---- looking ----

bool Console::info(std::string_view arguments) {
  const std::string_view what = take_word(arguments);
  const auto is = [what](std::string_view name) { return !what.empty() && name.starts_with(what); };
  if (is("breakpoints")) return info_breakpoints();
  if (is("registers")) return info_registers(arguments);
  if (is("stack")) return info_stack();
  if (is("symbols")) return info_symbols();
  if (is("warnings")) return info_warnings();
  if (is("program")) return info_program();
  return fail("expected breakpoints, registers, stack, symbols, warnings or program, found `" + std::string(what) +
              "`");
}

bool Console::info_breakpoints() {
  if (session_.breakpoints().empty()) line("There are no breakpoints and no watchpoints.");
  for (const Breakpoint& each : session_.breakpoints()) {
    constexpr std::array<std::string_view, 3> watches = {"watch", "rwatch", "awatch"};
    std::string text = std::to_string(each.id) + "  ";
    text += each.watched ? watches[static_cast<std::size_t>(each.watch)] : each.temporary ? "tbreak" : "break";
    text += " " + each.what;
    if (each.condition) text += " if " + each.condition->text();
    for (const u64 address : each.addresses) text += "  " + place_text(address);
    text += each.hits == 0 ? ", never hit" : ", hit " + counted(each.hits, "time");
    if (each.ignore != 0) text += ", the next " + std::to_string(each.ignore) + " are passed over";
    if (!each.enabled) text += ", disabled";
    line(text);
  }
  return true;
}

bool Console::info_registers(std::string_view names) {
  const core::Machine& machine = session_.machine();
  const Generation generation = machine.generation();
  if (!names.empty()) {
    while (!names.empty()) {
      const std::string word(take_word(names));
      const Result<Expression> expression = session_.parse(word);
      if (!expression) return fail(expression.error());
      line(word + "=" + value_text(expression->evaluate(machine), expression->width()));
    }
    return true;
  }
  const WaveState state = machine.state();
  std::string row;
  u32 in_row = 0;
  for (u32 first = 0; first < std::min(state.sgprs, code::flat_scratch); ++first) {
    if (!state.defined.test(first) && state.file[first] == 0) continue;
    std::string name = isa::register_name(generation, first, 1);
    name.resize(std::max<std::size_t>(name.size(), 4), ' ');
    row += (row.empty() ? "  " : "   ") + name + hex(state.file[first], 8);
    if (++in_row % 4 == 0) {
      line(row);
      row.clear();
    }
  }
  if (!row.empty()) line(row);
  line("  exec " + hex(state.exec(), 16) + "   vcc " + hex(state.vcc(), 16) + "   scc " + (state.scc ? "1" : "0") +
       "   m0 " + hex(state.file[code::m0], 8));
  line("  pc " + hex(state.pc) + "   mode " + hex(state.mode, 8) + " (csp " + std::to_string(state.csp()) + ", vskip " +
       std::to_string(state.mode >> mode_bit::vskip & 1) + ")   status " + hex(state.full_status(), 8));
  return true;
}

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

bool Console::info_symbols() {
  if (session_.program().symbols.empty()) line("The program has no labels and no symbols.");
  for (const Symbol& symbol : session_.program().symbols) line(hex(symbol.address) + "  " + symbol.name);
  return true;
}

bool Console::info_warnings() {
  if (session_.machine().warnings().empty()) line("There is no warning so far.");
  for (const Warning& warning : session_.machine().warnings())
    line(std::string(warning_kind_name(warning.kind)) + " at " + place_text(warning.pc) + ": " + warning.detail);
  return true;
}

bool Console::info_program() {
  const Timeline& timeline = session_.timeline();
  line(timeline.scenario().name + " on " + std::string(session_.program().target->name) + ", " +
       counted(timeline.position(), "instruction") + " executed, " + std::to_string(timeline.furthest()) +
       " at most so far");
  line("history: " + counted(timeline.checkpoint_count(), "checkpoint") + ", " +
       std::to_string((timeline.history_bytes() + 1023) / 1024) + " KiB");
  show_place();
  return true;
}

bool Console::print_value(std::string_view arguments) {
  const Result<Expression> expression = session_.parse(arguments);
  if (!expression) {
    const Error& error = expression.error();
    return fail(error.message +
                (error.where.column == 0 ? "" : " (column " + std::to_string(error.where.column) + ")"));
  }
  const Value value = expression->evaluate(session_.machine());
  std::string text =
      value_text(value, expression->width() == 64 && !expression->is_register() ? 0 : expression->width());
  if (!value.is_signed && value.bits > 9) text += " (" + std::to_string(value.bits) + ")";
  const std::string symbol = session_.program().describe_address(value.bits);
  if (!symbol.empty()) text += " <" + symbol + ">";
  line(std::string(trim(arguments)) + " = " + text);
  return true;
}

bool Console::examine(std::string_view arguments) {
  u64 count = 1;
  if (arguments.starts_with('/')) {
    const std::string_view word = take_word(arguments).substr(1);
    const auto number = parse_count(word);
    constexpr u64 most = 4096;
    if (!number || *number == 0 || *number > most)
      return fail("expected /1 to /" + std::to_string(most) + " dwords, found `/" + std::string(word) + "`");
    count = *number;
  }
  const Result<Value> address = session_.evaluate(arguments);
  if (!address) return fail(address.error());
  const Memory& memory = session_.machine().memory_now();
  std::string row;
  for (u64 i = 0; i < count; ++i) {
    const u64 at = address->bits + i * 4;
    if (i % 4 == 0 && i != 0) line(row);
    if (i % 4 == 0) row = hex(at) + ":";
    row += memory.is_mapped(at, 4) ? " " + hex(memory.read_dword(at), 8) : " (not mapped)";
  }
  line(row);
  return true;
}

bool Console::set(std::string_view arguments) {
  const std::size_t equals = arguments.find('=');
  if (equals == std::string_view::npos) return fail("expected PLACE = VALUE, as in `set s0 = 7`");
  const u64 forgotten = session_.timeline().furthest() - session_.timeline().position();
  const Result<Value> value = session_.set(trim(arguments.substr(0, equals)), trim(arguments.substr(equals + 1)));
  if (!value) return fail(value.error());
  if (forgotten != 0) line("The " + counted(forgotten, "instruction") + " that came behind this are forgotten.");
  show_changes();
  return true;
}

void Console::print_instruction(u64 address) {
  const bool is_next = !session_.timeline().ended() && session_.machine().pc() == address;
  const bool has_breakpoint = std::ranges::any_of(session_.breakpoints(), [&](const Breakpoint& each) {
    return std::ranges::binary_search(each.addresses, address);
  });
  const std::string label = session_.program().describe_address(address);
  if (!label.empty() && label.find('+') == std::string::npos) line(label + ":");
  const std::string text = std::string(is_next ? "=>" : "  ") + (has_breakpoint ? "*" : " ") + " " + hex(address) +
                           "  " + session_.machine().text_at(address) + source_text(address);
  line(is_next ? styled(text, yellow) : text);
}

bool Console::disassemble(std::string_view arguments) {
  const core::Machine& machine = session_.machine();
  u64 start = session_.timeline().ended() ? machine.stop().pc : machine.pc();
  u64 count = 11;
  const bool is_around = arguments.empty();
  if (!is_around) {
    const Result<std::vector<u64>> place = session_.find_place(take_word(arguments));
    if (!place) return fail(place.error());
    start = place->front();
    if (!arguments.empty()) {
      const auto number = parse_count(arguments);
      if (!number || *number == 0) return fail("expected a count from 1 on, found `" + std::string(arguments) + "`");
      count = *number;
    }
  }
  const CodeBlock* const block = session_.program().find_block(start);
  if (block == nullptr) return fail("there is no code at " + hex(start));
  // What is an instruction and what its second dword is known from the last label on.
  u64 from = block->base;
  for (const Symbol& symbol : session_.program().symbols) {
    if (symbol.address <= start && block->contains(symbol.address)) from = std::max(from, symbol.address);
  }
  if (is_around && start - from < 5 * 4) from = block->base;
  std::vector<u64> addresses;
  for (u64 address = from; address < block->end();) {
    addresses.push_back(address);
    address += u64{machine.instruction_at(address)->dwords} * 4;
  }
  const auto here = std::ranges::lower_bound(addresses, start) - addresses.begin();
  const std::size_t first =
      is_around ? static_cast<std::size_t>(std::max<std::ptrdiff_t>(here - 5, 0)) : static_cast<std::size_t>(here);
  for (std::size_t i = first; i < std::min<std::size_t>(first + count, addresses.size()); ++i)
    print_instruction(addresses[i]);
  return true;
}

bool Console::backtrace(std::string_view) {
  const u64 pc = session_.timeline().ended() ? session_.machine().stop().pc : session_.machine().pc();
  u64 number = 0;
  line("#0  " + place_text(pc) + source_text(pc));
  constexpr u64 most = 100;
  for (const Frame* frame = session_.timeline().calls().top(); frame != nullptr; frame = frame->outer.get()) {
    if (++number == most) {
      line("... and " + std::to_string(frame->depth) + " more");
      break;
    }
    line("#" + std::to_string(number) + "  " + place_text(frame->call_pc) + ", to return to " +
         hex(frame->return_address) + ", called at position " + std::to_string(frame->position) +
         source_text(frame->call_pc));
  }
  return true;
}

// ---- lanes and forks ----

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

// ---- history ----

bool Console::show_change(const Expression& expression, const std::optional<ValueChange>& change,
                          std::string_view verb) {
  if (!change) {
    line("No instruction has " + std::string(verb) + " " + expression.text() + " so far.");
    return true;
  }
  const u32 width = expression.width();
  line("[" + std::to_string(change->position) + "] " + place_text(change->pc) + ": " +
       session_.machine().text_at(change->pc) + ": " + value_text(change->before, width) + " -> " +
       value_text(change->after, width) + source_text(change->pc));
  return true;
}

bool Console::who(std::string_view arguments) {
  const Result<Expression> place = session_.parse(arguments);
  if (!place) return fail(place.error());
  if (!place->is_register() && !place->is_memory())
    return fail("`" + std::string(arguments) + "` is neither a register nor memory; `changed` takes any expression");
  return show_change(*place, session_.last_write(*place), "written");
}

bool Console::changed(std::string_view arguments) {
  const Result<Expression> expression = session_.parse(arguments);
  if (!expression) return fail(expression.error());
  return show_change(*expression, session_.last_change(*expression), "changed");
}

bool Console::history(std::string_view arguments) {
  constexpr std::size_t usual = 20;
  std::size_t most = usual;
  Result<Expression> expression = session_.parse(arguments);
  const std::size_t blank = arguments.find_last_of(" \t");
  if (!expression && blank != std::string_view::npos) {
    if (const auto number = parse_count(arguments.substr(blank + 1))) {
      most = static_cast<std::size_t>(*number);
      expression = session_.parse(trim(arguments.substr(0, blank)));
    }
  }
  if (!expression) return fail(expression.error());
  const ValueHistory values = session_.history(*expression, most);
  const u32 width = expression->width();
  line("[0] " + value_text(values.first, width));
  if (values.count > values.changes.size())
    line("... " + counted(values.count - values.changes.size(), "change") + " are left out");
  for (const ValueChange& change : values.changes) {
    line("[" + std::to_string(change.position) + "] " + value_text(change.after, width) + "  " + place_text(change.pc) +
         ": " + session_.machine().text_at(change.pc));
  }
  return true;
}

// ---- help ----

bool Console::help(std::string_view arguments) {
  if (!arguments.empty()) {
    std::string problem;
    const Command* const command = find_command(arguments, &problem);
    if (command == nullptr) return fail(problem);
    std::string usage(command->name);
    if (!command->arguments.empty()) usage += " " + std::string(command->arguments);
    line(usage + (command->short_name.empty() || command->short_name == command->name
                      ? ""
                      : "  (" + std::string(command->short_name) + ")"));
    line(command->help);
    if (command->repeats) line("An empty line does it again.");
    return true;
  }
  for (const Command& command : commands()) {
    std::string usage(command.name);
    if (!command.arguments.empty()) usage += " " + std::string(command.arguments);
    line(usage);
    line("    " + std::string(command.help));
  }
  return true;
}

bool Console::quit(std::string_view) {
  quits_ = true;
  return true;
}

}  // namespace salu::debug
