#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "debug/command_words.hpp"
#include "debug/console_context.hpp"
#include "debug/place_text.hpp"
#include "debug/verb.hpp"
#include "support/names.hpp"
#include "support/numbers.hpp"

// Breakpoints and watchpoints.
namespace salu::debug {
namespace {

/// Removes `wave N` from the end of a text. Nothing: it is not there.
std::optional<u64> take_wave(std::string_view& text) {
  const std::size_t blank = text.find_last_of(" \t");
  const auto number = blank == std::string_view::npos ? std::nullopt : support::parse_unsigned(text.substr(blank + 1));
  if (!number) return std::nullopt;
  const std::string_view before = support::trim(text.substr(0, blank));
  for (const std::string_view word : {"wave", "thread"}) {
    if (!before.ends_with(word)) continue;
    const std::string_view rest = before.substr(0, before.size() - word.size());
    if (!rest.empty() && rest.back() != ' ' && rest.back() != '\t') continue;
    text = support::trim(rest);
    return number;
  }
  return std::nullopt;
}

/// Restricts a new breakpoint to a wave.
Result<u32> in_wave(Session& session, const Result<u32>& id, std::optional<u64> wave) {
  if (id && wave) session.find_breakpoint(*id)->wave = wave;
  return id;
}

/// Adds a breakpoint at `[PLACE] [wave N] [if CONDITION]`; without PLACE here.
Result<u32> add_breakpoint(Session& session, std::string_view arguments, bool temporary = false) {
  const auto split = split_condition(arguments);
  if (!split) return split.error();
  auto [place, condition] = *split;
  const std::optional<u64> wave = take_wave(place);
  if (!place.empty()) return in_wave(session, session.break_at(place, condition, temporary), wave);
  if (session.run().ended()) return Error{ErrorCode::usage, {}, "the program has ended: no instruction here", {}};
  return in_wave(session, session.break_at(support::hex(session.address()), condition, temporary), wave);
}

bool show_added(ConsoleContext& console, const Result<u32>& id) {
  if (!id) return console.out.fail(id.error());
  const Breakpoint& breakpoint = *console.session.find_breakpoint(*id);
  std::string text = fmt::format("Breakpoint {}:", *id);
  if (breakpoint.addresses.empty()) text += " every " + breakpoint.what;
  if (breakpoint.wave) text += fmt::format(" of wave {}", *breakpoint.wave);
  for (const u64 address : breakpoint.addresses)
    text += " " + instruction_text(console.session, address) + source_note(console.session.program(), address);
  console.out.line(text);
  return true;
}

/// The action of a verb that adds watchpoints.
template <WatchKind kind>
bool add_watchpoint(ConsoleContext& console, std::string_view arguments) {
  const auto split = split_condition(arguments);
  if (!split) return console.out.fail(split.error());
  auto [expression, condition] = *split;
  const std::optional<u64> wave = take_wave(expression);
  const Result<u32> id = in_wave(console.session, console.session.watch(expression, kind, condition), wave);
  if (!id) return console.out.fail(id.error());
  const Breakpoint& breakpoint = *console.session.find_breakpoint(*id);
  const expr::Value value = breakpoint.watched->evaluate(console.session.machine());
  console.out.line(fmt::format("Watchpoint {}: {}{} = {}", *id, breakpoint.what,
                               breakpoint.wave ? fmt::format(" of wave {}", *breakpoint.wave) : std::string(),
                               value_text(value, breakpoint.watched->width())));
  return true;
}

/// A number, or `$bpnum`, the newest breakpoint as in GDB.
std::optional<u64> breakpoint_number(const Session& session, std::string_view text) {
  if (text != "$bpnum" || session.breakpoints().empty()) return support::parse_unsigned(text);
  return session.breakpoints().back().id;
}

/// The breakpoint with the number that the user typed; null, after an error, if it does not exist.
Breakpoint* find_numbered(ConsoleContext& console, std::string_view number) {
  const std::optional<u64> id = breakpoint_number(console.session, number);
  Breakpoint* const found = id && *id <= ~u32{0} ? console.session.find_breakpoint(static_cast<u32>(*id)) : nullptr;
  if (found == nullptr) console.out.fail("no breakpoint " + support::quote(number));
  return found;
}

/// Changes each breakpoint whose number is given.
template <class Change>
bool change_numbered(ConsoleContext& console, std::string_view numbers, const Change& change) {
  while (!numbers.empty()) {
    Breakpoint* const breakpoint = find_numbered(console, take_word(numbers));
    if (breakpoint == nullptr) return false;
    change(*breakpoint);
  }
  return true;
}

/// The action of a verb that switches breakpoints on or off.
template <bool enabled>
bool switch_breakpoints(ConsoleContext& console, std::string_view arguments) {
  if (arguments.empty()) return console.out.fail("expected the number of a breakpoint; `info breakpoints` lists them");
  return change_numbered(console, arguments, [](Breakpoint& breakpoint) { breakpoint.enabled = enabled; });
}

void print_breakpoint(const ConsoleContext& console, const Breakpoint& breakpoint) {
  constexpr std::array<std::string_view, 3> watches = {"watch", "rwatch", "awatch"};
  std::string text = fmt::format("{}  ", breakpoint.id);
  text += breakpoint.watched     ? watches[static_cast<std::size_t>(breakpoint.watch)]
          : breakpoint.log       ? "dprintf"
          : breakpoint.temporary ? "tbreak"
                                 : "break";
  text += " " + breakpoint.what;
  if (breakpoint.wave) text += fmt::format(" wave {}", *breakpoint.wave);
  if (breakpoint.condition) text += " if " + breakpoint.condition->text();
  for (const u64 address : breakpoint.addresses) text += "  " + address_text(console.session.program(), address);
  if (breakpoint.hit_condition) text += ", at hits " + breakpoint.hit_condition->text();
  if (breakpoint.log) text += ", says \"" + breakpoint.log->text() + "\"";
  text += breakpoint.hits == 0 ? ", never hit" : ", hit " + support::counted(breakpoint.hits, "time");
  if (breakpoint.ignore != 0) text += fmt::format(", the next {} are ignored", breakpoint.ignore);
  if (!breakpoint.enabled) text += ", disabled";
  console.out.wrapped(text, 3);
  for (const std::string& command : breakpoint.commands) console.out.line("        " + command);
}

/// The commands that create a breakpoint again, with line ends.
std::string recreation_of(const Session& session, const Breakpoint& breakpoint) {
  constexpr std::array<std::string_view, 3> watches = {"watch", "rwatch", "awatch"};
  std::string place = breakpoint.what;
  // A line without a file would mean the current file.
  const LineEntry* const line =
      breakpoint.addresses.empty() ? nullptr : session.program().find_line(breakpoint.addresses.front());
  if (line != nullptr && support::parse_unsigned(place) && !place.starts_with("0x"))
    place = fmt::format("{}:{}", session.program().files[line->file], place);
  if (breakpoint.watched) place = breakpoint.watched->text();
  std::string text(breakpoint.watched     ? watches[static_cast<std::size_t>(breakpoint.watch)]
                   : breakpoint.log       ? "dprintf"
                   : breakpoint.temporary ? "tbreak"
                                          : "break");
  text += " " + place;
  if (breakpoint.wave) text += fmt::format(" wave {}", *breakpoint.wave);
  if (breakpoint.condition) text += " if " + breakpoint.condition->text();
  if (breakpoint.log) text += ", \"" + breakpoint.log->text() + "\"";
  text += "\n";
  if (breakpoint.ignore != 0) text += fmt::format("ignore $bpnum {}\n", breakpoint.ignore);
  if (!breakpoint.enabled) text += "disable $bpnum\n";
  if (breakpoint.commands.empty()) return text;
  text += "commands\n";
  for (const std::string& command : breakpoint.commands) text += command + "\n";
  return text + "end\n";
}

bool begin_commands(ConsoleContext& console, std::string_view numbers) {
  CommandList list;
  if (numbers.empty()) numbers = "$bpnum";
  if (console.session.breakpoints().empty()) return console.out.fail("no breakpoint for these commands");
  while (!numbers.empty()) {
    const Breakpoint* const breakpoint = find_numbered(console, take_word(numbers));
    if (breakpoint == nullptr) return false;
    if (breakpoint->log)
      return console.out.fail(
          fmt::format("breakpoint {} is a dprintf: it does not stop, and takes no commands", breakpoint->id));
    list.breakpoints.push_back(breakpoint->id);
  }
  if (console.out.screen() && console.script_depth == 0)
    console.out.line("Commands to execute at this breakpoint, one per line, up to `end`.");
  console.collecting = std::move(list);
  return true;
}

bool show_caught(const ConsoleContext& console) {
  std::string names;
  for (const WarningKind kind : console.session.caught_kinds())
    names += (names.empty() ? "" : ", ") + std::string(warning_kind_name(kind));
  console.out.line(names.empty() ? "Stops at no warnings." : "Stops at warnings: " + names + ".");
  return true;
}

/// `catch`, `catch warning`, `catch off`, `catch hazard undefined_read`.
bool catch_warnings(ConsoleContext& console, std::string_view arguments) {
  if (arguments.empty()) return show_caught(console);
  std::set<WarningKind> kinds;
  const bool is_off = arguments == "off";
  while (!is_off && !arguments.empty()) {
    const std::string_view name = take_word(arguments);
    if (name == "warning" || name == "warnings") {
      kinds.insert(all_warning_kinds().begin(), all_warning_kinds().end());
    } else if (const auto kind = find_warning_kind(name)) {
      kinds.insert(*kind);
    } else {
      std::vector<std::string_view> names = {"warning", "off"};
      for (const WarningKind each : all_warning_kinds()) names.push_back(warning_kind_name(each));
      const std::string proposal = support::did_you_mean(name, names);
      return console.out.fail(
          fmt::format("unknown kind of warning {}{}", support::quote(name),
                      proposal.empty() ? "; expected `warning`, `off` or kinds such as `hazard`" : proposal));
    }
  }
  console.session.catch_warnings(std::move(kinds));
  return show_caught(console);
}

bool save_breakpoints(ConsoleContext& console, std::string_view arguments) {
  const std::string_view what = take_word(arguments);
  if (what.empty() || !std::string_view("breakpoints").starts_with(what) || arguments.empty())
    return console.out.fail("expected `breakpoints` and a file, as in `save breakpoints stops.txt`");
  if (!console.host.write_file) return console.out.fail("files cannot be written here");
  const Session& session = console.session;
  if (session.breakpoints().empty()) return console.out.fail("no breakpoints or watchpoints to save");
  std::string text;
  for (const Breakpoint& each : session.breakpoints()) text += recreation_of(session, each);
  const std::string problem = console.host.write_file(std::string(arguments), text);
  if (!problem.empty()) return console.out.fail(problem);
  console.out.line(fmt::format("Saved {} to {}; `source` reads them again.",
                               support::counted(session.breakpoints().size(), "breakpoint"),
                               support::quote(arguments)));
  return true;
}

}  // namespace

VerbGroup breakpoint_verbs() {
  static constexpr std::array verbs = std::to_array<Verb>({
      {"break", "b", "[PLACE] [if CONDITION]", Repeats::no,
       "Stops before a place, or before every instruction with a mnemonic (break s_cbranch_*), if the condition "
       "holds. Without a place, here.",
       [](ConsoleContext& console, std::string_view arguments) {
         return show_added(console, add_breakpoint(console.session, arguments));
       },
       Words::code},
      {"tbreak", "tb", "[PLACE] [if CONDITION]", Repeats::no, "As break, for one stop.",
       [](ConsoleContext& console, std::string_view arguments) {
         return show_added(console, add_breakpoint(console.session, arguments, true));
       },
       Words::code},
      {"dprintf", "dp", "[PLACE] [if CONDITION], MESSAGE", Repeats::no,
       "Prints a message at a place (by default here) without stopping, with the values of expressions in braces: "
       "dprintf loop, s0 is {s0}.",
       [](ConsoleContext& console, std::string_view arguments) {
         auto [place, text] = split_at_comma(arguments);
         // The message may be in quotes.
         if (text.size() >= 2 && text.starts_with('"') && text.ends_with('"')) text = text.substr(1, text.size() - 2);
         if (text.empty())
           return console.out.fail("expected a place, a comma and a message, as in `dprintf loop, s0 is {s0}`");
         Result<LogMessage> message = LogMessage::parse(text, console.session.program(), console.session.lane());
         if (!message) return console.out.fail(message.error());
         const Result<u32> id = add_breakpoint(console.session, place);
         if (id) console.session.find_breakpoint(*id)->log = *std::move(message);
         return show_added(console, id);
       },
       Words::code},
      {"watch", "wa", "EXPRESSION [if CONDITION]", Repeats::no,
       "Stops after an instruction that changes the value: watch s0, watch mode.csp, watch [0x10000], watch s0 > 5.",
       add_watchpoint<WatchKind::change>},
      {"rwatch", "rw", "PLACE [if CONDITION]", Repeats::no,
       "Stops after an instruction that reads a register or memory.", add_watchpoint<WatchKind::read>},
      {"awatch", "aw", "PLACE [if CONDITION]", Repeats::no,
       "Stops after an instruction that reads or writes a register or memory, even if the value stays the same.",
       add_watchpoint<WatchKind::access>},
      {"catch", "", "[warning|KIND...|off]", Repeats::no,
       "Stops after an instruction with a warning of any kind, or of some kinds: hazard, undefined_read, "
       "dropped_write, ... Informational warnings are ignored. With --check-hazards, --check-races and "
       "--check-undefined, their warnings stop the run by default; `off` disables this. Without arguments, lists the "
       "kinds.",
       catch_warnings, Words::warnings},
      {"delete", "d", "[N...]", Repeats::no, "Deletes breakpoints and watchpoints by number; all without a number.",
       [](ConsoleContext& console, std::string_view arguments) {
         Session& session = console.session;
         // Asks before all breakpoints are deleted.
         const bool asks =
             arguments.empty() && !session.breakpoints().empty() && console.host.ask && console.script_depth == 0;
         if (asks && !console.host.ask("Delete all breakpoints and watchpoints?")) return true;
         while (arguments.empty() && !session.breakpoints().empty())
           session.remove_breakpoint(session.breakpoints().back().id);
         return change_numbered(console, arguments,
                                [&](const Breakpoint& breakpoint) { session.remove_breakpoint(breakpoint.id); });
       },
       Words::breakpoints},
      {"enable", "en", "N...", Repeats::no, "Enables breakpoints.", switch_breakpoints<true>, Words::breakpoints},
      {"disable", "dis", "N...", Repeats::no, "Disables breakpoints.", switch_breakpoints<false>, Words::breakpoints},
      {"condition", "cond", "N [CONDITION]", Repeats::no, "Changes or removes the condition of a breakpoint.",
       [](ConsoleContext& console, std::string_view arguments) {
         const std::string_view number = take_word(arguments);
         if (!breakpoint_number(console.session, number))
           return console.out.fail("expected the number of a breakpoint and a condition");
         const Breakpoint* const breakpoint = find_numbered(console, number);
         if (breakpoint == nullptr) return false;
         const Result<u32> changed = console.session.set_condition(breakpoint->id, arguments);
         return changed || console.out.fail(changed.error());
       },
       Words::breakpoints},
      {"ignore", "ig", "N COUNT", Repeats::no, "Ignores the next hits of a breakpoint.",
       [](ConsoleContext& console, std::string_view arguments) {
         const std::string_view number = take_word(arguments);
         const auto count = support::parse_unsigned(arguments);
         if (!breakpoint_number(console.session, number) || !count)
           return console.out.fail("expected the number of a breakpoint and a count, as in `ignore 1 3`");
         return change_numbered(console, number, [&](Breakpoint& breakpoint) { breakpoint.ignore = *count; });
       },
       Words::breakpoints},
      {"commands", "", "[N...]", Repeats::no,
       "Reads lines up to `end` as commands to execute when the run stops at a breakpoint, by default the newest. "
       "`silent` as the first suppresses the output of the stop; commands after one that continues the run are "
       "skipped.",
       begin_commands, Words::breakpoints},
      {"save", "", "breakpoints FILE", Repeats::no,
       "Writes the commands that create the breakpoints and watchpoints again, for `source`.", save_breakpoints,
       Words::none},
  });
  static constexpr std::array topics = std::to_array<InfoTopic>({
      {"breakpoints", "",
       [](ConsoleContext& console, std::string_view) {
         if (console.session.breakpoints().empty()) console.out.line("No breakpoints or watchpoints.");
         for (const Breakpoint& each : console.session.breakpoints()) print_breakpoint(console, each);
         return true;
       }},
      {"watchpoints", "",
       [](ConsoleContext& console, std::string_view) {
         bool has_any = false;
         for (const Breakpoint& each : console.session.breakpoints()) {
           if (!each.watched) continue;
           print_breakpoint(console, each);
           has_any = true;
         }
         if (!has_any) console.out.line("No watchpoints.");
         return true;
       }},
  });
  return {verbs, topics, "breakpoints", "breakpoints and watchpoints"};
}

}  // namespace salu::debug
